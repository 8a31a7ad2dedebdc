// Modes of a bond graph at an instant: guards, switching, mythical modes (000, 004).
#include "engine/limits.hpp"
#include "engine/modes/guards.hpp"
#include "engine/run/island.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow {

using bonds::Guard;
using bonds::Mode;

// From here on the mode's own system runs; the left germ stays that of the mode before.
void Island::enter(const Mode& mode) {
    const System& s = modes_->of(mode, plain_pre_);
    state_.after.slides = held_in_mode(s, state_.after.slides, state_.after.branch);
    use_system(system_with(s, state_.after.slides));
    const int order = std::max(1, m_->solver->program().left_order);
    if (state_.left.order < order) evaluate(state_.left, state_.now, order, false);
}

namespace {

bool reads_pre_in(const Diagram& d, NodeId node) {
    return reads_pre(
        node, [&](NodeId n) { return d.nodes[n].op; }, [&](NodeId n) { return d.inputs_of(n); });
}

}  // namespace

// On a one-sided germ, read forwards: value, slope, ... as if the flow went on.
bool IslandGerms::holds_before(const Guard& guard, OneSidedGerm& g, const Discrete& discrete) {
    return guard_holds(guard, [&](NodeId n, bool by_value) {
        return by_value ? value_sign(g, n, 0) : forward_sign(g, discrete, n, 0);
    });
}

bool Island::holds_solved(const Guard& guard) {
    return guard_holds(guard, [&](NodeId n, bool by_value) { return solved_sign(n, by_value); });
}

// The lowest rung of the solved germ that is not zero: an impulse outweighs every finite value.
int Island::solved_sign(NodeId node, bool by_value) {
    for (int i = impulse_count(node) - 1; i >= 0; --i)
        if (const int s = sign(impulse(node, i)); s != 0) return s;
    const Bounded value = solved_right(node);
    const bool stays = is_located(node, 0) && is_zero(value - state_.left.rungs.at(node)[0]);
    if (const int s = stays ? 0 : sign(value); s != 0 || by_value) return s;
    const bool before =
        change_ ? is_reached(node) && change_->reads_pre[part_[node]] : reads_pre_in(s_->d, node);
    return before ? forward_sign(state_.left, state_.now, node, 0)
                  : forward_sign(state_.right, state_.after, node, 0);
}

GuardReading Island::solved_reading(NodeId node) const {
    for (int i = impulse_count(node) - 1; i >= 0; --i)
        if (const Bounded x = impulse(node, i); !is_zero(x)) return {x.value, i};
    return {solved_right(node).value};
}

// Switches automata whose guards hold, all or one at a time; false if none does. `asked`: may one of an
// automaton's guards hold at all?
template <class Holds, class Asked>
bool Island::fire(const Holds& holds, const Asked& asked, bool solved) {
    Firing firing = firing_automata(
        modes_->graph(), state_.after_mode, [&](std::size_t a) { return !waiting_[a] && asked(a); }, holds,
        [&](std::size_t a, std::size_t k) { return state_.memory.allows(a, k, state_.t); });
    if (passed_) leave_out_impacts(modes_->graph(), firing);
    if (firing.empty()) return false;
    const auto is_choice = [&](const auto& f) { return !modes_->graph().automata[f.first].ideal; };
    several_fired_ = several_fired_ || std::count_if(firing.begin(), firing.end(), is_choice) > 1;
    if (trying_ || settings_.simultaneous == Simultaneous::sequential)
        keep_one(modes_->graph(), firing, waiting_);
    switch_by(firing, solved);
    return true;
}

void Island::switch_by(const Firing& firing, bool solved) {
    const auto& automata = modes_->graph().automata;
    const auto read = [&](NodeId n) {
        return solved ? solved_reading(n) : GuardReading{state_.left.rungs.at(n)[0].value};
    };
    switches_.begin_round();
    for (const auto& [a, transition] : firing) {
        state_.after_mode[a] = transition->to;
        switches_.note(a, *transition, read);
        for (const bonds::Setting& setting : transition->set)
            set_piece(setting.value, {read(setting.to).value, 0, state_.t});
        if (!state_.memory.empty()) enter_state(a, *transition);
        if (!automata[a].signals.empty()) note_cause(automata[a].signals[0]);
    }
}

void IslandGerms::set_piece(NodeId schedule, const Piece& piece) {
    const std::uint32_t extra = modes_->base().nodes[schedule].extra;
    state_.after.pieces[extra] = piece;
    if (extra < arrived_discrete_.pieces.size()) arrived_discrete_.pieces[extra] = piece;
}

