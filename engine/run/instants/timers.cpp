// What automata remember from state to state.
#include "engine/run/instants/timers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace deltaflow {

void Timers::set_piece(NodeId schedule, const Piece& piece) {
    const std::uint32_t extra = modes_->base().nodes[schedule].extra;
    state_.after.pieces[extra] = piece;
    if (extra < state_.arrived.pieces.size()) state_.arrived.pieces[extra] = piece;
}

// From now on its timers run.
void Timers::enter_state(std::size_t a, const bonds::Transition& by) {
    state_.memory.enter(a, by, state_.t, same_time(state_.t));
    start(a, by.to);
}

void Timers::start(std::size_t a, std::uint32_t state) {
    for (const auto& t : modes_->graph().automata[a].transitions)
        if (t.from == state && t.timer != no_node)
            set_piece(t.timer, {0, 1, to_double(state_.memory.due(a, t))});
}

// At the end of an instant: when the timers of the states that were entered are over.
void Timers::note() {
    AutomataMemory& memory = state_.memory;
    if (memory.empty()) return;
    const auto& automata = modes_->graph().automata;
    for (std::size_t a = 0; a < automata.size(); ++a) {
        if (!std::exchange(memory.fresh[a], 0)) continue;
        for (const auto& t : automata[a].transitions) {
            if (t.from != state_.mode[a] || t.timer == no_node) continue;
            const double due = to_double(memory.due(a, t));
            if (due > state_.t + same_time(state_.t)) state_.agenda.add(due, t.timer);
        }
    }
    memory.settle(modes_->graph(), state_.mode, state_.t,
                  [&](const bonds::Guard& guard) { return germs_.holds(guard, state_.right, state_.now); });
}

}  // namespace deltaflow
