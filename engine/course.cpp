// Islands side by side, and errors in words.
#include "engine/course.hpp"

#include "engine/fingerprint.hpp"
#include "engine/limits.hpp"
#include "engine/model/archive_trace.hpp"
#include "engine/report.hpp"
#include "engine/run/island.hpp"
#include "engine/run/sampled/numeric_island.hpp"
#include "engine/side_by_side.hpp"
#include "engine/solve/finite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace deltaflow {

namespace {

// Everything before this is known when all islands have passed t: what belongs to one time stays together.
double safe_before(double t) { return t - 4 * limits::same_time_ulps * rounding::unit * std::abs(t); }

// From one part that is handed on to the next, at least.
constexpr std::chrono::milliseconds between_parts{2};

// Does it follow from numbers of the model alone? Then it is a mistake of the model, as in an expression.
bool is_constant(const Diagram& d, NodeId first) {
    std::vector<NodeId> work{first};
    std::vector<bool> seen(d.nodes.size(), false);
    while (!work.empty()) {
        const NodeId n = work.back();
        work.pop_back();
        if (seen[n]) continue;
        seen[n] = true;
        const Traits& traits = traits_of(d.nodes[n].op);
        const bool algebra = traits.impulses == Impulses::refuse || traits.impulses == Impulses::linear ||
                             traits.impulses == Impulses::leibniz;
        const auto inputs = d.inputs_of(n);
        if (d.nodes[n].op != Primitive::constant && (!algebra || inputs.empty())) return false;
        work.insert(work.end(), inputs.begin(), inputs.end());
    }
    return true;
}

// Of events, or of states of many automata at each of them.
bool has_enough(const Recorder& r) {
    constexpr std::size_t states = std::size_t{1} << 22;
    return r.events.size() >= limits::events_in_a_part || r.modes.size() >= states;
}

void add(Proved& sum, const Proved& part) {
    sum.local_error = std::max(sum.local_error, part.local_error);
    sum.steps += part.steps;
    sum.events += part.events;
    sum.series += part.series;
}

}  // namespace

Course::Course(const FlatModel& model, std::size_t shown, const RunControl& control,
               std::shared_ptr<const std::vector<System>> systems)
    : model_(model),
      control_(control),
      settings_(complete(model)),
      patience_(control.interrupt, settings_.limits),
      shown_(shown),
      times_(settings_),
      systems_(std::move(systems)),
      reached_(settings_.start) {
    closing_.model = model.name;
    for (std::size_t i = 0; i < shown_; ++i) closing_.signals.push_back(model.record[i].name);
    closing_.samples.resize(shown_);
    closing_.impulse_orders.assign(shown_, 0);
    for (const auto& a : model.graph.automata) closing_.automata.push_back({a.name, a.states});
    if (has_modes(model.graph)) {
        modes_.emplace(model, settings_);
        closing_.first_mode = bonds::initial_mode(model.graph);
    } else if (!systems_) {
        systems_ = std::make_shared<const std::vector<System>>(compile_model(model, settings_));
    }
    add_islands();
}

Course::~Course() = default;

void Course::add_islands() {
    lanes_.resize(modes_ ? 1 : systems_->size());  // they must not move from here on
    places_.resize(model_.record.size());
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        Lane& lane = lanes_[i];
        const System& s = modes_ ? modes_->of(bonds::initial_mode(model_.graph)) : (*systems_)[i];
        ModeSystems* const modes = modes_ ? &*modes_ : nullptr;
        lane.samples.columns.resize(s.outputs.size());
        for (const auto& output : s.outputs) {
            places_[output.signal] = {i, lane.signals.size()};
            lane.signals.push_back(output.signal);
            // In a graph every signal may carry an impulse, in some mode.
            const int least = modes && !model_.graph.elements.empty() ? 1 : 0;
            if (output.signal < shown_ && settings_.impulses == ImpulseKind::symbolic)
                closing_.impulse_orders[output.signal] =
                    std::max(least, impulse_rungs(s.regularity[output.node]));
        }
        lane.island = make_island(s, times_, lane.samples);
    }
}

std::unique_ptr<HeldRun> Course::make_island(const System& s, const SampleTimes& times,
                                             SampleColumns& samples) {
    ModeSystems* const modes = modes_ ? &*modes_ : nullptr;
    if (settings_.impulses == ImpulseKind::numeric) {
        auto island = std::make_unique<NumericIsland>(settings_, s, modes, times, samples);
        if (control_.own_samples) island->record_own_samples();
        return island;
    }
    auto island = modes ? std::make_unique<Island>(settings_, *modes, times, samples)
                        : std::make_unique<Island>(settings_, s, times, samples);
    if (control_.log) island->observe(*control_.log);
    if (modes) graph_ = island.get();
    return island;
}

