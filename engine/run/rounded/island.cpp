// One island under way: flows, and the instants that they lead to.
#include "engine/run/rounded/island.hpp"

#include "engine/run/rounded/beginning.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

Island::Island(const Settings& settings, const System* system, ModeSystems* modes,
               const SampleTimes& sample_times, SampleColumns& samples)
    : settings_(settings),
      modes_(modes),
      at_{system},
      machineries_(state_.guess),
      germs_(state_, at_, machineries_, modes),
      graph_(state_, at_, germs_, modes),
      slides_(settings, state_, at_, machineries_, germs_, modes),
      flow_(settings, state_, at_, germs_, graph_, slides_, modes, recorder_, book_, sample_times, samples),
      commits_(settings, state_, at_, machineries_, germs_, graph_, slides_, modes, recorder_, book_,
               warnings_),
      accumulation_(settings, state_, at_, modes, commits_.crossings(), commits_.automata(),
                    commits_.record()) {}

Island::Island(const Settings& settings, const System& system, const SampleTimes& sample_times,
               SampleColumns& samples)
    : Island(settings, &system, nullptr, sample_times, samples) {
    prepare();
}

Island::Island(const Settings& settings, ModeSystems& modes, const SampleTimes& sample_times,
               SampleColumns& samples)
    : Island(settings, &modes.of(bonds::initial_mode(modes.graph())), &modes, sample_times, samples) {
    state_.mode = state_.after_mode = bonds::initial_mode(modes.graph());
    state_.recorded_mode = state_.first_committed = state_.mode;
    prepare();
}

Island::~Island() = default;

void Island::prepare() {
    Beginning(modes_, state_, at_, machineries_, germs_, graph_, slides_, commits_).prepare(settings_.start);
}

namespace {

// What the automata of the model began with, and the states that ideal elements have found.
bonds::Mode first_mode(const bonds::Graph& g, State& state) {
    bonds::Mode first = bonds::initial_mode(g);
    for (std::size_t a = 0; a < first.size(); ++a)
        if (g.automata[a].ideal) first[a] = state.recorded_mode[a] = state.mode[a];
    return first;
}

}  // namespace

void Island::start() {
    Beginning(modes_, state_, at_, machineries_, germs_, graph_, slides_, commits_).settle();
    instant();
    state_.starting = false;
    if (modes_) {
        graph_.forget_initial_values();
        recorder_.first_mode = first_mode(modes_->graph(), state_);
    }
    if (state_.instants == 1) state_.instants = 0;
    flow_.sampler().take_here();
}

// An instant, from the flow before it to the one after.
void Island::instant() {
    const Stepper* const before = at_.m->stepper.get();
    commits_.begin();
    if (!state_.starting && !at_.s->singular.empty()) flow_.watches().check_poles();
    if (before && !before->has_series()) flow_.watches().note_met();
    commits_.carry_out();
    if (at_.s->released) slides_.return_to_surfaces();
    slides_.forget_some_systems();
    flow_.begin(before);
}

bool Island::is_at_stop() const {
    const double stop = settings_.stop;
    return state_.t >= stop && state_.agenda.next() > stop + same_time(stop);
}

Going Island::advance(double until) {
    if (state_.terminated || is_at_stop()) return Going::ended;
    const Flowed flowed = flow_.advance(until);
    if (flowed != Flowed::instant) return flowed == Flowed::waits ? Going::waits : Going::on;
    if (!is_at_stop() || !state_.located.empty() || flow_.has_root_at_stop())
        if (const auto accumulated = happen()) return *accumulated;
    flow_.sampler().take_here();
    return state_.terminated ? Going::ended : Going::on;
}

std::optional<Going> Island::happen() {
    const NodeId condition = state_.located.empty() ? no_node : state_.located.front().node;
    const bool fed = !state_.fed.empty();  // somebody may do many things at one time
    if (fed) flow_.sampler().take_again();
    instant();
    if (fed || !accumulation_.is_here(condition)) return std::nullopt;
    return accumulate(condition);
}

// The rest of the way is one flow, free of guards, to the accumulation point. There the mode that comes again
// and again holds for good; no time lies between two of its instants, so pre(x) is x.
Going Island::accumulate(NodeId condition) {
    const bool goes_on = accumulation_.is_passed(condition);
    for (bool on = goes_on; on; on = accumulation_.goes_further()) {
        flow_.pass_to(std::min(state_.zeno.accumulation(), settings_.stop));
        accumulation_.take_displacements();
        commits_.solves().take_pre_plainly(true);
        instant();
        commits_.solves().take_pre_plainly(false);
    }
    state_.zeno_stop = !goes_on;
    flow_.sampler().take_here();
    return goes_on ? Going::on : Going::ended;
}

void Island::feed(Fed fed, double t) {
    state_.agenda.add(t, fed.node);
    state_.fed.push_back(std::move(fed));
}

std::vector<double> Island::values_at_end(double t) {
    // It may not have begun, or have failed while another mode was tried.
    if (!at_.m || state_.x.size() != at_.s->states.size() || state_.mode != state_.after_mode) return {};
    return flow_.values_at(t);
}

}  // namespace deltaflow
