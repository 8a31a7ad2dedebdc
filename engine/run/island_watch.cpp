// What ends a flow: conditions, and their first roots in a step.
#include "engine/limits.hpp"
#include "engine/run/island.hpp"
#include "engine/solve/decide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

// Two conditions have one root if the one is smaller at the root of the other than this part of what it is a
// little before, as a part of the step.
constexpr double same_root = 1e-8, near_root = 1e-4;

// What has to keep off zero is near it at this part of what it was, and rounding hides zero within so many
// times its bound: roundings of the steps before add up.
constexpr double near_pole = 1e-6, hidden_pole = 32;

// Does the polynomial pass x with a slope of the order of its terms?
bool is_steep(std::span<const double> c, double x) {
    double size = 0, power = 1;
    for (const double k : c) {
        size = std::max(size, std::abs(k) * power);
        power *= x;
    }
    return std::abs(derivative_at(c, x, 1)) * x > 1e-4 * size;
}

}  // namespace

// Comparisons in guards that lead out of the present mode: each keeps its sign.
template <class Add>
void Island::watch_guards(const Add& add) {
    for (const NodeId n : watched_differences(modes_->graph(), state_.mode))
        if (!is_timer(s_->d, n))  // the calendar knows
            add(n, n, 0, Watching::branch, forward_sign(state_.right, state_.now, n, 0), 0);
}

// Everything that ends the present flow, from the germ at its beginning.
void Island::collect_watches() {
    state_.last_watches.swap(state_.watches);
    state_.watches.clear();
    state_.resting_watches.clear();
    const auto add = [&](NodeId owner, NodeId c, double threshold, Watching kind, int keep, int direction) {
        Watch w{c, owner, threshold, kind, keep, 0, direction};
        const int s = forward_sign(state_.right, state_.now, c, threshold, &w.zeros);
        // Zero for good, as far as its series shows; without one it is looked at all the same.
        const bool may_leave = !m_->stepper->has_series() && s_->degree[c] == endless;
        if (s == 0 && (!may_leave || kind == Watching::singular)) return state_.resting_watches.push_back(w);
        if (s == 0) w.zeros = 0;
        w.fresh = w.zeros > 0;
        if (kind == Watching::crossing || kind == Watching::singular) w.sign = s;
        state_.watches.push_back(w);
    };
    for (const NodeId n : s_->branchers) {
        if (!is_active(n)) continue;
        const Primitive op = s_->d.nodes[n].op;
        if (op == Primitive::sign && state_.now.branch[n] == 0)
            add(n, s_->d.inputs_of(n)[0], 0, Watching::branch, 0, 0);
        for_each_bound(op, s_->d.parameters_of(n), state_.now.branch[n], [&](double threshold, int keep) {
            add(n, s_->d.inputs_of(n)[0], threshold,
                op == Primitive::hysteresis ? Watching::reach : Watching::branch, keep, 0);
        });
    }
    for (const HeldSurface& h : s_->held) {
        if (!h.leads) continue;
        add(h.block, h.weight, 0, Watching::branch, 1, 0);
        add(h.block, h.weight, 1, Watching::branch, -1, 0);
    }
    if (modes_) watch_guards(add);
    for (const NodeId n : s_->crossings)
        add(n, s_->d.inputs_of(n)[0], 0, Watching::crossing, 0, static_cast<int>(s_->d.parameters_of(n)[0]));
    for (const NodeId n : s_->assertions)
        if (is_active(n)) add(n, s_->d.inputs_of(n)[0], 0, Watching::assertion, 1, 0);
    constexpr double pi = 3.141592653589793;
    for (const NodeId n : s_->singular) {
        if (!is_active(n)) continue;
        const auto in = s_->d.inputs_of(n);
        const double u = state_.right.rungs.at(in[0])[0].value;
        switch (s_->d.nodes[n].op) {
            case Primitive::asin:
                add(n, in[0], 1, Watching::singular, 0, 0);
                add(n, in[0], -1, Watching::singular, 0, 0);
                break;
            case Primitive::tan: {
                const double below = std::floor(u / pi - 0.5);
                add(n, in[0], (below + 0.5) * pi, Watching::singular, 0, 0);
                add(n, in[0], (below + 1.5) * pi, Watching::singular, 0, 0);
                break;
            }
            case Primitive::atan2:
                add(n, in[2], 0, Watching::singular, 0, 0);
                break;
            default:
                add(n, in[0], 0, Watching::singular, 0, 0);
        }
    }
}

