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
    s_ = &modes_->of(mode, plain_pre_);
    m_ = &machinery(*s_);
    scratch_.resize(s_->states.size());
    const int order = std::max(1, m_->solver->program().left_order);
    if (left_.order < order) evaluate(left_, now_, order, false);
}

namespace {

bool reads_pre_in(const Diagram& d, NodeId node) {
    return reads_pre(
        node, [&](NodeId n) { return d.nodes[n].op; }, [&](NodeId n) { return d.inputs_of(n); });
}

}  // namespace

// On a one-sided germ, read forwards: value, slope, ... as if the flow went on.
bool Island::holds_before(const Guard& guard, OneSidedGerm& g, const Discrete& discrete) {
    return guard_holds(guard, [&](NodeId n) { return forward_sign(g, discrete, n, 0); });
}

bool Island::holds_solved(const Guard& guard) {
    return guard_holds(guard, [&](NodeId n) { return solved_sign(n); });
}

// The lowest rung of the solved germ that is not zero: an impulse outweighs every finite value.
int Island::solved_sign(NodeId node) {
    for (int i = impulse_count(node) - 1; i >= 0; --i)
        if (const int s = sign(impulse(node, i)); s != 0) return s;
    const Bounded value = solved_right(node);
    const bool stays = is_located(node, 0) && is_zero(value - left_.rungs.at(node)[0]);
    if (const int s = stays ? 0 : sign(value); s != 0) return s;
    const bool before =
        change_ ? is_reached(node) && change_->reads_pre[part_[node]] : reads_pre_in(s_->d, node);
    return before ? forward_sign(left_, now_, node, 0) : forward_sign(right_, after_, node, 0);
}

GuardReading Island::solved_reading(NodeId node) const {
    for (int i = impulse_count(node) - 1; i >= 0; --i)
        if (const Bounded x = impulse(node, i); !is_zero(x)) return {x.value, i};
    return {solved_right(node).value};
}

// Switches automata whose guards hold, all or one at a time; false if none does. `asked`: may one of an
// automaton's guards hold at all?
template <class Holds, class Asked, class Read>
bool Island::fire(const Holds& holds, const Asked& asked, const Read& read) {
    const auto& automata = modes_->graph().automata;
    Firing firing = firing_automata(
        modes_->graph(), after_mode_, [&](std::size_t a) { return !waiting_[a] && asked(a); }, holds);
    if (firing.empty()) return false;
    several_fired_ = several_fired_ || firing.size() > 1;
    if (one_at_a_time()) keep_one(modes_->graph(), firing, waiting_);
    switches_.begin_round();
    for (const auto& [a, transition] : firing) {
        after_mode_[a] = transition->to;
        switches_.note(a, *transition, read);
        if (!automata[a].signals.empty()) note_cause(automata[a].signals[0]);
    }
    return true;
}

bool Island::fire_before() {
    for (std::size_t a = 0; a < leaving_.size() && !leaving_known_; ++a) leaving_[a] = leaves(a, left_);
    leaving_known_ = true;
    const Mode from = is_told() ? after_mode_ : Mode();
    const bool fired = fire([&](const Guard& guard) { return holds_before(guard, left_, now_); },
                            [&](std::size_t a) { return leaving_[a] != 0; },
                            [&](NodeId n) { return GuardReading{left_.rungs.at(n)[0].value}; });
    if (is_told()) tell_switches(from, false);
    return fired;
}
// Where a change of mode has reached nothing, guards hold as they did before.
bool Island::fire_solved() {
    const Mode from = is_told() ? after_mode_ : Mode();
    const bool fired =
        fire([&](const Guard& guard) { return holds_solved(guard); },
             [&](std::size_t a) {
                 return !change_ || leaving_[a] ||
                        std::binary_search(change_->automata.begin(), change_->automata.end(), a);
             },
             [&](NodeId n) { return solved_reading(n); });
    if (is_told()) tell_switches(from, true);
    return fired;
}

bool Island::leaves(std::size_t a, OneSidedGerm& g) {
    const auto& transitions = modes_->graph().automata[a].transitions;
    return std::any_of(transitions.begin(), transitions.end(), [&](const bonds::Transition& t) {
        return t.from == mode_[a] && holds_before(t.when, g, now_);
    });
}

bool Island::anything_fires() {
    if (change_) {
        for (const std::uint32_t a : change_->automata) leaving_[a] = leaves(a, right_);
        return std::find(leaving_.begin(), leaving_.end(), 1) != leaving_.end();
    }
    leaving_known_ = false;
    for (std::size_t a = 0; a < leaving_.size(); ++a)
        if (leaves(a, right_)) return true;
    return false;
}

void Island::solve_whole() {
    use_change(nullptr);
    enter(after_mode_);
    begin_solve();
    resolve();
}

