// An island before its first instant.
#include "engine/run/rounded/beginning.hpp"

#include "engine/solve/guessed_branches.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace deltaflow {

namespace {

// A clock without a period ticks once, at the start.
bool samples_start(const Diagram& d, NodeId n) { return d.clocks[d.nodes[n].extra].period.numerator() == 0; }

bool has_ideal(const bonds::Graph& g) {
    return std::any_of(g.automata.begin(), g.automata.end(), [](const auto& a) { return a.ideal; });
}

}  // namespace

void Beginning::prepare(double start) {
    const System& s = *at_.s;
    const std::size_t n = s.d.nodes.size();
    state_.t = start;
    state_.x.resize(s.states.size());
    state_.x_bound.assign(s.states.size(), 0);
    state_.guess.assign(n, NAN);
    for (const auto& [node, value] : s.d.guesses) state_.guess[node] = value;
    for (std::size_t i = 0; i < s.states.size(); ++i) state_.x[i] = s.d.parameters_of(s.states[i])[0];
    // Copied at every instant: only where there is something to remember.
    state_.now.branch.assign(s.branchers.empty() ? 0 : n, 0);
    state_.now.held.assign(s.sampled.empty() ? 0 : n, 0);
    state_.stored.assign(s.sampled.empty() ? 0 : n, 0);
    commits_.calendar().prepare();
    for (const NodeId m : s.branchers)
        if (s.d.nodes[m].op == Primitive::hysteresis)
            state_.now.branch[m] = s.d.parameters_of(m)[2] != 0 ? 1 : 0;
    take_guessed_branches(s, state_.now.branch);
    for (const NodeId m : s.delays)
        state_.histories.emplace_back(s.d.parameters_of(m)[0], s.d.parameters_of(m)[1], state_.t);
    if (!s.branchers.empty()) slides_.list_branchers(s, s.branchers);
    state_.crossing_sign.assign(s.crossings.size(), 0);
    state_.fired.assign(s.crossings.size(), 0);
    state_.pending.assign(s.crossings.size(), 0);
    state_.flat.assign(s.crossings.size(), 0);
    if (!modes_) return;
    state_.memory.begin(modes_->graph(), decimal(state_.t));
    if (state_.memory.empty()) return;
    state_.after = state_.now;
    for (std::size_t a = 0; a < modes_->graph().automata.size(); ++a)
        commits_.automata().timers().start(a, state_.mode[a]);
    state_.now = state_.after;
}

void Beginning::settle() {
    at_.m = &machineries_.of(*at_.s);
    if (!at_.s->delays.empty()) commits_.calendar().delays().begin();
    state_.after = state_.now;
    if (modes_ && modes_->has_charts()) begin_with_chart();
    commits_.solves().whole().settle_branches();
    // A delayed signal leaves its initial value when the input's past begins.
    for (std::size_t i = 0; i < at_.s->delays.size(); ++i)
        state_.agenda.add(state_.t + state_.histories[i].by(), at_.s->delays[i]);
    state_.starting = true;
    if (modes_) commits_.ledger().open();
    settle_before_first_instant();
    if (!modes_) return;
    check_initial_values();
    settle_leading_flows();
}

// Ratios by the initial values alone.
void Beginning::begin_with_chart() {
    OneSidedGerm& g = state_.left;
    g.rungs.resize(at_.s->d, static_cast<std::uint32_t>(std::max(1, modes_->reading().rungs(0))));
    for (std::size_t i = 0; i < at_.s->states.size(); ++i) *g.rungs.at(at_.s->states[i]) = state_.x[i];
    germs_.reading().read(g, state_.now);
    const bonds::Mode mode = graph_.with_first_chart(state_.mode, graph_.ratio_weights(g));
    g = OneSidedGerm();
    state_.mode = state_.after_mode = state_.recorded_mode = state_.first_committed = mode;
    if (mode.back() != 0) enter();
}

// Did it come to its end?
bool Beginning::try_first_instant() {
    try {
        germs_.evaluate(state_.left, state_.now, std::max(1, at_.m->solver->program().left_order), true);
    } catch (const RunFailure&) {  // the instant itself tells it
        return false;
    } catch (const ModelError&) {
        return false;
    }
    return !commits_.try_out();
}

