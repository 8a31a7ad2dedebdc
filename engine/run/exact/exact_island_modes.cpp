// Modes of a bond graph in exact numbers.
#include "engine/modes/guards.hpp"
#include "engine/run/exact/exact_island.hpp"
#include "engine/run/ideal.hpp"
#include "engine/solve/exact/rules.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::closed_form {

using bonds::Guard;
using bonds::Mode;

// From here on the mode's own system runs; the left germ stays that of the mode before.
void ExactIsland::enter(const Mode& mode) {
    const System& s = modes_->of(mode);
    after_.slides = held_in_mode(s, after_.slides, after_.branch);
    use_system(system_with(s, after_.slides));
}

// On a one-sided germ, read forwards: value, slope, ... as if the flow went on.
bool ExactIsland::holds_before(const Guard& guard, const Side& side) const {
    return guard_holds(guard, [&](NodeId n, bool by_value) {
        return by_value ? sign(side.at(n, 0)) : forward_sign(side, n, Quadratic(0));
    });
}

// The lowest rung of the solved germ that is not zero: an impulse outweighs every finite value.
int ExactIsland::solved_sign(NodeId node, bool by_value) const {
    if (const auto impulses = solver_->impulses(node); !impulses.empty()) return sign(impulses.back());
    if (const int s = sign(solver_->right(node)); s != 0 || by_value) return s;
    const Diagram& d = x_->s->d;
    const bool before = reads_pre(
        node, [&](NodeId n) { return d.nodes[n].op; }, [&](NodeId n) { return d.inputs_of(n); });
    return forward_sign(before ? left_ : right_, node, Quadratic(0));
}

GuardReading ExactIsland::solved_reading(NodeId node) const {
    const auto impulses = solver_->impulses(node);
    if (impulses.empty()) return {to_double(solver_->right(node))};
    return {to_double(impulses.back()), static_cast<int>(impulses.size()) - 1};
}

// Switches automata whose guards hold, all or one at a time; false if none does.
template <class Holds, class Asked, class Read>
bool ExactIsland::fire(const Holds& holds, const Asked& asked, const Read& read) {
    const bonds::Graph& graph = modes_->graph();
    Firing firing = firing_automata(
        graph, after_mode_, [&](std::size_t a) { return !waiting_[a] && asked(a); }, holds,
        [&](std::size_t a, std::size_t k) { return memory_.allows(a, k, time()); });
    if (settings_.simultaneous == Simultaneous::sequential) keep_one(graph, firing, waiting_);
    switch_by(firing, read);
    return !firing.empty();
}

template <class Read>
void ExactIsland::switch_by(const Firing& firing, const Read& read) {
    const auto& automata = modes_->graph().automata;
    switches_.begin_round();
    for (const auto& [a, transition] : firing) {
        after_mode_[a] = transition->to;
        switches_.note(a, *transition, read);
        for (const bonds::Setting& setting : transition->set)
            set_piece(setting.value, {solved_values_ ? solver_->right(setting.to) : left_.at(setting.to, 0),
                                      Quadratic(0), t_});
        if (!memory_.empty()) enter_state(a, *transition);
        if (!automata[a].signals.empty()) note_cause(automata[a].signals[0]);
    }
}

void ExactIsland::set_piece(NodeId schedule, const Line& piece) {
    const std::uint32_t extra = modes_->base().nodes[schedule].extra;
    after_.pieces[extra] = piece;
    if (extra < arrived_.pieces.size()) arrived_.pieces[extra] = piece;
}

// From now on its timers run.
void ExactIsland::enter_state(std::size_t a, const bonds::Transition& by) {
    memory_.enter(a, by, time(), 0);
    entered_[a] = t_;
    start_timers(a, by.to);
}

void ExactIsland::start_timers(std::size_t a, std::uint32_t state) {
    for (const auto& t : modes_->graph().automata[a].transitions)
        if (t.from == state && t.timer != no_node)
            set_piece(t.timer, {Quadratic(0), Quadratic(1), entered_[a] + Quadratic(*t.after)});
}

// At the end of an instant: when the timers of the states that were entered are over.
void ExactIsland::note_timers() {
    if (memory_.empty()) return;
    const auto& automata = modes_->graph().automata;
    for (std::size_t a = 0; a < automata.size(); ++a) {
        if (!std::exchange(memory_.fresh[a], 0)) continue;
        for (const auto& t : automata[a].transitions)
            if (t.from == mode_[a] && t.timer != no_node)
                if (Quadratic due = entered_[a] + Quadratic(*t.after); t_ < due)
                    agenda_.push_back({std::move(due), t.timer});
    }
    memory_.settle(modes_->graph(), mode_, time(),
                   [&](const Guard& guard) { return holds_before(guard, right_); });
}

