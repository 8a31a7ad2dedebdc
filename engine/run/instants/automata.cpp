// Automata at an instant.
#include "engine/run/instants/automata.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow {

using bonds::Guard;
using bonds::Mode;

namespace {

bool has(const bonds::Graph& g, bonds::Type type) {
    return std::any_of(g.elements.begin(), g.elements.end(),
                       [&](const bonds::Element& e) { return e.type == type; });
}

// Rigid bodies that rub may have no motion at all (Painleve), and only they.
struct Lack {
    const char *what, *advice;
};
Lack lack_of(const bonds::Graph& g, const Firing& violated) {
    const auto takes_part = [&](bonds::Type type) {
        return std::any_of(g.elements.begin(), g.elements.end(), [&](const bonds::Element& e) {
            return e.type == type && std::any_of(violated.begin(), violated.end(), [&](const auto& v) {
                       return static_cast<int>(v.first) == e.automaton;
                   });
        });
    };
    constexpr const char* give_way = "let something give way where all is rigid: a spring, a damper";
    const bool touches = takes_part(bonds::Type::contact), rubs = takes_part(bonds::Type::friction);
    if ((touches || rubs) && has(g, bonds::Type::contact) && has(g, bonds::Type::friction))
        return {"contacts and friction have no consistent state here (Painleve)", give_way};
    if (touches) return {"the contacts have no consistent state here", give_way};
    if (rubs) return {"friction has no consistent state here", give_way};
    return {"the ideal elements have no consistent state here",
            "give the network what it lacks: a resistance, a capacity"};
}

[[noreturn]] void fail_without_mode(const bonds::Graph& g, const Firing& violated, bool starting) {
    const auto [what, advice] = lack_of(g, violated);
    RunFailure failure{
        .kind = starting ? ErrorKind::model : ErrorKind::not_finite, .what = what, .advice = advice};
    for (const auto& [a, transition] : violated)
        failure.notes.push_back(fmt::format("{} is {}, and {}", g.automata[a].name,
                                            g.automata[a].states[transition->from], transition->when.text));
    throw failure;
}

// Found where pivoting came to no end by itself.
void warn_of_several(double t, const bonds::Graph& g, const std::string& mode,
                     std::vector<std::string>& warnings) {
    const auto is_known = [](const std::string& w) { return w.find("several states") != std::string::npos; };
    if (std::any_of(warnings.begin(), warnings.end(), is_known)) return;
    const bool rubs = has(g, bonds::Type::contact) && has(g, bonds::Type::friction);
    warnings.push_back(
        fmt::format("at t = {}: the {} may have several states that are consistent here{}; taken is [{}]", t,
                    rubs ? "contacts and friction" : "ideal elements", rubs ? " (Painleve)" : "", mode));
}

}  // namespace

void Automata::begin_solve(const Mode& from, bool at_accumulation) {
    pivoting_.begin();
    at_accumulation_ = at_accumulation;
    state_.after_mode = from;
    std::fill(waiting_.begin(), waiting_.end(), 0);
}

bool Automata::holds_solved(const Guard& guard) {
    return guard_holds(guard, [&](NodeId n, bool by_value) { return sign(n, by_value); });
}

// Switches automata whose guards hold, all or one at a time; false if none does. `asked`: may one of an
// automaton's guards hold at all?
template <class Holds, class Asked>
bool Automata::fire(const Holds& holds, const Asked& asked, bool solved) {
    Firing firing = firing_automata(
        modes_->graph(), state_.after_mode, [&](std::size_t a) { return !waiting_[a] && asked(a); }, holds,
        [&](std::size_t a, std::size_t k) { return state_.memory.allows(a, k, state_.t); });
    if (outcome_.has_passed()) leave_out_impacts(modes_->graph(), firing);
    if (firing.empty()) return false;
    const auto is_choice = [&](const auto& f) { return !modes_->graph().automata[f.first].ideal; };
    several_fired_ = several_fired_ || std::count_if(firing.begin(), firing.end(), is_choice) > 1;
    if (trying_ || settings_.simultaneous == Simultaneous::sequential)
        keep_one(modes_->graph(), firing, waiting_);
    switch_by(firing, solved);
    return true;
}

void Automata::switch_by(const Firing& firing, bool solved) {
    const auto& automata = modes_->graph().automata;
    const auto read = [&](NodeId n) {
        return solved ? outcome_.reading(n) : GuardReading{state_.left.rungs.at(n)[0].value};
    };
    switches_.begin_round();
    for (const auto& [a, transition] : firing) {
        state_.after_mode[a] = transition->to;
        switches_.note(a, *transition, read);
        for (const bonds::Setting& setting : transition->set)
            timers_.set_piece(setting.value, {read(setting.to).value, 0, state_.t});
        if (!state_.memory.empty()) timers_.enter_state(a, *transition);
        if (!automata[a].signals.empty()) record_.note_cause(automata[a].signals[0]);
    }
}

