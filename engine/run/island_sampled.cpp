// First roots of conditions in a step of a method without a series: polynomials through a few points.
#include "engine/limits.hpp"
#include "engine/run/island.hpp"

#include <boost/math/tools/toms748_solve.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace deltaflow {

// A condition at a point, the root at the beginning of the flow divided out, and what is left open of it.
struct Island::Reading {
    double value = 0, open = 0;
};

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

int sign_of(double x) { return (x > 0) - (x < 0); }

// Coming to zero counts, passing it or not.
bool may_touch(const Watch& w) { return w.kind == Watching::reach || w.kind == Watching::singular; }

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

// All conditions in the step's point s, which is t, with what rounding and the method leave open of them.
// From the beginning of a step on its error grows. Of a condition that was zero not long ago (`fresh`) only
// the errors since then are open.
void Island::evaluate_bounded_conditions(double s, double t, double errors, bool fresh) {
    Rungs<Bounded>& rungs = m_->bounded_conditions;
    if (rungs.a.empty()) rungs.resize(s_->d, m_->conditions.stride);
    m_->stepper->states(s, scratch_);
    const double part = errors * (step_ > 0 ? s / step_ : 1);
    for (std::size_t i = 0; i < s_->states.size(); ++i) {
        const double error = fresh ? m_->stepper->drift(i) : m_->stepper->uncertainty(i);
        *rungs.at(s_->states[i]) = Bounded(scratch_[i], m_->stepper->rounding(i, s) + part * error);
    }
    for (std::size_t i = 0; i < s_->delays.size(); ++i) {
        double* row = m_->conditions.at(s_->delays[i]);
        state_.histories[i].rungs_in_step(t - s, t, {row, m_->conditions.stride});
        for (std::uint32_t k = 0; k < rungs.stride; ++k)
            rungs.at(s_->delays[i])[k] = Bounded(row[k], 4 * rounding::unit * std::abs(row[k]));
    }
    const Frame<Bounded> f{rungs.a.data(), rungs.stride, &s_->d, &state_.now,
                           Bounded(t, rounding::unit * std::abs(t))};
    execute(s_->conditions, m_->condition_work, f, -s_->conditions.highest, 0);
}

// node - threshold, divided by s^zeros: the root at the beginning is taken out, with what rounding left of
// it. As long as it cannot have left zero by more than what is open, the germ tells.
Island::Reading Island::reading(const Watch& w, double s) const {
    const Bounded& c = *m_->bounded_conditions.at(w.node);
    const double open = c.bound + rounding::unit * (std::abs(w.threshold) + std::abs(c.value)) + underflow;
    if (w.zeros == 0) return {c.value - w.threshold, open};
    const Bounded* germ = state_.right.rungs.at(w.node);
    double rest = c.value, power = 1;
    for (int k = 0; k < w.zeros; ++k, power *= s) rest -= germ[k].value * power;
    const double noise = 4 * (germ[0].bound + open);
    const bool begins = std::abs(germ[w.zeros].value) * power <= 2 * noise;
    if (begins && std::abs(rest) <= noise) return {germ[w.zeros].value, 0};
    return {rest / power, open / power};
}

Island::Reading Island::read(const Watch& w, double s) {
    evaluate_bounded_conditions(s, state_.t + s, 1, w.fresh);
    return reading(w, s);
}

