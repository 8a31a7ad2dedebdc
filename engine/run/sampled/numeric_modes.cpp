// Modes of a bond graph on samples. Which mode the next step is taken in is decided by a very short step from
// the last sample: over that an impulse outweighs whatever is finite. A guard that holds there switches, and
// the short step is solved again from the same sample: the modes left behind are mythical. What follows an
// infinitesimal later in hyperdense time follows a sample later here.
#include "engine/limits.hpp"
#include "engine/model/run_failure.hpp"
#include "engine/modes/guards.hpp"
#include "engine/run/sampled/numeric_island.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace deltaflow {

namespace {

// Does a comparison name pre(...) itself? Signals of the graph are where it ends.
bool names_pre(const Diagram& base, NodeId difference) {
    return reads_pre(
        difference, [&](NodeId n) { return base.nodes[n].op; }, [&](NodeId n) { return base.inputs_of(n); });
}

}  // namespace

// From here on the mode's own system runs, from the last sample. A storage that becomes dependent meets, in
// its difference quotient, its own last sample.
void NumericIsland::enter(const bonds::Mode& mode) {
    s_ = &modes_->of(mode);
    bind();
    mark_active();
    for (std::size_t i = 0; i < m_->sampled.blocks.size(); ++i) {
        x_[i] = last_[m_->sampled.blocks[i].node];
        before_[i] = last_[m_->sampled.blocks[i].input];
    }
    for (const Block& pre : pres_) parameter(pre) = last_[pre.input];
}

// The size of what a signal was added up from, for a bound of its rounding.
double NumericIsland::magnitude(NodeId n, int depth) const {
    const Node& node = m_->sampled.d.nodes[n];
    if (s_->d.nodes[n].op == Primitive::pre && depth > 0)
        return std::max(std::abs(a_[n]), magnitude(s_->d.inputs_of(n)[0], depth - 1));
    if (node.op != Primitive::affine || depth == 0) return std::abs(a_[n]);
    const auto p = m_->sampled.d.parameters_of(n);
    double sum = std::abs(p[0]);
    for (std::size_t j = 0; j < node.input_count; ++j)
        sum += std::abs(p[j + 1]) * magnitude(m_->sampled.d.inputs_of(n)[j], depth - 1);
    return sum;
}

bool NumericIsland::is_rounding(NodeId n, double c) const {
    return std::abs(c) <= limits::sample_rounding * magnitude(n, limits::magnitude_depth);
}

// The sign of a comparison over the short step. Where its root was located it counts from there, and goes on
// as it came where that drowns in the rounding of difference quotients; otherwise what is no larger than its
// rounding is zero.
int NumericIsland::guard_sign(NodeId n) const {
    const auto sign_of = [](double c) { return c > 0 ? 1 : c < 0 ? -1 : 0; };
    const auto is_located_guard = [&](NodeId m) {
        return std::any_of(choice_.located.begin(), choice_.located.end(),
                           [&](const ModeChoice::LocatedGuard& g) { return g.node == m; });
    };
    const auto located = std::find_if(choice_.located.begin(), choice_.located.end(),
                                      [&](const ModeChoice::LocatedGuard& g) { return g.node == n; });
    if (located != choice_.located.end()) {
        const double moved = a_[n] - last_[n];
        return moved != 0 && is_rounding(n, moved) ? -located->side : sign_of(moved);
    }
    const Node& node = s_->d.nodes[n];
    if (node.op == Primitive::pre && is_located_guard(s_->d.inputs_of(n)[0])) return 0;
    if (choice_.contradicted && !names_pre(modes_->base(), n)) return sign_of(last_[n]);
    if (is_timer(s_->d, n) && std::abs(a_[n]) <= pace_.slack()) return 0;  // the sample is its end
    return is_rounding(n, a_[n]) ? 0 : sign_of(a_[n]);
}

