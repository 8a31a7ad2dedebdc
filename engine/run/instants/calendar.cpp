// What comes due at an instant.
#include "engine/run/instants/calendar.hpp"

#include "engine/run/due.hpp"

#include <algorithm>

namespace deltaflow {

void Calendar::prepare() {
    const Diagram& d = at_.s->d;
    state_.now.pieces.resize(d.schedules.size());
    state_.cursors.resize(d.schedules.size());
    state_.next_tick.resize(d.clocks.size());
    for (const NodeId n : at_.s->schedules) {
        const auto extra = d.nodes[n].extra;
        const Schedule& schedule = d.schedules[extra];
        state_.now.pieces[extra] = wind(schedule, state_.t, state_.cursors[extra]);
        if (!state_.cursors[extra].done(schedule))
            state_.agenda.add(to_double(state_.cursors[extra].time(schedule)), n);
    }
    for (const NodeId n : at_.s->sampled) {
        const auto extra = d.nodes[n].extra;
        state_.now.held[n] = state_.stored[n] = d.parameters_of(n)[0];
        state_.next_tick[extra] = first_tick(d.clocks[extra], state_.t);
        state_.agenda.add(std::max(state_.t, tick_time(d.clocks[extra], state_.next_tick[extra])), n);
    }
}

void Calendar::take_what_is_due() {
    for (std::size_t taken = 0; state_.agenda.next() <= state_.t + same_time(state_.t); ++taken) {
        const NodeId n = state_.agenda.pop().node;
        check_due(taken, at_.s->d.nodes.size(), n);
        take(n);
    }
}

void Calendar::take(NodeId n) {
    const Node& node = at_.s->d.nodes[n];
    if (node.op == Primitive::schedule && at_.s->d.schedules[node.extra].timer) return;
    record_.note_cause(n);
    if (node.op == Primitive::schedule && at_.s->d.schedules[node.extra].fed > 0) {
        take_fed(n);
    } else if (node.op == Primitive::schedule) {
        take_point(n);
    } else if (node.op == Primitive::hold || node.op == Primitive::unit_delay) {
        arrivals_.ticking.push_back(n);
        Integer& tick = state_.next_tick[node.extra];
        state_.agenda.add(tick_time(at_.s->d.clocks[node.extra], ++tick), n);
    } else if (node.op == Primitive::delay) {
        const auto i = static_cast<std::size_t>(std::find(at_.s->delays.begin(), at_.s->delays.end(), n) -
                                                at_.s->delays.begin());
        if (const auto impulses = state_.histories[i].arrive(state_.t, 4 * same_time(state_.t));
            !impulses.empty())
            arrivals_.add(n, impulses);
    }
}

void Calendar::take_point(NodeId n) {
    const std::uint32_t extra = at_.s->d.nodes[n].extra;
    const Schedule& s = at_.s->d.schedules[extra];
    ScheduleCursor& cursor = state_.cursors[extra];
    const Breakpoint& p = s.points[cursor.index];
    state_.after.pieces[extra] = {cursor.value(s), p.slope, state_.t};
    arrivals_.add(n, p.impulses);
    cursor.step(s);
    if (!cursor.done(s)) state_.agenda.add(to_double(cursor.time(s)), n);
}

void Calendar::take_fed(NodeId n) {
    const Fed fed = take_all(state_.fed, n);
    if (fed.value) state_.after.pieces[at_.s->d.nodes[n].extra] = {*fed.value, 0, state_.t};
    arrivals_.add(n, fed.impulses);
}

}  // namespace deltaflow
