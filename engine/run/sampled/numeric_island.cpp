// Samples one after the other: planned, solved, accepted.
#include "engine/run/sampled/numeric_island.hpp"

#include "blocks/lag.hpp"
#include "engine/compile/reach.hpp"
#include "engine/limits.hpp"
#include "engine/model/run_failure.hpp"
#include "engine/solve/finite.hpp"
#include "engine/solve/steppers/stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace deltaflow {

namespace {

std::vector<std::uint8_t> needed_nodes(const System& s) {
    std::vector<std::uint8_t> needed = reached_nodes(s, nullptr);
    for (const NodeId n : s.guards) needed[n] = 1;
    return needed;
}
std::vector<Root> sampled_roots(const System& s, const std::vector<std::uint8_t>& needed, bool all) {
    std::vector<Root> result;
    for (const NodeId n : s.named) result.push_back({n});
    for (NodeId n = 0; n < needed.size(); ++n)
        if (needed[n] || all) result.push_back({n});
    return result;
}
std::vector<std::int16_t> any_degree(const System& s) {
    return std::vector<std::int16_t>(s.d.nodes.size(), endless);
}

}  // namespace

SampledSystem::SampledSystem(const System& s, bool left_sum, bool all)
    : system(&s),
      sampled(s.d, left_sum, Sampling::everything),
      needed(needed_nodes(s)),
      program(compile(sampled.d, sampled_roots(s, needed, all), any_degree(s), true)),
      work(program) {}

NumericIsland::NumericIsland(const Settings& settings, const System& system, ModeSystems* modes,
                             const SampleTimes& sample_times, SampleColumns& samples)
    : settings_(settings),
      modes_(modes),
      s_(&system),
      writer_(sample_times, samples),
      left_(settings.riemann == Riemann::left),
      pace_(settings, agenda_),
      mode_(modes ? bonds::initial_mode(modes->graph()) : bonds::Mode()),
      record_(mode_) {
    choice_.waiting.assign(mode_.size(), 0);
    prepare();
}

void NumericIsland::prepare() {
    const std::size_t n = s_->d.nodes.size();
    a_.assign(n, 0);
    stored_.assign(n, 0);
    guess_.assign(n, NAN);
    for (const auto& [node, value] : s_->d.guesses) guess_[node] = value;
    now_.branch.assign(n, 0);
    now_.held.assign(n, 0);
    now_.pieces.resize(s_->d.schedules.size());
    cursors_.resize(s_->d.schedules.size());
    next_tick_.resize(s_->d.clocks.size());
    for (const NodeId m : s_->schedules) {
        const auto extra = s_->d.nodes[m].extra;
        const Schedule& schedule = s_->d.schedules[extra];
        now_.pieces[extra] = wind(schedule, pace_.time(), cursors_[extra]);
        if (!cursors_[extra].done(schedule)) agenda_.add(to_double(cursors_[extra].time(schedule)), m);
    }
    for (const NodeId m : s_->sampled) {
        const auto extra = s_->d.nodes[m].extra;
        now_.held[m] = stored_[m] = s_->d.parameters_of(m)[0];
        next_tick_[extra] = first_tick(s_->d.clocks[extra], pace_.time());
        agenda_.add(std::max(pace_.time(), tick_time(s_->d.clocks[extra], next_tick_[extra])), m);
    }
    for (const NodeId m : s_->branchers)
        if (s_->d.nodes[m].op == Primitive::hysteresis)
            now_.branch[m] = s_->d.parameters_of(m)[2] != 0 ? 1 : 0;
    bind();
    for (std::size_t i = 0; i < s_->states.size(); ++i)
        x_[i] = s_->d.parameters_of(m_->sampled.blocks[i].node)[0];
    fired_.assign(crossings_.size(), 0);
    if (!modes_) return;
    memory_.begin(modes_->graph(), decimal(pace_.time()));
    for (std::size_t a = 0; a < mode_.size() && !memory_.empty(); ++a) start_timers(a, mode_[a]);
}

