#include "engine/run/exact/automata.hpp"

#include "engine/run/ideal.hpp"
#include "engine/solve/instant_rules.hpp"

#include <algorithm>
#include <utility>

namespace deltaflow::closed_form {

using bonds::Guard;

void ExactAutomata::start() {
    waiting_.assign(state_.mode.size(), 0);
    state_.memory.begin(graph(), decimal(state_.time()));
    state_.entered.assign(state_.mode.size(), state_.t);
    for (std::size_t a = 0; a < state_.mode.size() && !state_.memory.empty(); ++a)
        start_timers(a, state_.mode[a]);
}

// On a one-sided germ, read forwards: value, slope, ... as if the flow went on.
bool ExactAutomata::holds_before(const Guard& guard, const Side& side) const {
    return guard_holds(guard, [&](NodeId n, bool by_value) {
        return by_value ? sign(side.at(n, 0)) : ExactGerms::forward_sign(side, n);
    });
}

int ExactAutomata::solved_sign(NodeId node, bool by_value) const {
    if (const auto impulses = at_.solver->impulses(node); !impulses.empty()) return sign(impulses.back());
    if (const int s = sign(at_.solver->right(node)); s != 0 || by_value) return s;
    const Diagram& d = at_.diagram();
    const bool before = reads_pre(
        node, [&](NodeId n) { return d.nodes[n].op; }, [&](NodeId n) { return d.inputs_of(n); });
    return ExactGerms::forward_sign(before ? at_.left : at_.right, node);
}

bool ExactAutomata::holds_solved(const Guard& guard) const {
    return guard_holds(guard, [&](NodeId n, bool by_value) { return solved_sign(n, by_value); });
}

GuardReading ExactAutomata::reading(NodeId node, bool solved) const {
    if (!solved) return {to_double(at_.left.at(node, 0))};
    const auto impulses = at_.solver->impulses(node);
    if (impulses.empty()) return {to_double(at_.solver->right(node))};
    return {to_double(impulses.back()), static_cast<int>(impulses.size()) - 1};
}

// Switches automata whose guards hold, all or one at a time; false if none does.
template <class Holds, class Asked>
bool ExactAutomata::fire(const Holds& holds, const Asked& asked, bool solved) {
    Firing firing = firing_automata(
        graph(), state_.after_mode, [&](std::size_t a) { return !waiting_[a] && asked(a); }, holds,
        [&](std::size_t a, std::size_t k) { return state_.memory.allows(a, k, state_.time()); });
    if (settings_.simultaneous == Simultaneous::sequential) keep_one(graph(), firing, waiting_);
    switch_by(firing, solved);
    return !firing.empty();
}

void ExactAutomata::switch_by(const Firing& firing, bool solved) {
    const auto& automata = graph().automata;
    switches_.begin_round();
    for (const auto& [a, transition] : firing) {
        state_.after_mode[a] = transition->to;
        switches_.note(a, *transition, [&](NodeId n) { return reading(n, solved); });
        for (const bonds::Setting& setting : transition->set)
            set_piece(setting.value,
                      {solved_values_ ? at_.solver->right(setting.to) : at_.left.at(setting.to, 0),
                       Quadratic(0), state_.t});
        if (!state_.memory.empty()) {  // from now on its timers run
            state_.memory.enter(a, *transition, state_.time(), 0);
            state_.entered[a] = state_.t;
            start_timers(a, transition->to);
        }
        if (!automata[a].signals.empty()) record_.note_cause(automata[a].signals[0]);
    }
}

void ExactAutomata::set_piece(NodeId schedule, const Line& piece) {
    const std::uint32_t extra = at_.modes->base().nodes[schedule].extra;
    state_.after.pieces[extra] = piece;
    if (extra < state_.arrived.pieces.size()) state_.arrived.pieces[extra] = piece;
}

void ExactAutomata::start_timers(std::size_t a, std::uint32_t state) {
    for (const auto& t : graph().automata[a].transitions)
        if (t.from == state && t.timer != no_node)
            set_piece(t.timer, {Quadratic(0), Quadratic(1), state_.entered[a] + Quadratic(*t.after)});
}

void ExactAutomata::note_timers() {
    if (state_.memory.empty()) return;
    const auto& automata = graph().automata;
    for (std::size_t a = 0; a < automata.size(); ++a) {
        if (!std::exchange(state_.memory.fresh[a], 0)) continue;
        for (const auto& t : automata[a].transitions)
            if (t.from == state_.mode[a] && t.timer != no_node)
                if (Quadratic due = state_.entered[a] + Quadratic(*t.after); state_.t < due)
                    calendar_.add(std::move(due), t.timer);
    }
    state_.memory.settle(graph(), state_.mode, state_.time(),
                         [&](const Guard& guard) { return holds_before(guard, at_.right); });
}

bool ExactAutomata::anything_fires() const {
    const auto& automata = graph().automata;
    for (std::size_t a = 0; a < automata.size(); ++a) {
        const auto& transitions = automata[a].transitions;
        for (std::size_t k = 0; k < transitions.size(); ++k)
            if (transitions[k].from == state_.mode[a] && state_.memory.allows(a, k, state_.time()) &&
                holds_before(transitions[k].when, at_.right))
                return true;
    }
    return false;
}

bool ExactAutomata::passes_impulse_on() const {
    const auto& automata = graph().automata;
    for (std::size_t a = 0; a < automata.size(); ++a)
        if (automata[a].passes(state_.mode[a])) return true;
    return is_behind_impulse();
}

bool ExactAutomata::is_behind_impulse() const {
    if (settings_.simultaneous == Simultaneous::sequential) return false;
    const auto& g = graph();
    return std::any_of(g.elements.begin(), g.elements.end(), [&](const bonds::Element& e) {
        if (!e.is_ideal() || (at_.solver->impulses(e.effort).empty() && at_.solver->impulses(e.flow).empty()))
            return false;
        const auto a = static_cast<std::size_t>(e.automaton);
        const auto& all = g.automata[a].transitions;
        return std::any_of(all.begin(), all.end(), [&](const bonds::Transition& t) {
            return t.from == state_.mode[a] && !g.automata[a].passes(t.to) && holds_before(t.when, at_.right);
        });
    });
}

void ExactAutomata::fire_left() {
    std::fill(waiting_.begin(), waiting_.end(), 0);
    switches_.clear();
    pivoting_.begin();
    solved_values_ = false;
    fire([&](const Guard& guard) { return holds_before(guard, at_.left); }, [](std::size_t) { return true; },
         false);
}

bool ExactAutomata::fire_solved() {
    const auto& automata = graph().automata;
    solved_values_ = true;
    return fire([&](const Guard& guard) { return holds_solved(guard); },
                [&](std::size_t a) { return !automata[a].ideal; }, true);
}

bool ExactAutomata::exchange() {
    Firing firing = violated();
    if (firing.empty()) return false;
    if (!pivoting_.choose(firing, graph().automata.size()))
        throw RunFailure{.kind = state_.starting ? ErrorKind::model : ErrorKind::not_finite,
                         .what = "the ideal elements have no consistent state here"};
    switch_by(firing, true);
    return true;
}

bool ExactAutomata::may_be(std::size_t automaton, std::uint32_t state) const {
    return state_.mode[automaton] == state || deltaflow::may_be(graph(), automaton, state, [&](NodeId room) {
               return sign(at_.left.at(room, 0)) <= 0;
           });
}

Firing ExactAutomata::violated() const {
    const auto& automata = graph().automata;
    const AtImpact impact(graph());
    const bool strikes = impact.holds_in(state_.after_mode);
    const auto sign = [&](NodeId n, bool by_value) {
        return solved_sign(n, by_value || (strikes && impact.by_value(n)));
    };
    return firing_automata(
        graph(), state_.after_mode, [&](std::size_t a) { return automata[a].ideal && !waiting_[a]; },
        [&](const Guard& guard) { return guard_holds(guard, sign); });
}

}  // namespace deltaflow::closed_form
