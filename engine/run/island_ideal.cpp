// Ideal elements at an instant: which states agree with what is solved, and what follows an impact.
#include "engine/modes/guards.hpp"
#include "engine/run/island.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace deltaflow {

using bonds::Guard;
using bonds::Mode;

namespace {

[[noreturn]] void fail_without_mode(const bonds::Graph& g, const Firing& violated, bool starting) {
    const bool touches = std::any_of(g.elements.begin(), g.elements.end(), [&](const bonds::Element& e) {
        const auto is_it = [&](const auto& v) { return static_cast<int>(v.first) == e.automaton; };
        return (e.type == bonds::Type::contact || e.type == bonds::Type::friction) &&
               std::any_of(violated.begin(), violated.end(), is_it);
    });
    RunFailure failure{.kind = starting ? ErrorKind::model : ErrorKind::not_finite,
                       .what = touches ? "contacts and friction have no consistent state here (Painleve)"
                                       : "the ideal elements have no consistent state here",
                       .advice = touches ? "let something give way where all is rigid: a spring, a damper"
                                         : "give the network what it lacks: a resistance, a capacity"};
    for (const auto& [a, transition] : violated)
        failure.notes.push_back(fmt::format("{} is {}, and {}", g.automata[a].name,
                                            g.automata[a].states[transition->from], transition->when.text));
    throw failure;
}

// Found where pivoting came to no end by itself.
void warn_of_several(double t, const std::string& mode, std::vector<std::string>& warnings) {
    const auto is_known = [](const std::string& w) { return w.find("several states") != std::string::npos; };
    if (std::any_of(warnings.begin(), warnings.end(), is_known)) return;
    warnings.push_back(fmt::format(
        "at t = {}: the ideal elements may have several states that are consistent here; taken is [{}]", t,
        mode));
}

}  // namespace

// One after the other: only contacts that approach on the left act, the others an infinitesimal later.
void Island::hold_back_contacts() {
    for (const auto& e : modes_->graph().elements) {
        const auto a = static_cast<std::size_t>(e.automaton);
        for (const bonds::Side& side : e.sides)
            if (state_.after_mode[a] == side.open) waiting_[a] = 1;
    }
}

// A closed contact that did not approach lets go where it would pass an impulse on.
bool Island::let_go() {
    bool any = false;
    for (const auto& e : modes_->graph().elements) {
        const auto a = static_cast<std::size_t>(e.automaton);
        for (const bonds::Side& side : e.sides) {
            if (state_.mode[a] != side.closed || state_.after_mode[a] != side.closed) continue;
            if (impulse_count(e.effort) == 0 || is_zero(impulse(e.effort, 0))) continue;
            state_.after_mode[a] = side.open;
            waiting_[a] = 1;
            any = true;
        }
    }
    return any;
}

// An ideal element that only an impulse kept in its state: a diode that has passed charge on, and blocks
// behind it. It changes its state within the same event.
bool Island::is_behind_impulse() {
    if (settings_.simultaneous == Simultaneous::sequential) return false;
    const auto& g = modes_->graph();
    const auto is_struck = [&](NodeId n) { return impulse_count(n) > 0 && !is_zero(impulse(n, 0)); };
    return std::any_of(g.elements.begin(), g.elements.end(), [&](const bonds::Element& e) {
        if (!e.is_ideal() || !(is_struck(e.effort) || is_struck(e.flow))) return false;
        const auto a = static_cast<std::size_t>(e.automaton);
        const auto& all = g.automata[a].transitions;
        return std::any_of(all.begin(), all.end(), [&](const bonds::Transition& t) {
            return t.from == state_.mode[a] && !g.automata[a].passes(t.to) &&
                   holds_before(t.when, state_.right, state_.now);
        });
    });
}

// Ideal elements whose state what came out contradicts change it; these modes are nobody's, and not told.
bool Island::exchange() {
    if (!modes_) return false;
    if (settings_.simultaneous == Simultaneous::sequential && let_go()) return true;
    Firing firing = violated();
    if (firing.empty()) {
        if (!pivoting_.is_passive() && !trying_)
            warn_of_several(state_.t, modes_->describe(state_.after_mode), warnings_);
        return false;
    }
    if (!pivoting_.choose(firing, modes_->graph().automata.size()))
        fail_without_mode(modes_->graph(), firing, starting_);
    const Mode from = is_told() ? state_.after_mode : Mode();
    switch_by(firing, true);
    if (is_told()) tell_switches(from, Switched::exchanged);
    return true;
}

Firing Island::violated() {
    const auto& automata = modes_->graph().automata;
    Firing firing = firing_automata(
        modes_->graph(), state_.after_mode,
        [&](std::size_t a) { return automata[a].ideal && may_fire_solved(a); },
        [&](const Guard& guard) { return holds_solved(guard); });
    if (passed_) leave_out_impacts(modes_->graph(), firing);
    return firing;
}

namespace {

// A clock without a period ticks once, at the start.
bool samples_start(const Diagram& d, NodeId n) { return d.clocks[d.nodes[n].extra].period.numerator() == 0; }

bool has_ideal(const bonds::Graph& g) {
    return std::any_of(g.automata.begin(), g.automata.end(), [](const auto& a) { return a.ideal; });
}

}  // namespace