// impulse(x): a sample x(s) over a step s is J / s + finite, so 2 s x(s) - 2 s x(2 s) is the area J.
void NumericIsland::measure_strengths(double t, double s, bool due) {
    if (strengths_.empty()) return;
    std::vector<double> area;
    for (const Block& b : strengths_) area.push_back(2 * s * a_[b.input]);
    solve(due ? t : t + s, 2 * s);
    for (std::size_t i = 0; i < area.size(); ++i) {
        const NodeId x = strengths_[i].input;
        area[i] -= 2 * s * a_[x];
        const double rounding = limits::sample_rounding * 2 * s * magnitude(x, limits::magnitude_depth);
        if (std::abs(area[i]) <= rounding) area[i] = 0;
    }
    for (std::size_t i = 0; i < area.size(); ++i) parameter(strengths_[i]) = area[i];
    solve_short(t, s);
    for (const Block& b : strengths_) parameter(b) = 0;
}

// The short step, with branches that follow their conditions.
void NumericIsland::solve_short(double t, double s) {
    solve(t, s);
    for (std::size_t round = 0; round < 2 * s_->branchers.size(); ++round) {
        std::vector<NodeId> causes = record_.causes();
        bool flipped = false;
        for (const NodeId n : s_->branchers)
            if (active_.empty() || active_[n]) flipped = flip(n) || flipped;
        record_.set_causes(std::move(causes));
        if (!flipped) return;
        mark_active();
        solve(t, s);
    }
}

// Would the mode change the sample at once, if it went on? (One that was entered with pre(...) may hold for
// no time at all.) A state, or a storage that the mode makes dependent, that moves by d(s) in a short step s
// jumps by 2 d(s) - d(2 s).
bool NumericIsland::is_contradicted(double t, double s) {
    std::vector<NodeId> kept = s_->states;
    const auto& elements = modes_->graph().elements;
    for (std::size_t i = 0; i < elements.size(); ++i)
        if (elements[i].is_storage() && s_->dependent[i])
            kept.push_back(elements[i].type == bonds::Type::I ? elements[i].momentum
                                                              : elements[i].displacement);
    std::vector<double> jump;
    for (const NodeId n : kept) jump.push_back(2 * (a_[n] - last_[n]));
    solve(t + s, 2 * s);
    bool any = false;
    for (std::size_t i = 0; i < jump.size(); ++i) {
        const double x = a_[kept[i]], before = last_[kept[i]];
        any =
            any || std::abs(jump[i] - (x - before)) > limits::sample_jump * (std::abs(x) + std::abs(before));
    }
    solve_short(t, s);
    return any;
}

// Switches ideal elements that contradict their states over the short step, else automata whose guards hold
// there.
NumericIsland::Fired NumericIsland::fire_guards(Pivoting& pivoting) {
    const bonds::Graph& graph = modes_->graph();
    const auto firing_of = [&](bool ideal) {
        return firing_automata(
            graph, mode_,
            [&](std::size_t a) { return graph.automata[a].ideal == ideal && !choice_.waiting[a]; },
            [&](const bonds::Guard& guard) { return holds(guard); },
            [&](std::size_t a, std::size_t k) { return memory_.allows(a, k, choice_.time); });
    };
    Firing firing = firing_of(true);
    const bool ideal = !firing.empty();
    if (!ideal) firing = firing_of(false);
    if (ideal && !pivoting.choose(firing, graph.automata.size()))
        throw RunFailure{.kind = ErrorKind::not_finite,
                         .what = "the ideal elements have no consistent state here",
                         .advice = "give the network what it lacks: a resistance, a mass, a capacity"};
    if (!ideal && settings_.simultaneous == Simultaneous::sequential)
        keep_one(graph, firing, choice_.waiting);
    switches_.begin_round();
    for (const auto& [a, transition] : firing) {
        mode_[a] = transition->to;
        switches_.note(a, *transition, [&](NodeId n) { return GuardReading{a_[n]}; });
        if (!graph.automata[a].signals.empty()) note_cause(graph.automata[a].signals[0]);
    }
    // All at once: what is set is read from the sample before any of it.
    for (const auto& [a, transition] : firing) {
        for (const bonds::Setting& setting : transition->set)
            now_.pieces[s_->d.nodes[setting.value].extra] = {a_[setting.to], 0, choice_.time};
        if (!memory_.empty()) enter_state(a, *transition);
    }
    return firing.empty() ? Fired::none : ideal ? Fired::ideal : Fired::choice;
}