// Solves from the same left germ until no guard holds on what came out; the modes left behind are mythical.
void Island::solve_modes(std::uint32_t epsilon) {
    index_ = 0;
    if (epsilon > 0) plain_pre_ = false;
    if (!modes_) {
        begin_solve();
        resolve();
        if (is_told()) tell_solve(epsilon);
        return;
    }
    after_mode_ = plain_pre_ ? first_committed_ : mode_;
    std::fill(waiting_.begin(), waiting_.end(), 0);
    if (!plain_pre_) fire_before();
    const Discrete arrived = after_;
    std::vector<Mode> seen;
    for (;; ++index_) {
        seen.push_back(after_mode_);
        after_ = arrived;
        // Those who look want to see all of it.
        if (is_told() || !solve_change()) solve_whole();
        if (is_told()) tell_solve(epsilon);
        const Mode solved = after_mode_;
        std::vector<NodeId> causes;
        std::swap(causes, causes_);
        const bool fired = fire_solved();
        std::swap(causes, causes_);
        if (!fired) return;
        Mode next = solved;
        std::swap(next, after_mode_);
        if (!trying_) record_event(epsilon, false);
        causes_ = std::move(causes);
        std::swap(next, after_mode_);
        if (std::find(seen.begin(), seen.end(), after_mode_) != seen.end()) {
            seen.push_back(after_mode_);
            throw mode_cycle(*modes_, std::move(seen), switches_);
        }
    }
}

// Branches that only guards read follow the flow without an instant of their own.
void Island::settle_guard_branches() {
    bool changed = false;
    for (const NodeId n : s_->guard_branchers) {
        const auto branch = decide_forward(right_, now_, n);
        changed = changed || branch != now_.branch[n];
        now_.branch[n] = branch;
    }
    if (!changed) return;
    auto solved = std::move(right_.solved);
    evaluate(right_, now_, right_.order, true);
    right_.solved = std::move(solved);
    if (!right_.solved.empty()) use_solved(right_, now_);
}

// What the solve says of the graph's signals counts, also where the mode's own flow would change it at once.
void Island::adopt_solved() {
    for (const NodeId n : modes_->free_nodes())
        if (const Bounded& value = m_->solver->right(n); !is_zero(value - right_.rungs.at(n)[0]))
            right_.solved.emplace_back(n, value);
    if (!right_.solved.empty()) use_solved(right_, after_);
}

void Island::use_solved(OneSidedGerm& g, const Discrete& discrete) {
    for (const auto& [node, value] : g.solved) *g.rungs.at(node) = value;
    read_graph(g, discrete);
}

// The values of blocks, energies among them, from those of the graph.
void Island::read_graph(OneSidedGerm& g, const Discrete& discrete) {
    const Frame<Bounded> f{g.rungs.a.data(), g.rungs.stride, &modes_->base(), &discrete,
                           Bounded(t_, rounding::unit * std::abs(t_))};
    const Program& reading = modes_->reading();
    execute(reading, reading_work_, f, -reading.highest, 0);
}

// A mode that time flows in must keep the values that it was entered with.
void Island::check_kept() {
    if (right_.solved.empty()) return;
    const auto solved = std::move(right_.solved);
    evaluate(right_, now_, right_.order, true);
    for (const auto& [node, value] : solved) {
        const double flow = right_.rungs.at(node)[0].value;
        const double size = std::max({std::abs(flow), std::abs(value.value), 1.0});
        if (std::abs(flow - value.value) <= limits::kept * size) continue;
        throw RunFailure{
            .kind = ErrorKind::undefined,
            .node = node,
            .what = fmt::format("this signal is {} after the jump, but the flow of the mode [{}] "
                                "would have it {} at once",
                                value.value, modes_->describe(mode_), flow),
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
        evaluate(left_, now_, 0, true);
        starting_ = true;
        if (is_zero(left_.rungs.at(state)[0] - Bounded(initial))) continue;
        modes_->allow_jumps();
        machineries_.clear();
        left_ = right_ = OneSidedGerm();
        s_ = &modes_->of(mode_);
        m_ = &machinery(*s_);
        return;
    }
}

// A junction that leads has no value of its own before the start: it moves as the inertias behind it do.
void Island::settle_leading_flows() {
    if (s_->leading.empty() || !modes_->may_jump()) return;
    const std::vector<double> given = x_;
    evaluate(left_, now_, std::max(1, m_->solver->program().left_order), true);
    after_mode_ = mode_;
    begin_solve();
    resolve();
    const std::vector<double> solved = std::exchange(x_, given);
    for (std::size_t i = 0; i < x_.size(); ++i)
        if (std::count(s_->leading.begin(), s_->leading.end(), s_->states[i])) x_[i] = solved[i];
    left_ = right_ = OneSidedGerm();
}

// Before the start a dependent storage has the value that the model gives it.
void Island::use_initial_values() {
    if (!modes_) return;
    const auto& elements = modes_->graph().elements;
    bool any = false;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (!left_.system->dependent[i]) continue;
        any = true;
        const bool inertia = elements[i].type == bonds::Type::I;
        left_.rungs.at(inertia ? elements[i].momentum : elements[i].displacement)[0] =
            Bounded(inertia ? elements[i].initial_momentum : elements[i].initial_displacement);
    }
    if (!any) return;
    read_graph(left_, now_);
    const NodeId total = modes_->graph().total_energy;
    if (total == no_node) return;
    Bounded sum(0);
    for (const auto& e : elements)
        if (e.energy != no_node) sum = sum + left_.rungs.at(e.energy)[0];
    left_.rungs.at(total)[0] = sum;
    read_graph(left_, now_);
}

