// The words of an instant, in rounded numbers.
#include "engine/run/rounded/commits.hpp"

#include "engine/limits.hpp"
#include "engine/run/instant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace deltaflow {

Commits::Commits(const Settings& settings, State& state, Running& at, Machineries& machineries, Germs& germs,
                 GraphGerms& graph, Slides& slides, ModeSystems* modes, Recorder& recorder, EnergyBook& book,
                 std::vector<std::string>& warnings)
    : settings_(settings),
      modes_(modes),
      state_(state),
      at_(at),
      germs_(germs),
      slides_(slides),
      warnings_(warnings),
      outcome_(state, at),
      record_(state, at, modes, outcome_, recorder),
      calendar_(settings, state, at, germs, record_),
      crossings_(settings, state, at, germs),
      automata_(settings, state, germs, modes, outcome_, record_),
      solves_(state, at, machineries, germs, graph, slides, modes, outcome_, calendar_, record_),
      ledger_(settings, state, at, modes, outcome_, book, warnings),
      teller_({state, at, modes, germs, slides, outcome_, automata_, record_, calendar_.arrivals(),
               book.ledger}) {}

void Commits::begin() {
    ++state_.instants;
    solves_.forget_left();
    automata_.forget_left();
    if (!at_.s->held.empty()) slides_.respect_held();
    germs_.begin_instant(std::max(1, at_.m->solver->program().left_order));
    if (state_.starting && modes_) ledger_.note_start();
}

void Commits::carry_out() {
    const bool doubtful = modes_ && modes_->graph().automata.size() > 1 &&
                          state_.order_trials < limits::order_trials && !solves_.takes_pre_plainly() &&
                          settings_.simultaneous == Simultaneous::all;
    const std::unique_ptr<State> before = doubtful ? std::make_unique<State>(state_) : nullptr;
    const System& system = *at_.s;
    const bool at_start = state_.starting;
    const std::size_t events = record_.events();
    if (teller_.is_observed()) teller_.instant();
    try {
        carry_out_once();
    } catch (const RunFailure& failure) {
        give_up(failure);
        throw;
    }
    if (teller_.is_observed()) teller_.end(at_start, record_.events() > events || calendar_.has_brought());
    if (doubtful && automata_.have_several_fired()) warn_if_order_matters(*before, system);
}

void Commits::carry_out_once() {
    automata_.begin_instant();
    crossings_.begin_instant();
    record_.begin_instant();
    Instant::carry_out(*this);
}

// What did not come about leaves no trace in the states.
void Commits::give_up(const RunFailure& failure) {
    if (!modes_)
        for (const std::uint32_t i : at_.m->jumping_states)
            state_.x[i] = state_.left.rungs.at(at_.s->states[i])->value;
    teller_.give_up(failure);
}

std::optional<std::string> Commits::try_out() {
    std::optional<std::string> failed;
    automata_.begin_trial();
    try {
        carry_out_once();
    } catch (const RunFailure& failure) {
        failed = failure.what;
    } catch (const ModelError& error) {  // a mode that only this order comes through
        failed = error.diagnostics.front().message;
    }
    automata_.end_trial();
    outcome_.end_event();
    record_.forget_causes();
    return failed;
}

void Commits::go_to(const State& state, const System& system) {
    state_ = state;
    be_at(system);
}

void Commits::be_at(const System& system) {
    solves_.be_at(system);
    automata_.forget_left();
}

// Several automata switched at once: would they come to the same end one at a time?
void Commits::warn_if_order_matters(const State& before, const System& system) {
    ++state_.order_trials;
    const State result = state_;
    const System& system_of_result = *at_.s;
    go_to(before, system);
    state_.starting = false;
    const std::optional<std::string> failed = try_out();
    std::string difference = failed.value_or("");
    if (!failed && state_.mode != result.mode) {
        difference = fmt::format("the mode is [{}] then", modes_->describe(state_.mode));
    } else if (!failed) {
        for (const NodeId n : at_.s->states)
            if (!is_zero(state_.right.rungs.at(n)[0] - result.right.rungs.at(n)[0]))
                difference = "values differ then";
    }
    go_to(result, system_of_result);
    if (difference.empty()) return;
    state_.order_trials = limits::order_trials;
    warnings_.push_back(
        fmt::format("at t = {}: automata switch together, and one at a time would end otherwise "
                    "({}); simulation.simultaneous chooses",
                    state_.t, difference));
}

