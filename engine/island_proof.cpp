// Proof of events: the conditions of a flow have the roots that were found in a step, and no others.
#include "engine/island.hpp"
#include "engine/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace deltaflow {

void Island::make_proof(const FlowContext& context) {
    shown_.resize(s_->d.nodes.size(), 0);
    ProofContext proof{context.system, context.settings, context.discrete,  context.active,
                       context.guess,  &shown_,          &recorder_.proved, nullptr};
    proof.delayed = [this](std::size_t i, const Interval& t, std::span<Interval> out) {
        histories_[i].rungs_in_step(t_, t, out);
    };
    m_->proof = std::make_unique<StepProof>(proof);
}

RootProof Island::roots_of(const Watch& w, double end) {
    return prove_roots(m_->proof->enclosed(w.node, w.threshold, w.zeros, end, condition_), w.sign);
}

namespace {

bool counts(const Watch& w, const ProvedRoot& root) { return w.direction == 0 || w.direction == root.sign; }

}  // namespace

void Island::fail_undecided(const Watch& w, double at) const {
    throw RunFailure{
        .code = 7,
        .node = w.owner,
        .what = fmt::format("undecided: near t = {} its condition comes so near to {} that rounding "
                            "hides whether it passes or only touches it",
                            t_ + at, w.threshold),
        .advice = "a touch cannot be proved; run without certify, or keep the condition away from it"};
}

// Is the root that was found the first one of this condition? A little of the step behind it is needed to
// tell.
bool Island::is_met(const Watch& w, double at) {
    const double rest = m_->proof->proved_up_to() - at;
    for (const double part : {0x1p-30, 0x1p-20, 0x1p-10, 0x1p-4, 1.0}) {
        const double end = part == 1.0 ? at + rest : at + std::min(rest, part * at);
        const RootProof proof = roots_of(w, end);
        for (const ProvedRoot& root : proof.roots)
            if (counts(w, root)) return root.from <= at && at <= root.to;
        if (proof.undecided && *proof.undecided < at * (1 - 0x1p-20)) fail_undecided(w, *proof.undecided);
    }
    return false;
}

// Has the condition no root that counts up to the end? Where an instant follows, that looks at the end
// itself.
bool Island::is_passed(const Watch& w, double end, bool instant_follows) {
    const RootProof proof = roots_of(w, end);
    for (const ProvedRoot& root : proof.roots)
        if (counts(w, root)) fail_undecided(w, root.from);
    if (proof.undecided) {
        if (m_->proof->would_gain(w.node, w.zeros, end)) return false;
        fail_undecided(w, *proof.undecided);
    }
    return instant_follows || !proof.open_from;
}

// Nothing if all is proved; else how far the step may go at most, for another try.
std::optional<double> Island::shorter_step(const std::optional<Reached>& root, double h) {
    constexpr double part = 0.75;
    const double end = root ? root->at : h;
    if (!(end > smallest_step(settings_, t_))) return std::nullopt;
    if (!m_->proof->holds(end)) return m_->proof->prove(*m_->stepper, t_, x_, end);
    const double due = std::min(agenda_.next(), stop_);
    const bool instant_follows = root || t_ + end >= due - same_time(due);
    for (const Watch& w : watches_) {
        if (root && &w == root->watch) {
            if (is_met(w, end)) continue;
            if (!m_->proof->would_gain(w.node, w.zeros, end)) fail_undecided(w, end);
            return part * end;
        }
        if (!is_passed(w, end, instant_follows)) return part * end;
    }
    return std::nullopt;
}

// A step up to its first root, or to its end, as far as both are proved.
Island::Step Island::proved_step(double h_max) {
    Step step{m_->proof->prove(*m_->stepper, t_, x_, m_->stepper->step(t_, x_, h_max).h)};
    while (true) {
        step.root = first_event(step.h);
        const auto shorter = shorter_step(step.root, step.h);
        if (!shorter) break;
        step.h = *shorter;
    }
    m_->proof->accept(step.root ? step.root->at : step.h);
    if (step.root) ++recorder_.proved.events;
    return step;
}

}  // namespace deltaflow
