// What comes due in exact numbers: schedules, clocks, delays and timers.
#pragma once

#include "engine/run/exact/lags.hpp"
#include "engine/run/exact/record.hpp"

namespace deltaflow::closed_form {

class ExactCalendar {
public:
    ExactCalendar(ExactState& state, const ExactRunning& at, ExactRecord& record)
        : state_(state), at_(at), record_(record) {}

    // Where schedules, clocks and delays stand at the start.
    void prepare(double start);
    void begin_commit();
    // When something comes due next; nothing if nothing does.
    const Quadratic* next() const;
    void add(Quadratic t, NodeId node) { state_.agenda.push_back({std::move(t), node}); }
    // All that is due now.
    void take();
    // Where the solve says that a delay has jumped into another piece of the past: then it is to be made
    // again.
    bool correct_lags();
    // A crossing fires.
    void strike(NodeId crossing);
    // What comes from outside into a solve.
    void feed(ExactInstant& solver) const;
    // Delays pass on what happened: impulses, and a due time where the polynomial changes.
    void store();
    // The past of delays over a flow from now to `to`.
    void flow(const Quadratic& to);

private:
    void prepare_schedule(NodeId node, double start);
    void prepare_clock(NodeId node);
    void take(NodeId node);
    ExactLags lags() const { return {*at_.x, state_.histories, state_.t}; }
    Line piece_at(std::uint32_t schedule, const Quadratic& since) const;

    ExactState& state_;
    const ExactRunning& at_;
    ExactRecord& record_;
    std::map<NodeId, std::vector<Quadratic>> arrivals_;  // of this commit: impulses
};

}  // namespace deltaflow::closed_form