void Commits::begin_commit() {
    if (!state_.now.empty()) state_.after = state_.now;
    calendar_.arrivals().clear();
}

// Guards that hold before the solve; index 0 of what follows.
void Commits::fire_before(std::uint32_t epsilon) {
    record_.count_solves_from(0);
    if (epsilon > 0) solves_.take_pre_plainly(false);
    if (!modes_) return;
    const bool plain = solves_.takes_pre_plainly();
    automata_.begin_solve(plain ? state_.first_committed : state_.mode, plain);
    if (!plain) fire_left();
}

void Commits::fire_left() {
    const bonds::Mode from = teller_.tells() ? state_.after_mode : bonds::Mode();
    automata_.fire_left();
    if (teller_.tells())
        teller_.switches(from, outcome_.has_passed() ? Teller::Switched::behind : Teller::Switched::before);
}

bool Commits::exchange_ideal() {
    if (automata_.let_go()) return true;
    const bonds::Mode from = teller_.tells() ? state_.after_mode : bonds::Mode();
    if (!automata_.exchange(warnings_)) return false;
    if (teller_.tells()) teller_.switches(from, Teller::Switched::exchanged);
    return true;
}

// Guards that hold on what came out: then it is left at once, and told as an event that was not committed.
bool Commits::fire_solved(std::uint32_t epsilon) {
    if (teller_.tells()) teller_.solve(epsilon);
    if (!modes_) return false;
    bonds::Mode solved = state_.after_mode;
    std::vector<NodeId> causes = record_.exchange_causes({});
    const bool fired = automata_.fire_right();
    if (teller_.tells()) teller_.switches(solved, Teller::Switched::solved);
    causes = record_.exchange_causes(std::move(causes));
    if (!fired) {
        if (epsilon == 0 && state_.after_mode != state_.mode) state_.first_committed = state_.after_mode;
        return false;
    }
    std::swap(solved, state_.after_mode);
    if (!automata_.is_trying()) record_.event(epsilon, false);
    record_.exchange_causes(std::move(causes));
    std::swap(solved, state_.after_mode);
    record_.count_solves_from(record_.index() + 1);
    return true;
}

void Commits::try_mode(const bonds::Mode& mode) {
    for (std::size_t a = 0; a < mode.size(); ++a)
        if (mode[a] != state_.mode[a] && mode[a] != state_.after_mode[a])
            record_.note_cause(modes_->graph().automata[a].signals[0]);
    state_.after_mode = mode;
    automata_.begin_exchanges();
    solve_mode(false);
}

namespace {

// Of so many pairs all others are looked at whenever one switches; of more, at a few instants.
constexpr std::size_t few_pairs = 4;
constexpr std::uint64_t few_instants = 8;

}  // namespace

bool Commits::looks_for_pairs() const {
    if (automata_.is_trying()) return false;
    const auto& automata = modes_->graph().automata;
    std::size_t pairs = 0;
    bool switches = state_.starting;
    for (std::size_t a = 0; a < automata.size(); ++a) {
        if (!automata[a].is_pair()) continue;
        ++pairs;
        switches = switches || state_.mode[a] != state_.after_mode[a];
    }
    return switches && (pairs <= few_pairs || state_.instants <= few_instants);
}

void Commits::warn_of_others(std::size_t pair) {
    const bonds::Automaton& a = modes_->graph().automata[pair];
    const std::string text =
        a.is_pair()
            ? fmt::format(
                  "at t = {}: the pair \"{}\" has several solutions; the one that pivoting reaches is taken",
                  state_.t, a.name)
            : fmt::format(
                  "at t = {}: several states of \"{}\" are consistent; the one that is nearest to what "
                  "was before is taken",
                  state_.t, a.name);
    if (std::none_of(warnings_.begin(), warnings_.end(), [&](const std::string& w) {
            return w.substr(w.find(':')) == text.substr(text.find(':'));
        }))
        warnings_.push_back(text);
}

RunFailure Commits::mode_cycle(std::vector<bonds::Mode> seen) const {
    return deltaflow::mode_cycle(*modes_, std::move(seen), automata_.switches());
}