// Before the start ideal elements are in the states that they will be in, and what takes its input at the
// start has it: an instant that is tried, and not told, finds them.
void Island::settle_before_start() {
    const bool samples = std::any_of(s_->sampled.begin(), s_->sampled.end(),
                                     [&](NodeId n) { return samples_start(s_->d, n); });
    if (!samples && !(modes_ && has_ideal(modes_->graph()))) return;
    const State before = state_;
    const System* const system = s_;
    trying_ = true;
    Mode found = state_.mode;
    std::vector<double> held;
    bool jumps = false, states_jump = false;
    try {
        evaluate(state_.left, state_.now, std::max(1, m_->solver->program().left_order), true);
        run_instant();
        held = state_.now.held;
        found = state_.mode;
        jumps = modes_ && has_left_initial_values();
        states_jump = state_.x != before.x;
    } catch (const RunFailure&) {  // the instant itself tells it
    } catch (const ModelError&) {
    }
    trying_ = false;
    causes_.clear();
    passed_.reset();
    restore(before, system);
    starting_ = true;
    if (samples && !held.empty()) {
        for (const NodeId n : s_->sampled)
            if (samples_start(s_->d, n)) state_.now.held[n] = held[n];
        state_.after = state_.now;
        settle_branches();
    }
    if (modes_) use_first_states(found, jumps, states_jump);
}

// Where bodies meet, or charges, the states before that are those that nobody has found yet; and so are those
// of pairs where a state jumps.
void Island::use_first_states(const Mode& found, bool jumps, bool states_jump) {
    const auto& automata = modes_->graph().automata;
    const Mode before = state_.mode;
    for (const auto& e : modes_->graph().elements)
        if (const auto a = static_cast<std::size_t>(e.automaton); e.automaton >= 0 && automata[a].ideal)
            if (!automata[a].passes(found[a]) && (!jumps || e.type == bonds::Type::friction))
                state_.mode[a] = found[a];
    for (std::size_t a = 0; a < automata.size() && !states_jump; ++a)
        if (automata[a].is_pair()) state_.mode[a] = found[a];
    if (state_.mode == before) return;
    state_.after_mode = state_.recorded_mode = state_.first_committed = state_.mode;
    enter_at_start();
    scratch_.resize(s_->states.size());
}

bool IslandGerms::has_left_initial_values() const {
    const auto& elements = modes_->graph().elements;
    return std::any_of(modes_->storages().begin(), modes_->storages().end(), [&](std::uint32_t x) {
        const auto& e = elements[x];
        const bool inertia = e.type == bonds::Type::I;
        const Bounded& now = state_.right.rungs.at(inertia ? e.momentum : e.displacement)[0];
        return !is_zero(now - Bounded(inertia ? e.initial_momentum : e.initial_displacement));
    });
}

// The mode's own states, with their initial values.
void Island::enter_at_start() {
    const System& s = modes_->of(state_.mode);
    state_.now.slides = held_in_mode(s, state_.now.slides, state_.now.branch);
    s_ = &system_with(s, state_.now.slides);
    m_ = &machinery(*s_);
    list_branchers(*s_, s_->branchers);
    const std::size_t n = s_->states.size();
    state_.x.resize(n);
    state_.x_bound.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i) state_.x[i] = s_->d.parameters_of(s_->states[i])[0];
    state_.left = state_.right = OneSidedGerm();
}

// Impacts accumulate: contacts and stops that take part in it close at the accumulation point.
void Island::close_sides(NodeId room) {
    state_.first_committed = state_.mode;
    closing_.clear();
    for (const auto& e : modes_->graph().elements) {
        const auto a = static_cast<std::size_t>(e.automaton);
        for (const bonds::Side& side : e.sides) {
            if (state_.mode[a] != side.open) continue;
            if (side.room != room && !state_.zeno.shrinks(side.room)) continue;
            state_.first_committed[a] = side.closed;
            note_cause(modes_->graph().automata[a].signals[0]);
            closing_.emplace_back(e.displacement, side.at);
        }
    }
}

// Pairs (`complement`): modes that are tried, and what is said of them.
namespace {

// Of so many pairs all others are looked at whenever one switches; of more, at a few instants.
constexpr std::size_t few_pairs = 4;
constexpr std::uint64_t few_instants = 8;

}  // namespace

const bonds::Graph* IslandGerms::pair_graph() const { return modes_ ? modes_->pair_graph() : nullptr; }

bool IslandGerms::looks_for_pairs() const {
    if (trying_) return false;
    const auto& automata = modes_->graph().automata;
    std::size_t pairs = 0;
    bool switches = starting_;
    for (std::size_t a = 0; a < automata.size(); ++a) {
        if (!automata[a].is_pair()) continue;
        ++pairs;
        switches = switches || state_.mode[a] != state_.after_mode[a];
    }
    return switches && (pairs <= few_pairs || state_.instants <= few_instants);
}

void Island::try_mode(const bonds::Mode& mode) {
    for (std::size_t a = 0; a < mode.size(); ++a)
        if (mode[a] != state_.mode[a] && mode[a] != state_.after_mode[a])
            note_cause(modes_->graph().automata[a].signals[0]);
    state_.after_mode = mode;
    solve_mode(false);
}

void Island::warn_of_others(std::size_t pair) {
    const std::string text = fmt::format(
        "at t = {}: the pair \"{}\" has several solutions; the one that pivoting reaches is taken", state_.t,
        modes_->graph().automata[pair].name);
    if (std::none_of(warnings_.begin(), warnings_.end(), [&](const std::string& w) {
            return w.substr(w.find(':')) == text.substr(text.find(':'));
        }))
        warnings_.push_back(text);
}

}  // namespace deltaflow
