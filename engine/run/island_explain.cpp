// What an island tells at an instant, if somebody looks: solves, switches, commits, and how it failed.
#include "engine/run/witness.hpp"
#include "engine/solve/instant_solver.hpp"

#include <algorithm>
#include <utility>

namespace deltaflow {

namespace {

std::string cause_name(const FlatModel& model, NodeId n) {
    for (const auto& a : model.graph.automata)
        if (!a.signals.empty() && a.signals[0] == n) return a.name;
    return model.naming->name(n);
}

// What an impact has left in the end.
void tell_after(WorkedBlock& b, const std::vector<NodeId>& origin, const OneSidedGerm& before,
                const OneSidedGerm& after) {
    const auto at = std::find(origin.begin(), origin.end(), b.node);
    if (at == origin.end()) return;
    const auto n = static_cast<NodeId>(at - origin.begin());
    const Bounded &left = before.rungs.at(n)[0], &right = after.rungs.at(n)[0];
    b.after = right.value;
    b.changes = !is_zero(right - left);
}

}  // namespace

bool Island::is_told() const { return log_ && !trying_ && log_->wants(state_.t); }

void Island::tell_instant() {
    if (!starting_) log_->times.push_back(state_.t);
    if (!log_->wants(state_.t)) return;
    log_->worked.push_back({});
    log_->worked.back().t = state_.t;
    log_->worked.back().at_start = starting_;
}

// A start at which nothing happens is no event.
void Island::tell_end(bool started, std::size_t events) {
    if (started && (recorder_.events.size() > events || arrived_)) log_->times.push_back(state_.t);
}

// What follows an impact within the same event is no solve of its own.
void Island::tell_solve(std::uint32_t epsilon) {
    if (passed_) return;
    WorkedSolve solve = Witness(*this, *log_, true).take(epsilon);
    solve.because = std::exchange(log_->switched, {});
    log_->worked.back().solves.push_back(std::move(solve));
}

// Every transition that fired, with its comparisons. On solved values they also end the mode that was solved.
void Island::tell_switches(const bonds::Mode& from, Switched when) {
    const auto& automata = modes_->graph().automata;
    const bool exchanged = when == Switched::exchanged, solved = exchanged || when == Switched::solved;
    std::vector<WorkedSwitch> switched;
    for (std::size_t a = 0; a < automata.size(); ++a) {
        if (from[a] == state_.after_mode[a]) continue;
        const auto fired = [&](const bonds::Transition& t) {
            return t.from == from[a] && t.to == state_.after_mode[a] &&
                   (solved ? holds_solved(t.when) : holds_before(t.when, state_.left, state_.now));
        };
        const auto& all = automata[a].transitions;
        const auto t = std::find_if(all.begin(), all.end(), fired);
        if (t == all.end() || automata[a].passes(t->from)) continue;
        WorkedSwitch s{automata[a].name,
                       automata[a].states[t->from],
                       automata[a].passes(t->to) ? "impact" : automata[a].states[t->to],
                       t->when.text,
                       {},
                       exchanged};
        Witness::compare(*this, t->when, solved, s.comparisons);
        switched.push_back(std::move(s));
    }
    auto& solves = log_->worked.back().solves;
    if (passed_ && !solves.empty()) {
        auto& then = solves.back().then;
        then.insert(then.end(), switched.begin(), switched.end());
        return;
    }
    if (when == Switched::solved && !switched.empty()) solves.back().left_by = switched;
    if (!exchanged) log_->switched.clear();
    log_->switched.insert(log_->switched.end(), switched.begin(), switched.end());
}

void Island::tell_commit() {
    if (!log_->wants(state_.t)) return;
    WorkedSolve& solve = log_->worked.back().solves.back();
    solve.committed = true;
    for (WorkedBlock& b : solve.blocks)
        if (passed_) tell_after(b, s_->origin, told_left(), state_.right);
    for (const NodeId n : causes_)
        if (const std::string cause = cause_name(log_->model, n);
            std::find(solve.causes.begin(), solve.causes.end(), cause) == solve.causes.end())
            solve.causes.push_back(cause);
    if (!modes_ || !s_->keeps_ledger) return;
    solve.has_energy = true;
    solve.stored_before = stored_energy(told_left());
    solve.stored_after = stored_energy(state_.right);
    if (ledger_.instants.empty()) return;
    const EnergyEvent& event = ledger_.instants.back();
    if (event.t != state_.t || event.epsilon != solve.epsilon) return;
    solve.supplied = event.supplied;
    for (const auto& [x, work] : event.dissipated)
        solve.dissipated.emplace_back(modes_->graph().elements[x].name, work);
}

// The instant ends the run. A solve that was under way is told as far as it came; what did not come about
// leaves no trace in the states.
void Island::give_up(const RunFailure& failure) {
    if (!modes_)
        for (const std::uint32_t i : m_->jumping_states)
            state_.x[i] = state_.left.rungs.at(s_->states[i])->value;
    if (!log_ || !log_->wants(state_.t)) return;
    WorkedInstant& instant = log_->worked.back();
    auto& solves = instant.solves;
    WorkedFailure told{failure.kind, failure.what, failure.advice, "", -1};
    const auto is_committed = [](const WorkedSolve& s) { return s.committed; };
    const auto epsilon =
        static_cast<std::uint32_t>(std::count_if(solves.begin(), solves.end(), is_committed));
    const bool solved = !solves.empty() && !solves.back().committed && solves.back().left_by.empty();
    const bool over = !solves.empty() && (solves.back().committed || failure.node == no_node);
    if (!over) {
        std::vector<WorkedSwitch> because =
            solved ? std::move(solves.back().because) : std::exchange(log_->switched, {});
        if (solved) solves.pop_back();
        Witness witness(*this, *log_, solved);
        told.at = witness.find(failure.node);
        solves.push_back(witness.take(epsilon));
        solves.back().because = std::move(because);
    }
    if (failure.node != no_node) told.block = cause_name(log_->model, s_->origin[failure.node]);
    instant.failure = std::move(told);
}

}  // namespace deltaflow
