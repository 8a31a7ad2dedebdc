// Instants on the part of a graph that a change of mode reaches; everything else goes on as it was.
#include "engine/run/island.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

InstantInput part_input(const Change& c, std::uint32_t stride, double t, const Discrete& before,
                        Discrete& after, const std::vector<double>& stored) {
    return {c.left.data(), stride, Bounded(t, rounding::unit * std::abs(t)), &before, &after, &stored};
}

}  // namespace

// Nothing may come from outside, and every branch has to agree with its condition: then a change of mode is
// all that happens.
bool Island::may_be_part() {
    if (!modes_ || modes_->has_sides() || modes_->has_charts() || s_->released) return false;
    if (starting_ || plain_pre_ || !state_.active.empty()) return false;
    if (!arrivals_.empty() || !s_->delays.empty() || !state_.memory.empty()) return false;
    for (const NodeId n : s_->branchers)
        if (!branches_agree_ && decide_forward(state_.left, state_.now, n) != state_.now.branch[n])
            return false;
    branches_agree_ = true;
    return true;
}

// The right germ starts as the left one. From one part to the next they differ on few nodes.
void Island::copy_left_germ() {
    if (in_step_) {
        for (const NodeId n : differing_) {
            std::copy_n(state_.left.rungs.at(n), state_.left.rungs.stride, state_.right.rungs.at(n));
            state_.right.degree[n] = state_.left.degree[n];
        }
    } else {
        if (state_.left.system) state_.left.degree = state_.left.system->degree;
        state_.right.rungs = state_.left.rungs;
        state_.right.degree = state_.left.degree;
    }
    differing_.clear();
    in_step_ = true;
    state_.right.order = state_.left.order;
    state_.right.system = nullptr;
    state_.right.mode = state_.after_mode;
    state_.right.solved.clear();
}

void Island::use_change(Change* c) {
    part_.resize(s_->d.nodes.size(), no_node);
    for (std::uint32_t i = 0; change_ && i < change_->reached; ++i) part_[change_->nodes[i]] = no_node;
    change_ = c;
    for (std::uint32_t i = 0; change_ && i < change_->reached; ++i) part_[change_->nodes[i]] = i;
}

// False if the instant has to be solved on the whole graph. That is also where errors are told.
bool Island::solve_change() {
    use_change(nullptr);
    if (!may_be_part()) return false;
    copy_left_germ();
    std::vector<NodeId> also;  // the solve of the last instant counted, and not the flow of its mode
    for (const auto& [node, value] : state_.left.solved) also.push_back(node);
    const bonds::Mode& from = state_.left.system ? state_.left.system->mode : state_.left.mode;
    Change* c = modes_->change(from, state_.after_mode, also, state_.left.degree);
    if (!c) return false;
    if (state_.left.order < c->left_order) {
        evaluate(state_.left, state_.now, c->left_order, false);
        copy_left_germ();
    }
    try {
        use_change(c);
        solve_part(*c);
    } catch (const RunFailure&) {
        use_change(nullptr);
        in_step_ = false;
    }
    return change_ != nullptr;
}

void Island::solve_part(Change& c) {
    const std::uint32_t stride = state_.left.rungs.stride;
    c.left.resize(c.nodes.size() * stride);
    for (std::size_t i = 0; i < c.nodes.size(); ++i) {
        std::copy_n(state_.left.rungs.at(c.nodes[i]), stride, c.left.data() + i * stride);
        c.guess[i] = state_.guess[c.nodes[i]];
    }
    c.solver->solve(part_input(c, stride, state_.t, state_.now, state_.after, state_.stored), c.guess);
    part_of_right_germ(c);
    for (std::size_t i = 0; i < c.reached; ++i) state_.guess[c.nodes[i]] = c.guess[i];
}

// As for the whole: the flow of the new mode on the new states, and then what the solve says of the graph's
// signals.
void Island::part_of_right_germ(Change& c) {
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

// What is not defined is refused, and told, by a solve of the whole.
void Island::check_change() {
    try {
        change_->solver->check(
            part_input(*change_, state_.left.rungs.stride, state_.t, state_.now, state_.after, state_.stored),
            {});
    } catch (const RunFailure&) {
        solve_whole();
    }
}

// Time is about to flow: from here on the mode needs its system.
void Island::land() {
    use_change(nullptr);
    if (landed_) return;
    s_ = &modes_->of(state_.mode);
    m_ = &machinery(*s_);
    const std::size_t n = s_->states.size();
    state_.x.resize(n);
    state_.x_bound.resize(n);
    scratch_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const Bounded& x = *state_.right.rungs.at(s_->states[i]);
        state_.x[i] = x.value;
        state_.x_bound[i] = x.bound;
    }
    landed_ = true;
}

Bounded Island::solved_right(NodeId n) const {
    if (!change_) return m_->solver->right(n);
    return is_reached(n) ? change_->solver->right(part_[n]) : state_.left.rungs.at(n)[0];
}

}  // namespace deltaflow
