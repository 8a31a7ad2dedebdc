// Samples one after the other: planned, solved, accepted.
#include "engine/run/sampled/numeric_island.hpp"

#include "engine/run/sampled/numeric_checks.hpp"
#include "engine/run/sampled/numeric_start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace deltaflow {

namespace {

NumericState state_in(ModeSystems* modes) {
    NumericState state;
    if (modes) state.mode = bonds::initial_mode(modes->graph());
    state.choice.waiting.assign(state.mode.size(), 0);
    return state;
}

}  // namespace

NumericIsland::NumericIsland(const Settings& settings, const System& system, ModeSystems* modes,
                             const SampleTimes& sample_times, SampleColumns& samples)
    : state_(state_in(modes)),
      at_{modes, &system, settings.riemann == Riemann::left},
      writer_(sample_times, samples),
      pace_(settings, state_.agenda),
      teller_(state_, at_, pace_),
      sheets_(state_, at_, pace_),
      solver_(state_, at_, pace_),
      calendar_(state_, at_, pace_, teller_),
      watches_(state_, at_, sheets_, solver_, teller_),
      roots_(state_, at_, pace_, solver_, watches_),
      modes_(settings, state_, at_, pace_, sheets_, solver_, watches_, teller_),
      events_(state_, at_, pace_, sheets_, solver_, watches_, teller_, writer_,
              settings.sliding != Sliding::error) {
    prepare();
}

void NumericIsland::prepare() {
    const Diagram& d = at_.s->d;
    const std::size_t n = d.nodes.size();
    state_.a.assign(n, 0);
    state_.stored.assign(n, 0);
    state_.guess.assign(n, NAN);
    for (const auto& [node, value] : d.guesses) state_.guess[node] = value;
    state_.now.branch.assign(n, 0);
    state_.now.held.assign(n, 0);
    state_.now.pieces.resize(d.schedules.size());
    calendar_.prepare();
    for (const NodeId m : at_.s->branchers)
        if (d.nodes[m].op == Primitive::hysteresis) state_.now.branch[m] = d.parameters_of(m)[2] != 0 ? 1 : 0;
    sheets_.bind();
    for (std::size_t i = 0; i < at_.s->states.size(); ++i)
        state_.x[i] = d.parameters_of(at_.m->sampled.blocks[i].node)[0];
    state_.fired.assign(at_.crossings.size(), 0);
    if (at_.modes) modes_.prepare();
}

void NumericIsland::start() {
    NumericStart first(state_, at_, pace_, sheets_, solver_, watches_);
    const std::vector<double> before = first.first_sample(calendar_);
    state_.saved = at_.m->sampled.d.parameters;
    auto struck = state_.sources;
    accept(pace_.time(), pace_.step());
    if (!at_.left) state_.sources = std::move(struck);
    calendar_.strike_late();
    recorder().statistics.steps = 0;
    teller_.open(teller_.shown(before));
    watches_.collect();
    for (NumericWatch& w : state_.watches) {
        w.last = watches_.value_of(w);
        w.located = w.last == 0;
    }
    events_.happen();
    state_.starting = false;
    state_.instants = 0;
    const auto& blocks = at_.m->sampled.blocks;
    for (std::size_t i = at_.s->states.size(); i < blocks.size() && !at_.left; ++i)
        state_.before[i] = before[blocks[i].input];
    if (at_.modes) modes_.use_initial_values();
}

std::string NumericIsland::describe_germ(NodeId n) const { return fmt::format("{}", state_.a[n]); }

void NumericIsland::accept(double t, double h) {
    if (at_.left && !state_.starting)
        for (auto& delay : state_.delays) delay.samples.settle(pace_.time(), delay.until, t, delay.given);
    pace_.accept(t);
    const std::uint64_t steps = ++recorder().statistics.steps;
    check_sample(state_, at_, steps);
    writer_.write_own(t, *at_.s, state_.a);
    if (state_.has_automata() || !state_.watches.empty()) state_.last = state_.a;
    state_.looked_back = false;
    solver_.accept(t, h);
    watches_.accept(h);
    pace_.count_step();
    if (state_.any_fired) {
        solver_.forget_fired();
        for (const auto& crossing : at_.crossings) at_.parameter(crossing) = 0;
    }
    for (const NodeId n : state_.ticking)
        if (at_.node(n).op == Primitive::unit_delay)
            state_.stored[n] = state_.a[at_.input(n)];
        else
            state_.now.held[n] = state_.a[n];
    if (!state_.ticking.empty()) solver_.give_held();
    state_.ticking.clear();
}

Going NumericIsland::finish() {
    teller_.close();
    writer_.write_until(HUGE_VAL, *at_.s, state_.a);
    pace_.end();
    return Going::ended;
}

// The step as planned, and the first root in it.
std::optional<double> NumericIsland::solve_to_root(const Pace::Plan& p) {
    solver_.solve(p.t, p.h);
    auto root = roots_.first(p.h);
    if (!state_.jumped) return root;
    modes_.settle();
    solver_.solve(p.t, p.h);
    root = roots_.first(p.h);
    state_.jumped = false;
    return root;
}

