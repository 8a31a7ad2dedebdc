#include "engine/run/sampled/numeric_roots.hpp"

#include <boost/math/tools/toms748_solve.hpp>

#include <algorithm>
#include <cmath>

namespace deltaflow {

// Where a condition is over just after the beginning of a step: has it gone on as it does over the whole
// step? Then rounding has left the root right behind the last sample.
bool NumericRoots::begins_with_root(const NumericWatch& w, double at_first, double at_end) const {
    if (w.guard || state_.looked_back || w.last * w.side <= 0) return false;
    return std::abs(at_first - w.last) <= 4 * state_.just_after() * std::abs(at_end - at_first);
}

// The root of one condition in a step at whose end it is over; none if it was over from the beginning, and 0
// if the last sample was the root.
std::optional<double> NumericRoots::root_of(const NumericWatch& w, double h) {
    const double at_end = watches_.value_of(w), first = h * state_.just_after();
    const auto f = [&](double s) {
        solver_.solve(pace_.time() + s, s);
        return watches_.value_of(w);
    };
    double at_first = f(first);
    // Difference quotients over so short a step.
    if (is_rounding(state_, at_, w.node, at_first)) at_first = w.last;
    if (at_first * w.side <= 0)
        return begins_with_root(w, at_first, at_end) ? std::optional(0.0) : std::nullopt;
    const double resolution =
        rounding::unit * std::max(std::abs(pace_.time()), std::abs(pace_.stop())) * 1e-3;
    std::uintmax_t most = 100;
    const auto [a, b] = boost::math::tools::toms748_solve(
        f, first, h, at_first, at_end,
        [&](double low, double high) { return high - low <= 4 * rounding::unit * high + resolution; }, most);
    return 0.5 * (a + b);
}

std::optional<double> NumericRoots::first(double h) {
    const double t = pace_.time();
    double end = h;
    const NumericWatch* winner = nullptr;
    bool any = false;
    for (NumericWatch& w : state_.watches) {
        w.located = false;
        if (w.side == 0 || pace_.is_whole()) continue;
        if (watches_.is_zero(w)) any = true;
        if (watches_.is_zero(w) || !watches_.is_over(w)) continue;
        if (const auto root = root_of(w, end)) {
            if (*root == 0) return look_back(w);
            winner = &w;
            end = *root;
        } else if (w.guard) {
            state_.jumped = true;
        }
        solver_.solve(t + end, end);
    }
    if (!winner && !any) return std::nullopt;
    if (h - end <= pace_.slack() && end < h) {
        end = h;
        solver_.solve(t + end, end);
    }
    for (NumericWatch& w : state_.watches)
        w.located = w.side != 0 && !pace_.is_whole() && (&w == winner || watches_.is_zero(w)) &&
                    (w.direction == 0 || w.direction == -w.side);
    return end;
}

// The last sample was the root after all.
double NumericRoots::look_back(const NumericWatch& root) {
    state_.a = state_.last;
    state_.looked_back = true;
    for (NumericWatch& w : state_.watches)
        w.located = &w == &root && (w.direction == 0 || w.direction == -w.side);
    return 0;
}

}  // namespace deltaflow
