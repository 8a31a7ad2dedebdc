// What signals do at an instant, written down.
#include "engine/run/island.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

// What is rounding only is nothing. Before the start there need not be a value.
Island::Doing Island::doing(NodeId n) const {
    const Bounded& left = told_left().rungs.at(n)[0];
    const Bounded& right = state_.right.rungs.at(n)[0];
    int impulses = told_count(n);
    while (impulses > 0 && is_zero(told_impulse(n, impulses - 1))) --impulses;
    return {right.value != left.value && !is_zero(right - left) && std::isfinite(left.value), impulses};
}

// An impact is over at once: then the states that follow it are found from what it left, and both are one
// event.
bool Island::passes_on() {
    if (!modes_) return false;
    const auto& automata = modes_->graph().automata;
    bool passing = false;
    for (std::size_t a = 0; a < automata.size() && !passing; ++a)
        passing = automata[a].passes(state_.mode[a]);
    if (!passing && (passed_ || !is_behind_impulse())) return false;
    Passed passed;
    for (NodeId n = 0; n < s_->d.nodes.size(); ++n) {
        std::vector<Bounded> impulses;
        for (int i = 0; i < told_count(n); ++i) impulses.push_back(told_impulse(n, i));
        while (!impulses.empty() && is_zero(impulses.back())) impulses.pop_back();
        if (!impulses.empty()) passed.impulses.emplace_back(n, std::move(impulses));
    }
    passed.left = told_left();
    passed_ = std::move(passed);
    starting_ = false;  // what was given before the start is over
    go_on();
    begin_commit();
    return true;
}

int Island::told_count(NodeId n) const {
    const auto now = impulse_count(n);
    if (!passed_) return now;
    const auto& list = passed_->impulses;
    const auto at =
        std::lower_bound(list.begin(), list.end(), n, [](const auto& p, NodeId m) { return p.first < m; });
    return at == list.end() || at->first != n ? now : std::max(now, static_cast<int>(at->second.size()));
}

Bounded Island::told_impulse(NodeId n, int i) const {
    const Bounded now = i < impulse_count(n) ? impulse(n, i) : Bounded(0);
    if (!passed_) return now;
    const auto& list = passed_->impulses;
    const auto at =
        std::lower_bound(list.begin(), list.end(), n, [](const auto& p, NodeId m) { return p.first < m; });
    if (at == list.end() || at->first != n || i >= static_cast<int>(at->second.size())) return now;
    return now + at->second[static_cast<std::size_t>(i)];
}

void Island::record_jump(const System::Output& output) {
    const Doing what = doing(output.node);
    if (!what.anything()) return;
    const double left = told_left().rungs.at(output.node)[0].value,
                 right = state_.right.rungs.at(output.node)[0].value;
    Jump& jump = recorder_.jumps.emplace_back();
    jump.signal = output.signal;
    jump.left = what.jumps ? left : right;
    jump.right = right;
    jump.first_impulse = static_cast<std::uint32_t>(recorder_.impulses.size());
    jump.impulse_count = static_cast<std::uint32_t>(what.impulses);
    for (int i = 0; i < what.impulses; ++i) {
        const Bounded strength = told_impulse(output.node, i);
        recorder_.impulses.push_back(is_zero(strength) ? 0 : strength.value);
    }
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

// An event is there also where only signals that are not shown do something: events of other islands at the
// same time become one with it. What a mythical mode makes of them nobody else looks at.
void Island::record_event(std::uint32_t epsilon, bool committed) {
    const auto first = recorder_.jumps.size();
    for (const auto& output : s_->outputs)
        if (output.shown || !committed) record_jump(output);
    const bool slides = committed && state_.after.slides != state_.now.slides;  // otherwise than before
    const bool switched = slides || (modes_ && (!committed || has_switched(modes_->graph(), state_)));
    if (recorder_.jumps.size() == first && !switched &&
        std::none_of(s_->outputs.begin(), s_->outputs.end(),
                     [&](const auto& output) { return !output.shown && doing(output.node).anything(); }) &&
        std::none_of(s_->named.begin(), s_->named.end(), [&](NodeId n) { return doing(n).anything(); }))
        return;
    Event& event = recorder_.events.emplace_back();
    event.t = state_.t;
    event.epsilon = first_epsilon_ + epsilon;
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

// Who begins to slide, or ceases to, causes an event.
void Island::note_slides() {
    const auto& before = state_.now.slides;
    const auto& after = state_.after.slides;
    if (before == after) return;
    const auto note = [&](const std::vector<Held>& list, const std::vector<Held>& other) {
        for (const Held& h : list)
            if (std::none_of(other.begin(), other.end(),
                             [&](const Held& x) { return x.surface == h.surface; }))
                note_cause(surface(h).block);
    };
    note(before, after);
    note(after, before);
}

void Island::record_slides() {
    auto& slid = recorder_.slid;
    const auto is_open = [](const Slid& s) { return std::isnan(s.to); };
    if (s_->held.empty() && std::none_of(slid.begin(), slid.end(), is_open)) return;
    const auto is_held = [&](NodeId block) {
        return std::any_of(s_->held.begin(), s_->held.end(),
                           [&](const HeldSurface& h) { return s_->origin[h.block] == block; });
    };
    for (Slid& s : slid)
        if (is_open(s) && !is_held(s.block)) s.to = state_.t;
    for (const HeldSurface& h : s_->held) {
        const NodeId block = s_->origin[h.block];
        if (std::none_of(slid.begin(), slid.end(),
                         [&](const Slid& s) { return is_open(s) && s.block == block; }))
            slid.push_back({block, state_.t, NAN});
    }
}

// Commits at one time add up: what was before the first, what is after the last, and all impulses.
void Island::gather_germs(bool first) {
    for (std::size_t i = 0; i < met_.size(); ++i) {
        const NodeId n = s_->outputs[i].node;
        MetGerm& g = met_[i];
        if (first) g = {told_left().rungs.at(n)[0].value, 0, {}};
        const Doing what = doing(n);
        g.right = state_.right.rungs.at(n)[0].value;
        if (first && !what.jumps) g.left = g.right;
        if (g.impulses.size() < static_cast<std::size_t>(what.impulses))
            g.impulses.resize(static_cast<std::size_t>(what.impulses));
        for (int k = 0; k < what.impulses; ++k)
            if (const Bounded strength = told_impulse(n, k); !is_zero(strength))
                g.impulses[static_cast<std::size_t>(k)] += strength.value;
    }
}

}  // namespace deltaflow