bool ExactIsland::anything_fires() const {
    const auto& automata = modes_->graph().automata;
    for (std::size_t a = 0; a < automata.size(); ++a) {
        const auto& transitions = automata[a].transitions;
        for (std::size_t k = 0; k < transitions.size(); ++k)
            if (transitions[k].from == mode_[a] && memory_.allows(a, k, time()) &&
                holds_before(transitions[k].when, right_))
                return true;
    }
    return false;
}

void ExactIsland::fire_before(std::uint32_t) {
    if (!modes_) return;
    after_mode_ = mode_;
    std::fill(waiting_.begin(), waiting_.end(), 0);
    switches_.clear();
    pivoting_.begin();
    solved_values_ = false;
    fire([&](const Guard& guard) { return holds_before(guard, left_); }, [](std::size_t) { return true; },
         [&](NodeId n) { return GuardReading{to_double(left_.at(n, 0))}; });
}

void ExactIsland::solve_mode(bool first) {
    if (first)
        arrived_ = after_;
    else
        after_ = arrived_;
    if (modes_) enter(after_mode_);
    begin_solve();
    resolve();
}

// Ideal elements whose state what came out contradicts change it.
bool ExactIsland::exchange() {
    if (!modes_) return false;
    Firing firing = violated();
    if (firing.empty()) return false;
    if (!pivoting_.choose(firing, modes_->graph().automata.size()))
        throw RunFailure{.kind = starting_ ? ErrorKind::model : ErrorKind::not_finite,
                         .what = "the ideal elements have no consistent state here"};
    switch_by(firing, [&](NodeId n) { return solved_reading(n); });
    return true;
}

Firing ExactIsland::violated() const {
    const auto& automata = modes_->graph().automata;
    return firing_automata(
        modes_->graph(), after_mode_, [&](std::size_t a) { return automata[a].ideal && !waiting_[a]; },
        [&](const Guard& guard) { return holds_solved(guard); });
}

bool ExactIsland::holds_solved(const Guard& guard) const {
    return guard_holds(guard, [&](NodeId n, bool by_value) { return solved_sign(n, by_value); });
}

bool ExactIsland::fire_solved(std::uint32_t) {
    if (!modes_) return false;
    const auto& automata = modes_->graph().automata;
    solved_values_ = true;
    return fire([&](const Guard& guard) { return holds_solved(guard); },
                [&](std::size_t a) { return !automata[a].ideal; },
                [&](NodeId n) { return solved_reading(n); });
}

// Branches that only guards read follow the flow without an instant of their own.
void ExactIsland::settle_guard_branches() {
    bool changed = false;
    for (const NodeId n : x_->s->guard_branchers) {
        if (!x_->wanted[n]) continue;  // only a guard that nobody asks reads it
        const auto branch = decide_forward(right_, n);
        changed = changed || branch != now_.branch[n];
        now_.branch[n] = branch;
    }
    if (!changed) return;
    right_ = evaluate(now_, false);
    if (!solved_.empty()) use_solved(right_, now_);
}

// What the solve says of the graph's signals counts, also where the mode's own flow would change it at once.
void ExactIsland::adopt_solved() {
    solved_.clear();
    for (const NodeId n : modes_->free_nodes())
        if (const Quadratic& value = solver_->right(n); !(value == right_.at(n, 0)))
            solved_.emplace_back(n, value);
    if (!solved_.empty()) use_solved(right_, after_);
}

namespace {

// A block that reads values of given signals, as the model defines it: a mode may have folded it into a
// constant, or let it read what a signal is equal to in that mode alone.
struct ReadingView {
    using Scalar = Quadratic;
    const Diagram& d;
    const FractionBook& book;
    const Side& side;
    const ExactDiscrete& discrete;
    Quadratic time;
    NodeId id;
    struct Rungs {
        const Side& side;
        NodeId n;
        const Quadratic& operator()(int k) const { return side.at(n, k); }
    };
    Rungs u(int j) const { return {side, d.inputs_of(id)[j]}; }
    Rungs y() const { return {side, id}; }
    Quadratic p(int i) const {
        if (const auto known = book.find(d.parameters_of(id)[i])) return Quadratic(*known);
        throw RunFailure{
            .kind = ErrorKind::model, .node = id, .what = "a number of this block is no fraction"};
    }
    int input_count() const { return static_cast<int>(d.nodes[id].input_count); }
    int parameter_count() const { return static_cast<int>(d.nodes[id].parameter_count); }
    int branch() const { return discrete.branch[id]; }
    const Quadratic& held() const { return discrete.held[id]; }
    const Line& piece() const { return discrete.pieces[d.nodes[id].extra]; }
    const Quadratic& t() const { return time; }
};

Quadratic& value_of(Side& side, NodeId n) {
    auto& row = side.rungs[n];
    if (row.empty()) row.resize(1);
    return row[0];
}

}  // namespace

