// Looks into the step at hand, and the way back.
#include "engine/run/flow/flow.hpp"

#include "engine/solve/finite.hpp"
#include "engine/solve/steppers/stiffness.hpp"

#include <cmath>
#include <utility>

namespace deltaflow {

void Flow::archive(Archive& a, Machinery& m) {
    a(m.germ_work, m.output_work, m.condition_work, m.ledger_work, *m.stepper);
    if (m.stiffness) a(*m.stiffness);
    if (m.proof) a(*m.proof);
    bool expands = m.expansion != nullptr;
    a(expands);
    if (expands && !m.expansion) m.expansion = make_taylor_stepper(flow_context(settings_, state_, at_));
    if (expands) a(*m.expansion);
}

std::vector<std::byte> Flow::remember(Machinery& m) {
    Archive a;
    archive(a, m);
    return a.take();
}

void Flow::recall(Machinery& m, const std::vector<std::byte>& bytes) {
    Archive a(bytes);
    archive(a, m);
}

std::vector<std::byte> Flow::bytes_of(Machinery& m) {
    return at_hand_ && &m == at_.m ? before_.machinery : remember(m);
}

// While the step at hand waits: where loops were looked for before it.
void Flow::exchange_guess() {
    if (at_hand_) std::swap(state_.guess, before_.guess);
}

// Nothing of it stays: methods and loops remember where they were looked at.
void Flow::look(double t, std::span<double> out) {
    const bool within = at_hand_ && t > state_.t + same_time(state_.t);
    const Memory before{state_.guess, remember(*at_.m)};
    const double h = at_hand_ ? at_hand_->h : 0;
    const NodeId lost =
        within ? sampler_.show_at(std::min(t - state_.t, h), 0) : sampler_.show(state_.x, state_.t);
    for (std::size_t i = 0; i < at_.s->outputs.size(); ++i)
        out[i] = *at_.m->output.at(at_.s->outputs[i].node);
    state_.guess = before.guess;
    recall(*at_.m, before.machinery);
    if (lost == no_node) return;
    RunFailure failure = not_finite(at_.s->d, lost);
    failure.t = t;
    throw failure;
}

void Flow::sample_until(double t) {
    if (!at_hand_ || t <= state_.t) return;
    const Memory before{state_.guess, remember(*at_.m)};
    sampler_.take_before(std::nextafter(t + same_time(t), HUGE_VAL));
    state_.guess = before.guess;
    recall(*at_.m, before.machinery);
}

std::vector<double> Flow::values_at(double t) {
    const double within = state_.zeno_stop ? 0 : t - state_.t;
    try {
        if ((!(within > 0) || sampler_.show_at(within, 0) != no_node) &&
            sampler_.show(state_.x, state_.t) != no_node)
            return {};
    } catch (const RunFailure&) {
        return {};
    }
    std::vector<double> values;
    for (const System::Output& output : at_.s->outputs) values.push_back(*at_.m->output.at(output.node));
    return values;
}

}  // namespace deltaflow
