// Islands side by side, and errors in words.
#include "engine/course.hpp"

#include "engine/course/compiling.hpp"
#include "engine/course/fingerprint.hpp"
#include "engine/course/report.hpp"
#include "engine/course/side_by_side.hpp"
#include "engine/limits.hpp"
#include "engine/model/archive_trace.hpp"
#include "engine/run/rounded/island.hpp"
#include "engine/run/sampled/numeric_island.hpp"
#include "engine/solve/finite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

namespace deltaflow {

namespace {

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

unsigned threads_of(const RunControl& control, const Settings& settings) {
    return control.log ? 1 : control.threads.value_or(settings.threads.value_or(1));
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
      merging_(model, shown, closing_),
      reached_(settings_.start) {
    closing_.model = model.name;
    for (std::size_t i = 0; i < shown_; ++i) closing_.signals.push_back(model.record[i].name);
    closing_.samples.resize(shown_);
    closing_.impulse_orders.assign(shown_, 0);
    for (const auto& a : model.graph.automata) closing_.automata.push_back({a.name, a.states});
    closing_.first_mode = bonds::initial_mode(model.graph);
    const unsigned threads = threads_of(control, settings_);
    if (!systems && threads != 1 && !has_modes(model.graph))
        systems = compile_side_by_side(model, settings_, threads);
    add_islands(ready_islands(model, settings_, std::move(systems)));
}

Course::~Course() = default;

void Course::add_islands(std::vector<ReadyIsland> ready) {
    lanes_.resize(ready.size());  // they must not move from here on
    places_.resize(model_.record.size());
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        Lane& lane = lanes_[i];
        lane.ready = std::move(ready[i]);
        const System& s = lane.ready.first();
        lane.samples.columns.resize(s.outputs.size());
        for (auto& column : lane.samples.columns)
            column.reserve(std::min(times_.size(), limits::samples_in_a_part));
        for (const auto& output : s.outputs) {
            places_[output.signal] = {i, lane.signals.size()};
            lane.signals.push_back(output.signal);
            // In a graph every signal may carry an impulse, in some mode.
            const int least = lane.ready.elements.empty() ? 0 : 1;
            if (output.signal < shown_ && settings_.impulses == ImpulseKind::symbolic)
                closing_.impulse_orders[output.signal] =
                    std::max(least, impulse_rungs(s.regularity[output.node]));
        }
        const auto& sources = s.d.schedules;
        lane.is_fed =
            std::any_of(sources.begin(), sources.end(), [](const Schedule& x) { return x.fed > 0; });
        lane.island = make_island(lane.ready, settings_, times_, lane.samples);
    }
}

std::unique_ptr<HeldRun> Course::make_island(ReadyIsland& ready, const Settings& settings,
                                             const SampleTimes& times, SampleColumns& samples) const {
    if (settings_.impulses == ImpulseKind::numeric) {
        auto island =
            std::make_unique<NumericIsland>(settings, ready.first(), ready.modes.get(), times, samples);
        if (control_.own_samples) island->record_own_samples();
        return island;
    }
    auto island = ready.modes ? std::make_unique<Island>(settings, *ready.modes, times, samples)
                              : std::make_unique<Island>(settings, *ready.system, times, samples);
    if (control_.log) island->observe(*control_.log);
    return island;
}

void Course::start() {
    for (Sink* sink : sinks_) sink->begin(closing_);
    side_by_side(lanes_.size(), threads_of(control_, settings_), [&](std::size_t i) {
        try {
            lanes_[i].island->start();
        } catch (const RunFailure& failure) {
            lanes_[i].failure = failure;
        }
    });
    for (Lane& lane : lanes_) {
        const HeldRun& island = *lane.island;
        const auto& first = island.recorder().first_mode;
        for (std::size_t a = 0; !lane.failure && a < first.size() && a < lane.ready.automata.size(); ++a)
            closing_.first_mode[lane.ready.automata[a]] = first[a];
        if (!lane.failure) continue;
        const RunFailure failure = *std::exchange(lane.failure, std::nullopt);
        const bool by_numbers = failure.node != no_node && is_constant(island.system().d, failure.node);
        if (failure.kind == ErrorKind::not_finite && (!failure.loop.empty() || by_numbers))
            fail_model_with(model_, island, failure);
        lane.stopped = true;
        end_by(describe(model_, island, failure));
    }
    merging_.begin(closing_.first_mode);
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

void Course::bring_all(double t, double until, bool leave_due) {
    side_by_side(lanes_.size(), threads_of(control_, settings_), [&](std::size_t i) {
        const double to = leave_due && lanes_[i].is_fed ? safe_before(t) : HUGE_VAL;
        bring(i, std::min(t, to), std::min(until, to));
    });
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

double Course::brought_to(double t, bool leave_due) const {
    double all = std::min(t, end_);
    for (const Lane& lane : lanes_) {
        const double to = lane.island->sampled_to();
        const bool is_left = leave_due && lane.is_fed && to >= safe_before(t);
        if (!lane.stopped && !lane.waits && !is_left) all = std::min(all, to);
    }
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
    if (!has_ended() && !is_much && now - last_.told < between_parts) return false;
    last_.told = now;
    return true;
}

bool Course::wants_checkpoint() const {
    return control_.checkpoint && std::chrono::steady_clock::now() - last_.checkpoint >
                                      std::chrono::duration<double>(control_.checkpoint_seconds);
}

void Course::make_checkpoint() {
    control_.checkpoint(save());
    last_.checkpoint = std::chrono::steady_clock::now();
}

void Course::run() {
    deliver();
    const double start = settings_.start, stop = std::min(settings_.stop, control_.until);
    // Few parts: each island's data stays warm.
    const std::size_t parts =
        std::max<std::size_t>(lanes_.size() == 1 ? 64 : 8, times_.size() / limits::samples_in_a_part);
    for (std::size_t k = 1; k <= parts && !has_ended(); ++k) {
        const double t = k == parts
                             ? std::nextafter(stop, HUGE_VAL)
                             : start + (stop - start) * static_cast<double>(k) / static_cast<double>(parts);
        if (t <= reached_ || (k < parts && t <= brought_to(HUGE_VAL))) continue;
        advance_to(t);
        tell_progress(std::min(t, stop));
    }
    // One island ended early: the others go as far.
    if (end_ != HUGE_VAL && closing_.end_reason != EndReason::interrupted) bring_all(end_, HUGE_VAL);
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
