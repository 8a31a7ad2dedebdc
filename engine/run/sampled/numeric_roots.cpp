// Roots of conditions on samples: a step is solved again with shorter h until it ends in one.
#include "engine/limits.hpp"
#include "engine/run/sampled/numeric_island.hpp"

#include <boost/math/tools/toms748_solve.hpp>

#include <algorithm>
#include <cmath>

namespace deltaflow {

// Zero to a small part of the way that it came in this step: the root is this sample.
bool NumericIsland::is_zero(const Watch& w) const {
    const double c = value_of(w);
    return c != w.last && std::abs(c) <= limits::same_sample * std::abs(c - w.last);
}

int NumericIsland::side_of(const Watch& w) const {
    const double c = value_of(w);
    return c > 0 ? 1 : c < 0 ? -1 : is_trigger(w) ? 1 : 0;
}

bool NumericIsland::is_over(const Watch& w) const {
    const int side = side_of(w);
    return w.side != 0 && side == -w.side && (w.direction == 0 || w.direction == side);
}

// Where a condition is over just after the beginning of a step: has it gone on as it does over the whole
// step? Then rounding has left the root right behind the last sample.
bool NumericIsland::begins_with_root(const Watch& w, double at_first, double at_end) const {
    if (w.guard || looked_back_ || w.last * w.side <= 0) return false;
    return std::abs(at_first - w.last) <= 4 * just_after() * std::abs(at_end - at_first);
}

// The root of one condition in a step at whose end it is over; none if it was over from the beginning, and 0
// if the last sample was the root.
std::optional<double> NumericIsland::root_of(const Watch& w, double h) {
    const double at_end = value_of(w), first = h * just_after();
    const auto f = [&](double s) {
        solve(pace_.time() + s, s);
        return value_of(w);
    };
    double at_first = f(first);
    if (is_rounding(w.node, at_first)) at_first = w.last;  // difference quotients over so short a step
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

// The first root in a step that has been solved, and which conditions are zero there. The sample is left
// solved up to there.
std::optional<double> NumericIsland::first_root(double h) {
    const double t = pace_.time();
    double end = h;
    const Watch* winner = nullptr;
    bool any = false;
    for (Watch& w : watches_) {
        w.located = false;
        if (w.side == 0 || pace_.is_whole()) continue;
        if (is_zero(w)) any = true;
        if (is_zero(w) || !is_over(w)) continue;
        if (const auto root = root_of(w, end)) {
            if (*root == 0) return look_back(w);
            winner = &w;
            end = *root;
        } else if (w.guard) {
            jumped_ = true;
        }
        solve(t + end, end);
    }
    if (!winner && !any) return std::nullopt;
    if (h - end <= pace_.slack() && end < h) {
        end = h;
        solve(t + end, end);
    }
    for (Watch& w : watches_)
        w.located = w.side != 0 && !pace_.is_whole() && (&w == winner || is_zero(w)) &&
                    (w.direction == 0 || w.direction == -w.side);
    return end;
}

// The last sample was the root after all.
double NumericIsland::look_back(const Watch& root) {
    a_ = last_;
    looked_back_ = true;
    for (Watch& w : watches_) w.located = &w == &root && (w.direction == 0 || w.direction == -w.side);
    return 0;
}

}  // namespace deltaflow