// Values of all conditions at state_.t + s, into the rows of m_->conditions.
void Island::evaluate_conditions(double s) {
    m_->stepper->states(s, scratch_);
    evaluate_conditions(scratch_, state_.t + s);
}
void Island::evaluate_conditions(std::span<const double> x, double t) {
    for (std::size_t i = 0; i < s_->states.size(); ++i) *m_->conditions.at(s_->states[i]) = x[i];
    fill(m_->conditions, t, static_cast<int>(m_->conditions.stride));
    const Frame<double> f{m_->conditions.a.data(), m_->conditions.stride, &s_->d, &state_.now, t};
    execute(s_->conditions, m_->condition_work, f, -s_->conditions.highest, 0);
}

double Island::condition_at(const Watch& w, double s) {
    const auto series = m_->stepper->series(w.node);
    if (!series.empty()) return horner(series, s) - w.threshold;
    evaluate_conditions(s);
    return *m_->conditions.at(w.node) - w.threshold;
}

namespace {

RootSearch search_for(const Watch& w) {
    return {w.sign, w.kind == Watching::reach || w.kind == Watching::singular, w.direction};
}
// Rounding has carried it over at the last step's end.
bool is_over(const Watch& w, double c) {
    return w.zeros == 0 && c * w.sign < 0 && w.kind != Watching::singular &&
           (w.direction == 0 || w.direction == -w.sign);
}

}  // namespace

// A condition in the step's point s, which is t, with its rounding, by the rules of all blocks on the way to
// it.
std::optional<Bounded> Island::condition_by_equations(const Watch& w, double s, double t) {
    try {
        predict_loops(s);
        evaluate_bounded_conditions(s, t, 1, w.fresh);
    } catch (const RunFailure&) {
        return std::nullopt;
    }
    return *m_->bounded_conditions.at(w.node);
}

// How far the series of a condition may be off at s: by rounding, and by what the equations say.
double Island::doubt_of(const Watch& w, double s) {
    const auto c = condition_by_equations(w, s, state_.t + s);
    const double rounding = underflow + (c ? c->bound : 0);
    return c ? rounding + std::abs(horner(m_->stepper->series(w.node), s) - c->value) : rounding;
}

// On which side of zero it is there; 0 where the equations cannot tell.
int Island::side_by_equations(const Watch& w, double s, double t) {
    const auto c = condition_by_equations(w, s, t);
    if (!c || std::abs(c->value - w.threshold) <= 4 * c->bound + underflow) return 0;
    return c->value > w.threshold ? 1 : -1;
}

// Is it nothing but doubt that the series makes of a condition between a root and the end, where the
// equations say that it never passed zero?
bool Island::is_contradicted(const Watch& w, double root, double h) {
    const auto series = m_->stepper->series(w.node);
    const int before = w.direction != 0 ? -w.direction : w.sign;
    if (is_steep(series, root) || side_by_equations(w, h, state_.t + h) != before) return false;
    const double doubt = 4 * doubt_of(w, h);
    const auto is_doubt = [&](double part) {
        return std::abs(horner(series, root + part * (h - root)) - w.threshold) <= doubt;
    };
    return is_doubt(0.25) && is_doubt(0.5) && is_doubt(0.75);
}

// A root at the beginning of a flow is divided out. Where it was off by more than rounding explains, what it
// has left of the condition moves the next one.
double Island::with_remainder(const Watch& w, double root, double h) {
    const auto series = m_->stepper->series(w.node);
    const double move = (w.threshold - horner(series, root)) / derivative_at(series, root, 1);
    const bool matters = std::abs(move) > same_time(state_.t + root) && std::abs(move) < near_root * root;
    return matters && side_by_equations(w, 0, state_.t) != 0 ? std::min(root + move, h) : root;
}

