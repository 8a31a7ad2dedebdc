// Where an island stands, as bytes and back; looks into the step at hand; what comes from outside.
#include "engine/model/archive_trace.hpp"
#include "engine/run/island.hpp"
#include "engine/solve/finite.hpp"
#include "engine/solve/steppers/stiffness.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

std::vector<Held> held_in(const System& s) {
    std::vector<Held> held;
    for (const HeldSurface& h : s.held) held.push_back(h.held);
    return held;
}

}  // namespace

void Island::archive(Archive& a, Machinery& m) {
    a(m.germ_work, m.output_work, m.condition_work, m.ledger_work, *m.stepper);
    if (m.stiffness) a(*m.stiffness);
    if (m.proof) a(*m.proof);
    bool expands = m.expansion != nullptr;
    a(expands);
    if (expands && !m.expansion) m.expansion = make_taylor_stepper(flow_context());
    if (expands) a(*m.expansion);
}

std::vector<std::byte> Island::remember(Machinery& m) {
    Archive a;
    archive(a, m);
    return a.take();
}

void Island::recall(Machinery& m, const std::vector<std::byte>& bytes) {
    Archive a(bytes);
    archive(a, m);
}

// Those that have been at work; the one of the step at hand as it was before it was looked for.
void Island::archive_machineries(Archive& a) {
    if (a.is_writing()) {
        const auto works = [](const auto& known) { return known.second->stepper != nullptr; };
        a.length(static_cast<std::size_t>(std::count_if(machineries_.begin(), machineries_.end(), works)));
        for (auto& [system, m] : machineries_) {
            if (!m->stepper) continue;
            bonds::Mode mode = system->mode;
            bool plain = system->plain;
            std::vector<Held> held = held_in(*system);
            std::vector<std::byte> bytes = at_hand_ && m.get() == m_ ? before_.machinery : remember(*m);
            a(mode, plain, held, bytes);
        }
        return;
    }
    for (std::size_t n = a.length(0); n > 0; --n) {
        bonds::Mode mode;
        bool plain = false;
        std::vector<Held> held;
        std::vector<std::byte> bytes;
        a(mode, plain, held, bytes);
        s_ = &system_with(modes_ ? modes_->of(mode, plain) : released(), held);
        m_ = &machinery(*s_);
        if (!m_->stepper) make_stepper();
        recall(*m_, bytes);
    }
}

void Island::archive(Archive& a, OneSidedGerm& g) {
    bool has_system = g.system != nullptr;
    bool plain = has_system && g.system->plain;
    bonds::Mode mode = has_system ? g.system->mode : g.mode;
    std::vector<Held> held = has_system ? held_in(*g.system) : std::vector<Held>();
    a(g.rungs.a, g.rungs.stride, g.order, g.degree, g.solved, has_system, plain, mode, held);
    if (a.is_writing()) return;
    g.mode = mode;
    g.system = !has_system ? nullptr : &system_with(modes_ ? modes_->of(mode, plain) : released(), held);
}

void Island::archive(Archive& a) {
    bool jumps = modes_ && modes_->may_jump();
    a(jumps);
    if (jumps && !modes_->may_jump()) {
        modes_->allow_jumps();
        forget_systems();
    }
    const bool waits = a.is_writing() && at_hand_;
    if (waits) std::swap(state_.guess, before_.guess);
    a(state_);
    archive(a, state_.left);
    archive(a, state_.right);
    archive_machineries(a);
    if (waits) std::swap(state_.guess, before_.guess);
    bool plain = s_->plain;
    a(plain, ledger_, warnings_, shown_, recorder_, met_);
    if (a.is_writing()) return;
    s_ = &system_with(modes_ ? modes_->of(state_.mode, plain) : released(), state_.now.slides);
    m_ = &machinery(*s_);
    scratch_.resize(s_->states.size());
    list_branchers(*s_, s_->branchers);
    use_change(nullptr);
    landed_ = true;
    in_step_ = branches_agree_ = leaving_known_ = starting_ = false;
    at_hand_.reset();
}

void Island::feed(Fed fed, double t) {
    state_.agenda.add(t, fed.node);
    state_.fed.push_back(std::move(fed));
}

// Nothing of it stays: methods and loops remember where they were looked at.
void Island::look(double t, std::span<double> out) {
    const bool within = at_hand_ && t > state_.t + same_time(state_.t);
    const Memory before{state_.guess, remember(*m_)};
    const double h = at_hand_ ? at_hand_->h : 0;
    const NodeId lost = within ? show_at(std::min(t - state_.t, h), 0) : show(state_.x, state_.t);
    for (std::size_t i = 0; i < s_->outputs.size(); ++i) out[i] = *m_->output.at(s_->outputs[i].node);
    state_.guess = before.guess;
    recall(*m_, before.machinery);
    if (lost == no_node) return;
    RunFailure failure = not_finite(s_->d, lost);
    failure.t = t;
    throw failure;
}

void Island::sample_until(double t) {
    if (!at_hand_ || t <= state_.t) return;
    const Memory before{state_.guess, remember(*m_)};
    sample_before(std::nextafter(t + same_time(t), HUGE_VAL));
    state_.guess = before.guess;
    recall(*m_, before.machinery);
}

const MetGerm* Island::met(std::size_t output, double t) const {
    return !met_.empty() && std::abs(t - state_.last_instant) <= same_time(t) ? &met_[output] : nullptr;
}

double Island::next_event() const {
    const double due = state_.agenda.next();
    return at_hand_ && at_hand_->root ? std::min(due, state_.t + at_hand_->root->at) : due;
}

double Island::end_of_step() const {
    const double due = std::min(state_.agenda.next(), stop_);
    if (!at_hand_) return due;
    return time_after(at_hand_->root ? at_hand_->root->at : at_hand_->h, due);
}

}  // namespace deltaflow