// Takes up the sampled diagram of the system at hand. Blocks whose sample is given are the same in all modes;
// what they remember stays.
void NumericIsland::bind() {
    auto& sheet = sheets_[s_];
    if (!sheet) {
        sheet = std::make_unique<SampledSystem>(*s_, left_, has_automata());
        sheet->work.guess = &guess_;
    }
    m_ = sheet.get();
    m_->work.active = active_.empty() ? nullptr : &active_;
    factored_ = NAN;
    fill_constants(s_->d, a_.data(), 1);
    x_.assign(m_->sampled.blocks.size(), 0);
    before_.assign(m_->sampled.blocks.size(), 0);
    std::size_t source = 0, delay = 0;
    for (auto* list : {&pres_, &crossings_, &holds_, &strengths_}) list->clear();
    for (const Block& block : m_->sampled.given) {
        const Node& node = s_->d.nodes[block.node];
        const auto p = s_->d.parameters_of(block.node);
        switch (node.op) {
            case Primitive::schedule: {
                auto rungs = static_cast<std::size_t>(s_->d.schedules[node.extra].fed);
                for (const Breakpoint& point : s_->d.schedules[node.extra].points)
                    rungs = std::max(rungs, point.impulses.size());
                if (source == sources_.size())
                    sources_.push_back({block, ImpulseSamples(rungs), next_high_impulse(block.node), {}});
                sources_[source++].block = block;
                break;
            }
            case Primitive::delay:
                if (delay == delays_.size())
                    delays_.push_back({block, DelaySamples(p[0], p[1], pace_.step()), 0, 0});
                delays_[delay++].block = block;
                break;
            case Primitive::pre:
                pres_.push_back(block);
                break;
            case Primitive::crossing:
                crossings_.push_back(block);
                parameter(block) = 0;
                break;
            case Primitive::strength:
                strengths_.push_back(block);
                parameter(block) = 0;
                break;
            default:
                holds_.push_back(block);
                const bool ticks = std::count(ticking_.begin(), ticking_.end(), block.node) > 0;
                m_->sampled.d.parameters[block.parameter] = ticks ? 0 : now_.held[block.node];
                m_->sampled.d.parameters[block.parameter + 1] = ticks ? 1 : 0;
        }
    }
}

std::uint64_t NumericIsland::evaluations() const {
    std::uint64_t sum = 0;
    for (const auto& [system, sheet] : sheets_) sum += sheet->work.evaluations;
    return sum;
}

std::string NumericIsland::describe_germ(NodeId n) const { return fmt::format("{}", a_[n]); }

// What an integrator goes on from: its last sample, or what its trigger has set it to.
double NumericIsland::value_before(std::size_t i) const {
    const NodeId n = m_->sampled.blocks[i].node;
    if (!any_fired_ || !s_->d.nodes[n].is_reset()) return x_[i];
    const auto in = s_->d.inputs_of(n);
    for (std::size_t c = 0; c < crossings_.size(); ++c)
        if (crossings_[c].node == in[1] && fired_[c]) return last_[in[2]];
    return x_[i];
}

// As steps become shorter the area of an impulse stays, and that of a jump vanishes.
bool NumericIsland::strikes(const Watch& w, double h) const {
    if (!is_trigger(w) || !is_impulsive(s_->regularity[w.node].r)) return false;
    const double c = value_of(w);
    return std::abs(c) > std::abs(w.last) && std::abs(c - w.last) * std::sqrt(h) > 1;
}

void NumericIsland::solve(double t, double h) {
    if (new_constants_) fill_constants(s_->d, a_.data(), 1);
    new_constants_ = false;
    m_->sampled.set_step(h);
    for (std::size_t i = 0; i < m_->sampled.blocks.size(); ++i)
        m_->sampled.set(m_->sampled.blocks[i], h, value_before(i), before_[i]);
    for (Source& source : sources_) {
        const Piece& piece = now_.pieces[s_->d.nodes[source.block.node].extra];
        parameter(source.block) = piece.value + piece.slope * (t - piece.since) + source.impulses.sample(h);
    }
    for (const Past& delay : delays_) read_past(delay, t, h);
    for (const Past& delay : delays_)
        parameter(delay.block) =
            left_ ? delay.samples.sample(t, t + pace_.step_after(t)) : delay.samples.sample(t - h, t);
    if (any_fired_ && !left_)
        for (std::size_t i = 0; i < crossings_.size(); ++i) parameter(crossings_[i]) = fired_[i] ? 1 / h : 0;
    m_->work.same_matrices = h == factored_;
    factored_ = h;
    execute(m_->program, m_->work, Frame<double>{a_.data(), 1, &m_->sampled.d, &now_, t}, 0, 0);
}