void ExactIsland::use_solved(Side& side, const ExactDiscrete& discrete) const {
    for (const auto& [node, value] : solved_) value_of(side, node) = value;
    for (const auto& e : modes_->graph().elements) {
        if (e.sides.empty()) continue;
        auto& row = side.rungs[e.displacement];
        if (row.size() < 2) row.resize(2);
        row[1] = side.at(e.rate != no_node ? e.rate : e.flow, 0);
    }
    read_graph(side, discrete);
}

// The blocks that read the graph's signals, in the order of the program that all modes share.
void ExactIsland::read_graph(Side& side, const ExactDiscrete& discrete) const {
    const Program& reading = modes_->reading();
    const Diagram& base = modes_->base();
    for (const Run& run : reading.runs) {
        if (run.loop >= 0 || run.offset != 0) continue;
        for (std::uint32_t i = 0; i < run.count; ++i) {
            const NodeId n = reading.order[run.first + i];
            const Primitive op = base.nodes[n].op;
            const bool constant = x_->s->d.nodes[n].op == Primitive::constant;  // in this mode
            if ((!x_->wanted[n] && !constant) || side.unknown[n] || op == Primitive::integrator) continue;
            try {
                value_of(side, n) = exact_rung(op, ReadingView{base, book_, side, discrete, t_, n}, 0);
            } catch (const RunFailure& failure) {
                side.unknown[n] = std::make_shared<RunFailure>(failure);
            }
        }
    }
}

// A mode that time flows in must keep the values that it was entered with.
void ExactIsland::check_kept() {
    if (solved_.empty()) return;
    right_ = evaluate(now_, false);
    for (const auto& [node, value] : solved_) {
        const Quadratic& flow = right_.at(node, 0);
        if (flow == value) continue;
        throw RunFailure{
            .kind = ErrorKind::undefined,
            .node = node,
            .what = fmt::format("this signal is {} after the jump, but the flow of the mode [{}] "
                                "would have it {} at once",
                                to_double(value), modes_->describe(mode_), to_double(flow)),
            .advice =
                "a mode that is entered with pre(...) has to be left by a guard on "
                "pre(...), or else it has to keep what it sets"};
    }
    solved_.clear();
}

// Comparisons in guards that lead out of the present mode: each keeps its sign.
void ExactIsland::watch_guards() {
    for (const NodeId n : watched_differences(modes_->graph(), mode_))
        if (!is_timer(x_->s->d, n))  // the calendar knows
            watches_.push_back({n, n, Quadratic(0), Watching::branch});
}

namespace {

NodeId state_of(const bonds::Element& e) { return e.type == bonds::Type::I ? e.momentum : e.displacement; }

double initial_of(const bonds::Element& e) {
    return e.type == bonds::Type::I ? e.initial_momentum : e.initial_displacement;
}

}  // namespace

// Initial values that contradict each other make a jump at the start.
void ExactIsland::check_initial_values() {
    if (modes_->may_jump()) return;
    const auto& elements = modes_->graph().elements;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (!x_->s->dependent[i]) continue;
        const auto initial = book_.find(initial_of(elements[i]));
        if (initial && left_.at(state_of(elements[i]), 0) == Quadratic(*initial)) continue;
        modes_->allow_jumps();
        systems_.clear();
        forget_held_systems();
        enter(mode_);
        left_ = evaluate(now_, true);
        return;
    }
}

// A junction that leads has no value of its own before the start: it moves as the inertias behind it do.
void ExactIsland::settle_leading_flows() {
    if (x_->s->leading.empty() || !modes_->may_jump()) return;
    std::vector<Quadratic> states = states_;
    left_ = evaluate(now_, true);
    use_initial_values();
    after_mode_ = mode_;
    begin_solve();
    resolve();
    for (const NodeId n : x_->s->leading) states[n] = states_[n];
    states_ = std::move(states);
}

// Before the start a dependent storage has the value that the model gives it.
void ExactIsland::use_initial_values() {
    if (!modes_) return;
    const auto& elements = modes_->graph().elements;
    bool any = false;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (!x_->s->dependent[i]) continue;
        const auto initial = book_.find(initial_of(elements[i]));
        if (initial) value_of(left_, state_of(elements[i])) = Quadratic(*initial);
        any = true;
    }
    if (!any) return;
    read_graph(left_, now_);
    const NodeId total = modes_->graph().total_energy;
    if (total == no_node || left_.unknown[total]) return;
    Quadratic sum;
    for (const auto& e : elements)
        if (e.energy != no_node) sum = sum + left_.at(e.energy, 0);
    value_of(left_, total) = sum;
    read_graph(left_, now_);
}

bool ExactIsland::could_pass_zeno(AtZeno how) const {
    if (!modes_ || how != AtZeno::by_kind) return modes_ && how == AtZeno::proceed;
    return room_of(*x_->s, modes_->graph(), condition_) != no_node;
}

}  // namespace deltaflow::closed_form
