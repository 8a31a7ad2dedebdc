#include "engine/run/sampled/numeric_modes.hpp"

#include "engine/model/run_failure.hpp"
#include "engine/modes/guards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace deltaflow {

namespace {

// Does a comparison name pre(...) itself? Signals of the graph are where it ends.
bool names_pre(const Diagram& base, NodeId difference) {
    return reads_pre(
        difference, [&](NodeId n) { return base.nodes[n].op; }, [&](NodeId n) { return base.inputs_of(n); });
}

}  // namespace

void NumericModes::prepare() {
    state_.memory.begin(graph(), decimal(pace_.time()));
    for (std::size_t a = 0; a < state_.mode.size() && !state_.memory.empty(); ++a)
        start_timers(a, state_.mode[a]);
}

// The sign of a comparison over the short step. Where its root was located it counts from there, and goes on
// as it came where that drowns in the rounding of difference quotients; otherwise what is no larger than its
// rounding is zero.
int NumericModes::guard_sign(NodeId n) const {
    const auto sign_of = [](double c) { return c > 0 ? 1 : c < 0 ? -1 : 0; };
    const auto is_located_guard = [&](NodeId m) {
        return std::any_of(state_.choice.located.begin(), state_.choice.located.end(),
                           [&](const ModeChoice::LocatedGuard& g) { return g.node == m; });
    };
    const auto located = std::find_if(state_.choice.located.begin(), state_.choice.located.end(),
                                      [&](const ModeChoice::LocatedGuard& g) { return g.node == n; });
    if (located != state_.choice.located.end()) {
        const double moved = state_.a[n] - state_.last[n];
        return moved != 0 && is_rounding(state_, at_, n, moved) ? -located->side : sign_of(moved);
    }
    if (at_.node(n).op == Primitive::pre && is_located_guard(at_.input(n))) return 0;
    if (state_.choice.contradicted && !names_pre(at_.modes->base(), n)) return sign_of(state_.last[n]);
    if (is_timer(at_.s->d, n) && std::abs(state_.a[n]) <= pace_.slack()) return 0;  // the sample is its end
    return is_rounding(state_, at_, n, state_.a[n]) ? 0 : sign_of(state_.a[n]);
}

// impulse(x): a sample x(s) over a step s is J / s + finite, so 2 s x(s) - 2 s x(2 s) is the area J.
void NumericModes::measure_strengths(double t, double s, bool due) {
    if (at_.strengths.empty()) return;
    std::vector<double> area;
    for (const auto& b : at_.strengths) area.push_back(2 * s * state_.a[b.input]);
    solver_.solve(due ? t : t + s, 2 * s);
    for (std::size_t i = 0; i < area.size(); ++i) {
        const NodeId x = at_.strengths[i].input;
        area[i] -= 2 * s * state_.a[x];
        const double rounding =
            limits::sample_rounding * 2 * s * magnitude(state_, at_, x, limits::magnitude_depth);
        if (std::abs(area[i]) <= rounding) area[i] = 0;
    }
    for (std::size_t i = 0; i < area.size(); ++i) at_.parameter(at_.strengths[i]) = area[i];
    solve_short(t, s);
    for (const auto& b : at_.strengths) at_.parameter(b) = 0;
}

// The short step, with branches that follow their conditions.
void NumericModes::solve_short(double t, double s) {
    solver_.solve(t, s);
    std::vector<NodeId> flipped;
    while (true) {
        std::vector<NodeId> causes = teller_.record().causes();
        const bool changed = watches_.flip([&](NodeId n) { return state_.is_active(n); }, flipped);
        teller_.record().set_causes(std::move(causes));
        if (!changed) return;
        sheets_.mark_active();
        solver_.solve(t, s);
    }
}

// Would the mode change the sample at once, if it went on? (One that was entered with pre(...) may hold for
// no time at all.) A state, or a storage that the mode makes dependent, that moves by d(s) in a short step s
// jumps by 2 d(s) - d(2 s).
bool NumericModes::is_contradicted(double t, double s) {
    std::vector<NodeId> kept = at_.s->states;
    const auto& elements = graph().elements;
    for (std::size_t i = 0; i < elements.size(); ++i)
        if (elements[i].is_storage() && at_.s->dependent[i])
            kept.push_back(elements[i].type == bonds::Type::I ? elements[i].momentum
                                                              : elements[i].displacement);
    std::vector<double> jump;
    for (const NodeId n : kept) jump.push_back(2 * (state_.a[n] - state_.last[n]));
    solver_.solve(t + s, 2 * s);
    bool any = false;
    for (std::size_t i = 0; i < jump.size(); ++i) {
        const double x = state_.a[kept[i]], before = state_.last[kept[i]];
        any =
            any || std::abs(jump[i] - (x - before)) > limits::sample_jump * (std::abs(x) + std::abs(before));
    }
    solve_short(t, s);
    return any;
}

