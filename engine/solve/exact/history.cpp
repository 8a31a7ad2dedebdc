#include "engine/solve/exact/history.hpp"

#include <algorithm>

namespace deltaflow::closed_form {

void ExactHistory::append(const Quadratic& from, const Polynomial& p) {
    const bool struck = !impulses_.empty() && impulses_.back().first == from;
    if (!struck && !pieces_.empty() && shifted(pieces_.back().p, from - pieces_.back().from) == p) return;
    pieces_.push_back({from, p});
}

void ExactHistory::append_impulses(const Quadratic& at, std::vector<Quadratic> impulses) {
    impulses_.emplace_back(at, std::move(impulses));
}

Polynomial ExactHistory::around(const Quadratic& t, bool before) const {
    const Quadratic then = t - by_;
    if (then < start_ || (before && then == start_)) return {initial_};
    const auto later = std::find_if(pieces_.begin(), pieces_.end(), [&](const Piece& piece) {
        return before ? then <= piece.from : then < piece.from;
    });
    if (later == pieces_.begin()) return {initial_};
    const Piece& piece = *(later - 1);
    return shifted(piece.p, then - piece.from);
}

std::optional<ExactHistory::Past> ExactHistory::past_at(const Quadratic& at, const Quadratic& now,
                                                        bool before) const {
    const auto later = std::find_if(pieces_.begin(), pieces_.end(), [&](const Piece& piece) {
        return before ? at <= piece.from : at < piece.from;
    });
    if (later == pieces_.begin()) return std::nullopt;
    const Piece& piece = *(later - 1);
    return Past{piece.from, later == pieces_.end() ? now : later->from, piece.p};
}

std::vector<Quadratic> ExactHistory::arriving(const Quadratic& t) const { return impulses_at(t - by_); }

// Impulses of several commits at one time are one sum.
std::vector<Quadratic> ExactHistory::impulses_at(const Quadratic& then) const {
    std::vector<Quadratic> sum;
    for (const auto& [at, impulses] : impulses_) {
        if (!(at == then)) continue;
        if (sum.size() < impulses.size()) sum.resize(impulses.size());
        for (std::size_t i = 0; i < impulses.size(); ++i) sum[i] = sum[i] + impulses[i];
    }
    return sum;
}

}  // namespace deltaflow::closed_form
