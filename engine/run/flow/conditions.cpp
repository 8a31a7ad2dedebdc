// Conditions of a flow within the step at hand.
#include "engine/run/flow/conditions.hpp"

#include "engine/limits.hpp"
#include "engine/numerics/roots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace deltaflow {

// Newton begins where the series of the step has the unknowns, so what it finds does not depend on where
// samples are taken.
void Conditions::follow_loops(double s) {
    for (const NodeId n : at_.m->looped)
        if (state_.is_active(n)) state_.guess[n] = horner(at_.m->stepper->series(n), s);
}

// The side of a crossing's condition after a step (state_.t is its end), by its series. Where it is zero
// there, the next step finds the root at its beginning; but a root against the direction lies behind.
int Conditions::side_at_end(const Watch& w, double h) {
    double c = value(w, h);
    const int side = may_be_wrong(w, h) ? side_by_equations(w, h, state_.t) : 0;
    if (side != 0) return side;
    if (c != 0) return c > 0 ? 1 : -1;
    const auto series = at_.m->stepper->series(w.node);
    for (int m = 1; c == 0 && m < static_cast<int>(series.size()); ++m) c = derivative_at(series, h, m);
    return c * w.direction < 0 ? -w.direction : w.sign;
}

// All conditions in the step's point s, which is t, with what rounding and the method leave open of them.
// From the beginning of a step on its error grows. Of a condition that was zero not long ago (`fresh`) only
// the errors since then are open.
void Conditions::evaluate_bounded(double s, double t, double errors, bool fresh) {
    Rungs<Bounded>& rungs = at_.m->bounded_conditions;
    if (rungs.a.empty()) rungs.resize(at_.s->d, at_.m->conditions.stride);
    at_.m->stepper->states(s, at_.m->scratch);
    const double part = errors * (step_ > 0 ? s / step_ : 1);
    for (std::size_t i = 0; i < at_.s->states.size(); ++i) {
        const double error = fresh ? at_.m->stepper->drift(i) : at_.m->stepper->uncertainty(i);
        *rungs.at(at_.s->states[i]) =
            Bounded(at_.m->scratch[i], at_.m->stepper->rounding(i, s) + part * error);
    }
    for (std::size_t i = 0; i < at_.s->delays.size(); ++i) {
        double* row = at_.m->conditions.at(at_.s->delays[i]);
        state_.histories[i].rungs_in_step(t - s, t, {row, at_.m->conditions.stride});
        for (std::uint32_t k = 0; k < rungs.stride; ++k)
            rungs.at(at_.s->delays[i])[k] = Bounded(row[k], 4 * rounding::unit * std::abs(row[k]));
    }
    const Frame<Bounded> f{rungs.a.data(), rungs.stride, &at_.s->d, &state_.now,
                           Bounded(t, rounding::unit * std::abs(t))};
    execute(at_.s->conditions, at_.m->condition_work, f, -at_.s->conditions.highest, 0);
}

// node - threshold, divided by s^zeros: the root at the beginning is taken out, with what rounding left of
// it. As long as it cannot have left zero by more than what is open, the germ tells.
Conditions::Reading Conditions::reading(const Watch& w, double s) const {
    const Bounded& c = *at_.m->bounded_conditions.at(w.node);
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

Conditions::Reading Conditions::read(const Watch& w, double s) {
    evaluate_bounded(s, state_.t + s, 1, w.fresh);
    return reading(w, s);
}

// Values of all conditions at state_.t + s, into the rows of the machinery.
void Conditions::evaluate(double s) {
    at_.m->stepper->states(s, at_.m->scratch);
    evaluate(at_.m->scratch, state_.t + s);
}

void Conditions::evaluate(std::span<const double> x, double t) {
    for (std::size_t i = 0; i < at_.s->states.size(); ++i) *at_.m->conditions.at(at_.s->states[i]) = x[i];
    fill_delayed(state_, at_.s->delays, at_.m->conditions, t, static_cast<int>(at_.m->conditions.stride));
    const Frame<double> f{at_.m->conditions.a.data(), at_.m->conditions.stride, &at_.s->d, &state_.now, t};
    execute(at_.s->conditions, at_.m->condition_work, f, -at_.s->conditions.highest, 0);
}

double Conditions::value(const Watch& w, double s) {
    const auto series = at_.m->stepper->series(w.node);
    if (!series.empty()) return horner(series, s) - w.threshold;
    evaluate(s);
    return *at_.m->conditions.at(w.node) - w.threshold;
}

// A condition in the step's point s, which is t, with its rounding, by the rules of all blocks on the way to
// it.
std::optional<Bounded> Conditions::by_equations(const Watch& w, double s, double t) {
    try {
        predict_loops(s);
        evaluate_bounded(s, t, 1, w.fresh);
    } catch (const RunFailure&) {
        return std::nullopt;
    }
    return *at_.m->bounded_conditions.at(w.node);
}

// How far the series of a condition may be off at s: by rounding, and by what the equations say.
double Conditions::doubt_of(const Watch& w, double s) {
    const auto c = by_equations(w, s, state_.t + s);
    const double rounding = underflow + (c ? c->bound : 0);
    return c ? rounding + std::abs(horner(at_.m->stepper->series(w.node), s) - c->value) : rounding;
}

// On which side of zero it is there; 0 where the equations cannot tell.
int Conditions::side_by_equations(const Watch& w, double s, double t) {
    const auto c = by_equations(w, s, t);
    if (!c || std::abs(c->value - w.threshold) <= 4 * c->bound + underflow) return 0;
    return c->value > w.threshold ? 1 : -1;
}

// May the series of a condition be wrong about its side at s? Then the equations tell.
bool Conditions::may_be_wrong(const Watch& w, double s) const {
    const auto c = at_.m->stepper->series(w.node);
    return !c.empty() && std::abs(horner(c, s) - w.threshold) <= limits::may_be_doubt * rounding_at(c, s);
}

}  // namespace deltaflow
