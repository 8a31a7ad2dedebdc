#include "bonds/elimination.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

namespace deltaflow::bonds {

namespace {

// Coefficients are ones and ratios of transformers; what is so much smaller than what it is the difference
// of is rounding.
constexpr double least_pivot = 1e-11;

}  // namespace

void Elimination::add(const Row& row) {
    const auto r = static_cast<std::uint32_t>(rows_.size());
    rows_.emplace_back();
    for (const auto& [c, x] : row) {
        if (x == 0) continue;
        rows_[r][c] = x;
        rows_of_[c].insert(r);
    }
}

// The shortest of those in which the column counts.
std::int64_t Elimination::pivot_row(Column c) const {
    std::int64_t best = -1;
    const auto weight = [&](std::uint32_t r) {
        double largest = 0;
        for (const auto& [other, x] : rows_[r]) largest = std::max(largest, std::abs(x));
        return std::abs(rows_[r].at(c)) / largest;
    };
    double best_weight = 0;
    for (const std::uint32_t r : rows_of_[c]) {
        if (solved_.count(r)) continue;
        const double w = weight(r);
        const bool better = best < 0 || (w >= 0.1 && best_weight < 0.1) ||
                            ((w >= 0.1) == (best_weight >= 0.1) &&
                             rows_[r].size() < rows_[static_cast<std::size_t>(best)].size());
        if (!better) continue;
        best = r;
        best_weight = w;
    }
    return best;
}

void Elimination::subtract(std::uint32_t from, const Row& pivot, double factor, Column c) {
    Row& row = rows_[from];
    for (const auto& [other, x] : pivot) {
        const double term = factor * x;
        const auto [at, is_new] = row.try_emplace(other, 0.0);
        const double size = std::abs(at->second) + std::abs(term);
        at->second -= term;
        if (other == c || std::abs(at->second) <= least_pivot * size) {
            row.erase(at);
            rows_of_[other].erase(from);
        } else if (is_new) {
            rows_of_[other].insert(from);
        }
    }
}

bool Elimination::eliminate(Column c) {
    if (!solve_for(c)) return false;
    const std::uint32_t r = *rows_of_[c].begin();
    for (const auto& [other, x] : rows_[r]) rows_of_[other].erase(r);
    rows_[r].clear();
    solved_.erase(r);
    return true;
}

void Elimination::eliminate_first(Column count) {
    using Place = std::pair<std::size_t, Column>;
    std::priority_queue<Place, std::vector<Place>, std::greater<>> next;
    const auto queue = [&](Column c) {
        if (c < count && !rows_of_[c].empty()) next.emplace(rows_of_[c].size(), c);
    };
    for (Column c = 0; c < count; ++c) queue(c);
    while (!next.empty()) {
        const auto [equations, c] = next.top();
        next.pop();
        const std::int64_t pivot = equations == rows_of_[c].size() ? pivot_row(c) : -1;
        if (pivot < 0) continue;  // it stands in the queue again
        const Row row = rows_[static_cast<std::size_t>(pivot)];
        eliminate(c);
        for (const auto& [other, x] : row) queue(other);
    }
}

bool Elimination::solve_for(Column c) {
    const std::int64_t found = pivot_row(c);
    if (found < 0) return false;
    const auto p = static_cast<std::uint32_t>(found);
    const double scale = rows_[p].at(c);
    for (auto& [other, x] : rows_[p]) x /= scale;
    const Row pivot = rows_[p];
    const std::set<std::uint32_t> others = rows_of_[c];
    for (const std::uint32_t r : others)
        if (r != p) subtract(r, pivot, rows_[r].at(c), c);
    solved_.insert(p);
    return true;
}

std::vector<Elimination::Row> Elimination::rows() const {
    std::vector<Row> left;
    std::copy_if(rows_.begin(), rows_.end(), std::back_inserter(left),
                 [](const Row& r) { return !r.empty(); });
    return left;
}

}  // namespace deltaflow::bonds