// They must not stay where the flow is not computed: in signals that are constant.
void Island::forget_initial_values() {
    for (const auto& e : modes_->graph().elements) {
        if (!e.is_storage()) continue;
        const NodeId state = e.type == bonds::Type::I ? e.momentum : e.displacement;
        for (OneSidedGerm* g : {&left_, &right_}) {
            if (!g->system) continue;
            const bool constant = g->system->d.nodes[state].op == Primitive::constant;
            if (constant) *g->rungs.at(state) = Bounded(g->system->d.parameters_of(state)[0]);
            if (!constant && g->system->degree[state] < 0) *g->rungs.at(state) = Bounded(0);
        }
    }
}

Situation Island::situation() const {
    return {x_,     x_bound_, guess_,      stored_,        now_,
            after_, mode_,    after_mode_, recorded_mode_, first_committed_,
            s_,     m_,       left_,       right_,         crossing_sign_,
            fired_, pending_, active_,     located_};
}

void Island::restore(const Situation& s) {
    x_ = s.x;
    x_bound_ = s.x_bound;
    guess_ = s.guess;
    stored_ = s.stored;
    now_ = s.now;
    after_ = s.after;
    mode_ = s.mode;
    after_mode_ = s.after_mode;
    recorded_mode_ = s.recorded_mode;
    first_committed_ = s.first_committed;
    s_ = s.system;
    m_ = s.machinery;
    left_ = s.left;
    right_ = s.right;
    crossing_sign_ = s.crossing_sign;
    fired_ = s.fired;
    pending_ = s.pending;
    active_ = s.active;
    located_ = s.located;
    scratch_.resize(s_->states.size());
    use_change(nullptr);
    landed_ = true;
    in_step_ = branches_agree_ = leaving_known_ = false;
}

// Several automata switched at once: would they come to the same end one at a time?
void Island::warn_if_order_matters(const Situation& before, const Arrivals& arrived) {
    ++order_trials_;
    const Situation result = situation();
    const auto solver_of_result = m_;
    arrived_ = arrived;
    restore(before);
    trying_ = true;
    std::string difference;
    try {
        run_instant(false);
        if (mode_ != result.mode) {
            difference = fmt::format("the mode is [{}] then", modes_->describe(mode_));
        } else {
            for (const NodeId n : s_->states)
                if (!is_zero(right_.rungs.at(n)[0] - result.right.rungs.at(n)[0]))
                    difference = "values differ then";
        }
    } catch (const RunFailure& failure) {
        difference = failure.what;
    } catch (const ModelError& error) {  // a mode that only this order comes through
        difference = error.diagnostics.front().message;
    }
    trying_ = false;
    causes_.clear();
    restore(result);
    m_ = solver_of_result;
    if (difference.empty()) return;
    order_trials_ = limits::order_trials;
    warnings_.push_back(
        fmt::format("at t = {}: automata switch together, and one at a time would end otherwise "
                    "({}); simulation.simultaneous chooses",
                    t_, difference));
}

// Instants accumulate: the rest of the way is one flow, free of guards, to the accumulation point. There the
// mode that comes again and again holds for good; no time lies between two of its instants, so pre(x) is x.
bool Island::pass_accumulation() {
    const double end = std::min(zeno_.accumulation(), stop_);
    watches_.clear();
    while (t_ < end) {
        const double h = confirmed_step(end - t_).h;
        const double next = t_ + h >= end ? end : t_ + h;
        sample_before(next);
        append_history(h);
        account(h);
        finish_step(h, next, true);
    }
    zeno_ = Zeno();
    plain_pre_ = true;
    instant();
    plain_pre_ = false;
    sample_here();
    return true;
}

std::vector<std::string> Island::cycle_notes(std::uint32_t epsilon) const {
    std::vector<std::string> notes = switches_.back_to(modes_->graph(), mode_);
    notes.insert(notes.begin(),
                 fmt::format("mode: {} (after {} commits)", modes_->describe(mode_), epsilon + 1));
    return notes;
}

}  // namespace deltaflow