bool NumericIsland::holds(const bonds::Guard& guard) const {
    return guard_holds(guard, [&](NodeId n, bool) { return guard_sign(n); });
}

void NumericIsland::enter_state(std::size_t a, const bonds::Transition& by) {
    memory_.enter(a, by, choice_.time, pace_.slack());
    start_timers(a, by.to);
}

void NumericIsland::start_timers(std::size_t a, std::uint32_t state) {
    for (const auto& t : modes_->graph().automata[a].transitions)
        if (t.from == state && t.timer != no_node)
            now_.pieces[s_->d.nodes[t.timer].extra] = {0, 1, to_double(memory_.due(a, t))};
}

// Once a mode is settled: when the timers of the states that were entered are over.
void NumericIsland::note_timers() {
    if (memory_.empty()) return;
    const auto& automata = modes_->graph().automata;
    for (std::size_t a = 0; a < automata.size(); ++a) {
        if (!std::exchange(memory_.fresh[a], 0)) continue;
        for (const auto& t : automata[a].transitions) {
            if (t.from != mode_[a] || t.timer == no_node) continue;
            const double due = to_double(memory_.due(a, t));
            if (due > choice_.time + pace_.slack()) agenda_.add(due, t.timer);
        }
    }
    memory_.settle(modes_->graph(), mode_, choice_.time,
                   [&](const bonds::Guard& guard) { return holds(guard); });
}

// The mode of the step that follows the last sample, or of the one that brings what is due at t. Solved
// anew from the same sample until no guard holds.
void NumericIsland::decide_mode(double t, bool due) {
    const double s = pace_.step() * limits::instant_step;
    std::vector<bonds::Mode> seen{mode_};
    const bonds::Mode first = mode_;
    choice_.time = due ? t : pace_.time();
    std::fill(choice_.waiting.begin(), choice_.waiting.end(), 0);
    switches_.clear();
    Pivoting pivoting;
    for (bool solved = due;; solved = true) {
        solve_short(t, s);
        if (solved) measure_strengths(t, s, due);
        choice_.contradicted = !solved && is_contradicted(t, s);
        const bonds::Mode before = mode_;
        const Fired fired = fire_guards(pivoting);
        if (fired == Fired::none && (solved || (!any_fired_ && !choice_.contradicted))) break;
        if (fired == Fired::none)
            continue;  // an impulse comes, or the mode brings one: what of the guards then?
        if (fired == Fired::ideal) {
            enter(mode_);
            continue;
        }
        if (solved) {
            bonds::Mode next = before;
            std::swap(next, mode_);
            if (due && record_.is_open_before(t)) close_event();
            record_.write_mythical(due ? t : pace_.time(), mode_);
            std::swap(next, mode_);
        }
        const bool again = std::find(seen.begin(), seen.end(), mode_) != seen.end();
        seen.push_back(mode_);
        if (again) throw mode_cycle(*modes_, std::move(seen), switches_);
        enter(mode_);
    }
    choice_.contradicted = false;
    choice_.switched = mode_ != first || seen.size() > 1;
    note_timers();
    watch_guards();
}

