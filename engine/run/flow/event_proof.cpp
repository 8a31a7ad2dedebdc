// Proof of events.
#include "engine/run/flow/event_proof.hpp"

#include "engine/limits.hpp"
#include "engine/solve/exact/roots.hpp"
#include "engine/solve/exact/signal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace deltaflow {

void EventProof::make(const FlowContext& context) {
    shown_.resize(at_.s->d.nodes.size(), 0);
    ProofContext proof{context.system, context.settings, context.discrete, context.active,
                       context.guess,  &shown_,          &proved_,         nullptr};
    proof.delayed = [this](std::size_t i, const Interval& t, std::span<Interval> out) {
        state_.histories[i].rungs_in_step(state_.t, t, out);
    };
    at_.m->proof = std::make_unique<StepProof>(proof);
}

RootProof EventProof::roots_of(const Watch& w, double end) {
    return prove_roots(at_.m->proof->enclosed(w.node, w.threshold, w.zeros, end, condition_), w.sign);
}

namespace {

bool counts(const Watch& w, const ProvedRoot& root) { return w.direction == 0 || w.direction == root.sign; }

}  // namespace

// In fractions, if the signal is a polynomial: has the condition no root up to the end that counts, or the
// one at `at`? Nothing: it cannot be told so.
std::optional<bool> EventProof::is_exactly(const Watch& w, std::optional<double> at, double end) const {
    if (!at_.s->polynomial) return std::nullopt;
    auto g = exact_signal(*at_.s, state_.now, state_.t, state_.x, w.node);
    if (!g) return std::nullopt;
    if (w.zeros == 0) {
        if (g->empty()) g->emplace_back(0);
        g->front() = g->front() - Quadratic(w.threshold);
    } else {
        g->erase(g->begin(), g->begin() + std::min<std::ptrdiff_t>(w.zeros, std::ssize(*g)));
    }
    *g = closed_form::trimmed(std::move(*g));
    if (g->empty() || sign(g->front()) != w.sign) return std::nullopt;
    const bool touch = w.kind == Watching::reach || w.kind == Watching::singular;
    const auto root = closed_form::first_root(*g, {touch, w.direction}, Quadratic(end), Integer(0));
    if (!root || !at) return root.has_value() == at.has_value();
    return std::abs(to_double(near(*root)) - *at) <= limits::same_root * *at;
}

void EventProof::fail_undecided(const Watch& w, double at) const {
    throw RunFailure{
        .kind = ErrorKind::not_finite,
        .node = w.owner,
        .what = fmt::format("undecided: near t = {} its condition comes so near to {} that rounding "
                            "hides whether it passes or only touches it",
                            state_.t + at, w.threshold),
        .advice = "a touch cannot be proved; run without certify, or keep the condition away from it"};
}

void EventProof::fail_leaving(const Watch& w) const {
    throw RunFailure{
        .kind = ErrorKind::not_finite,
        .node = w.owner,
        .what = fmt::format("undecided: its condition began at {} with all derivatives that were looked "
                            "at, and does not stay there",
                            w.threshold),
        .advice = "when it leaves cannot be proved; begin with a value that is not on the threshold"};
}

// Is the condition zero there, to what is known of it?
bool EventProof::vanishes(const Watch& w, double at, double end) {
    const EnclosedSignal g = at_.m->proof->enclosed(w.node, w.threshold, w.zeros, end, condition_);
    return std::abs(derivative_at(g.c, at, 0)) <= limits::proved_zero * (g.error + rounding_at(g.c, at));
}

// Is the root that was found the first one of this condition? A little of the step behind it is needed to
// tell.
bool EventProof::is_met(const Watch& w, double at) {
    const double rest = at_.m->proof->proved_up_to() - at;
    for (const double part : {0x1p-30, 0x1p-20, 0x1p-10, 0x1p-4, 1.0}) {
        const double end = part == 1.0 ? at + rest : at + std::min(rest, part * at);
        const RootProof proof = roots_of(w, end);
        for (const ProvedRoot& root : proof.roots)
            if (counts(w, root)) return root.from <= at && at <= root.to && vanishes(w, at, end);
        if (proof.undecided && *proof.undecided < at * (1 - 0x1p-20)) break;
    }
    return is_exactly(w, at, at + rest).value_or(false);
}

// Has the condition no root that counts up to the end? Where an instant follows, that looks at the end
// itself.
bool EventProof::is_passed(const Watch& w, double end, bool instant_follows) {
    const RootProof proof = roots_of(w, end);
    for (const ProvedRoot& root : proof.roots)
        if (counts(w, root)) fail_undecided(w, root.from);
    if (proof.undecided) {
        const double before = instant_follows ? end * (1 - limits::same_root) : end;
        if (is_exactly(w, std::nullopt, before).value_or(false)) return true;
        if (at_.m->proof->would_gain(w.node, w.zeros, end)) return false;
        fail_undecided(w, *proof.undecided);
    }
    return instant_follows || !proof.open_from;
}

// Nothing if all is proved; else how far the step may go at most, for another try.
std::optional<double> EventProof::shorter_step(const std::optional<Reached>& root, double h) {
    const double end = root ? root->at : h, due = std::min(state_.agenda.next(), settings_.stop);
    const bool instant_follows = root || state_.t + end >= due - same_time(due);
    const double least = smallest_step(settings_, state_.t);
    if (instant_follows && end <= least) return std::nullopt;
    if (!at_.m->proof->holds(end)) return at_.m->proof->prove(*at_.m->stepper, state_.t, state_.x, end);
    for (const Watch& w : state_.resting_watches)
        if (!at_.m->proof->rests(w.node, w.threshold, end)) fail_leaving(w);
    for (const Watch& w : state_.watches) {
        const bool is_winner = root && &w == root->watch;
        if (is_winner ? is_met(w, end) : is_passed(w, end, instant_follows)) continue;
        const double next = limits::away_from_doubt * end;
        if (next <= least || (is_winner && !at_.m->proof->would_gain(w.node, w.zeros, end)))
            fail_undecided(w, end);
        return next;
    }
    return std::nullopt;
}

// A step up to its first root, or to its end, as far as both are proved.
FlowStep EventProof::step(double h_max) {
    FlowStep step{at_.m->proof->prove(*at_.m->stepper, state_.t, state_.x,
                                      at_.m->stepper->step(state_.t, state_.x, h_max).h)};
    while (true) {
        step.root = roots_.first_event(step.h);
        const auto shorter = shorter_step(step.root, step.h);
        if (!shorter) break;
        step.h = *shorter;
    }
    at_.m->proof->accept(step.root ? step.root->at : step.h);
    if (step.root) ++proved_.events;
    return step;
}

}  // namespace deltaflow
