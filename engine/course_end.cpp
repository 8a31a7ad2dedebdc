// Parts of one trace from what islands have left; how a run ends, and what is known of it then.
#include "engine/course.hpp"
#include "engine/course/report.hpp"
#include "engine/run/rounded/island.hpp"
#include "engine/solve/finite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace deltaflow {

namespace {

void add(Proved& sum, const Proved& part) {
    sum.local_error = std::max(sum.local_error, part.local_error);
    sum.steps += part.steps;
    sum.events += part.events;
    sum.series += part.series;
}

}  // namespace

void Course::hand_on(double before) {
    told_to_ = before;
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

void Course::add_events(Trace& part, double before) {
    std::vector<LaneEvents> all;
    for (const Lane& lane : lanes_) all.push_back({&lane.island->recorder(), lane.ready.automata});
    merging_.add(all, before, end_, part);
    for (Lane& lane : lanes_) {
        Recorder& r = lane.island->recorder();
        const auto kept =
            std::find_if(r.events.begin(), r.events.end(), [&](const Event& e) { return e.t >= before; });
        r.drop(static_cast<std::size_t>(kept - r.events.begin()));
    }
}

// Where one island ended the run others may have gone further already; these go up to there once more.
Course::Lane Course::again_to_end(std::size_t i, ReadyIsland ready) const {
    Lane lane;
    lane.ready = std::move(ready);
    lane.signals = lanes_[i].signals;
    Settings there = settings_;
    there.at = {end_};
    if (lane.ready.modes) there.stop = end_;  // what is stored there counts, too
    const SampleTimes times(there);
    lane.samples.columns.resize(lanes_[i].signals.size());
    lane.island = make_island(lane.ready, there, times, lane.samples);
    try {
        lane.island->start();
        while ((lane.ready.modes || lane.island->samples_written() == 0) &&
               lane.island->advance(HUGE_VAL) != Going::ended) {
        }
    } catch (const RunFailure&) {  // of what came after the end
    } catch (const ModelError&) {  // a mode that is met there
    }
    for (const auto& column : lane.samples.columns)
        if (!column.empty()) lane.values.push_back(column.front());
    lane.looked = end_;
    return lane;
}

const Trace& Course::finish() {
    hand_on(HUGE_VAL);
    closing_.end_t = std::min(end_, settings_.stop);
    close_islands();
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

// What signals are at the end, and where energy went until then.
void Course::close_islands() {
    closing_.last.resize(control_.last_values ? shown_ : 0);
    std::vector<ReadyIsland> again;
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        const bool keeps_ledger = lanes_[i].ready.modes && settings_.impulses == ImpulseKind::symbolic;
        if (!control_.last_values && !keeps_ledger) continue;
        const bool is_known = closing_.end_reason != EndReason::interrupted;
        if (is_known && lanes_[i].island->time() > end_) {
            if (again.empty()) again = ready_islands(model_, settings_);
            close(again_to_end(i, std::move(again[i])), is_known);
        } else {
            close(lanes_[i], is_known);
        }
    }
    if (!has_modes(model_.graph) || settings_.impulses == ImpulseKind::numeric) return;
    sort_ledger(closing_.energy);
    for (const auto& e : model_.graph.elements) closing_.elements.push_back(e.name);
}

void Course::close(const Lane& lane, bool with_values) {
    if (with_values && control_.last_values) {
        const std::vector<double> values =
            lane.looked == end_ ? lane.values : lane.island->values_at_end(end_);
        for (std::size_t c = 0; c < values.size(); ++c)
            if (lane.signals[c] < shown_) closing_.last[lane.signals[c]] = values[c];
    }
    if (!lane.ready.modes || settings_.impulses == ImpulseKind::numeric) return;
    auto& island = static_cast<Island&>(*lane.island);
    island.close_ledger();
    add_ledger(closing_.energy, island.ledger(), lane.ready.elements);
    closing_.warnings.insert(closing_.warnings.end(), island.warnings().begin(), island.warnings().end());
}

// What still slides does so to the end; several branches of one block that slide together are one.
void Course::add_sliding() {
    auto& all = closing_.sliding;
    for (const Lane& lane : lanes_)
        for (const Slid& s : lane.island->recorder().slid) {
            if (s.from > closing_.end_t) continue;
            const double to = std::isnan(s.to) ? closing_.end_t : std::min(s.to, closing_.end_t);
            all.push_back({closing_.cause_names[merging_.cause(s.block)], s.from, to});
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

}  // namespace deltaflow