void Automata::fire_left() {
    for (std::size_t a = 0; a < leaving_.size() && !leaving_known_; ++a) leaving_[a] = leaves(a, state_.left);
    leaving_known_ = true;
    fire([&](const Guard& guard) { return germs_.holds(guard, state_.left, state_.now); },
         [&](std::size_t a) { return leaving_[a] != 0; }, false);
    if (settings_.simultaneous == Simultaneous::sequential) hold_back_contacts();
}

// Where a change of mode has reached nothing, guards hold as they did before.
bool Automata::may_fire_solved(std::size_t a) const {
    const Change* const part = outcome_.part();
    return !waiting_[a] &&
           (!part || leaving_[a] || std::binary_search(part->automata.begin(), part->automata.end(), a));
}

bool Automata::fire_right() {
    return fire([&](const Guard& guard) { return holds_solved(guard); },
                [&](std::size_t a) { return !modes_->graph().automata[a].ideal && may_fire_solved(a); },
                true);
}

bool Automata::leaves(std::size_t a, OneSidedGerm& g) {
    const auto& transitions = modes_->graph().automata[a].transitions;
    for (std::size_t k = 0; k < transitions.size(); ++k)
        if (transitions[k].from == state_.mode[a] && state_.memory.allows(a, k, state_.t) &&
            germs_.holds(transitions[k].when, g, state_.now))
            return true;
    return false;
}

bool Automata::anything_fires() {
    if (const Change* const part = outcome_.part()) {
        for (const std::uint32_t a : part->automata) leaving_[a] = leaves(a, state_.right);
        return std::find(leaving_.begin(), leaving_.end(), 1) != leaving_.end();
    }
    leaving_known_ = false;
    for (std::size_t a = 0; a < leaving_.size(); ++a)
        if (leaves(a, state_.right)) return true;
    return false;
}

// One after the other: only contacts that approach on the left act, the others an infinitesimal later.
void Automata::hold_back_contacts() {
    for (const auto& e : modes_->graph().elements) {
        const auto a = static_cast<std::size_t>(e.automaton);
        for (const bonds::Side& side : e.sides)
            if (state_.after_mode[a] == side.open) waiting_[a] = 1;
    }
}

bool Automata::let_go() {
    if (settings_.simultaneous != Simultaneous::sequential) return false;
    bool any = false;
    for (const auto& e : modes_->graph().elements) {
        const auto a = static_cast<std::size_t>(e.automaton);
        for (const bonds::Side& side : e.sides) {
            if (state_.mode[a] != side.closed || state_.after_mode[a] != side.closed) continue;
            if (!outcome_.is_struck(e.effort)) continue;
            state_.after_mode[a] = side.open;
            waiting_[a] = 1;
            any = true;
        }
    }
    return any;
}

// A diode that has passed charge on, and blocks behind it.
bool Automata::is_behind_impulse() {
    if (settings_.simultaneous == Simultaneous::sequential) return false;
    const auto& g = modes_->graph();
    return std::any_of(g.elements.begin(), g.elements.end(), [&](const bonds::Element& e) {
        if (!e.is_ideal() || !(outcome_.is_struck(e.effort) || outcome_.is_struck(e.flow))) return false;
        const auto a = static_cast<std::size_t>(e.automaton);
        const auto& all = g.automata[a].transitions;
        return std::any_of(all.begin(), all.end(), [&](const bonds::Transition& t) {
            return t.from == state_.mode[a] && !g.automata[a].passes(t.to) &&
                   germs_.holds(t.when, state_.right, state_.now);
        });
    });
}

bool Automata::exchange(std::vector<std::string>& warnings) {
    Firing firing = violated();
    if (firing.empty()) {
        if (!pivoting_.is_passive() && !trying_)
            warn_of_several(state_.t, modes_->graph(), modes_->describe(state_.after_mode), warnings);
        return false;
    }
    if (!pivoting_.choose(firing, modes_->graph().automata.size()))
        fail_without_mode(modes_->graph(), firing, state_.starting);
    switch_by(firing, true);
    return true;
}

bool Automata::may_be(std::size_t automaton, std::uint32_t state) const {
    return state_.mode[automaton] == state ||
           deltaflow::may_be(modes_->graph(), automaton, state, [&](NodeId room) {
               return state_.is_located(room, 0) || deltaflow::sign(state_.left.rungs.at(room)[0]) <= 0;
           });
}

Firing Automata::violated() {
    const auto& automata = modes_->graph().automata;
    const bool strikes = impact_ && impact_->holds_in(state_.after_mode);
    const auto solved = [&](NodeId n, bool by_value) {
        return sign(n, by_value || (strikes && impact_->by_value(n)));
    };
    Firing firing = firing_automata(
        modes_->graph(), state_.after_mode,
        [&](std::size_t a) { return automata[a].ideal && may_fire_solved(a); },
        [&](const Guard& guard) { return guard_holds(guard, solved); });
    if (outcome_.has_passed()) leave_out_impacts(modes_->graph(), firing);
    return firing;
}

}  // namespace deltaflow
