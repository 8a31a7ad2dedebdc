// First roots of conditions in a step of a method without a series.
#include "engine/run/flow/sampled_roots.hpp"

#include "engine/limits.hpp"

#include <fmt/format.h>
#include <boost/math/tools/toms748_solve.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace deltaflow {

namespace {

constexpr int deepest_halving = 20;
// A polynomial fits if it meets the condition to this part of its size at a point between its own.
constexpr double fit = 1e-5;
constexpr double check_point = 0.3371;
// A bound from the misfit at one point holds in the others, with this factor.
constexpr double misfit_elsewhere = 10;
// What has been zero all the time has left it once it is so many times as large as what is left open.
constexpr double clearly = 1000;
// The errors of a whole run, in units of the tolerance.
constexpr double gathered_errors = 10;
// A root behind the stop by less than this part of the run may be one at the stop.
constexpr double stop_reach = 1e-6;
// And by less than this it is one: methods of fixed step do not know their errors.
constexpr double stop_blur = 1e-9;
// A root is where the condition is over by no more than so many times what is left open of it.
constexpr double sinking = 4;
// A polynomial that comes no nearer to zero than this part of its size touches nothing; it is looked at in so
// many parts of its interval.
constexpr double near_touch = 1e-3;
constexpr int touch_points = 32;
// What does not fit after so many halvings in one step is rough, and will not.
constexpr int most_halvings = 500;

Bernstein shifted(Bernstein p, double by) {
    for (int i = 0; i <= p.degree; ++i) p.b[i] += by;
    return p;
}

// A root of f in [lo, hi], where it changes its sign.
double root_between(FunctionRef f, double lo, double hi) {
    const double flo = f(lo), fhi = f(hi);
    if (sign_of(flo) * sign_of(fhi) >= 0) return std::abs(flo) < std::abs(fhi) ? lo : hi;
    std::uintmax_t iterations = 100;
    const auto close = [](double a, double b) {
        return std::abs(a - b) <= 2 * std::numeric_limits<double>::epsilon() * std::abs(b);
    };
    const auto [a, b] = boost::math::tools::toms748_solve([&](double s) { return f(s); }, lo, hi, flo, fhi,
                                                          close, iterations);
    return std::abs(f(a)) <= std::abs(f(b)) ? a : b;
}

// Where f, of one sign in [0, 1], is nearest to zero, if the polynomial through it comes near: a zero without
// a change of sign, a pole of even order say, is hidden by the rounding of the polynomial, and not of f.
std::optional<double> lowest_point(const Bernstein& p, int sign, double width, FunctionRef f) {
    double size = 0, least = HUGE_VAL, at = 0;
    for (int i = 0; i <= p.degree; ++i) {
        size = std::max(size, std::abs(p.b[i]));
        least = std::min(least, sign * p.b[i]);  // the polynomial is nowhere less
    }
    if (least > near_touch * size) return std::nullopt;
    least = HUGE_VAL;
    for (int i = 0; i <= touch_points; ++i) {
        const double u = static_cast<double>(i) / touch_points;
        if (const double value = sign * evaluate_bernstein(p, u); value < least) {
            least = value;
            at = u;
        }
    }
    if (least > near_touch * size) return std::nullopt;
    constexpr double golden = 0.6180339887498949, part = 1.0 / touch_points;
    double a = std::max(0.0, at - part), b = std::min(1.0, at + part);
    double c = b - golden * (b - a), d = a + golden * (b - a), fc = sign * f(c), fd = sign * f(d);
    while (b - a > width && c < d) {
        if (fc < fd) {
            b = d;
            d = c;
            fd = fc;
            fc = sign * f(c = b - golden * (b - a));
        } else {
            a = c;
            c = d;
            fc = fd;
            fd = sign * f(d = a + golden * (b - a));
        }
    }
    return fc < fd ? c : d;
}

}  // namespace

// Passing zero counts where it goes further than what is left open; the root is then looked for before.
std::optional<double> SampledRoots::passage(const Watch& w, Bernstein p, double lo, double hi, double open,
                                            int& sign, bool& sure) {
    const auto value = [&](double u) { return conditions_.read(w, lo + u * (hi - lo)).value; };
    // But for rounding, which may hide how far it has come since the root.
    const auto is_beyond = [&](double u) {
        const Reading r = conditions_.read(w, lo + u * (hi - lo));
        return r.value * sign + open <= r.open;
    };
    for (double from = 0;;) {
        const auto beyond = [&](double u) { return value(from + u * (1 - from)) + sign * open; };
        const auto at =
            first_root(shifted(p, sign * open), {sign, false, 0}, beyond, [](double) { return 0.0; });
        if (!at) return std::nullopt;
        constexpr double near = 1e-6;
        if (*at > 1 - near && hi == conditions_.step()) return std::nullopt;  // the next step shows
        if (!is_beyond(from + std::min(1.0, *at + near) * (1 - from))) {
            sure = false;
            return std::nullopt;
        }
        const double to = from + *at * (1 - from);
        if (w.direction == 0 || w.direction == -sign) {
            const double root = value(from) * sign > 0 ? root_between(value, from, to) : from;
            return lo + root * (hi - lo);
        }
        if (to >= 1) return std::nullopt;
        p = right_part(p, *at);
        from = to;
        sign = -sign;
    }
}

