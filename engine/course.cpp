// Islands side by side, errors in words, parts of one trace.
#include "engine/course.hpp"

#include "engine/limits.hpp"
#include "engine/report.hpp"
#include "engine/run/island.hpp"
#include "engine/run/sampled/numeric_island.hpp"
#include "engine/side_by_side.hpp"
#include "engine/solve/finite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace deltaflow {

namespace {

// Roots of equal conditions in two islands may differ by rounding.
bool is_same_time(const Event& a, const Event& b) {
    return a.epsilon == b.epsilon && a.index == b.index &&
           std::abs(a.t - b.t) <= limits::same_time_ulps * rounding::unit * std::abs(b.t);
}

// Everything before this is known when all islands have passed t: what belongs to one time stays together.
double safe_before(double t) { return t - 4 * limits::same_time_ulps * rounding::unit * std::abs(t); }

// The signal of a state stands for its automaton.
std::string name_of_cause(const FlatModel& model, NodeId n) {
    for (const auto& a : model.graph.automata)
        if (!a.signals.empty() && a.signals[0] == n) return a.name;
    return model.naming->name(n);
}

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

void add(Proved& sum, const Proved& part) {
    sum.local_error = std::max(sum.local_error, part.local_error);
    sum.steps += part.steps;
    sum.events += part.events;
    sum.series += part.series;
}

}  // namespace

Course::Course(const FlatModel& model, std::size_t shown, const RunControl& control)
    : model_(model),
      control_(control),
      settings_(complete(model)),
      shown_(shown),
      times_(settings_),
      reached_(settings_.start) {
    closing_.model = model.name;
    for (std::size_t i = 0; i < shown_; ++i) closing_.signals.push_back(model.record[i].name);
    closing_.samples.resize(shown_);
    closing_.impulse_orders.assign(shown_, 0);
    for (const auto& a : model.graph.automata) closing_.automata.push_back({a.name, a.states});
    if (has_modes(model.graph)) {
        modes_.emplace(model, settings_);
        closing_.first_mode = bonds::initial_mode(model.graph);
    } else {
        systems_ = compile_model(model, settings_);
    }
    add_islands();
}

Course::~Course() = default;

void Course::add_islands() {
    lanes_.resize(modes_ ? 1 : systems_.size());  // they must not move from here on
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        Lane& lane = lanes_[i];
        const System& s = modes_ ? modes_->of(bonds::initial_mode(model_.graph)) : systems_[i];
        ModeSystems* const modes = modes_ ? &*modes_ : nullptr;
        lane.samples.columns.resize(s.outputs.size());
        for (const auto& output : s.outputs) {
            lane.signals.push_back(output.signal);
            // In a graph every signal may carry an impulse, in some mode.
            const int least = modes && !model_.graph.elements.empty() ? 1 : 0;
            if (output.signal < shown_ && settings_.impulses == ImpulseKind::symbolic)
                closing_.impulse_orders[output.signal] =
                    std::max(least, impulse_rungs(s.regularity[output.node]));
        }
        if (settings_.impulses == ImpulseKind::numeric) {
            auto island = std::make_unique<NumericIsland>(settings_, s, modes, times_, lane.samples);
            if (control_.own_samples) island->record_own_samples();
            lane.island = std::move(island);
        } else {
            auto island = modes ? std::make_unique<Island>(settings_, *modes, times_, lane.samples)
                                : std::make_unique<Island>(settings_, s, times_, lane.samples);
            if (control_.log) island->observe(*control_.log);
            if (modes) graph_ = island.get();
            lane.island = std::move(island);
        }
    }
}

