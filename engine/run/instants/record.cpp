// What the last solve made of signals, and what of it is written down.
#include "engine/run/instants/record.hpp"

#include "engine/model/archive_trace.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace deltaflow {

void Outcome::be_of(Change* part) {
    part_.resize(at_.s->d.nodes.size(), no_node);
    for (std::uint32_t i = 0; change_ && i < change_->reached; ++i) part_[change_->nodes[i]] = no_node;
    change_ = part;
    for (std::uint32_t i = 0; change_ && i < change_->reached; ++i) part_[change_->nodes[i]] = i;
}

Bounded Outcome::right(NodeId n) const {
    if (!change_) return at_.m->solver->right(n);
    return reaches(n) ? change_->solver->right(part_[n]) : state_.left.rungs.at(n)[0];
}

bool Outcome::reads_pre(NodeId n) const {
    if (change_) return reaches(n) && change_->reads_pre[part_[n]];
    const Diagram& d = at_.s->d;
    return deltaflow::reads_pre(
        n, [&](NodeId m) { return d.nodes[m].op; }, [&](NodeId m) { return d.inputs_of(m); });
}

int solved_sign(const Outcome& outcome, Germs& germs, State& state, NodeId node, bool by_value,
                bool with_impulses) {
    for (int i = outcome.impulse_count(node) - 1; with_impulses && i >= 0; --i)
        if (const int s = sign(outcome.impulse(node, i)); s != 0) return s;
    const Bounded value = outcome.right(node);
    const bool stays = state.is_located(node, 0) && is_zero(value - state.left.rungs.at(node)[0]);
    if (const int s = stays ? 0 : sign(value); s != 0 || by_value) return s;
    return outcome.reads_pre(node) ? germs.forward_sign(state.left, state.now, node, 0)
                                   : germs.forward_sign(state.right, state.after, node, 0);
}

GuardReading Outcome::reading(NodeId n) const {
    for (int i = impulse_count(n) - 1; i >= 0; --i)
        if (const Bounded x = impulse(n, i); !is_zero(x)) return {x.value, i};
    return {right(n).value};
}

void Outcome::pass_on() {
    Passed passed;
    for (NodeId n = 0; n < at_.s->d.nodes.size(); ++n) {
        std::vector<Bounded> impulses;
        for (int i = 0; i < told_count(n); ++i) impulses.push_back(told_impulse(n, i));
        while (!impulses.empty() && is_zero(impulses.back())) impulses.pop_back();
        if (!impulses.empty()) passed.impulses.emplace_back(n, std::move(impulses));
    }
    passed.left = told_left();
    passed_ = std::move(passed);
}

const std::vector<Bounded>* Outcome::Passed::of(NodeId n) const {
    const auto at = std::lower_bound(impulses.begin(), impulses.end(), n,
                                     [](const auto& p, NodeId m) { return p.first < m; });
    return at == impulses.end() || at->first != n ? nullptr : &at->second;
}

int Outcome::passed_count(NodeId n) const {
    const auto now = impulse_count(n);
    const std::vector<Bounded>* const before = passed_->of(n);
    return before ? std::max(now, static_cast<int>(before->size())) : now;
}

Bounded Outcome::passed_impulse(NodeId n, int i) const {
    const Bounded now = i < impulse_count(n) ? impulse(n, i) : Bounded(0);
    const std::vector<Bounded>* const before = passed_->of(n);
    if (!before || i >= static_cast<int>(before->size())) return now;
    return now + (*before)[static_cast<std::size_t>(i)];
}

// What is rounding only is nothing. Before the start there need not be a value.
Outcome::Doing Outcome::doing(NodeId n) const {
    const Bounded& left = told_left().rungs.at(n)[0];
    const Bounded& right = state_.right.rungs.at(n)[0];
    int impulses = told_count(n);
    while (impulses > 0 && is_zero(told_impulse(n, impulses - 1))) --impulses;
    const bool jumps = right.value != left.value && !is_zero(right - left) && std::isfinite(left.value);
    return {jumps, impulses, left.value, right.value};
}

void Record::note_cause(NodeId n) {
    const NodeId origin = at_.s->origin[n];
    if (std::find(causes_.begin(), causes_.end(), origin) == causes_.end()) causes_.push_back(origin);
}

void Record::jump(const System::Output& output) {
    const Outcome::Doing what = outcome_.doing(output.node);
    if (!what.anything()) return;
    recorder_.jumps.push_back({.signal = output.signal,
                               .left = what.jumps ? what.left : what.right,
                               .right = what.right,
                               .first_impulse = static_cast<std::uint32_t>(recorder_.impulses.size()),
                               .impulse_count = static_cast<std::uint32_t>(what.impulses)});
    for (int i = 0; i < what.impulses; ++i) {
        const Bounded strength = outcome_.told_impulse(output.node, i);
        recorder_.impulses.push_back(is_zero(strength) ? 0 : strength.value);
    }
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
    for (const NodeId cause : causes_) recorder_.causes.push_back(cause);
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
        g.right = what.right;
        if (first && !what.jumps) g.left = g.right;
        if (g.impulses.size() < static_cast<std::size_t>(what.impulses))
            g.impulses.resize(static_cast<std::size_t>(what.impulses));
        for (int k = 0; k < what.impulses; ++k)
            if (const Bounded strength = outcome_.told_impulse(n, k); !is_zero(strength))
                g.impulses[static_cast<std::size_t>(k)] += strength.value;
    }
}

}  // namespace deltaflow
