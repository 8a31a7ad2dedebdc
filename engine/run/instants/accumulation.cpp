// Instants that accumulate.
#include "engine/run/instants/accumulation.hpp"

#include "engine/run/ideal.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace deltaflow {

namespace {

// Does a comparison of a guard come to zero again and again, and not what a crossing looks at? Only automata
// have a mode that holds from an accumulation point on.
bool is_guard(const System& s, NodeId condition) {
    const auto crosses = [&](NodeId n) { return s.d.inputs_of(n)[0] == condition; };
    return std::find(s.guards.begin(), s.guards.end(), condition) != s.guards.end() &&
           std::none_of(s.crossings.begin(), s.crossings.end(), crosses);
}

}  // namespace

// What follows an instant so soon that the rounding of the time, or of the states, swallows it does so, too,
// if the condition has come to zero before.
bool Accumulation::is_here(NodeId condition) const {
    const double stop = settings_.stop;
    if (state_.zeno.note(state_.t, condition, stop, !at_.m->stepper->has_series())) return true;
    const NodeId unresolved = state_.hidden == Hidden::sinking ? condition : crossings_.unresolved();
    if (unresolved == no_node || state_.t >= stop - same_time(stop)) return false;
    if (state_.zeno.note_end(unresolved, stop, state_.hidden != Hidden::nothing)) return true;
    if (state_.hidden == Hidden::jump) return false;  // there need not have been one
    throw RunFailure{.kind = ErrorKind::not_finite,
                     .node = unresolved,
                     .what = "what follows this event comes so soon that doubles cannot tell it any more",
                     .advice = "let the run start nearer to zero, and count what moves little from nearby"};
}

bool Accumulation::is_passed(NodeId condition) {
    const bool of_modes = condition == no_node ? !automata_.switches().empty() : is_guard(*at_.s, condition);
    const NodeId room = modes_ ? room_that_closes(condition) : no_node;
    const bool impacts = room != no_node;
    const bool goes_on = settings_.zeno == AtZeno::proceed ? of_modes && !state_.first_committed.empty()
                                                           : settings_.zeno == AtZeno::by_kind && impacts;
    if (goes_on && impacts) close_sides(room);
    return goes_on;
}

template <class Visit>
void Accumulation::for_each_open_side(const Visit& visit) const {
    for (const auto& e : modes_->graph().elements)
        for (const bonds::Side& side : e.sides)
            if (state_.mode[static_cast<std::size_t>(e.automaton)] == side.open) visit(e, side);
}

// Its own; or, where bodies that hop rub, too, one of those whose hops come ever sooner.
NodeId Accumulation::room_that_closes(NodeId condition) const {
    NodeId room = room_of(*at_.s, modes_->graph(), condition);
    for_each_open_side([&](const bonds::Element&, const bonds::Side& side) {
        if (room == no_node && state_.zeno.shrinks(side.room) && can_close(side.room)) room = side.room;
    });
    return room;
}

void Accumulation::close_sides(NodeId room) {
    state_.first_committed = state_.mode;
    closing_.clear();
    closed_ = no_node;
    for_each_open_side([&](const bonds::Element& e, const bonds::Side& side) {
        if (side.room != room && !(state_.zeno.shrinks(side.room) && can_close(side.room))) return;
        const auto a = static_cast<std::size_t>(e.automaton);
        state_.first_committed[a] = side.closed;
        record_.note_cause(modes_->graph().automata[a].signals[0]);
        closing_.emplace_back(e.displacement, side.at);
        closed_ = side.room;
    });
}

bool Accumulation::goes_further() {
    const NodeId closed = std::exchange(closed_, no_node);
    if (closed == no_node) {
        state_.zeno = Zeno();
        return false;
    }
    std::vector<NodeId> open;
    for_each_open_side([&](const bonds::Element&, const bonds::Side& side) { open.push_back(side.room); });
    state_.zeno.forget_all_but(open);
    if (!state_.zeno.note_point(state_.t, closed, settings_.stop)) return false;
    close_sides(no_node);
    state_.zeno.forget_points();
    return closed_ != no_node;
}

// What came ever sooner may have ended long ago: a room is part of this accumulation if something here is
// fast enough to use it up in the time that is left, or in that between the last two instants.
bool Accumulation::can_close(NodeId room) const {
    constexpr double safely = 10;
    double fastest = 0;
    for (const auto& e : modes_->graph().elements)
        for (const bonds::Side& side : e.sides)
            fastest = std::max(fastest, std::abs(state_.left.rungs.at(side.room)[1].value));
    const double time = state_.zeno.accumulation() - state_.t + state_.zeno.last_interval();
    const Bounded& left = state_.left.rungs.at(room)[0];
    return is_zero(left) || std::abs(left.value) <= safely * fastest * time;
}

void Accumulation::take_displacements() {
    const auto& states = at_.s->states;
    for (const auto& [node, at] : closing_)
        if (const auto found = std::find(states.begin(), states.end(), node); found != states.end())
            state_.x[static_cast<std::size_t>(found - states.begin())] = at;
    closing_.clear();
}

}  // namespace deltaflow