// Coming to zero counts, too, as far as rounding can tell; in a shorter part of the step it is less.
std::optional<double> SampledRoots::reaching(const Watch& w, const Bernstein& p, double lo, double hi,
                                             bool& sure) {
    const auto value = [&](double u) { return conditions_.read(w, lo + u * (hi - lo)).value; };
    double size = 0;
    for (int i = 0; i <= p.degree; ++i) size = std::max(size, std::abs(p.b[i]));
    const auto rounding = [size](double) { return 4 * std::numeric_limits<double>::epsilon() * size; };
    const auto at = first_root(p, {w.sign, true, w.direction}, value, rounding);
    if (!at) {
        const auto u = lowest_point(p, w.sign, 0.5 * same_time(state_.t + hi) / (hi - lo), value);
        if (!u || lo + *u * (hi - lo) <= 0) return std::nullopt;
        const double s = lo + *u * (hi - lo);
        conditions_.evaluate_bounded(s, state_.t + s, 0, w.fresh);  // the method's own errors hide no pole
        const Reading r = conditions_.reading(w, s);
        return w.sign * r.value <= 4 * r.open ? std::optional(s) : std::nullopt;
    }
    constexpr double near = 1e-6;
    if (*at > near && value(*at - near) * value(std::min(1.0, *at + near)) >= 0) sure = false;
    return lo + *at * (hi - lo);
}

// What was zero, and at the end of [lo, hi] no longer is: as early as that can be told.
std::optional<double> SampledRoots::departure(const Watch& w, double hi) {
    const auto side = [&](double s) {
        const Reading r = conditions_.read(w, s);
        return std::abs(r.value) > clearly * r.open ? sign_of(r.value) : 0;
    };
    const int away = side(hi);
    if (away == 0) return std::nullopt;
    double s = hi;
    for (int k = 0; k < 60 && side(s / 2) == away; ++k) s /= 2;
    return s;
}

// A crossing passes zero once it is over by more than the method leaves open. Where an instant comes before
// that, its root is this instant.
void SampledRoots::note_passed(double h) {
    for (const Watch& w : state_.watches) {
        const bool watches = w.direction == 0 || w.direction == -w.sign;
        if (w.kind != Watching::crossing || !watches || state_.is_located(w.node, w.threshold)) continue;
        if (conditions_.read(w, h).value * w.sign < 0) state_.located.push_back({w.node, w.threshold, true});
    }
}

// Roots that are found a little late, again and again, let a ball sink: then the condition is over by much
// more than what is left open of it. (Only what an impulse turns round comes again and again.)
bool SampledRoots::has_sunk(const Watch& w, double h) {
    if (!w.fresh || w.kind != Watching::crossing || at_.s->regularity[w.node].r > Regularity::C(0))
        return false;
    conditions_.evaluate_bounded(h, state_.t + h, 1, false);
    const Bounded& c = *at_.m->bounded_conditions.at(w.node);
    return (c.value - w.threshold) * w.sign < -sinking * (c.bound + underflow);
}

// A root that the errors of the method may have put behind the stop, or that no further step showed: nearer
// than these errors are, and soon reached.
bool SampledRoots::is_just_ahead(const Watch& w) {
    const double c = state_.left.rungs.at(w.node)[0].value - w.threshold,
                 slope = state_.left.rungs.at(w.node)[1].value;
    const double reach = stop_reach * (settings_.stop - settings_.start);
    const bool comes = c * slope < 0, is_over = c * w.sign < 0;
    if ((!comes && !is_over) || std::abs(c) > reach * std::abs(slope)) return false;
    if (std::abs(c) <= stop_blur * (settings_.stop - settings_.start) * std::abs(slope)) return true;
    conditions_.evaluate_bounded(conditions_.step(), state_.t, gathered_errors, w.fresh);
    const Bounded& seen = *at_.m->bounded_conditions.at(w.node);
    return std::abs(seen.value - w.threshold) <= seen.bound;
}

namespace {

// Coming to zero counts, passing it or not.
bool may_touch(const Watch& w) { return w.kind == Watching::reach || w.kind == Watching::singular; }

}  // namespace