// Where one island ended the run others may have gone further already; these go up to there once more.
std::vector<double> Course::values_at_end(std::size_t i) {
    if (modes_ || lanes_[i].island->time() <= end_) return lanes_[i].island->values_at_end(end_);
    Settings there = settings_;
    there.at = {end_};
    const SampleTimes times(there);
    SampleColumns samples;
    samples.columns.resize(lanes_[i].signals.size());
    const auto island = make_island((*systems_)[i], times, samples);
    island->start();
    while (island->samples_written() == 0 && island->advance(HUGE_VAL) != Going::ended) {
    }
    std::vector<double> values;
    for (const auto& column : samples.columns)
        if (!column.empty()) values.push_back(column.front());
    return values;
}

void Course::add_last_values() {
    closing_.last.resize(shown_);
    if (closing_.end_reason == EndReason::interrupted) return;
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        const std::vector<double> values = values_at_end(i);
        for (std::size_t c = 0; c < values.size(); ++c)
            if (lanes_[i].signals[c] < shown_) closing_.last[lanes_[i].signals[c]] = values[c];
    }
}

void Course::start() {
    for (Sink* sink : sinks_) sink->begin(closing_);
    for (Lane& lane : lanes_) {
        try {
            lane.island->start();
            if (const auto& first = lane.island->recorder().first_mode; !first.empty())
                closing_.first_mode = first;
        } catch (const RunFailure& failure) {
            const bool by_numbers =
                failure.node != no_node && is_constant(lane.island->system().d, failure.node);
            if (failure.kind == ErrorKind::not_finite && (!failure.loop.empty() || by_numbers))
                fail_model_with(model_, *lane.island, failure);
            lane.stopped = true;
            end_by(describe(model_, *lane.island, failure));
        }
    }
}

// Brings one island to t, or to its end, or until it has enough to hand on.
void Course::bring(std::size_t i, double t, double until) {
    Lane& lane = lanes_[i];
    HeldRun& island = *lane.island;
    std::uint64_t rounds = 0;
    lane.waits = false;
    try {
        while (!lane.stopped && (island.sampled_to() < t || (until == t && island.next_event() <= t)) &&
               (rounds == 0 || !has_enough(island.recorder()))) {
            if (++lane.steps > control_.most_steps) break;
            const Going going = island.advance(until);
            lane.stopped = going == Going::ended;
            lane.waits = going == Going::waits;
            if (lane.waits) break;
            if (island.instants() > settings_.max_events)
                throw RunFailure{
                    .kind = ErrorKind::no_progress,
                    .what = fmt::format("more than {} events (max_events)", settings_.max_events),
                    .advice = "raise simulation.max_events if that many are meant"};
            if (patience_.is_over()) break;
            if ((++rounds & 255) != 0) continue;
            if (wants_checkpoint()) break;
            if (lanes_.size() == 1) tell_progress(island.time());
        }
    } catch (const RunFailure& failure) {
        lane.failure = failure;
    } catch (const ModelError& error) {  // a mode that is met under way
        lane.mistake = error;
    }
    if (lane.failure || lane.mistake) lane.stopped = true;
}

void Course::bring_all(double t, double until) {
    const unsigned threads = control_.log ? 1 : control_.threads.value_or(settings_.threads.value_or(1));
    side_by_side(lanes_.size(), threads, [&](std::size_t i) { bring(i, t, until); });
    std::uint64_t steps = 0;
    for (Lane& lane : lanes_) {
        if (lane.failure) end_by(describe(model_, *lane.island, *lane.failure));
        if (lane.mistake) end_by(describe(*lane.mistake, lane.island->time()));
        lane.failure.reset();
        lane.mistake.reset();
        if (lane.island->stopped_by_zeno()) end_by_zeno(*lane.island);
        if (lane.island->terminated()) end_by_block(*lane.island);
        steps += lane.steps;
    }
    if (steps > control_.most_steps) interrupt("the steps that were allowed end");
    interrupted();
}

double Course::brought_to(double t) const {
    double all = std::min(t, end_);
    for (const Lane& lane : lanes_)
        if (!lane.stopped && !lane.waits) all = std::min(all, lane.island->sampled_to());
    return all;
}

void Course::advance_to(double t) {
    while (!has_ended()) {
        bring_all(t, HUGE_VAL);
        reached_ = brought_to(t);
        if (is_worth_telling()) hand_on(safe_before(reached_));
        if (wants_checkpoint()) make_checkpoint();
        if (reached_ >= t) return;
    }
}

