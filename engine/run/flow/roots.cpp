// First roots of conditions in a step, from their Taylor series, as far as the equations agree; or by points.
#include "engine/run/flow/roots.hpp"

#include "engine/limits.hpp"
#include "engine/numerics/roots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace deltaflow {

namespace {

// Does the polynomial pass x with a slope of the order of its terms?
bool is_steep(std::span<const double> c, double x) {
    double size = 0, power = 1;
    for (const double k : c) {
        size = std::max(size, std::abs(k) * power);
        power *= x;
    }
    return std::abs(slope_at(c, x)) * x > 1e-4 * size;
}

RootSearch search_for(const Watch& w) {
    return {w.sign, w.kind == Watching::reach || w.kind == Watching::singular, w.direction};
}

// Of c0 + c1 x in (0, h), which begins on its side.
std::optional<double> root_of_line(double c0, double c1, double h, const RootSearch& search) {
    const bool counts = search.direction == 0 || search.direction == -search.sign;
    if (!counts || !((c0 + c1 * h) * search.sign < 0)) return std::nullopt;
    return std::min(-c0 / c1, h);
}

// Rounding has carried it over at the last step's end.
bool is_over(const Watch& w, double c) {
    return w.zeros == 0 && c * w.sign < 0 && w.kind != Watching::singular &&
           (w.direction == 0 || w.direction == -w.sign);
}

}  // namespace

// Is it nothing but doubt that the series makes of a condition between a root and the end, where the
// equations say that it never passed zero?
bool SeriesRoots::is_contradicted(const Watch& w, double root, double h) {
    const auto series = at_.m->stepper->series(w.node);
    const int before = w.direction != 0 ? -w.direction : w.sign;
    if (is_steep(series, root) || conditions_.side_by_equations(w, h, state_.t + h) != before) return false;
    const double doubt = 4 * conditions_.doubt_of(w, h);
    const auto is_doubt = [&](double part) {
        return std::abs(horner(series, root + part * (h - root)) - w.threshold) <= doubt;
    };
    return is_doubt(0.25) && is_doubt(0.5) && is_doubt(0.75);
}

// A root at the beginning of a flow is divided out. Where it was off by more than rounding explains, what it
// has left of the condition moves the next one.
double SeriesRoots::with_remainder(const Watch& w, double root, double h) {
    const auto series = at_.m->stepper->series(w.node);
    const double move = (w.threshold - horner(series, root)) / slope_at(series, root);
    const bool matters = std::abs(move) > same_time(state_.t + root) && std::abs(move) < near_root * root;
    return matters && conditions_.side_by_equations(w, 0, state_.t) != 0 ? std::min(root + move, h) : root;
}

// The first root of one condition in (0, h], from its Taylor series.
std::optional<double> SeriesRoots::root_of(const Watch& w, double h) {
    const auto series = at_.m->stepper->series(w.node);
    const int count = static_cast<int>(series.size()) - w.zeros;
    if (count <= 0) return std::nullopt;
    std::array<double, highest_degree + 1> c;
    for (int k = 0; k < count; ++k) c[k] = series[k + w.zeros];
    if (w.zeros == 0) c[0] -= w.threshold;
    if (is_over(w, c[0])) return 0.0;
    const std::span<const double> q(c.data(), static_cast<std::size_t>(count));
    const RootSearch search = search_for(w);
    if (count == 2 && !search.touch && c[0] * search.sign > 0) {
        const auto root = root_of_line(c[0], c[1], h, search);
        if (!root || is_contradicted(w, *root, h)) return std::nullopt;
        return w.zeros > 0 ? with_remainder(w, *root, h) : *root;
    }
    const auto value = [&](double s) { return horner(q, s * h); };
    const auto noise = [&](double s) {
        const double rounding = 4 * rounding_at(q, s * h);
        return search.touch ? rounding
                            : rounding + 4 * conditions_.doubt_of(w, s * h) / std::pow(s * h, w.zeros);
    };
    const auto root = first_root(bernstein_from_taylor(q, h), search, value, noise);
    // What the series keeps off a threshold by its own error may reach it all the same.
    if (!root && w.kind == Watching::reach)
        return first_touch(q, h, [&](double s) {
            const auto seen = conditions_.by_equations(w, s, state_.t + s);
            return seen ? std::abs(seen->value - w.threshold) - 4 * seen->bound : HUGE_VAL;
        });
    if (!root || (!search.touch && is_contradicted(w, *root * h, h))) return std::nullopt;
    const double at = std::min(polish_root(q, *root * h), h);
    return w.zeros > 0 ? with_remainder(w, at, h) : at;
}

// The first point from `at` on, ahead or back, where the equations have the condition on a side.
std::optional<double> SeriesRoots::reach_side(const Watch& w, double at, double ahead, int side) {
    double there = at;
    for (double width = limits::root_resolution * conditions_.step();
         conditions_.side_by_equations(w, there, state_.t + there) != side; width *= 4) {
        if (there == (ahead > 0 ? conditions_.step() : 0)) return std::nullopt;
        there = std::clamp(at + ahead * width, 0.0, conditions_.step());
    }
    return there;
}