Firing NumericModes::firing_of(bool ideal) const {
    return firing_automata(
        graph(), state_.mode,
        [&](std::size_t a) { return graph().automata[a].ideal == ideal && !state_.choice.waiting[a]; },
        [&](const bonds::Guard& guard) { return holds(guard); },
        [&](std::size_t a, std::size_t k) { return state_.memory.allows(a, k, state_.choice.time); });
}

// Switches ideal elements that contradict their states over the short step, else automata whose guards hold
// there.
NumericModes::Fired NumericModes::fire_guards(Pivoting& pivoting) {
    Firing firing = firing_of(true);
    const bool ideal = !firing.empty();
    if (!ideal) firing = firing_of(false);
    if (ideal && !pivoting.choose(firing, graph().automata.size()))
        throw RunFailure{.kind = ErrorKind::not_finite,
                         .what = "the ideal elements have no consistent state here",
                         .advice = "give the network what it lacks: a resistance, a mass, a capacity"};
    if (!ideal && settings_.simultaneous == Simultaneous::sequential)
        keep_one(graph(), firing, state_.choice.waiting);
    switch_by(firing);
    return firing.empty() ? Fired::none : ideal ? Fired::ideal : Fired::choice;
}

// A room that is used up is zero: what the root has left of it would be, when it opens, an overlap.
void NumericModes::close_side(std::size_t automaton, std::uint32_t state) {
    for (const bonds::Element& e : graph().elements)
        for (const bonds::Side& side : e.sides) {
            if (e.automaton != static_cast<int>(automaton) || side.closed != state) continue;
            state_.last[e.displacement] = side.at;
            state_.last[side.room] = 0;
        }
}

void NumericModes::switch_by(const Firing& firing) {
    switches_.begin_round();
    for (const auto& [a, transition] : firing) {
        state_.mode[a] = transition->to;
        state_.choice.struck = state_.choice.struck || graph().automata[a].passes(transition->to);
        switches_.note(a, *transition, [&](NodeId n) { return GuardReading{state_.a[n]}; });
        if (!graph().automata[a].passing.empty()) close_side(a, transition->to);
        const auto& signals = graph().automata[a].signals;
        if (!signals.empty()) teller_.note_cause(signals[0]);
    }
    // All at once: what is set is read from the sample before any of it.
    for (const auto& [a, transition] : firing) {
        for (const bonds::Setting& setting : transition->set)
            state_.now.pieces[at_.node(setting.value).extra] = {state_.a[setting.to], 0, state_.choice.time};
        if (state_.memory.empty()) continue;
        state_.memory.enter(a, *transition, state_.choice.time, pace_.slack());
        start_timers(a, transition->to);
    }
}

bool NumericModes::holds(const bonds::Guard& guard) const {
    return guard_holds(guard, [&](NodeId n, bool) { return guard_sign(n); });
}

void NumericModes::start_timers(std::size_t a, std::uint32_t state) {
    for (const auto& t : graph().automata[a].transitions)
        if (t.from == state && t.timer != no_node)
            state_.now.pieces[at_.node(t.timer).extra] = {0, 1, to_double(state_.memory.due(a, t))};
}

// Once a mode is settled: when the timers of the states that were entered are over.
void NumericModes::note_timers() {
    if (state_.memory.empty()) return;
    const auto& automata = graph().automata;
    for (std::size_t a = 0; a < automata.size(); ++a) {
        if (!std::exchange(state_.memory.fresh[a], 0)) continue;
        for (const auto& t : automata[a].transitions) {
            if (t.from != state_.mode[a] || t.timer == no_node) continue;
            const double due = to_double(state_.memory.due(a, t));
            if (due > state_.choice.time + pace_.slack()) state_.agenda.add(due, t.timer);
        }
    }
    state_.memory.settle(graph(), state_.mode, state_.choice.time,
                         [&](const bonds::Guard& guard) { return holds(guard); });
}

// A mode that was tried and left: until it is written down it is the one in force.
void NumericModes::write_mythical(const bonds::Mode& mode, double t, bool due) {
    bonds::Mode next = mode;
    std::swap(next, state_.mode);
    if (due && teller_.record().is_open_before(t)) teller_.close();
    teller_.record().write_mythical(due ? t : pace_.time(), state_.mode);
    std::swap(next, state_.mode);
}

void NumericModes::decide(double t, bool due) {
    const double s = pace_.step() * limits::instant_step;
    std::vector<bonds::Mode> seen{state_.mode};
    const bonds::Mode first = state_.mode;
    state_.choice.time = due ? t : pace_.time();
    std::fill(state_.choice.waiting.begin(), state_.choice.waiting.end(), 0);
    state_.choice.struck = false;
    switches_.clear();
    Pivoting pivoting;
    for (bool solved = due;; solved = true) {
        solve_short(t, s);
        if (solved) measure_strengths(t, s, due);
        state_.choice.contradicted = !solved && is_contradicted(t, s);
        const bonds::Mode before = state_.mode;
        const Fired fired = fire_guards(pivoting);
        if (fired == Fired::none && (solved || (!state_.any_fired && !state_.choice.contradicted))) break;
        if (fired == Fired::none)
            continue;  // an impulse comes, or the mode brings one: what of the guards then?
        if (fired == Fired::ideal) {
            sheets_.enter(state_.mode);
            continue;
        }
        if (solved) write_mythical(before, t, due);
        const bool again = std::find(seen.begin(), seen.end(), state_.mode) != seen.end();
        seen.push_back(state_.mode);
        if (again) throw mode_cycle(*at_.modes, std::move(seen), switches_);
        sheets_.enter(state_.mode);
    }
    state_.choice.contradicted = false;
    state_.choice.switched = state_.mode != first || seen.size() > 1;
    note_timers();
    watch_guards();
}

