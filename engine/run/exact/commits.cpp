#include "engine/run/exact/commits.hpp"

#include "engine/limits.hpp"
#include "engine/run/ideal.hpp"
#include "engine/run/instant.hpp"
#include "engine/solve/exact/bounds.hpp"

namespace deltaflow::closed_form {

namespace {

void check_values(ExactState& state, const ExactRunning& at) {
    const Diagram& d = at.diagram();
    for (const NodeId n : at.x->assertions) {
        if (!state.is_active(n) || ExactGerms::forward_sign(at.right, at.input(n)) >= 0) continue;
        if (d.nodes[n].ends_run()) {
            state.terminated = true;
            continue;
        }
        throw RunFailure{.kind = ErrorKind::assertion,
                         .node = n,
                         .what = d.messages[d.nodes[n].extra],
                         .show_inputs = true};
    }
}

// Fractions that double their length at each instant would soon fill the memory.
void check_lengths(const ExactState& state) {
    for (const auto* numbers : {&state.states, &state.now.held, &state.stored})
        for (NodeId n = 0; n < numbers->size(); ++n) check_length((*numbers)[n], limits::exact_bits, n);
}

}  // namespace

ExactCommits::ExactCommits(const Settings& settings, ExactState& state, ExactRunning& at,
                           ExactCalendar& calendar, ExactRecord& record)
    : state_(state),
      at_(at),
      calendar_(calendar),
      record_(record),
      germs_(state, at),
      graph_(state, at, germs_),
      slides_(settings, state, at, record),
      crossings_(state, at, calendar, record),
      automata_(settings, state, at, calendar, record),
      solves_(state, at, germs_, graph_, slides_, calendar, record) {}

void ExactCommits::start() {
    at_.solver = std::make_unique<ExactInstant>(*at_.x);
    state_.after = state_.now;
    if (at_.modes) {
        automata_.start();
        state_.now = state_.after;
    }
    solves_.settle_branches();
    if (!at_.modes) return;
    if (!at_.modes->may_jump() && graph_.has_contradiction()) {
        // Initial values that contradict each other make a jump at the start.
        at_.modes->allow_jumps();
        slides_.forget_systems();
        slides_.enter(state_.mode);
        at_.left = germs_.evaluate(state_.now, true);
    }
    settle_leading_flows();
}

// A junction that leads has no value of its own before the start: it moves as the inertias behind it do.
void ExactCommits::settle_leading_flows() {
    if (at_.system().leading.empty() || !at_.modes->may_jump()) return;
    std::vector<Quadratic> states = state_.states;
    at_.left = germs_.evaluate(state_.now, true);
    graph_.use_initial_values();
    state_.after_mode = state_.mode;
    solves_.solve();
    for (const NodeId n : at_.system().leading) states[n] = state_.states[n];
    state_.states = std::move(states);
}

void ExactCommits::instant() {
    at_.left = germs_.evaluate(state_.now, true);
    if (state_.starting && at_.modes) graph_.use_initial_values();
    state_.pending.clear();
    Instant::carry_out(*this);
    check_lengths(state_);
}

void ExactCommits::begin_commit() {
    state_.after = state_.now;
    calendar_.begin_commit();
}

void ExactCommits::fire_before(std::uint32_t) {
    if (!at_.modes) return;
    state_.after_mode = state_.mode;
    automata_.fire_left();
}

void ExactCommits::solve_mode(bool first) {
    if (first)
        state_.arrived = state_.after;
    else
        state_.after = state_.arrived;
    if (at_.modes) slides_.enter(state_.after_mode);
    solves_.solve();
}

void ExactCommits::try_mode(const bonds::Mode& mode) {
    state_.after_mode = mode;
    solve_mode(false);
}

RunFailure ExactCommits::mode_cycle(std::vector<bonds::Mode> seen) const {
    return deltaflow::mode_cycle(*at_.modes, std::move(seen), automata_.switches());
}

void ExactCommits::commit() {
    solves_.check();
    if (const System& s = at_.system(); !s.contradicting.empty())
        refuse_contradiction(at_.modes->graph(), s.contradicting, state_.after_mode, state_.starting,
                             [&](NodeId n) { return solved_sign(n); });
    calendar_.store();
    for (const NodeId n : at_.x->sampled)
        if (at_.diagram().nodes[n].op == Primitive::unit_delay && state_.ticking[n])
            state_.stored[n] = at_.solver->right(at_.input(n));
    state_.now = state_.after;
    state_.mode = state_.after_mode;
    check_values(state_, at_);
}

// An impact is over at once: what follows it is found from what it left, and both are told as one.
bool ExactCommits::passes_on() {
    if (!at_.modes || !automata_.passes_impulse_on()) return false;
    record_.gather();
    state_.starting = false;  // what was given before the start is over
    go_on();
    begin_commit();
    return true;
}

// Does the flow that now begins contradict a branch or a guard, or did a jump step over zero?
bool ExactCommits::something_new() {
    if (at_.modes) graph_.settle_guard_branches();
    bool found = at_.modes && automata_.anything_fires();
    const auto note = [&](NodeId n) {
        found = true;
        record_.note_cause(n);
    };
    for (const NodeId n : at_.x->branchers)
        if (state_.is_active(n) && germs_.decide_forward(at_.right, n) != state_.now.branch[n]) note(n);
    for (const HeldSurface& h : at_.system().held)
        if (h.leads && slides_.leaves_surface(h, at_.right)) note(h.block);
    return crossings_.stepped_over() || found;
}

ExactCommits::Situation ExactCommits::situation() const {
    return {state_.now.branch, state_.now.slides,    state_.states,
            state_.mode,       state_.crossing_sign, state_.pending};
}

void ExactCommits::settle() {
    if (!at_.modes) return;
    graph_.check_kept();
    automata_.note_timers();
}

void ExactCommits::fail_endless_commits(std::uint32_t) {
    RunFailure failure{
        .kind = ErrorKind::no_progress,
        .what = "time does not go on: the same instants come again and again at one time",
        .advice =
            "look for a condition that its own effect undoes; pre(...) or hysteresis may break the "
            "cycle",
        .show_inputs = true};
    if (!at_.x->branchers.empty()) failure.node = at_.x->branchers.front();
    if (at_.x->branchers.empty() && !at_.x->crossings.empty()) failure.node = at_.x->crossings.front();
    throw failure;
}

}  // namespace deltaflow::closed_form