// Passing zero counts where it goes further than what is left open; the root is then looked for before.
std::optional<double> Island::passage(const Watch& w, Bernstein p, double lo, double hi, double open,
                                      int& sign, bool& sure) {
    const auto value = [&](double u) { return read(w, lo + u * (hi - lo)).value; };
    // But for rounding, which may hide how far it has come since the root.
    const auto is_beyond = [&](double u) {
        const Reading r = read(w, lo + u * (hi - lo));
        return r.value * sign + open <= r.open;
    };
    for (double from = 0;;) {
        const auto beyond = [&](double u) { return value(from + u * (1 - from)) + sign * open; };
        const auto at =
            first_root(shifted(p, sign * open), {sign, false, 0}, beyond, [](double) { return 0.0; });
        if (!at) return std::nullopt;
        constexpr double near = 1e-6;
        if (*at > 1 - near && hi == step_) return std::nullopt;  // the next step shows
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
std::optional<double> Island::reaching(const Watch& w, const Bernstein& p, double lo, double hi, bool& sure) {
    const auto value = [&](double u) { return read(w, lo + u * (hi - lo)).value; };
    double size = 0;
    for (int i = 0; i <= p.degree; ++i) size = std::max(size, std::abs(p.b[i]));
    const auto rounding = [size](double) { return 4 * std::numeric_limits<double>::epsilon() * size; };
    const auto at = first_root(p, {w.sign, true, w.direction}, value, rounding);
    if (!at) {
        const auto u = lowest_point(p, w.sign, 0.5 * same_time(state_.t + hi) / (hi - lo), value);
        if (!u || lo + *u * (hi - lo) <= 0) return std::nullopt;
        const double s = lo + *u * (hi - lo);
        evaluate_bounded_conditions(s, state_.t + s, 0, w.fresh);  // the method's own errors hide no pole
        const Reading r = reading(w, s);
        return w.sign * r.value <= 4 * r.open ? std::optional(s) : std::nullopt;
    }
    constexpr double near = 1e-6;
    if (*at > near && value(*at - near) * value(std::min(1.0, *at + near)) >= 0) sure = false;
    return lo + *at * (hi - lo);
}

// What was zero, and at the end of [lo, hi] no longer is: as early as that can be told.
std::optional<double> Island::departure(const Watch& w, double hi) {
    const auto side = [&](double s) {
        const Reading r = read(w, s);
        return std::abs(r.value) > clearly * r.open ? sign_of(r.value) : 0;
    };
    const int away = side(hi);
    if (away == 0) return std::nullopt;
    double s = hi;
    for (int k = 0; k < 60 && side(s / 2) == away; ++k) s /= 2;
    return s;
}

// Both halves of [lo, hi], one after the other.
std::optional<double> Island::sampled_in_halves(double lo, double hi, int depth, const Watch** winner) {
    ++halvings_;
    const double middle = 0.5 * (lo + hi);
    if (const auto root = sampled_root(lo, middle, depth + 1, winner)) return root;
    return sampled_root(middle, hi, depth + 1, winner);
}

// Polynomials through a few points of [lo, hi], halved until they fit.
std::optional<double> Island::sampled_root(double lo, double hi, int depth, const Watch** winner) {
    if (depth == 0) halvings_ = 0;
    auto points = static_cast<std::size_t>(m_->stepper->points());
    // Between two points nothing shows that both are on the same side of.
    if (points == 2 && std::any_of(state_.watches.begin(), state_.watches.end(), may_touch)) points = 3;
    const std::size_t count = points > 3 ? points + 1 : points;
    std::vector<double> at(count, lo + (hi - lo) * check_point);
    for (std::size_t i = 0; i < points; ++i)
        at[i] = lo + (hi - lo) * chebyshev_point(static_cast<int>(i), static_cast<int>(points));
    std::vector<Reading> readings(state_.watches.size() * count);
    for (const bool fresh : {false, true}) {
        if (std::none_of(state_.watches.begin(), state_.watches.end(),
                         [&](const Watch& w) { return w.fresh == fresh; }))
            continue;
        for (std::size_t i = 0; i < count; ++i) {
            evaluate_bounded_conditions(at[i], state_.t + at[i], 1, fresh);
            for (std::size_t w = 0; w < state_.watches.size(); ++w)
                if (state_.watches[w].fresh == fresh)
                    readings[w * count + i] = reading(state_.watches[w], at[i]);
        }
    }
    std::optional<double> first;
    double earliest = 0;
    std::vector<int> signs;
    for (const Watch& w : state_.watches) {
        const std::span<const Reading> row(readings.data() + signs.size() * count, count);
        int sign = w.sign;
        bool sure = true;
        std::optional<double> root;
        if (w.sign == 0) {
            root = departure(w, hi);
        } else {
            std::array<double, highest_degree + 1> values{};
            double size = 0, open = 0;
            for (std::size_t i = 0; i < count; ++i) {
                values[i] = row[i].value;
                size = std::max(size, std::abs(row[i].value));
                open = std::max(open, row[i].open);
            }
            const Bernstein p = bernstein_from_values({values.data(), points});
            const double misfit =
                points == count ? 0 : std::abs(evaluate_bernstein(p, check_point) - row[points].value);
            sure = misfit <= fit * size + 2 * open;
            const bool touches = may_touch(w);
            const bool over = lo == 0 && w.kind == Watching::reach && row[0].value * w.sign < -row[0].open;
            if (sure && over)
                root = 0.0;
            else if (sure && touches)
                root = reaching(w, p, lo, hi, sure);
            else if (sure)
                root = passage(w, p, lo, hi, open, sign, sure);
            // A condition that comes nearer to zero than the polynomial to it may pass it.
            const double doubt = misfit_elsewhere * misfit;
            if (!root && doubt > open && !touches && sign == w.sign)
                for (int i = 0; i <= p.degree; ++i) sure = sure && p.b[i] * w.sign > doubt;
            if (count > points && !sure && depth < deepest_halving && halvings_ < most_halvings)
                return sampled_in_halves(lo, hi, depth, winner);
            if (!sure && !touches) root.reset();
        }
        signs.push_back(sign);
        // A branch that switches at the root of an assertion comes before it.
        const double late = w.kind == Watching::assertion ? 4 * same_time(state_.t + hi) : 0;
        if (root && (!first || *root + late < earliest)) {
            earliest = *root + late;
            first = root;
            *winner = &w;
        }
    }
    if (!first)
        for (std::size_t w = 0; w < state_.watches.size(); ++w)
            if (state_.watches[w].kind == Watching::crossing) state_.watches[w].sign = signs[w];
    return first;
}

// A crossing passes zero once it is over by more than the method leaves open. Where an instant comes before
// that, its root is this instant.
void Island::note_passed(double h) {
    if (m_->stepper->has_series()) return;
    for (const Watch& w : state_.watches) {
        const bool watches = w.direction == 0 || w.direction == -w.sign;
        if (w.kind != Watching::crossing || !watches || is_located(w.node, w.threshold)) continue;
        if (read(w, h).value * w.sign < 0) state_.located.push_back({w.node, w.threshold, true});
    }
}

// Roots that are found a little late, again and again, let a ball sink: then the condition is over by much
// more than what is left open of it. (Only what an impulse turns round comes again and again.)
bool Island::has_sunk(const Watch& w, double h) {
    if (m_->stepper->has_series() || !w.fresh || w.kind != Watching::crossing ||
        s_->regularity[w.node].r > Regularity::C(0))
        return false;
    evaluate_bounded_conditions(h, state_.t + h, 1, false);
    const Bounded& c = *m_->bounded_conditions.at(w.node);
    return (c.value - w.threshold) * w.sign < -sinking * (c.bound + underflow);
}

// Where conditions that were zero not long ago stand at an instant, before anything happens.
void IslandGerms::note_met() {
    for (Watch& w : state_.watches)
        if (w.fresh) w.met = state_.left.rungs.at(w.node)[0].value;
}

// What has not jumped at the instant is still known from its last zero on. `before`: what flowed up to it.
void IslandGerms::keep_fresh(const Stepper* before) {
    if (m_->stepper->has_series()) return;
    bool any = false;
    for (const Watch& old : state_.last_watches) {
        if (!old.fresh || before != m_->stepper.get()) continue;
        for (Watch& w : state_.watches) {
            if (w.node != old.node || w.threshold != old.threshold || w.fresh) continue;
            w.fresh = is_zero(state_.right.rungs.at(w.node)[0] - Bounded(old.met));
            any = any || w.fresh;
        }
    }
    if (!any) m_->stepper->forget_errors();
}

// A root that the errors of the method may have put behind the stop, or that no further step showed: nearer
// than these errors are, and soon reached.
bool Island::is_just_ahead(const Watch& w) {
    if (m_->stepper->has_series()) return false;
    const double c = state_.left.rungs.at(w.node)[0].value - w.threshold,
                 slope = state_.left.rungs.at(w.node)[1].value;
    const double reach = stop_reach * (stop_ - settings_.start);
    const bool comes = c * slope < 0, is_over = c * w.sign < 0;
    if ((!comes && !is_over) || std::abs(c) > reach * std::abs(slope)) return false;
    if (std::abs(c) <= stop_blur * (stop_ - settings_.start) * std::abs(slope)) return true;
    evaluate_bounded_conditions(step_, state_.t, gathered_errors, w.fresh);
    const Bounded& seen = *m_->bounded_conditions.at(w.node);
    return std::abs(seen.value - w.threshold) <= seen.bound;
}

}  // namespace deltaflow