std::optional<Reached> SampledRoots::first(double h) {
    halvings_ = 0;
    return root_in({0, h, 0});
}

// Both halves, one after the other.
std::optional<Reached> SampledRoots::in_halves(const Part& part) {
    ++halvings_;
    const double middle = 0.5 * (part.lo + part.hi);
    if (const auto root = root_in({part.lo, middle, part.depth + 1})) return root;
    return root_in({middle, part.hi, part.depth + 1});
}

SampledRoots::Points SampledRoots::read_points(const Part& part) {
    auto fitted = static_cast<std::size_t>(at_.m->stepper->points());
    // Between two points nothing shows that both are on the same side of.
    if (fitted == 2 && std::any_of(state_.watches.begin(), state_.watches.end(), may_touch)) fitted = 3;
    const std::size_t count = fitted > 3 ? fitted + 1 : fitted;
    Points points{std::vector<double>(count, part.lo + (part.hi - part.lo) * check_point), fitted, {}};
    for (std::size_t i = 0; i < fitted; ++i)
        points.at[i] =
            part.lo + (part.hi - part.lo) * chebyshev_point(static_cast<int>(i), static_cast<int>(fitted));
    points.readings.resize(state_.watches.size() * count);
    for (const bool fresh : {false, true}) {
        if (std::none_of(state_.watches.begin(), state_.watches.end(),
                         [&](const Watch& w) { return w.fresh == fresh; }))
            continue;
        for (std::size_t i = 0; i < count; ++i) {
            conditions_.evaluate_bounded(points.at[i], state_.t + points.at[i], 1, fresh);
            for (std::size_t w = 0; w < state_.watches.size(); ++w)
                if (state_.watches[w].fresh == fresh)
                    points.readings[w * count + i] = conditions_.reading(state_.watches[w], points.at[i]);
        }
    }
    return points;
}

// One condition in a part of the step, by the polynomial through its points.
SampledRoots::Look SampledRoots::look(const Watch& w, std::span<const Reading> row, std::size_t fitted,
                                      const Part& part) {
    std::array<double, highest_degree + 1> values{};
    double size = 0, open = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        values[i] = row[i].value;
        size = std::max(size, std::abs(row[i].value));
        open = std::max(open, row[i].open);
    }
    const Bernstein p = bernstein_from_values({values.data(), fitted});
    const double misfit =
        fitted == row.size() ? 0 : std::abs(evaluate_bernstein(p, check_point) - row[fitted].value);
    Look seen{w.sign, misfit <= fit * size + 2 * open};
    const bool touches = may_touch(w);
    const bool over = part.lo == 0 && w.kind == Watching::reach && row[0].value * w.sign < -row[0].open;
    if (seen.sure && over)
        seen.root = 0.0;
    else if (seen.sure && touches)
        seen.root = reaching(w, p, part.lo, part.hi, seen.sure);
    else if (seen.sure)
        seen.root = passage(w, p, part.lo, part.hi, open, seen.sign, seen.sure);
    // A condition that comes nearer to zero than the polynomial to it may pass it.
    const double doubt = misfit_elsewhere * misfit;
    if (!seen.root && doubt > open && !touches && seen.sign == w.sign)
        for (int i = 0; i <= p.degree; ++i) seen.sure = seen.sure && p.b[i] * w.sign > doubt;
    return seen;
}

// Polynomials through a few points of a part, halved until they fit.
std::optional<Reached> SampledRoots::root_in(const Part& part) {
    const Points points = read_points(part);
    std::optional<Reached> first;
    double earliest = 0;
    std::vector<int> signs;
    for (const Watch& w : state_.watches) {
        Look seen{w.sign};
        if (w.sign == 0) {
            seen.root = departure(w, part.hi);
        } else {
            seen = look(w, points.row(signs.size()), points.fitted, part);
            if (points.at.size() > points.fitted && !seen.sure && part.depth < deepest_halving &&
                halvings_ < most_halvings)
                return in_halves(part);
            if (!seen.sure && !may_touch(w)) seen.root.reset();
        }
        signs.push_back(seen.sign);
        // A branch that switches at the root of an assertion comes before it.
        const double late = w.kind == Watching::assertion ? 4 * same_time(state_.t + part.hi) : 0;
        const double root = seen.root.value_or(HUGE_VAL);
        if (root < HUGE_VAL && (!first || root + late < earliest)) {
            earliest = root + late;
            first = Reached{root, &w};
        }
    }
    if (!first)
        for (std::size_t w = 0; w < state_.watches.size(); ++w)
            if (state_.watches[w].kind == Watching::crossing) state_.watches[w].sign = signs[w];
    return first;
}

}  // namespace deltaflow