// The first root of one condition in (0, h], from its Taylor series.
std::optional<double> Island::root_of(const Watch& w, double h) {
    const auto series = m_->stepper->series(w.node);
    const int count = static_cast<int>(series.size()) - w.zeros;
    if (count <= 0) return std::nullopt;
    std::array<double, highest_degree + 1> c;
    for (int k = 0; k < count; ++k) c[k] = series[k + w.zeros];
    if (w.zeros == 0) c[0] -= w.threshold;
    if (is_over(w, c[0])) return 0.0;
    const std::span<const double> q(c.data(), static_cast<std::size_t>(count));
    const auto value = [&](double s) { return horner(q, s * h); };
    const RootSearch search = search_for(w);
    const auto noise = [&](double s) {
        const double rounding = 4 * rounding_at(q, s * h);
        return search.touch ? rounding : rounding + 4 * doubt_of(w, s * h) / std::pow(s * h, w.zeros);
    };
    const auto root = first_root(bernstein_from_taylor(q, h), search, value, noise);
    // What the series keeps off a threshold by its own error may reach it all the same.
    if (!root && w.kind == Watching::reach)
        return first_touch(q, h, [&](double s) {
            const auto seen = condition_by_equations(w, s, state_.t + s);
            return seen ? std::abs(seen->value - w.threshold) - 4 * seen->bound : HUGE_VAL;
        });
    if (!root || (!search.touch && is_contradicted(w, *root * h, h))) return std::nullopt;
    const double at = std::min(polish_root(q, *root * h), h);
    return w.zeros > 0 ? with_remainder(w, at, h) : at;
}

std::optional<Island::Reached> Island::first_event(double h) {
    step_ = h;
    if (state_.watches.empty()) return std::nullopt;
    if (m_->stepper->series(state_.watches.front().node).empty()) {
        const Watch* winner = nullptr;
        const auto root = sampled_root(0, h, 0, &winner);
        return root ? std::optional(Reached{*root, winner}) : std::nullopt;
    }
    std::optional<Reached> first;
    for (const Watch& w : state_.watches) {
        const auto root = root_of(w, first ? first->at : h);
        if (root && (!first || *root < first->at)) first = Reached{*root, &w};
    }
    return first;
}

// The first point from `at` on, ahead or back, where the equations have the condition on a side.
std::optional<double> Island::reach_side(const Watch& w, double at, double ahead, int side) {
    double there = at;
    for (double width = limits::root_resolution * step_;
         side_by_equations(w, there, state_.t + there) != side; width *= 4) {
        if (there == (ahead > 0 ? step_ : 0)) return std::nullopt;
        there = std::clamp(at + ahead * width, 0.0, step_);
    }
    return there;
}

// Where the condition leaves a side for good between a point on it and one that is not.
double Island::edge_of_side(const Watch& w, double on, double off, int side) {
    for (int i = 0; i < limits::root_halvings; ++i) {
        const double middle = 0.5 * (on + off);
        (side_by_equations(w, middle, state_.t + middle) == side ? on : off) = middle;
    }
    return on;
}

// A root of many orders is lost in the rounding of a series around another point, and not in that of the
// equations: sin(t)^21 at pi. It lies in the middle of where these cannot tell.
double Island::settled(const Watch& w, double at) {
    if (w.kind == Watching::singular) return at;
    const auto c = condition_by_equations(w, at, state_.t + at);
    const double off = c ? std::abs(c->value - w.threshold) : 0;
    if (!c || (off <= 4 * c->bound && c->bound > underflow)) return at;
    const int before = w.direction != 0 ? -w.direction : w.sign;
    const auto from = reach_side(w, at, -1, before), to = reach_side(w, at, 1, -before);
    if (!from || !to) return at;
    return 0.5 * (edge_of_side(w, *from, *to, before) + edge_of_side(w, *to, *from, -before));
}

// Where a condition is the difference of larger signals, more of a multiple root is rounding than its own
// series shows.
double Island::polished(const Reached& root) {
    const auto c = m_->stepper->series(root.watch->node);
    if (c.empty() || is_steep(c, root.at)) return root.at;
    if (root.watch->zeros > 0) return settled(*root.watch, root.at);
    std::array<double, highest_degree + 1> q;
    std::copy(c.begin(), c.end(), q.begin());
    q[0] -= root.watch->threshold;
    return settled(*root.watch, polish_root({q.data(), c.size()}, root.at, doubt_of(*root.watch, root.at)));
}

// May the series of a condition be wrong about its side at s? Then the equations tell.
bool IslandGerms::may_be_wrong(const Watch& w, double s) const {
    const auto c = m_->stepper->series(w.node);
    return !c.empty() && std::abs(horner(c, s) - w.threshold) <= limits::may_be_doubt * rounding_at(c, s);
}

