// What the last solve made of signals.
#include "engine/run/instants/outcome.hpp"

#include <algorithm>
#include <cmath>

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

int Outcome::told_count(NodeId n) const {
    const auto now = impulse_count(n);
    const std::vector<Bounded>* const before = passed_ ? passed_->of(n) : nullptr;
    return before ? std::max(now, static_cast<int>(before->size())) : now;
}

Bounded Outcome::told_impulse(NodeId n, int i) const {
    const Bounded now = i < impulse_count(n) ? impulse(n, i) : Bounded(0);
    const std::vector<Bounded>* const before = passed_ ? passed_->of(n) : nullptr;
    if (!before || i >= static_cast<int>(before->size())) return now;
    return now + (*before)[static_cast<std::size_t>(i)];
}

// What is rounding only is nothing. Before the start there need not be a value.
Outcome::Doing Outcome::doing(NodeId n) const {
    const Bounded& left = told_left().rungs.at(n)[0];
    const Bounded& right = state_.right.rungs.at(n)[0];
    int impulses = told_count(n);
    while (impulses > 0 && is_zero(told_impulse(n, impulses - 1))) --impulses;
    return {right.value != left.value && !is_zero(right - left) && std::isfinite(left.value), impulses};
}

}  // namespace deltaflow