// A delay that varies: the mean of its input over the step that was `by` ago, `by` as in the last sample.
void NumericIsland::read_past(const Past& delay, double t, double h) {
    const NodeId n = delay.block.node;
    if (!lag::varies(s_->d, n)) return;
    const auto in = s_->d.inputs_of(n);
    const double later = s_->d.parameters_of(n)[0] - (pace_.time() - a_[in[lag::time]]);
    now_.pieces[s_->d.nodes[in[lag::coefficients]].extra] = {delay.samples.sample(t - h + later, t + later),
                                                             0, t};
}

void NumericIsland::check_finite() {
    if (all_finite(a_)) return;
    for (const NodeId n : m_->program.order) {
        if (std::isfinite(a_[n]) || !m_->needed[n] || (!active_.empty() && !active_[n])) continue;
        throw RunFailure{
            .kind = ErrorKind::not_finite,
            .node = n,
            .what = fmt::format("a sample is no longer finite (step {})",
                                record_.recorder().statistics.steps + 1),
            .advice = "a longer step keeps numeric impulses smaller; symbolic ones have no height",
            .show_inputs = true};
    }
}

// What goes through zero between two samples, and does not jump over it, has no inverse there.
void NumericIsland::check_poles() {
    pole_side_.resize(s_->d.nodes.size(), 0);
    for (const NodeId n : s_->singular) {
        const NodeId u = s_->d.inputs_of(n)[0];
        if (s_->d.nodes[n].op != Primitive::inverse || s_->regularity[u].r <= Regularity::jump) continue;
        const bool active = active_.empty() || active_[n];
        const auto side = static_cast<std::int8_t>(active ? (a_[u] > 0) - (a_[u] < 0) : 0);
        if (std::exchange(pole_side_[n], side) * side >= 0) continue;
        throw RunFailure{.kind = ErrorKind::not_finite,
                         .node = n,
                         .what = "a pole: the input has passed zero since the last sample",
                         .advice = "keep the input away from zero, for example with max(...) or if(...)",
                         .show_inputs = true};
    }
}

void NumericIsland::check_values() {
    check_finite();
    if (!s_->singular.empty()) check_poles();
    for (const NodeId n : s_->assertions) {
        const NodeId u = s_->d.inputs_of(n)[0];
        if (a_[u] >= 0 || (!active_.empty() && !active_[n])) continue;
        double size = 0;
        for (const NodeId input : s_->d.inputs_of(u)) size = std::max(size, std::abs(a_[input]));
        if (a_[u] >= -limits::sample_rounding * size) continue;
        if (s_->d.nodes[n].ends_run()) {
            terminated_ = true;
            continue;
        }
        throw RunFailure{.kind = ErrorKind::assertion,
                         .node = n,
                         .what = s_->d.messages[s_->d.nodes[n].extra],
                         .show_inputs = true};
    }
}

void NumericIsland::accept(double t, double h) {
    if (left_ && !starting_)
        for (Past& delay : delays_) delay.samples.settle(pace_.time(), delay.until, t, delay.given);
    pace_.accept(t);
    ++record_.recorder().statistics.steps;
    check_values();
    writer_.write_own(t, *s_, a_);
    if (has_automata() || !watches_.empty()) last_ = a_;
    looked_back_ = false;
    for (std::size_t i = 0; i < m_->sampled.blocks.size(); ++i) {
        x_[i] = a_[m_->sampled.blocks[i].node];
        before_[i] = a_[m_->sampled.blocks[i].input];
    }
    for (const Block& pre : pres_) parameter(pre) = a_[pre.input];
    for (Past& delay : delays_) {
        const double u = a_[delay.block.input];
        delay.given = a_[delay.block.node];
        delay.until = t + pace_.step_after(t);
        if (left_)
            delay.samples.accept(t, HUGE_VAL, u);
        else
            delay.samples.accept(t - h, t, u);
    }
    for (Source& source : sources_) source.impulses.accept(h);
    for (Watch& w : watches_) {
        w.struck = strikes(w, h);
        w.zero = 0;
        w.last = value_of(w);
    }
    pace_.count_step();
    if (any_fired_) {
        any_fired_ = false;
        std::fill(fired_.begin(), fired_.end(), 0);
        for (const Block& crossing : crossings_) parameter(crossing) = 0;
    }
    for (const NodeId n : ticking_)
        if (s_->d.nodes[n].op == Primitive::unit_delay)
            stored_[n] = a_[s_->d.inputs_of(n)[0]];
        else
            now_.held[n] = a_[n];
    if (!ticking_.empty()) give_held();
    ticking_.clear();
}