// A multiple root may lie at the end of the step, hidden by rounding: the next step would see only half of
// it.
bool Island::ends_in_doubt(double h) {
    return std::any_of(state_.watches.begin(), state_.watches.end(), [&](const Watch& w) {
        if (!may_be_wrong(w, h)) return false;
        const auto c = m_->stepper->series(w.node);
        const double value = std::abs(horner(c, h) - w.threshold);
        return value <= 4 * rounding_at(c, h) ||
               (side_by_equations(w, h, state_.t + h) == 0 && value <= 4 * doubt_of(w, h));
    });
}

// A root that the series has not seen, though at the end of the step it lies behind.
std::optional<Island::Reached> Island::hidden_root(double h) {
    std::optional<Reached> first;
    for (const Watch& w : state_.watches) {
        const bool counts = w.kind != Watching::singular && (w.direction == 0 || w.direction == -w.sign);
        if (!counts || w.sign == 0 || !may_be_wrong(w, h) || side_by_equations(w, h, state_.t + h) != -w.sign)
            continue;
        const double at = settled(w, h);
        if (!first || at < first->at) first = Reached{at, &w};
    }
    return first;
}

namespace {

// Does the value grow beyond all bounds there? At a branch point it does not, only its slope does.
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

}  // namespace

// A branch that ends where its expression has a branch point, if(1 - t, sqrt(1 - t^2), 0), does not pass it:
// then the end of the branch is what happens, where its own root is. Rounding may part the two.
Island::Reached Island::ending_branch(const Reached& root) {
    const double h = root.at;
    if (root.watch->kind != Watching::singular || is_pole(s_->d, root.watch->owner)) return root;
    for (const Watch& other : state_.watches) {
        if (other.kind != Watching::branch) continue;
        const double here = condition_at(other, h), before = condition_at(other, h * (1 - near_root));
        if (std::abs(here) > same_root * std::abs(before)) continue;
        const auto own = m_->stepper->has_series() ? root_of(other, step_) : std::nullopt;
        return {own && std::abs(*own - h) <= near_root * h ? *own : h, &other};
    }
    return root;
}

// A pole that is reached where a branch ends is reached all the same.
void IslandGerms::check_poles() const {
    for (const Watch& w : state_.watches)
        if (w.kind == Watching::singular && is_active(w.owner) && is_pole(s_->d, w.owner) &&
            value_sign(state_.left, w.node, w.threshold) == 0)
            throw singular_point(w);
}

// A pole of even order that the steps come near to, shorter and shorter, may have been missed by rounding
// alone: where that hides how far it is, the run ends.
void Island::refuse_hidden_poles(double h) {
    bool evaluated = m_->stepper->has_series();
    for (Watch& w : state_.watches) {
        if (w.kind != Watching::singular || !is_pole(s_->d, w.owner)) continue;
        if (!evaluated) evaluate_conditions(h);
        evaluated = true;
        const auto series = m_->stepper->series(w.node);
        const double c = (series.empty() ? *m_->conditions.at(w.node) : horner(series, h)) - w.threshold;
        w.largest = std::max(w.largest, std::abs(c));
        if (std::abs(c) > near_pole * w.largest) continue;
        evaluate_bounded_conditions(h, state_.t + h, 0, w.fresh);
        if (std::abs(c) > hidden_pole * m_->bounded_conditions.at(w.node)->bound) continue;
        sample_before(state_.t + h);
        state_.t += h;
        throw singular_point(w);
    }
}

// What a root means: an instant, or the end.
void Island::meet(const Watch& w, double h) {
    if (w.sign == 0) return;  // it leaves zero: there is no root to know of
    const auto series = m_->stepper->series(w.node);
    state_.located.push_back({w.node, w.threshold, w.kind == Watching::crossing,
                              series.empty() ? NAN : derivative_at(series, h, 2)});
    if (w.kind != Watching::assertion && w.kind != Watching::singular) return;
    sample_before(state_.t + h);  // what was simulated up to here is kept
    m_->stepper->states(h, state_.x);
    state_.t += h;
    if (w.kind == Watching::assertion)
        throw RunFailure{.kind = ErrorKind::assertion,
                         .node = w.owner,
                         .what = s_->d.messages[s_->d.nodes[w.owner].extra]};
    throw singular_point(w);
}

}  // namespace deltaflow