// From now on its timers run.
void IslandGerms::enter_state(std::size_t a, const bonds::Transition& by) {
    state_.memory.enter(a, by, state_.t, same_time(state_.t));
    start_timers(a, by.to);
}

void IslandGerms::start_timers(std::size_t a, std::uint32_t state) {
    for (const auto& t : modes_->graph().automata[a].transitions)
        if (t.from == state && t.timer != no_node)
            set_piece(t.timer, {0, 1, to_double(state_.memory.due(a, t))});
}

// At the end of an instant: when the timers of the states that were entered are over.
void IslandGerms::note_timers() {
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
                  [&](const Guard& guard) { return holds_before(guard, state_.right, state_.now); });
}

void Island::fire_left() {
    for (std::size_t a = 0; a < leaving_.size() && !leaving_known_; ++a) leaving_[a] = leaves(a, state_.left);
    leaving_known_ = true;
    const Mode from = is_told() ? state_.after_mode : Mode();
    fire([&](const Guard& guard) { return holds_before(guard, state_.left, state_.now); },
         [&](std::size_t a) { return leaving_[a] != 0; }, false);
    if (settings_.simultaneous == Simultaneous::sequential) hold_back_contacts();
    if (is_told()) tell_switches(from, passed_ ? Switched::behind : Switched::before);
}

// Where a change of mode has reached nothing, guards hold as they did before.
bool Island::may_fire_solved(std::size_t a) const {
    return !waiting_[a] && (!change_ || leaving_[a] ||
                            std::binary_search(change_->automata.begin(), change_->automata.end(), a));
}

bool Island::fire_right() {
    const Mode from = is_told() ? state_.after_mode : Mode();
    const bool fired =
        fire([&](const Guard& guard) { return holds_solved(guard); },
             [&](std::size_t a) { return !modes_->graph().automata[a].ideal && may_fire_solved(a); }, true);
    if (is_told()) tell_switches(from, Switched::solved);
    return fired;
}

bool IslandGerms::leaves(std::size_t a, OneSidedGerm& g) {
    const auto& transitions = modes_->graph().automata[a].transitions;
    for (std::size_t k = 0; k < transitions.size(); ++k)
        if (transitions[k].from == state_.mode[a] && state_.memory.allows(a, k, state_.t) &&
            holds_before(transitions[k].when, g, state_.now))
            return true;
    return false;
}

bool Island::anything_fires() {
    if (change_) {
        for (const std::uint32_t a : change_->automata) leaving_[a] = leaves(a, state_.right);
        return std::find(leaving_.begin(), leaving_.end(), 1) != leaving_.end();
    }
    leaving_known_ = false;
    for (std::size_t a = 0; a < leaving_.size(); ++a)
        if (leaves(a, state_.right)) return true;
    return false;
}

void Island::solve_whole() {
    use_change(nullptr);
    if (modes_->has_charts()) choose_chart();
    enter(state_.after_mode);
    begin_solve();
    resolve();
}

// Guards that hold before the solve; index 0 of what follows.
void Island::fire_before(std::uint32_t epsilon) {
    index_ = 0;
    if (epsilon > 0) plain_pre_ = false;
    if (!modes_) return;
    pivoting_.begin();
    state_.after_mode = plain_pre_ ? state_.first_committed : state_.mode;
    std::fill(waiting_.begin(), waiting_.end(), 0);
    if (!plain_pre_) fire_left();
}

// Each mode is solved from what has arrived.
void Island::solve_mode(bool first) {
    if (!modes_) {
        do {
            begin_solve();
            resolve();
        } while (correct_pasts());
        return;
    }
    if (first)
        arrived_discrete_ = state_.after;
    else
        state_.after = arrived_discrete_;
    // Those who look want to see all of it.
    if (is_told() || !solve_change()) solve_whole();
    while (!change_ && correct_pasts()) {
        state_.after = arrived_discrete_;
        solve_whole();
    }
}

// Guards that hold on what came out: then it is left at once, and told as an event that was not committed.
bool Island::fire_solved(std::uint32_t epsilon) {
    if (is_told()) tell_solve(epsilon);
    if (!modes_) return false;
    Mode solved = state_.after_mode;
    std::vector<NodeId> causes;
    std::swap(causes, causes_);
    const bool fired = fire_right();
    std::swap(causes, causes_);
    if (!fired) {
        if (epsilon == 0 && state_.after_mode != state_.mode) state_.first_committed = state_.after_mode;
        return false;
    }
    std::swap(solved, state_.after_mode);
    if (!trying_) record_event(epsilon, false);
    causes_ = std::move(causes);
    std::swap(solved, state_.after_mode);
    ++index_;
    return true;
}

