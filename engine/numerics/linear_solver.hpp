// Linear systems of a fixed pattern, solved again and again: dense LU when small, sparse LU when large.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace deltaflow {

class LinearSolver {
public:
    // Entry e of the matrix stands at (rows[e], columns[e]); every diagonal entry must be among them.
    LinearSolver(int size, std::span<const std::uint32_t> rows, std::span<const std::uint32_t> columns);
    LinearSolver(LinearSolver&&) noexcept;
    ~LinearSolver();

    // Factors, unless the values are those it has factored already. False: singular to rounding.
    bool factor(std::span<const double> values);
    void solve(std::span<double> right_side) const;
    // |inverse| times a vector of bounds (an estimate from above where the matrix is large).
    void spread(std::span<double> bounds) const;
    int determinant_sign() const;
    // Rows of the form x_i = terms in rows before it: what they say needs no elimination, and its rounding.
    std::span<const std::uint32_t> free_rows() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace deltaflow