// Before the start ideal elements are in the states that they will be in, and what takes its input at the
// start has it: an instant that is tried, and not told, finds them.
void Beginning::settle_before_first_instant() {
    const bool samples = std::any_of(at_.s->sampled.begin(), at_.s->sampled.end(),
                                     [&](NodeId n) { return samples_start(at_.s->d, n); });
    if (!samples && !(modes_ && has_ideal(modes_->graph()))) return;
    const State before = state_;
    const System& system = *at_.s;
    bonds::Mode found = state_.mode;
    std::vector<double> held;
    bool jumps = false, states_jump = false;
    if (try_first_instant()) {
        held = state_.now.held;
        found = state_.mode;
        jumps = modes_ && graph_.has_left_initial_values();
        states_jump = state_.x != before.x;
    }
    commits_.go_to(before, system);
    if (samples && !held.empty()) {
        for (const NodeId n : at_.s->sampled)
            if (samples_start(at_.s->d, n)) state_.now.held[n] = held[n];
        state_.after = state_.now;
        commits_.solves().whole().settle_branches();
    }
    if (modes_) use_first_states(found, jumps, states_jump);
}

// Where bodies meet, or charges, the states before that are those that nobody has found yet; and so are those
// of pairs where a state jumps.
void Beginning::use_first_states(const bonds::Mode& found, bool jumps, bool states_jump) {
    const auto& automata = modes_->graph().automata;
    const bonds::Mode before = state_.mode;
    for (const auto& e : modes_->graph().elements)
        if (const auto a = static_cast<std::size_t>(e.automaton); e.automaton >= 0 && automata[a].ideal)
            if (!automata[a].passes(found[a]) && (!jumps || e.type == bonds::Type::friction))
                state_.mode[a] = found[a];
    for (std::size_t a = 0; a < automata.size() && !states_jump; ++a)
        if (automata[a].is_pair()) state_.mode[a] = found[a];
    if (state_.mode == before) return;
    state_.after_mode = state_.recorded_mode = state_.first_committed = state_.mode;
    enter();
}

// The mode's own states, with their initial values.
void Beginning::enter() {
    const System& s = modes_->of(state_.mode);
    state_.now.slides = slides_.held_in_mode(s, state_.now.slides, state_.now.branch);
    at_.s = &slides_.system_with(s, state_.now.slides);
    at_.m = &machineries_.of(*at_.s);
    slides_.list_branchers(*at_.s, at_.s->branchers);
    const std::size_t n = at_.s->states.size();
    state_.x.resize(n);
    state_.x_bound.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i) state_.x[i] = at_.s->d.parameters_of(at_.s->states[i])[0];
    state_.left = state_.right = OneSidedGerm();
}

// Initial values that contradict each other make a jump at the start.
void Beginning::check_initial_values() {
    if (modes_->may_jump()) return;
    const auto& elements = modes_->graph().elements;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (!at_.s->dependent[i]) continue;
        const bool inertia = elements[i].type == bonds::Type::I;
        const NodeId state = inertia ? elements[i].momentum : elements[i].displacement;
        const double initial = inertia ? elements[i].initial_momentum : elements[i].initial_displacement;
        state_.starting = false;  // what the flow makes of it
        germs_.evaluate(state_.left, state_.now, 0, true);
        state_.starting = true;
        if (is_zero(state_.left.rungs.at(state)[0] - Bounded(initial))) continue;
        modes_->allow_jumps();
        slides_.forget_systems();
        at_.s = &slides_.system_with(modes_->of(state_.mode), state_.now.slides);
        at_.m = &machineries_.of(*at_.s);
        return;
    }
}

// A junction that leads has no value of its own before the start: it moves as the inertias behind it do.
void Beginning::settle_leading_flows() {
    if (at_.s->leading.empty() || !modes_->may_jump()) return;
    const std::vector<double> given = state_.x;
    germs_.evaluate(state_.left, state_.now, std::max(1, at_.m->solver->program().left_order), true);
    state_.after_mode = state_.mode;
    commits_.solves().whole().solve();
    const std::vector<double> solved = std::exchange(state_.x, given);
    for (std::size_t i = 0; i < state_.x.size(); ++i)
        if (std::count(at_.s->leading.begin(), at_.s->leading.end(), at_.s->states[i]))
            state_.x[i] = solved[i];
    state_.left = state_.right = OneSidedGerm();
}

}  // namespace deltaflow