// Branches that only guards read follow the flow without an instant of their own.
void IslandGerms::settle_guard_branches() {
    bool changed = false;
    for (const NodeId n : s_->guard_branchers) {
        const auto branch = decide_forward(state_.right, state_.now, n);
        changed = changed || branch != state_.now.branch[n];
        state_.now.branch[n] = branch;
    }
    if (!changed) return;
    auto solved = std::move(state_.right.solved);
    evaluate(state_.right, state_.now, state_.right.order, true);
    state_.right.solved = std::move(solved);
    if (!state_.right.solved.empty()) use_solved(state_.right, state_.now);
}

// What the solve says of the graph's signals counts, also where the mode's own flow would change it at once.
void IslandGerms::adopt_solved() {
    for (const NodeId n : modes_->free_nodes())
        if (const Bounded& value = m_->solver->right(n); !is_zero(value - state_.right.rungs.at(n)[0]))
            state_.right.solved.emplace_back(n, value);
    if (!state_.right.solved.empty()) use_solved(state_.right, state_.after);
}

void IslandGerms::use_solved(OneSidedGerm& g, const Discrete& discrete) {
    for (const auto& [node, value] : g.solved) *g.rungs.at(node) = value;
    // What is measured moves with the flows that were solved, and not with those of a mode that does not
    // last.
    for (const auto& e : modes_->graph().elements)
        if (!e.sides.empty() && g.order > 0)
            g.rungs.at(e.displacement)[1] = *g.rungs.at(e.rate != no_node ? e.rate : e.flow);
    read_graph(g, discrete);
}

// The values of blocks, energies among them, from those of the graph.
void IslandGerms::read_graph(OneSidedGerm& g, const Discrete& discrete) {
    const Frame<Bounded> f{g.rungs.a.data(), g.rungs.stride, &modes_->base(), &discrete,
                           Bounded(state_.t, rounding::unit * std::abs(state_.t))};
    const Program& reading = modes_->reading();
    execute(reading, reading_work_, f, -reading.highest, 0);
}

// A mode that time flows in must keep the values that it was entered with.
void IslandGerms::check_kept() {
    if (state_.right.solved.empty()) return;
    const auto solved = std::move(state_.right.solved);
    evaluate(state_.right, state_.now, state_.right.order, true);
    for (const auto& [node, value] : solved) {
        const double flow = state_.right.rungs.at(node)[0].value;
        const double size = std::max({std::abs(flow), std::abs(value.value), 1.0});
        if (std::abs(flow - value.value) <= limits::kept * size) continue;
        throw RunFailure{
            .kind = ErrorKind::undefined,
            .node = node,
            .what = fmt::format("this signal is {} after the jump, but the flow of the mode [{}] "
                                "would have it {} at once",
                                value.value, modes_->describe(state_.mode), flow),
            .advice =
                "a mode that is entered with pre(...) has to be left by a guard on "
                "pre(...), or else it has to keep what it sets"};
    }
}

// Initial values that contradict each other make a jump at the start.
void Island::check_initial_values() {
    if (modes_->may_jump()) return;
    const auto& elements = modes_->graph().elements;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (!s_->dependent[i]) continue;
        const bool inertia = elements[i].type == bonds::Type::I;
        const NodeId state = inertia ? elements[i].momentum : elements[i].displacement;
        const double initial = inertia ? elements[i].initial_momentum : elements[i].initial_displacement;
        starting_ = false;  // what the flow makes of it
        evaluate(state_.left, state_.now, 0, true);
        starting_ = true;
        if (is_zero(state_.left.rungs.at(state)[0] - Bounded(initial))) continue;
        modes_->allow_jumps();
        forget_systems();
        s_ = &system_with(modes_->of(state_.mode), state_.now.slides);
        m_ = &machinery(*s_);
        return;
    }
}

// A junction that leads has no value of its own before the start: it moves as the inertias behind it do.
void Island::settle_leading_flows() {
    if (s_->leading.empty() || !modes_->may_jump()) return;
    const std::vector<double> given = state_.x;
    evaluate(state_.left, state_.now, std::max(1, m_->solver->program().left_order), true);
    state_.after_mode = state_.mode;
    begin_solve();
    resolve();
    const std::vector<double> solved = std::exchange(state_.x, given);
    for (std::size_t i = 0; i < state_.x.size(); ++i)
        if (std::count(s_->leading.begin(), s_->leading.end(), s_->states[i])) state_.x[i] = solved[i];
    state_.left = state_.right = OneSidedGerm();
}

