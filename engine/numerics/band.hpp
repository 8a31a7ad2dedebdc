// Linear systems whose entries stand near the diagonal: LU with row exchanges, in time that grows with the
// number of rows alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace deltaflow {

class BandSolver {
public:
    // So far an entry may be from the diagonal for this to be worth while.
    static constexpr std::size_t widest = 8;
    static bool suits(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> columns);

    // Entry e of the matrix stands at (rows[e], columns[e]), once.
    BandSolver(std::size_t size, std::span<const std::uint32_t> rows, std::span<const std::uint32_t> columns);
    // False: singular to rounding.
    bool factor(std::span<const double> values);
    void solve(std::span<double> right_side) const;

private:
    double* row(std::size_t i) { return matrix_.data() + i * width_; }
    const double* row(std::size_t i) const { return matrix_.data() + i * width_; }
    bool eliminate(std::size_t column, double largest);

    std::size_t size_, below_ = 0, above_ = 0, width_;
    std::vector<std::size_t> places_;  // of the entries
    std::vector<std::uint32_t> columns_, exchanged_;
    // Row i has columns i - below to i + above, and room for what exchanges bring; entry (i, c) stands at
    // c + below - i.
    std::vector<double> matrix_, largest_;
};

}  // namespace deltaflow
