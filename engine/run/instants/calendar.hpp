// What comes due at an instant: schedules, clocks, delays, and what comes from outside.
#pragma once

#include "engine/run/instants/arrivals.hpp"
#include "engine/run/instants/record.hpp"
#include "engine/run/instants/varying_delays.hpp"

namespace deltaflow {

class Calendar {
public:
    Calendar(const Settings& settings, State& state, const Running& at, Germs& germs, Record& record)
        : state_(state), at_(at), record_(record), delays_(settings, state, at, germs) {}

    // Where schedules and clocks stand when the run begins.
    void prepare();
    // All that is due now.
    void take() {
        if (state_.agenda.next() <= state_.t + same_time(state_.t)) take_what_is_due();
        delays_.move(arrivals_);
        brought_ = !arrivals_.empty();
    }
    Arrivals& arrivals() { return arrivals_; }
    const Arrivals& arrivals() const { return arrivals_; }
    // Did anything come from outside at this instant?
    bool has_brought() const { return brought_; }
    VaryingDelays& delays() { return delays_; }

private:
    void take_what_is_due();
    void take(NodeId node);
    void take_fed(NodeId node);
    void take_point(NodeId schedule);

    State& state_;
    const Running& at_;
    Record& record_;
    VaryingDelays delays_;
    Arrivals arrivals_;  // of this commit
    bool brought_ = false;
};

}  // namespace deltaflow