void Course::start() {
    for (Sink* sink : sinks_) sink->begin(closing_);
    for (Lane& lane : lanes_) {
        try {
            lane.island->start();
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
void Course::bring(std::size_t i, double t) {
    Lane& lane = lanes_[i];
    IslandRun& island = *lane.island;
    std::uint64_t rounds = 0;
    try {
        while (!lane.stopped && island.time() < t &&
               (rounds == 0 || island.recorder().events.size() < limits::events_in_a_part)) {
            if (++lane.steps > control_.most_steps) break;
            if (!island.advance()) lane.stopped = true;
            if (island.instants() > settings_.max_events)
                throw RunFailure{
                    .kind = ErrorKind::no_progress,
                    .what = fmt::format("more than {} events (max_events)", settings_.max_events),
                    .advice = "raise simulation.max_events if that many are meant"};
            if ((++rounds & 255) != 0) continue;
            if (control_.interrupt && control_.interrupt->load(std::memory_order_relaxed)) break;
            if (lanes_.size() == 1) tell_progress(island.time());
        }
    } catch (const RunFailure& failure) {
        lane.failure = failure;
    } catch (const ModelError& error) {  // a mode that is met under way
        lane.mistake = error;
    }
    if (lane.failure || lane.mistake) lane.stopped = true;
}

void Course::bring_all(double t) {
    const unsigned threads = control_.log ? 1 : control_.threads;
    side_by_side(lanes_.size(), threads, [&](std::size_t i) { bring(i, t); });
    std::uint64_t steps = 0;
    for (Lane& lane : lanes_) {
        if (lane.failure) end_by(describe(model_, *lane.island, *lane.failure));
        if (lane.mistake) end_by(describe(*lane.mistake, lane.island->time()));
        lane.failure.reset();
        lane.mistake.reset();
        if (lane.island->stopped_by_zeno()) end_by_zeno(*lane.island);
        steps += lane.steps;
    }
    if (steps > control_.most_steps) interrupt("the steps that were allowed end at t = {}");
    interrupted();
}

void Course::advance_to(double t) {
    while (!has_ended()) {
        bring_all(t);
        double all = std::min(t, end_);
        for (const Lane& lane : lanes_)
            if (!lane.stopped) all = std::min(all, lane.island->time());
        reached_ = all;
        hand_on(safe_before(all));
        if (all >= t) return;
    }
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
        advance_to(t);
        tell_progress(std::min(t, stop));
    }
    // One island ended early: the others go as far.
    if (end_ != HUGE_VAL && closing_.end_reason != EndReason::interrupted) bring_all(end_);
}

const Trace& Course::finish() {
    hand_on(HUGE_VAL);
    closing_.end_t = std::min(end_, settings_.stop);
    if (graph_) {
        graph_->close_ledger();
        closing_.energy = graph_->ledger();
        closing_.warnings = graph_->warnings();
        for (const auto& e : model_.graph.elements) closing_.elements.push_back(e.name);
    }
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
    if (settings_.zeno == AtZeno::error) closing_.errors.push_back(describe_zeno(model_, island));
}

bool Course::interrupted() {
    if (!control_.interrupt || !control_.interrupt->load(std::memory_order_relaxed)) return false;
    interrupt("interrupted at t = {}");
    return true;
}

void Course::interrupt(const char* words) {
    double t = HUGE_VAL;
    for (const Lane& lane : lanes_) t = std::min(t, lane.island->time());
    end_ = std::min(end_, t);
    closing_.end_reason = EndReason::interrupted;
    closing_.errors = {{ErrorKind::interrupted, end_, fmt::format(fmt::runtime(words), end_)}};
}

void Course::tell_progress(double t) const {
    if (control_.progress) control_.progress((t - settings_.start) / (settings_.stop - settings_.start));
}

// Gives each node that caused something its name, once.
std::uint32_t Course::cause(NodeId n) {
    const auto at = std::lower_bound(causes_.begin(), causes_.end(), std::pair{n, std::uint32_t{0}});
    if (at != causes_.end() && at->first == n) return at->second;
    const std::string name = name_of_cause(model_, n);
    auto& names = closing_.cause_names;
    const auto same = std::find(names.begin(), names.end(), name);
    const auto i = static_cast<std::uint32_t>(same - names.begin());
    if (same == names.end()) names.push_back(name);
    return causes_.insert(at, {n, i})->second;
}

void Course::hand_on(double before) {
    Trace part;
    part.signals = closing_.signals;
    part.automata = closing_.automata;
    part.first_mode = closing_.first_mode;
    part.samples.resize(shown_);
    add_samples(part, before);
    add_events(part, before);
    end_where_not_finite(part);
    if (!part.errors.empty()) end_by(part.errors.front());
    part.cause_names = closing_.cause_names;
    part.impulse_orders = closing_.impulse_orders;
    closing_.statistics.events += part.events.size();
    if (part.t.empty() && part.events.empty()) return;
    for (Sink* sink : sinks_) sink->take(part);
}

void Course::add_samples(Trace& part, double before) {
    std::size_t last = std::numeric_limits<std::size_t>::max();
    for (const Lane& lane : lanes_)
        if (!control_.own_samples || !lane.signals.empty())
            last = std::min(last, lane.island->samples_written());
    if (control_.own_samples && before != HUGE_VAL) return;
    if (lanes_.empty()) last = times_.size();
    if (!control_.own_samples) {
        std::size_t k = next_sample_;
        for (; k < last && times_[k] < before; ++k) part.t.push_back(times_[k]);
        last = k;
    }
    for (Lane& lane : lanes_) {
        if (control_.own_samples && !lane.signals.empty()) part.t = lane.samples.own_times;
        for (std::size_t c = 0; c < lane.signals.size(); ++c) {
            const auto& column = lane.samples.columns[c];
            const auto from = static_cast<std::ptrdiff_t>(next_sample_ - lane.samples.first);
            const auto to = static_cast<std::ptrdiff_t>(last - lane.samples.first);
            if (lane.signals[c] < shown_)
                part.samples[lane.signals[c]].assign(column.begin() + from, column.begin() + to);
        }
        lane.samples.drop_before(last);
    }
    for (auto& row : part.samples) row.resize(part.t.size(), 0.0);
    next_sample_ = last;
}

void Course::add_jump(Trace& part, const Recorder& r, Jump jump) {
    if (jump.signal >= shown_) return;
    const auto first = r.impulses.begin() + jump.first_impulse;
    jump.first_impulse = static_cast<std::uint32_t>(part.impulses.size());
    part.impulses.insert(part.impulses.end(), first, first + jump.impulse_count);
    part.jumps.push_back(jump);
    int& orders = closing_.impulse_orders[jump.signal];
    orders = std::max(orders, static_cast<int>(jump.impulse_count));
}

// Events of all islands in one list; those at the same hyperdense time are one.
void Course::add_events(Trace& part, double before) {
    struct Item {
        const Recorder* recorder;
        const Event* event;
    };
    std::vector<Item> items;
    std::vector<std::size_t> taken(lanes_.size(), 0);
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        const Recorder& r = lanes_[i].island->recorder();
        for (const Event& event : r.events) {
            if (event.t >= before) break;
            ++taken[i];
            if (event.t <= end_) items.push_back({&r, &event});
        }
    }
    const auto key = [](const Item& i) { return std::tuple(i.event->t, i.event->epsilon, i.event->index); };
    if (lanes_.size() > 1)
        std::stable_sort(items.begin(), items.end(),
                         [&](const Item& a, const Item& b) { return key(a) < key(b); });
    for (std::size_t i = 0; i < items.size();) {
        Event event = *items[i].event;
        event.first_cause = static_cast<std::uint32_t>(part.causes.size());
        event.first_jump = static_cast<std::uint32_t>(part.jumps.size());
        event.first_mode = static_cast<std::uint32_t>(part.modes.size());
        const auto head = key(items[i]);
        std::size_t next = i;
        for (; next < items.size() &&
               (next == i || key(items[next]) == head || is_same_time(*items[next].event, event));
             ++next) {
            const Recorder& r = *items[next].recorder;
            const Event& e = *items[next].event;
            for (std::uint32_t c = 0; c < e.cause_count; ++c) {
                const std::uint32_t name = cause(r.causes[e.first_cause + c]);
                if (std::find(part.causes.begin() + event.first_cause, part.causes.end(), name) ==
                    part.causes.end())
                    part.causes.push_back(name);
            }
            for (std::uint32_t j = 0; j < e.jump_count; ++j) add_jump(part, r, r.jumps[e.first_jump + j]);
            const auto mode = r.modes.begin() + e.first_mode;
            part.modes.insert(part.modes.end(), mode,
                              mode + static_cast<std::ptrdiff_t>(part.automata.size()));
            if (lanes_.size() == 1) {
                ++next;
                break;
            }
        }
        if (lanes_.size() > 1) std::sort(part.causes.begin() + event.first_cause, part.causes.end());
        event.cause_count = static_cast<std::uint32_t>(part.causes.size()) - event.first_cause;
        event.jump_count = static_cast<std::uint32_t>(part.jumps.size()) - event.first_jump;
        if (lanes_.size() > 1)
            std::sort(part.jumps.begin() + event.first_jump, part.jumps.end(),
                      [](const Jump& a, const Jump& b) { return a.signal < b.signal; });
        part.events.push_back(event);
        i = next;
    }
    for (std::size_t i = 0; i < lanes_.size(); ++i) lanes_[i].island->recorder().drop(taken[i]);
}

}  // namespace deltaflow
