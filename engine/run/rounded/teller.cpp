// What an island tells at an instant, if somebody looks.
#include "engine/run/rounded/teller.hpp"

#include "engine/run/rounded/witness.hpp"
#include "engine/run/worked.hpp"

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

bool Teller::is_told() const { return !view_.automata.is_trying() && log_->wants(view_.state.t); }

void Teller::instant() {
    const State& state = view_.state;
    if (!state.starting) log_->times.push_back(state.t);
    if (!log_->wants(state.t)) return;
    log_->worked.push_back({});
    log_->worked.back().t = state.t;
    log_->worked.back().at_start = state.starting;
}

void Teller::end(bool started, bool anything) {
    if (started && anything) log_->times.push_back(view_.state.t);
}

// What follows an impact within the same event is no solve of its own.
void Teller::solve(std::uint32_t epsilon) {
    if (view_.outcome.has_passed()) return;
    WorkedSolve solve = Witness(view_, *log_, true).take(epsilon);
    solve.because = std::exchange(log_->switched, {});
    log_->worked.back().solves.push_back(std::move(solve));
}

std::vector<WorkedSwitch> Teller::switched(const bonds::Mode& from, Switched when) {
    const State& state = view_.state;
    const auto& automata = view_.modes->graph().automata;
    const bool exchanged = when == Switched::exchanged, solved = exchanged || when == Switched::solved;
    std::vector<WorkedSwitch> switched;
    for (std::size_t a = 0; a < automata.size(); ++a) {
        if (from[a] == state.after_mode[a]) continue;
        const auto fired = [&](const bonds::Transition& t) {
            return t.from == from[a] && t.to == state.after_mode[a] &&
                   (solved ? view_.automata.holds_solved(t.when)
                           : view_.germs.holds(t.when, view_.state.left, state.now));
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
        Witness::compare(view_, t->when, solved, s.comparisons);
        switched.push_back(std::move(s));
    }
    return switched;
}

// Every transition that fired, with its comparisons. On solved values they also end the mode that was solved.
void Teller::switches(const bonds::Mode& from, Switched when) {
    const std::vector<WorkedSwitch> all = switched(from, when);
    auto& solves = log_->worked.back().solves;
    if (view_.outcome.has_passed() && !solves.empty()) {
        auto& then = solves.back().then;
        then.insert(then.end(), all.begin(), all.end());
        return;
    }
    if (when == Switched::solved && !all.empty()) solves.back().left_by = all;
    if (when != Switched::exchanged) log_->switched.clear();
    log_->switched.insert(log_->switched.end(), all.begin(), all.end());
}

void Teller::commit() {
    if (!log_->wants(view_.state.t)) return;
    WorkedSolve& solve = log_->worked.back().solves.back();
    solve.committed = true;
    for (WorkedBlock& b : solve.blocks)
        if (view_.outcome.has_passed())
            tell_after(b, view_.at.s->origin, view_.outcome.told_left(), view_.state.right);
    for (const NodeId n : view_.record.causes())
        if (const std::string cause = cause_name(log_->model, n);
            std::find(solve.causes.begin(), solve.causes.end(), cause) == solve.causes.end())
            solve.causes.push_back(cause);
    if (view_.modes && view_.at.s->keeps_ledger) tell_energy(solve);
}

void Teller::tell_energy(WorkedSolve& solve) const {
    solve.has_energy = true;
    solve.stored_before = stored_energy(*view_.modes, view_.outcome.told_left());
    solve.stored_after = stored_energy(*view_.modes, view_.state.right);
    if (view_.ledger.instants.empty()) return;
    const EnergyEvent& event = view_.ledger.instants.back();
    if (event.t != view_.state.t || event.epsilon != solve.epsilon) return;
    solve.supplied = event.supplied;
    for (const auto& [x, work] : event.dissipated)
        solve.dissipated.emplace_back(view_.modes->graph().elements[x].name, work);
}

// A solve that was under way is told as far as it came.
void Teller::give_up(const RunFailure& failure) {
    if (!log_ || !log_->wants(view_.state.t)) return;
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
        Witness witness(view_, *log_, solved);
        told.at = witness.find(failure.node);
        solves.push_back(witness.take(epsilon));
        solves.back().because = std::move(because);
    }
    if (failure.node != no_node) told.block = cause_name(log_->model, view_.at.s->origin[failure.node]);
    instant.failure = std::move(told);
}

}  // namespace deltaflow