// An impact is over at once: then the states that follow it are found from what it left.
bool Commits::passes_impulse_on() {
    const auto& automata = modes_->graph().automata;
    bool passing = false;
    for (std::size_t a = 0; a < automata.size() && !passing; ++a)
        passing = automata[a].passes(state_.mode[a]);
    if (!passing && (outcome_.has_passed() || !automata_.is_behind_impulse())) return false;
    outcome_.pass_on();
    state_.starting = false;  // what was given before the start is over
    go_on();
    begin_commit();
    return true;
}

// What one commit does, for those who look; what is behind it.
void Commits::tell(std::uint32_t epsilon) {
    if (!automata_.is_trying()) {
        record_.event(epsilon, true);
        if (!at_.s->held.empty() || record_.has_slid()) record_.slides();
        if (modes_) ledger_.account(record_.number(epsilon));
        if (teller_.is_observed()) teller_.commit();
        if (record_.keeps_germs()) record_.gather_germs(epsilon);
    }
    outcome_.end_event();
    record_.forget_causes();
    std::erase_if(state_.located, [&](const Located& l) {
        // A weight of what slides on one side only.
        if (!state_.left.rungs.has(l.node) || !state_.right.rungs.has(l.node)) return true;
        return !is_zero(state_.right.rungs.at(l.node)[0] - state_.left.rungs.at(l.node)[0]);
    });
    state_.starting = false;
    state_.last_instant = state_.t;
    state_.epsilons = record_.number(epsilon) + 1;
}

// Does the flow that now begins contradict a branch or a guard, or did a jump step over zero?
bool Commits::something_new() {
    if (outcome_.part()) return automata_.anything_fires();  // nothing else was reached
    if (modes_) solves_.settle_guard_branches();
    bool found = modes_ && automata_.anything_fires();
    const auto note = [&](bool is_new, NodeId n) {
        if (is_new) record_.note_cause(n);
        found = found || is_new;
    };
    for (const NodeId n : at_.s->branchers)
        note(
            state_.is_active(n) && germs_.decide_forward(state_.right, state_.now, n) != state_.now.branch[n],
            n);
    for (const HeldSurface& h : at_.s->held)
        note(h.leads && slides_.leaves_surface(h, state_.right, state_.now), h.block);
    for (std::size_t i = 0; i < at_.s->crossings.size(); ++i)
        note(crossings_.fires_again(i), at_.s->crossings[i]);
    return found;
}

namespace {

template <class T>
void hash_in(std::size_t& hash, const std::vector<T>& list) {
    for (const T& x : list) hash = hash * 1099511628211u ^ std::hash<T>()(x);
}

// What tells one instant from another: states, and what storages hold.
std::vector<double> remembered(const State& state, const ModeSystems* modes) {
    if (!modes) return state.x;
    std::vector<double> values;
    for (const NodeId n : modes->memory()) values.push_back(state.right.rungs.at(n)->value);
    return values;
}

}  // namespace

Commits::Situation Commits::situation() const {
    Situation here{0,           state_.now.branch,    state_.now.slides, remembered(state_, modes_),
                   state_.mode, state_.crossing_sign, state_.pending};
    hash_in(here.hash, here.branch);
    hash_in(here.hash, here.remembered);
    hash_in(here.hash, here.mode);
    hash_in(here.hash, here.sides);
    hash_in(here.hash, here.pending);
    return here;
}

// Nothing more happens at this time.
void Commits::settle() {
    if (!modes_) return;
    solves_.settle();
    automata_.timers().note();
}

void Commits::fail_endless_commits(std::uint32_t epsilon) {
    RunFailure failure{
        .kind = ErrorKind::no_progress,
        .what = "time does not go on: the same instants come again and again at one time",
        .advice =
            "look for a condition that its own effect undoes; pre(...) or hysteresis may break the "
            "cycle",
        .show_inputs = true};
    if (!at_.s->branchers.empty()) failure.node = at_.s->branchers.front();
    if (at_.s->branchers.empty() && !at_.s->crossings.empty()) failure.node = at_.s->crossings.front();
    if (modes_) {
        failure.notes = automata_.switches().back_to(modes_->graph(), state_.mode);
        failure.notes.insert(failure.notes.begin(), fmt::format("mode: {} (after {} commits)",
                                                                modes_->describe(state_.mode), epsilon + 1));
    }
    throw failure;
}

}  // namespace deltaflow