void NumericModes::settle() {
    state_.a = state_.last;
    std::vector<double> left = teller_.outputs();
    state_.check_modes = state_.jumped = false;
    decide(pace_.time() + pace_.step() * limits::instant_step, false);
    state_.choice.located.clear();
    state_.a = state_.last;
    if (!state_.choice.switched) return;
    state_.new_constants = true;
    ++state_.instants;
    teller_.open(std::move(left));
}

// Comparisons in guards that lead out of the present mode, and the sides on which they now are. What a
// crossing looks at may turn round where the mode changes.
void NumericModes::watch_guards() {
    watches_.collect();
    for (NumericWatch& w : state_.watches)
        if (watches_.is_crossing(w) && w.last == 0) w.side = watches_.side_of(w);
    std::erase_if(state_.watches, [](const NumericWatch& w) { return w.guard; });
    for (const NodeId n : watched_differences(graph(), state_.mode)) {
        if (is_timer(at_.s->d, n)) continue;  // the calendar knows
        NumericWatch w{n, n, 0, guard_sign(n)};
        w.guard = true;
        w.last = state_.a[n];
        state_.watches.push_back(w);
    }
}

void NumericModes::note_located() {
    if (!state_.has_automata()) return;
    state_.choice.located.clear();
    for (NumericWatch& w : state_.watches) {
        if (!w.guard) continue;
        if (w.located) state_.choice.located.push_back({w.node, w.side});
        if (w.side == 0) w.side = guard_sign(w.node);
    }
    const bool happens = std::any_of(state_.watches.begin(), state_.watches.end(),
                                     [](const NumericWatch& w) { return w.located; });
    state_.check_modes = state_.choice.switched || happens;
    count_switching();
    state_.choice.switched = false;
}

// Modes that change in every sample never come to rest; bodies whose hops are over within a step are at rest.
void NumericModes::count_switching() {
    const bool hops = state_.choice.struck && settings_.zeno == AtZeno::by_kind;
    state_.choice.switching = state_.choice.switched && !hops ? state_.choice.switching + 1 : 0;
    if (state_.choice.switching <= limits::switching_samples || settings_.zeno == AtZeno::proceed) return;
    throw RunFailure{
        .kind = ErrorKind::no_progress,
        .what = fmt::format("the mode has changed in each of the last {} samples", state_.choice.switching),
        .advice =
            "the modes follow each other without end: look at the guards, or take zeno = \"continue\" "
            "to go on like this",
        .notes = {"mode: " + at_.modes->describe(state_.mode)}};
}

// Sums of signals that have changed, sums of these, and so on, as the model defines them.
void NumericModes::read_changed(std::vector<std::uint8_t> changed) {
    const Diagram& base = at_.modes->base();
    for (const NodeId n : at_.modes->reading().order) {
        const auto in = base.inputs_of(n);
        const bool reads = std::any_of(in.begin(), in.end(), [&](NodeId u) { return changed[u] != 0; });
        if (!reads || changed[n] || base.nodes[n].op != Primitive::affine || names_pre(base, n)) continue;
        const auto p = base.parameters_of(n);
        state_.a[n] = std::inner_product(in.begin(), in.end(), p.begin() + 1, p[0], std::plus<>(),
                                         [&](NodeId u, double k) { return k * state_.a[u]; });
        if (!state_.last.empty()) state_.last[n] = state_.a[n];
        changed[n] = 1;
    }
}

void NumericModes::use_initial_values() {
    const auto& elements = graph().elements;
    std::vector<std::uint8_t> changed(state_.a.size(), 0);
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const auto& e = elements[i];
        if (!e.is_storage() || !at_.s->dependent[i]) continue;
        const bool inertia = e.type == bonds::Type::I;
        const NodeId state = inertia ? e.momentum : e.displacement;
        const double initial = inertia ? e.initial_momentum : e.initial_displacement;
        changed[state] = 1;
        state_.a[state] = initial;
        if (!state_.last.empty()) state_.last[state] = initial;
        for (std::size_t b = at_.s->states.size(); b < at_.m->sampled.blocks.size(); ++b)
            if (at_.m->sampled.blocks[b].input == state) state_.before[b] = initial;
    }
    read_changed(std::move(changed));
    state_.check_modes = state_.has_automata();
}

}  // namespace deltaflow