// Holds give what they have taken, until they tick again.
void NumericIsland::give_held() {
    factored_ = NAN;
    for (const Block& hold : holds_) {
        m_->sampled.d.parameters[hold.parameter] = now_.held[hold.node];
        m_->sampled.d.parameters[hold.parameter + 1] = 0;
    }
}

// What is recorded, and then what else may jump.
std::vector<double> NumericIsland::shown(const std::vector<double>& a) const {
    std::vector<double> values;
    values.reserve(s_->outputs.size() + s_->named.size());
    for (const auto& output : s_->outputs) values.push_back(a[output.node]);
    for (const NodeId n : s_->named) values.push_back(a[n]);
    return values;
}

Going NumericIsland::finish() {
    close_event();
    writer_.write_until(HUGE_VAL, *s_, a_);
    pace_.end();
    return Going::ended;
}

Going NumericIsland::advance(double until) {
    if (terminated_) return Going::ended;
    if (until < pace_.stop() && pace_.time() < pace_.stop() && plan().t > until) return Going::waits;
    if (check_modes_ || (has_automata() && any_fired_)) settle_modes();
    const Pace::Plan p = plan();
    const double first = pace_.time();
    const bool beyond = p.t > pace_.stop() + pace_.slack();
    if (pace_.time() >= pace_.stop() || (beyond && watches_.empty())) return finish();
    const std::size_t written = writer_.next();
    writer_.write_until(p.t - pace_.slack(), *s_, a_);
    std::optional<std::vector<double>> left;
    if (p.due) left = outputs();
    if (beyond) left = a_;
    solve(p.t, p.h);
    auto root = first_root(p.h);
    if (jumped_) {
        settle_modes();
        solve(p.t, p.h);
        root = first_root(p.h);
        jumped_ = false;
    }
    if (beyond && !(root && first + *root <= pace_.stop() + pace_.slack())) {
        a_ = std::move(*left);
        return finish();
    }
    if (root && *root == 0) {
        writer_.rewind(written);
        happen();
        return going();
    }
    if (root && *root < p.h) {
        const double t = first + *root;
        writer_.rewind(written, t - pace_.slack());
        if (left_) saved_ = m_->sampled.d.parameters;
        accept(t, *root);
        pace_.go_on();
        close_event();
        note_located_guards();
        if (something_happens()) happen();
        return going();
    }
    settle(p.t, p.h);
    const int run = pace_.take_runs(p.t);
    if (left_ && run > 0) pace_.keep(p.t, run, true, repeats());
    if (p.due || (left_ && run > 0)) {
        take_due(p.t, p.h);
        if (has_automata()) decide_mode(p.t, true);
        solve(p.t, p.h);
        for (Watch& w : watches_)  // a branch whose condition was zero and now jumped goes by where it is
            w.located = w.located && (is_crossing(w) || is_zero(w));
        settle(p.t, p.h);
    }
    bool happens = something_happens();
    if (left_ && !watches_.empty()) saved_ = m_->sampled.d.parameters;
    const std::vector<NodeId> ticked = ticking_;
    accept(p.t, p.h);
    happens = happens || something_strikes();
    if (!left_ && run > 0) pace_.keep(pace_.time(), run, false, repeats());
    strike_late();
    pace_.go_on();
    close_event();
    note_located_guards();
    if (p.due) {
        ++instants_;
        open_event(std::move(*left));
        if (!left_) close_event();
    }
    if (happens)
        happen(ticked);
    else
        for (Watch& w : watches_)
            if (is_crossing(w) && side_of(w) != 0) w.side = side_of(w);
    return going();
}

}  // namespace deltaflow
