#include "engine/numerics/band.hpp"

#include "engine/limits.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

bool BandSolver::suits(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> columns) {
    for (std::size_t e = 0; e < rows.size(); ++e)
        if (std::max(rows[e], columns[e]) - std::min(rows[e], columns[e]) > widest) return false;
    return true;
}

BandSolver::BandSolver(std::size_t size, std::span<const std::uint32_t> rows,
                       std::span<const std::uint32_t> columns)
    : size_(size), columns_(columns.begin(), columns.end()), exchanged_(size), largest_(size) {
    for (std::size_t e = 0; e < rows.size(); ++e) {
        below_ = std::max<std::size_t>(below_, rows[e] > columns[e] ? rows[e] - columns[e] : 0);
        above_ = std::max<std::size_t>(above_, columns[e] > rows[e] ? columns[e] - rows[e] : 0);
    }
    width_ = 2 * below_ + above_ + 1;
    for (std::size_t e = 0; e < rows.size(); ++e)
        places_.push_back(rows[e] * width_ + columns[e] + below_ - rows[e]);
    matrix_.resize(size_ * width_);
}

bool BandSolver::factor(std::span<const double> values) {
    std::fill(matrix_.begin(), matrix_.end(), 0.0);
    std::fill(largest_.begin(), largest_.end(), 0.0);
    for (std::size_t e = 0; e < values.size(); ++e) {
        matrix_[places_[e]] = values[e];
        largest_[columns_[e]] = std::max(largest_[columns_[e]], std::abs(values[e]));
    }
    for (std::size_t c = 0; c < size_; ++c)
        if (!eliminate(c, largest_[c])) return false;
    return true;
}

// The largest entry below comes to the diagonal; a pivot is held against what its column was.
bool BandSolver::eliminate(std::size_t c, double largest) {
    const std::size_t last = std::min(size_ - 1, c + below_),
                      count = std::min(size_ - c, above_ + below_ + 1);
    const auto from = [&](std::size_t i) { return row(i) + (c + below_ - i); };
    std::size_t best = c;
    for (std::size_t i = c + 1; i <= last; ++i)
        if (std::abs(*from(i)) > std::abs(*from(best))) best = i;
    exchanged_[c] = static_cast<std::uint32_t>(best);
    if (best != c) std::swap_ranges(from(c), from(c) + count, from(best));
    const double* upper = from(c);
    if (!(std::abs(*upper) > limits::singular_rcond * largest) || !std::isfinite(*upper)) return false;
    for (std::size_t i = c + 1; i <= last; ++i) {
        double* lower = from(i);
        const double factor = lower[0] /= *upper;
        if (factor == 0) continue;
        for (std::size_t k = 1; k < count; ++k) lower[k] -= factor * upper[k];
    }
    return true;
}

void BandSolver::solve(std::span<double> b) const {
    for (std::size_t c = 0; c < size_; ++c) {
        std::swap(b[c], b[exchanged_[c]]);
        const std::size_t last = std::min(size_ - 1, c + below_);
        for (std::size_t i = c + 1; i <= last; ++i) b[i] -= row(i)[c + below_ - i] * b[c];
    }
    for (std::size_t i = size_; i-- > 0;) {
        const double* entries = row(i) + below_;
        const std::size_t count = std::min(size_ - i, above_ + below_ + 1);
        double sum = b[i];
        for (std::size_t k = 1; k < count; ++k) sum -= entries[k] * b[i + k];
        b[i] = sum / entries[0];
    }
}

}  // namespace deltaflow