// At the last sample: what it is, and how it goes on, may change the mode.
void NumericIsland::settle_modes() {
    a_ = last_;
    std::vector<double> left = outputs();
    check_modes_ = jumped_ = false;
    decide_mode(pace_.time() + pace_.step() * limits::instant_step, false);
    choice_.located.clear();
    a_ = last_;
    if (!choice_.switched) return;
    new_constants_ = true;
    ++instants_;
    open_event(std::move(left));
}

// Comparisons in guards that lead out of the present mode, and the sides on which they now are. What a
// crossing looks at may turn round where the mode changes.
void NumericIsland::watch_guards() {
    collect_watches();
    for (Watch& w : watches_)
        if (is_crossing(w) && w.last == 0) w.side = side_of(w);
    std::erase_if(watches_, [](const Watch& w) { return w.guard; });
    for (const NodeId n : watched_differences(modes_->graph(), mode_)) {
        if (is_timer(s_->d, n)) continue;  // the calendar knows
        Watch w{n, n, 0, guard_sign(n)};
        w.guard = true;
        w.last = a_[n];
        watches_.push_back(w);
    }
}

// After a sample: comparisons whose root it is, and whether the next step has to look at modes first.
void NumericIsland::note_located_guards() {
    if (!has_automata()) return;
    choice_.located.clear();
    for (Watch& w : watches_) {
        if (!w.guard) continue;
        if (w.located) choice_.located.push_back({w.node, w.side});
        if (w.side == 0) w.side = guard_sign(w.node);
    }
    const bool happens =
        std::any_of(watches_.begin(), watches_.end(), [](const Watch& w) { return w.located; });
    check_modes_ = choice_.switched || happens;
    count_switching();
    choice_.switched = false;
}

// Modes that change in every sample never come to rest.
void NumericIsland::count_switching() {
    choice_.switching = choice_.switched ? choice_.switching + 1 : 0;
    if (choice_.switching <= limits::switching_samples || settings_.zeno == AtZeno::proceed) return;
    throw RunFailure{
        .kind = ErrorKind::no_progress,
        .what = fmt::format("the mode has changed in each of the last {} samples", choice_.switching),
        .advice =
            "the modes follow each other without end: look at the guards, or take zeno = \"continue\" "
            "to go on like this",
        .notes = {"mode: " + modes_->describe(mode_)}};
}

// Sums of signals that have changed, sums of these, and so on, as the model defines them.
void NumericIsland::read_changed(std::vector<std::uint8_t> changed) {
    const Diagram& base = modes_->base();
    for (const NodeId n : modes_->reading().order) {
        const auto in = base.inputs_of(n);
        const bool reads = std::any_of(in.begin(), in.end(), [&](NodeId u) { return changed[u] != 0; });
        if (!reads || changed[n] || base.nodes[n].op != Primitive::affine || names_pre(base, n)) continue;
        const auto p = base.parameters_of(n);
        a_[n] = std::inner_product(in.begin(), in.end(), p.begin() + 1, p[0], std::plus<>(),
                                   [&](NodeId u, double k) { return k * a_[u]; });
        if (!last_.empty()) last_[n] = a_[n];
        changed[n] = 1;
    }
}

// Before the start a dependent storage has the value that the model gives it, and guards read that.
void NumericIsland::use_initial_values() {
    const auto& elements = modes_->graph().elements;
    std::vector<std::uint8_t> changed(a_.size(), 0);
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const auto& e = elements[i];
        if (!e.is_storage() || !s_->dependent[i]) continue;
        const bool inertia = e.type == bonds::Type::I;
        const NodeId state = inertia ? e.momentum : e.displacement;
        const double initial = inertia ? e.initial_momentum : e.initial_displacement;
        changed[state] = 1;
        a_[state] = initial;
        if (!last_.empty()) last_[state] = initial;
        for (std::size_t b = s_->states.size(); b < m_->sampled.blocks.size(); ++b)
            if (m_->sampled.blocks[b].input == state) before_[b] = initial;
    }
    read_changed(std::move(changed));
    check_modes_ = has_automata();
}

}  // namespace deltaflow