// Before the start a dependent storage has the value that the model gives it.
void IslandGerms::use_initial_values() {
    if (!modes_) return;
    const auto& elements = modes_->graph().elements;
    bool any = false;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (!state_.left.system->dependent[i]) continue;
        any = true;
        const bool inertia = elements[i].type == bonds::Type::I;
        state_.left.rungs.at(inertia ? elements[i].momentum : elements[i].displacement)[0] =
            Bounded(inertia ? elements[i].initial_momentum : elements[i].initial_displacement);
    }
    if (!any) return;
    read_graph(state_.left, state_.now);
    const NodeId total = modes_->graph().total_energy;
    if (total == no_node) return;
    Bounded sum(0);
    for (const auto& e : elements)
        if (e.energy != no_node) sum = sum + state_.left.rungs.at(e.energy)[0];
    state_.left.rungs.at(total)[0] = sum;
    read_graph(state_.left, state_.now);
}

// They must not stay where the flow is not computed: in signals that are constant.
void IslandGerms::forget_initial_values() {
    for (const auto& e : modes_->graph().elements) {
        if (!e.is_storage()) continue;
        const NodeId state = e.type == bonds::Type::I ? e.momentum : e.displacement;
        for (OneSidedGerm* g : {&state_.left, &state_.right}) {
            if (!g->system) continue;
            const bool constant = g->system->d.nodes[state].op == Primitive::constant;
            if (constant) *g->rungs.at(state) = Bounded(g->system->d.parameters_of(state)[0]);
            if (!constant && g->system->degree[state] < 0) *g->rungs.at(state) = Bounded(0);
        }
    }
}

void Island::restore(const State& state, const System* system) {
    state_ = state;
    s_ = system;
    m_ = &machinery(*s_);
    scratch_.resize(s_->states.size());
    list_branchers(*s_, s_->branchers);
    use_change(nullptr);
    landed_ = true;
    in_step_ = branches_agree_ = leaving_known_ = false;
}

// Several automata switched at once: would they come to the same end one at a time?
void Island::warn_if_order_matters(const State& before, const System* system) {
    ++state_.order_trials;
    const State result = state_;
    const System* const system_of_result = s_;
    restore(before, system);
    trying_ = true;
    std::string difference;
    try {
        run_instant();
        if (state_.mode != result.mode) {
            difference = fmt::format("the mode is [{}] then", modes_->describe(state_.mode));
        } else {
            for (const NodeId n : s_->states)
                if (!is_zero(state_.right.rungs.at(n)[0] - result.right.rungs.at(n)[0]))
                    difference = "values differ then";
        }
    } catch (const RunFailure& failure) {
        difference = failure.what;
    } catch (const ModelError& error) {  // a mode that only this order comes through
        difference = error.diagnostics.front().message;
    }
    trying_ = false;
    causes_.clear();
    restore(result, system_of_result);
    if (difference.empty()) return;
    state_.order_trials = limits::order_trials;
    warnings_.push_back(
        fmt::format("at t = {}: automata switch together, and one at a time would end otherwise "
                    "({}); simulation.simultaneous chooses",
                    state_.t, difference));
}

// Instants accumulate: the rest of the way is one flow, free of guards, to the accumulation point. There the
// mode that comes again and again holds for good; no time lies between two of its instants, so pre(x) is x.
void Island::pass_accumulation() {
    const double end = std::min(state_.zeno.accumulation(), stop_);
    state_.watches.clear();
    while (state_.t < end) {
        const double h = confirmed_step(end - state_.t).h;
        const double next = state_.t + h >= end ? end : state_.t + h;
        sample_before(next);
        append_history(h);
        account(h);
        finish_step(h, next, true);
    }
    state_.zeno = Zeno();
    for (const auto& [node, at] : closing_)
        if (const auto found = std::find(s_->states.begin(), s_->states.end(), node);
            found != s_->states.end())
            state_.x[static_cast<std::size_t>(found - s_->states.begin())] = at;
    closing_.clear();
    plain_pre_ = true;
    instant();
    plain_pre_ = false;
    sample_here();
}

std::vector<std::string> Island::cycle_notes(std::uint32_t epsilon) const {
    std::vector<std::string> notes = switches_.back_to(modes_->graph(), state_.mode);
    notes.insert(notes.begin(),
                 fmt::format("mode: {} (after {} commits)", modes_->describe(state_.mode), epsilon + 1));
    return notes;
}

}  // namespace deltaflow
