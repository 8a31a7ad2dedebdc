// Parts of one trace from what islands have left.
#include "engine/course.hpp"
#include "engine/solve/finite.hpp"

#include <algorithm>
#include <limits>

namespace deltaflow {

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

}  // namespace deltaflow
