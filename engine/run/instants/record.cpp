// What signals do at an instant, written down.
#include "engine/run/instants/record.hpp"

#include "engine/model/archive_trace.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace deltaflow {

void Record::note_cause(NodeId n) {
    const NodeId origin = at_.s->origin[n];
    if (std::find(causes_.begin(), causes_.end(), origin) == causes_.end()) causes_.push_back(origin);
}

void Record::jump(const System::Output& output) {
    const Outcome::Doing what = outcome_.doing(output.node);
    if (!what.anything()) return;
    const double left = outcome_.told_left().rungs.at(output.node)[0].value,
                 right = state_.right.rungs.at(output.node)[0].value;
    Jump& jump = recorder_.jumps.emplace_back();
    jump.signal = output.signal;
    jump.left = what.jumps ? left : right;
    jump.right = right;
    jump.first_impulse = static_cast<std::uint32_t>(recorder_.impulses.size());
    jump.impulse_count = static_cast<std::uint32_t>(what.impulses);
    for (int i = 0; i < what.impulses; ++i) {
        const Bounded strength = outcome_.told_impulse(output.node, i);
        recorder_.impulses.push_back(is_zero(strength) ? 0 : strength.value);
    }
}

// What somebody does after an instant, at the same time, comes behind it.
void Record::begin_instant() {
    goes_behind_ = !state_.fed.empty() && state_.t == state_.last_instant;
    first_epsilon_ = goes_behind_ ? state_.epsilons : 0;
}

std::vector<NodeId> Record::exchange_causes(std::vector<NodeId> causes) {
    return std::exchange(causes_, std::move(causes));
}

const MetGerm* Record::met(std::size_t output, double t) const {
    return !met_.empty() && std::abs(t - state_.last_instant) <= same_time(t) ? &met_[output] : nullptr;
}

// Something happens to signals that are not shown: events of other islands at the same time become one with
// it.
bool Record::does_anything_unseen() const {
    return std::any_of(at_.s->outputs.begin(), at_.s->outputs.end(),
                       [&](const auto& o) { return !o.shown && outcome_.doing(o.node).anything(); }) ||
           std::any_of(at_.s->named.begin(), at_.s->named.end(),
                       [&](NodeId n) { return outcome_.doing(n).anything(); });
}

namespace {

// Ideal elements are in some state at the start; that they find it is no event.
bool has_switched(const bonds::Graph& g, const State& state) {
    for (std::size_t a = 0; a < g.automata.size(); ++a)
        if (!g.automata[a].looks_alike(state.mode[a], state.recorded_mode[a]) &&
            !(g.automata[a].ideal && std::isnan(state.last_instant)))
            return true;
    return false;
}

}  // namespace

// What a mythical mode makes of signals that are not shown nobody else looks at.
void Record::event(std::uint32_t epsilon, bool committed) {
    const auto first = recorder_.jumps.size();
    for (const auto& output : at_.s->outputs)
        if (output.shown || !committed) jump(output);
    const bool slides = committed && state_.after.slides != state_.now.slides;  // otherwise than before
    const bool switched = slides || (modes_ && (!committed || has_switched(modes_->graph(), state_)));
    if (recorder_.jumps.size() == first && !switched && !does_anything_unseen()) return;
    Event& event = recorder_.events.emplace_back();
    event.t = state_.t;
    event.epsilon = number(epsilon);
    event.index = index_;
    event.committed = committed;
    event.first_jump = static_cast<std::uint32_t>(first);
    event.jump_count = static_cast<std::uint32_t>(recorder_.jumps.size() - first);
    event.first_cause = static_cast<std::uint32_t>(recorder_.causes.size());
    recorder_.causes.insert(recorder_.causes.end(), causes_.begin(), causes_.end());
    event.cause_count = static_cast<std::uint32_t>(causes_.size());
    if (modes_) {
        event.first_mode = static_cast<std::uint32_t>(recorder_.modes.size());
        const auto automata = static_cast<std::ptrdiff_t>(modes_->graph().automata.size());
        recorder_.modes.insert(recorder_.modes.end(), state_.after_mode.begin(),
                               state_.after_mode.begin() + automata);
        if (committed) state_.recorded_mode = state_.mode;
    }
    ++recorder_.statistics.events;
}

void Record::slides() {
    auto& slid = recorder_.slid;
    const auto is_open = [](const Slid& s) { return std::isnan(s.to); };
    if (at_.s->held.empty() && std::none_of(slid.begin(), slid.end(), is_open)) return;
    const auto is_held = [&](NodeId block) {
        return std::any_of(at_.s->held.begin(), at_.s->held.end(),
                           [&](const HeldSurface& h) { return at_.s->origin[h.block] == block; });
    };
    for (Slid& s : slid)
        if (is_open(s) && !is_held(s.block)) s.to = state_.t;
    for (const HeldSurface& h : at_.s->held) {
        const NodeId block = at_.s->origin[h.block];
        if (std::none_of(slid.begin(), slid.end(),
                         [&](const Slid& s) { return is_open(s) && s.block == block; }))
            slid.push_back({block, state_.t, NAN});
    }
}

// Commits at one time add up: what was before the first, what is after the last, and all impulses.
void Record::gather_germs(std::uint32_t epsilon) {
    const bool first = epsilon == 0 && !goes_behind_;
    for (std::size_t i = 0; i < met_.size(); ++i) {
        const NodeId n = at_.s->outputs[i].node;
        MetGerm& g = met_[i];
        if (first) g = {outcome_.told_left().rungs.at(n)[0].value, 0, {}};
        const Outcome::Doing what = outcome_.doing(n);
        g.right = state_.right.rungs.at(n)[0].value;
        if (first && !what.jumps) g.left = g.right;
        if (g.impulses.size() < static_cast<std::size_t>(what.impulses))
            g.impulses.resize(static_cast<std::size_t>(what.impulses));
        for (int k = 0; k < what.impulses; ++k)
            if (const Bounded strength = outcome_.told_impulse(n, k); !is_zero(strength))
                g.impulses[static_cast<std::size_t>(k)] += strength.value;
    }
}

}  // namespace deltaflow