// Nobody notices what is told a blink later; to tell parts of a few samples would cost more than to compute
// them.
bool Course::is_worth_telling() {
    const std::size_t enough = next_sample_ + limits::samples_in_a_part / 4;
    std::size_t written = enough;
    for (const Lane& lane : lanes_) written = std::min(written, lane.island->samples_written());
    const bool is_much = written >= enough;
    const auto now = std::chrono::steady_clock::now();
    if (!has_ended() && !is_much && now - last_told_ < between_parts) return false;
    last_told_ = now;
    return true;
}

bool Course::wants_checkpoint() const {
    return control_.checkpoint && std::chrono::steady_clock::now() - last_checkpoint_ >
                                      std::chrono::duration<double>(control_.checkpoint_seconds);
}

void Course::make_checkpoint() {
    control_.checkpoint(save());
    last_checkpoint_ = std::chrono::steady_clock::now();
}

// A step that leads beyond t waits. Nothing else can happen up to t, unless it comes from outside.
void Course::advance_exactly_to(double t) {
    for (Lane& lane : lanes_) lane.looked = NAN;
    if (t >= settings_.stop)
        t = std::nextafter(settings_.stop, HUGE_VAL);  // what closes a run comes behind it
    bool more = true;
    while (more && end_ == HUGE_VAL) {
        bring_all(t, t);
        const double all = brought_to(t);
        reached_ = std::max(reached_, std::min(all, settings_.stop));
        hand_on(std::nextafter(reached_, HUGE_VAL));
        more = all < t && reached_ < settings_.stop;
    }
    if (end_ == HUGE_VAL) return;
    bring_all(end_, HUGE_VAL);  // one island ended early: the others go as far
    hand_on(HUGE_VAL);
}

void Course::step() {
    bring_all(std::nextafter(reached_, HUGE_VAL), reached_);
    double next = settings_.stop;
    for (const Lane& lane : lanes_)
        if (!lane.stopped) next = std::min(next, lane.island->end_of_step());
    advance_exactly_to(std::max(next, reached_));
}

void Course::end_here() {
    if (has_ended()) return;
    for (Lane& lane : lanes_) lane.island->sample_until(reached_);
    end_ = reached_;
    closing_.end_reason = EndReason::interrupted;
}

double Course::next_event() const {
    double next = settings_.stop;
    for (const Lane& lane : lanes_)
        if (!lane.stopped) next = std::min(next, lane.island->next_event());
    return next;
}

std::optional<Course::Inside> Course::find(NodeId node) const {
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        const auto& origin = lanes_[i].island->system().origin;
        const auto at = std::find(origin.begin(), origin.end(), node);
        if (at != origin.end()) return Inside{i, static_cast<NodeId>(at - origin.begin())};
    }
    return std::nullopt;
}

void Course::feed(std::size_t lane, Fed fed) {
    lanes_[lane].looked = NAN;
    lanes_[lane].island->feed(std::move(fed), reached_);
}

double Course::value(std::size_t signal) {
    Lane& lane = lanes_[places_[signal].lane];
    if (lane.looked != reached_) {
        lane.values.resize(lane.signals.size());
        try {
            lane.island->look(reached_, lane.values);
        } catch (const RunFailure& failure) {
            throw describe(model_, *lane.island, failure);
        }
        lane.looked = reached_;
    }
    return lane.values[places_[signal].column];
}

MetGerm Course::germ(std::size_t signal) {
    const auto [lane, column] = places_[signal];
    if (const MetGerm* met = lanes_[lane].island->met(column, reached_)) return *met;
    const double now = value(signal);
    return {now, now, {}};
}

std::vector<std::byte> Course::save() {
    Archive a;
    archive(a);
    return seal(fingerprint(model_), a.take());
}

void Course::restore(std::span<const std::byte> state) {
    try {
        Archive a(unseal(fingerprint(model_), state));
        archive(a);
    } catch (const ModelError& error) {
        throw ModelError(error.kind, model_.sources, error.diagnostics);
    }
}

void Course::archive(Archive& a) {
    for (Lane& lane : lanes_) {
        a(lane.samples.first, lane.samples.columns, lane.samples.own_times, lane.steps, lane.stopped,
          lane.waits);
        lane.island->archive(a);
        lane.looked = NAN;
    }
    a(closing_, causes_, end_, reached_, next_sample_);
}