// The sample stands at a root: the step was shortened to h.
void NumericIsland::take_root(double h) {
    if (at_.left) state_.saved = at_.m->sampled.d.parameters;
    accept(pace_.time() + h, h);
    pace_.go_on();
    teller_.close();
    modes_.note_located();
    if (watches_.something_happens()) events_.happen();
}

void NumericIsland::take_due(const Pace::Plan& p) {
    calendar_.take(p.t, p.h);
    if (state_.has_automata()) modes_.decide(p.t, true);
    solver_.solve(p.t, p.h);
    for (NumericWatch& w :
         state_.watches)  // a branch whose condition was zero and now jumped goes by where it is
        w.located = w.located && (watches_.is_crossing(w) || watches_.is_zero(w));
    watches_.settle(p.t, p.h);
}

// A step as planned; `left`: what was shown before, where something is due.
void NumericIsland::take_step(const Pace::Plan& p, std::vector<double> left) {
    watches_.settle(p.t, p.h);
    const int run = pace_.take_runs(p.t);
    if (at_.left && run > 0) pace_.keep(p.t, run, true, calendar_.repeats());
    if (p.due || (at_.left && run > 0)) take_due(p);
    bool happens = watches_.something_happens();
    if (at_.left && !state_.watches.empty()) state_.saved = at_.m->sampled.d.parameters;
    const std::vector<NodeId> ticked = state_.ticking;
    accept(p.t, p.h);
    happens = happens || watches_.something_strikes();
    if (!at_.left && run > 0) pace_.keep(pace_.time(), run, false, calendar_.repeats());
    calendar_.strike_late();
    pace_.go_on();
    teller_.close();
    modes_.note_located();
    if (p.due) {
        ++state_.instants;
        teller_.open(std::move(left));
        if (!at_.left) teller_.close();
    }
    if (happens) return events_.happen(ticked);
    for (NumericWatch& w : state_.watches)
        if (watches_.is_crossing(w) && watches_.side_of(w) != 0) w.side = watches_.side_of(w);
}

Going NumericIsland::advance(double until) {
    if (state_.terminated) return Going::ended;
    if (until < pace_.stop() && pace_.time() < pace_.stop() && plan().t > until) return Going::waits;
    if (state_.check_modes || (state_.has_automata() && state_.any_fired)) modes_.settle();
    const Pace::Plan p = plan();
    const double end = pace_.stop() + pace_.slack();
    const bool beyond = p.t > end;
    if (pace_.time() >= pace_.stop() || (beyond && state_.watches.empty())) return finish();
    const std::size_t written = writer_.next();
    writer_.write_until(p.t - pace_.slack(), *at_.s, state_.a);
    std::vector<double> left;
    if (p.due) left = teller_.outputs();
    if (beyond) left = state_.a;
    const auto root = solve_to_root(p);
    if (beyond && !(root && pace_.time() + *root <= end)) {
        state_.a = std::move(left);
        return finish();
    }
    if (root && *root == 0) {
        writer_.rewind(written);
        events_.happen();
    } else if (root && *root < p.h) {
        writer_.rewind(written, pace_.time() + *root - pace_.slack());
        take_root(*root);
    } else {
        take_step(p, std::move(left));
    }
    return state_.zeno_stop || state_.terminated ? Going::ended : Going::on;
}

// What comes in at the time of a sample that is there shows in the next one.
void NumericIsland::feed(Fed fed, double t) {
    const NodeId node = fed.node;
    state_.fed.push_back(std::move(fed));
    if (t > pace_.time() + pace_.slack()) return state_.agenda.add(t, node);
    teller_.close();
    std::vector<double> left = teller_.outputs();
    calendar_.take(node, pace_.time(), pace_.step());
    ++state_.instants;
    teller_.open(std::move(left));
}

// Between two samples the last one counts.
void NumericIsland::look(double, std::span<double> out) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = state_.a[at_.s->outputs[i].node];
}

void NumericIsland::archive(Archive& a) {
    sheets_.archive(a);
    NumericState& s = state_;
    a(writer_, s.a, pace_, s.factored, s.x, s.before, s.now, s.stored, s.guess, s.active, s.cursors,
      s.next_tick, s.agenda, s.fed, s.sources, s.delays, s.fired, s.any_fired, s.saved, s.looked_back,
      s.ticking, s.choice.waiting, s.last, s.choice.located, s.check_modes, s.jumped, s.choice.contradicted,
      s.new_constants, s.choice.switched, s.choice.switching, s.choice.struck, s.watches, teller_.record(),
      s.zeno, s.zeno_stop, s.terminated, s.memory, s.choice.time, s.instants, s.starting);
    if (!a.is_writing()) at_.m->work.active = s.active.empty() ? nullptr : &s.active;
}

}  // namespace deltaflow