// Where the condition leaves a side for good between a point on it and one that is not.
double SeriesRoots::edge_of_side(const Watch& w, double on, double off, int side) {
    for (int i = 0; i < limits::root_halvings; ++i) {
        const double middle = 0.5 * (on + off);
        (conditions_.side_by_equations(w, middle, state_.t + middle) == side ? on : off) = middle;
    }
    return on;
}

// A root of many orders is lost in the rounding of a series around another point, and not in that of the
// equations: sin(t)^21 at pi. It lies in the middle of where these cannot tell.
double SeriesRoots::settled(const Watch& w, double at) {
    if (w.kind == Watching::singular) return at;
    const auto c = conditions_.by_equations(w, at, state_.t + at);
    const double off = c ? std::abs(c->value - w.threshold) : 0;
    if (!c || (off <= 4 * c->bound && c->bound > underflow)) return at;
    const int before = w.direction != 0 ? -w.direction : w.sign;
    const auto from = reach_side(w, at, -1, before), to = reach_side(w, at, 1, -before);
    if (!from || !to) return at;
    return 0.5 * (edge_of_side(w, *from, *to, before) + edge_of_side(w, *to, *from, -before));
}

// Where a condition is the difference of larger signals, more of a multiple root is rounding than its own
// series shows.
double SeriesRoots::polished(const Reached& root) {
    const auto c = at_.m->stepper->series(root.watch->node);
    if (c.empty() || is_steep(c, root.at)) return root.at;
    if (root.watch->zeros > 0) return settled(*root.watch, root.at);
    std::array<double, highest_degree + 1> q;
    std::copy(c.begin(), c.end(), q.begin());
    q[0] -= root.watch->threshold;
    return settled(*root.watch,
                   polish_root({q.data(), c.size()}, root.at, conditions_.doubt_of(*root.watch, root.at)));
}

// A multiple root may lie at the end of the step, hidden by rounding: the next step would see only half of
// it.
bool SeriesRoots::ends_in_doubt(double h) {
    return std::any_of(state_.watches.begin(), state_.watches.end(), [&](const Watch& w) {
        if (!conditions_.may_be_wrong(w, h)) return false;
        const auto c = at_.m->stepper->series(w.node);
        const double value = std::abs(horner(c, h) - w.threshold);
        return value <= 4 * rounding_at(c, h) || (conditions_.side_by_equations(w, h, state_.t + h) == 0 &&
                                                  value <= 4 * conditions_.doubt_of(w, h));
    });
}

// A root that the series has not seen, though at the end of the step it lies behind.
std::optional<Reached> SeriesRoots::hidden(double h) {
    std::optional<Reached> first;
    for (const Watch& w : state_.watches) {
        const bool counts = w.kind != Watching::singular && (w.direction == 0 || w.direction == -w.sign);
        if (!counts || w.sign == 0 || !conditions_.may_be_wrong(w, h) ||
            conditions_.side_by_equations(w, h, state_.t + h) != -w.sign)
            continue;
        const double at = settled(w, h);
        if (!first || at < first->at) first = Reached{at, &w};
    }
    return first;
}

std::optional<Reached> SeriesRoots::first(double h) {
    std::optional<Reached> first;
    for (const Watch& w : state_.watches) {
        const auto root = root_of(w, first ? first->at : h);
        if (root && (!first || *root < first->at)) first = Reached{*root, &w};
    }
    return first;
}

namespace {

// Two conditions have one root if the one is smaller at the root of the other than this part of what it is a
// little before.
constexpr double same_root = 1e-8;

}  // namespace

std::optional<Reached> Roots::first_event(double h) {
    conditions_.begin(h);
    if (state_.watches.empty()) return std::nullopt;
    const bool has_series = !at_.m->stepper->series(state_.watches.front().node).empty();
    return has_series ? series_.first(h) : sampled_.first(h);
}

// A branch that ends where its expression has a branch point, if(1 - t, sqrt(1 - t^2), 0), does not pass it:
// then the end of the branch is what happens, where its own root is. Rounding may part the two.
Reached Roots::ending_branch(const Reached& root) {
    const double h = root.at;
    if (is_pole(at_.s->d, root.watch->owner)) return root;
    for (const Watch& other : state_.watches) {
        if (other.kind != Watching::branch) continue;
        const double here = conditions_.value(other, h),
                     before = conditions_.value(other, h * (1 - near_root));
        if (std::abs(here) > same_root * std::abs(before)) continue;
        const auto own =
            at_.m->stepper->has_series() ? series_.root_of(other, conditions_.step()) : std::nullopt;
        return {own && std::abs(*own - h) <= near_root * h ? *own : h, &other};
    }
    return root;
}

bool is_pole(const Diagram& d, NodeId n) {
    switch (d.nodes[n].op) {
        case Primitive::sqrt:
        case Primitive::asin:
        case Primitive::atan2:
            return false;
        case Primitive::power:
            return d.parameters_of(n)[0] < 0;
        default:
            return true;
    }
}

RunFailure singular_point(const Watch& w) {
    return {.kind = ErrorKind::not_finite,
            .node = w.owner,
            .what = fmt::format("a pole or branch point: the input reaches {}",
                                w.threshold == 0 ? "zero" : fmt::format("{}", w.threshold)),
            .advice = "keep the input away from the singular point, for example with max(...) or if(...)"};
}

}  // namespace deltaflow