void Course::run() {
    const double start = settings_.start, stop = std::min(settings_.stop, control_.until);
    // Few parts: each island's data stays warm.
    const std::size_t parts =
        std::max<std::size_t>(lanes_.size() == 1 ? 64 : 8, times_.size() / limits::samples_in_a_part);
    for (std::size_t k = 1; k <= parts && !has_ended(); ++k) {
        const double t = k == parts
                             ? std::nextafter(stop, HUGE_VAL)
                             : start + (stop - start) * static_cast<double>(k) / static_cast<double>(parts);
        if (t <= reached_) continue;
        advance_to(t);
        tell_progress(std::min(t, stop));
    }
    // One island ended early: the others go as far.
    if (end_ != HUGE_VAL && closing_.end_reason != EndReason::interrupted) bring_all(end_, HUGE_VAL);
}

const Trace& Course::finish() {
    hand_on(HUGE_VAL);
    closing_.end_t = std::min(end_, settings_.stop);
    if (control_.last_values) add_last_values();
    if (graph_) {
        graph_->close_ledger();
        closing_.energy = graph_->ledger();
        closing_.warnings = graph_->warnings();
        for (const auto& e : model_.graph.elements) closing_.elements.push_back(e.name);
    }
    add_sliding();
    std::optional<double> stiff;
    if (settings_.certify) closing_.proved.emplace();
    for (const Lane& lane : lanes_) {
        if (closing_.proved) add(*closing_.proved, lane.island->recorder().proved);
        closing_.statistics.steps += lane.island->recorder().statistics.steps;
        closing_.statistics.evaluations += lane.island->evaluations();
        if (const auto t = lane.island->stiff_since(); t && (!stiff || *t < *stiff)) stiff = t;
    }
    // Stability limited the steps: another method would take far fewer.
    if (stiff)
        closing_.warnings.push_back(fmt::format(
            "the model is stiff: from t = {:.6g} on stability, not accuracy, limits the steps of {}; "
            "method = \"{}\" takes fewer, and \"auto\" changes by itself",
            *stiff, name_of(settings_.method), has_cvode() ? "cvode" : "rosenbrock4"));
    for (Sink* sink : sinks_) sink->end(closing_);
    return closing_;
}

// What still slides does so to the end; several branches of one block that slide together are one.
void Course::add_sliding() {
    auto& all = closing_.sliding;
    for (const Lane& lane : lanes_)
        for (const Slid& s : lane.island->recorder().slid) {
            if (s.from > closing_.end_t) continue;
            const double to = std::isnan(s.to) ? closing_.end_t : std::min(s.to, closing_.end_t);
            all.push_back({closing_.cause_names[cause(s.block)], s.from, to});
        }
    const auto key = [](const SlidingInterval& i) { return std::tie(i.from, i.to, i.block); };
    std::sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
    all.erase(
        std::unique(all.begin(), all.end(), [&](const auto& a, const auto& b) { return key(a) == key(b); }),
        all.end());
}

void Course::end_by(RunError error) {
    if (error.t > end_) return;
    if (error.t < end_) closing_.errors.clear();
    end_ = error.t;
    closing_.errors.push_back(std::move(error));
    closing_.end_reason = EndReason::error;
}

void Course::end_by_zeno(const IslandRun& island) {
    const double t = island.end_time();
    if (t >= end_) return;
    end_ = t;
    closing_.end_reason = EndReason::zeno;
    closing_.errors.clear();
    if (settings_.zeno == AtZeno::error || settings_.zeno == AtZeno::by_kind)
        closing_.errors.push_back(describe_zeno(model_, island));
}

void Course::end_by_block(const IslandRun& island) {
    const double t = island.end_time();
    if (t >= end_) return;
    end_ = t;
    closing_.end_reason = EndReason::terminated;
    closing_.errors.clear();
}

bool Course::interrupted() {
    const Ending ending = patience_.ending();
    if (ending == Ending::none) return false;
    if (control_.checkpoint && end_ == HUGE_VAL) {
        reached_ = std::max(reached_, brought_to(settings_.stop));
        hand_on(safe_before(reached_));
        make_checkpoint();
    }
    const RunLimits& limits = patience_.limits();
    interrupt(ending == Ending::seconds
                  ? fmt::format("the run has taken {} s and may take no more: ended", limits.seconds)
              : ending == Ending::memory
                  ? fmt::format("the run has taken {} MB and may take no more: ended", limits.megabytes)
                  : "interrupted");
    return true;
}

void Course::interrupt(const std::string& words) {
    double t = HUGE_VAL;
    for (const Lane& lane : lanes_) t = std::min(t, lane.island->sampled_to());
    end_ = std::min(end_, t);
    closing_.end_reason = EndReason::interrupted;
    closing_.errors = {{ErrorKind::interrupted, end_, fmt::format("{} at t = {}", words, end_)}};
}

void Course::tell_progress(double t) const {
    if (control_.progress) control_.progress((t - settings_.start) / (settings_.stop - settings_.start));
}

}  // namespace deltaflow
