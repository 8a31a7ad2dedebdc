// A run in somebody's hands: brought exactly to a time, looked at, fed, saved.
#include "engine/course.hpp"
#include "engine/course/fingerprint.hpp"
#include "engine/course/report.hpp"
#include "engine/model/archive_trace.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace deltaflow {

// A step that leads beyond t waits. Nothing else can happen up to t, unless it comes from outside.
void Course::advance_exactly_to(double t, bool leave_due) {
    leave_due = leave_due && t < settings_.stop &&
                std::any_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.is_fed; });
    for (Lane& lane : lanes_) lane.looked = NAN;
    if (t >= settings_.stop)
        t = std::nextafter(settings_.stop, HUGE_VAL);  // what closes a run comes behind it
    bool more = true;
    outside_.due_is_left = leave_due;
    while (more && end_ == HUGE_VAL) {
        bring_all(t, t, leave_due);
        const double all = brought_to(t, leave_due);
        reached_ = std::max(reached_, std::min(all, settings_.stop));
        hand_on(leave_due ? safe_before(reached_) : std::nextafter(reached_, HUGE_VAL));
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

double Course::farthest() const {
    double t = settings_.start;
    for (const Lane& lane : lanes_) t = std::max(t, lane.island->time());
    return t;
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

void Course::feed(std::size_t lane, Fed fed) { outside_.given.push_back({lane, std::move(fed)}); }

void Course::deliver() {
    for (Given& given : std::exchange(outside_.given, {})) {
        lanes_[given.lane].looked = NAN;
        lanes_[given.lane].island->feed(std::move(given.fed), reached_);
    }
}

// What was given comes together with what is due.
void Course::carry_out() {
    if (outside_.given.empty() && !outside_.due_is_left) return;
    deliver();
    advance_exactly_to(reached_);
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
    a(closing_, end_, reached_, next_sample_);
    merging_.archive(a);
    a(outside_.given, outside_.due_is_left);
}

}  // namespace deltaflow
