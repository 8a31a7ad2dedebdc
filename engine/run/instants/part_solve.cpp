// Instants on the part of a graph that a change of mode reaches.
#include "engine/run/instants/part_solve.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

InstantInput part_input(const Change& c, const State& state, Discrete& after) {
    return {c.left.data(),
            state.left.rungs.stride,
            Bounded(state.t, rounding::unit * std::abs(state.t)),
            &state.now,
            &after,
            &state.stored};
}

}  // namespace

// Every branch has to agree with its condition: then a change of mode is all that happens.
bool PartSolve::may_be_part() {
    if (modes_->has_sides() || modes_->has_charts() || at_.s->released) return false;
    if (state_.starting || !state_.active.empty()) return false;
    if (!at_.s->delays.empty() || !state_.memory.empty()) return false;
    for (const NodeId n : at_.s->branchers)
        if (!branches_agree_ && germs_.decide_forward(state_.left, state_.now, n) != state_.now.branch[n])
            return false;
    branches_agree_ = true;
    return true;
}

// The right germ starts as the left one. From one part to the next they differ on few nodes.
void PartSolve::copy_left_germ() {
    OneSidedGerm &left = state_.left, &right = state_.right;
    if (state_.in_step) {
        for (const NodeId n : differing_) {
            std::copy_n(left.rungs.at(n), left.rungs.stride, right.rungs.at(n));
            right.degree[n] = left.degree[n];
        }
    } else {
        if (left.system) left.degree = left.system->degree;
        right.rungs = left.rungs;
        right.degree = left.degree;
    }
    differing_.clear();
    state_.in_step = true;
    right.order = left.order;
    right.system = nullptr;
    right.mode = state_.after_mode;
    right.solved.clear();
}

bool PartSolve::solve() {
    if (!may_be_part()) return false;
    copy_left_germ();
    std::vector<NodeId> also;  // the solve of the last instant counted, and not the flow of its mode
    for (const auto& [node, value] : state_.left.solved) also.push_back(node);
    const bonds::Mode& from = state_.left.system ? state_.left.system->mode : state_.left.mode;
    Change* c = modes_->change(from, state_.after_mode, also, state_.left.degree);
    if (!c) return false;
    if (state_.left.order < c->left_order) {
        germs_.evaluate(state_.left, state_.now, c->left_order, false);
        copy_left_germ();
    }
    try {
        outcome_.be_of(c);
        solve(*c);
    } catch (const RunFailure&) {
        outcome_.be_of(nullptr);
        state_.in_step = false;
    }
    return outcome_.part() != nullptr;
}

void PartSolve::solve(Change& c) {
    const std::uint32_t stride = state_.left.rungs.stride;
    c.left.resize(c.nodes.size() * stride);
    for (std::size_t i = 0; i < c.nodes.size(); ++i) {
        std::copy_n(state_.left.rungs.at(c.nodes[i]), stride, c.left.data() + i * stride);
        c.guess[i] = state_.guess[c.nodes[i]];
    }
    c.solver->solve(part_input(c, state_, state_.after), c.guess);
    take_right_germ(c);
    for (std::size_t i = 0; i < c.reached; ++i) state_.guess[c.nodes[i]] = c.guess[i];
}

// As for the whole: the flow of the new mode on the new states, and then what the solve says of the graph's
// signals.
void PartSolve::take_right_germ(Change& c) {
    const int order = state_.left.order;
    const auto stride = static_cast<std::uint32_t>(std::max(c.s.germ.rungs(order), c.reading.rungs(0)));
    c.right.assign(c.nodes.size() * stride, Bounded(0));
    const auto row = [&](NodeId i) { return c.right.data() + std::size_t{i} * stride; };
    const auto left_row = [&](NodeId i) { return state_.left.rungs.at(c.nodes[i]); };
    fill_constants(c.s.d, c.right.data(), stride);
    for (auto i = c.reached; i < c.nodes.size(); ++i) std::copy_n(left_row(i), order + 1, row(i));
    for (const NodeId i : c.s.states) *row(i) = *left_row(i);
    for (const NodeId i : c.solver->program().jumping) *row(i) = c.solver->right(i);
    const Bounded t(state_.t, rounding::unit * std::abs(state_.t));
    execute(c.s.germ, c.germ_work, Frame<Bounded>{c.right.data(), stride, &c.s.d, &state_.after, t},
            -c.s.germ.highest, order);
    for (const NodeId i : c.s.free_nodes)
        if (const Bounded& value = c.solver->right(i); !is_zero(value - *row(i))) {
            state_.right.solved.emplace_back(c.nodes[i], value);
            *row(i) = value;
        }
    if (!state_.right.solved.empty())
        execute(c.reading, c.reading_work, Frame<Bounded>{c.right.data(), stride, &c.base, &state_.after, t},
                -c.reading.highest, 0);
    for (std::uint32_t i = 0; i < c.reached; ++i) {
        if (!std::isfinite(row(i)->value))
            throw RunFailure{.kind = ErrorKind::not_finite, .node = c.nodes[i]};
        std::copy_n(row(i), order + 1, state_.right.rungs.at(c.nodes[i]));
        state_.right.degree[c.nodes[i]] = c.s.degree[i];
    }
    differing_.assign(c.nodes.begin(), c.nodes.begin() + c.reached);
}

bool PartSolve::is_defined() const {
    try {
        outcome_.part()->solver->check(part_input(*outcome_.part(), state_, state_.after), {});
    } catch (const RunFailure&) {
        return false;
    }
    return true;
}

}  // namespace deltaflow
