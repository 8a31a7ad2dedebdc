// The first sample: states have their initial values, and a derivative, which has no sample before, is that
// of the flow.
#pragma once

#include "engine/run/sampled/numeric_calendar.hpp"
#include "engine/run/sampled/numeric_watches.hpp"

namespace deltaflow {

class NumericStart {
public:
    NumericStart(NumericState& state, const NumericRunning& at, const Pace& pace, NumericSheets& sheets,
                 NumericSolver& solver, NumericWatches& watches)
        : state_(state), at_(at), pace_(pace), sheets_(sheets), solver_(solver), watches_(watches) {}

    // Solves it; what signals were before it, by the flow.
    std::vector<double> first_sample(NumericCalendar& calendar);

private:
    std::vector<double> flow_values(const Program& program, Workspace& work, bool behind);
    bool settle_branches(const std::vector<std::int32_t>& so_far, const double* rungs, std::uint32_t stride,
                         bool behind);
    void give_slopes(const std::vector<double>& before, const std::vector<double>& after);
    void give_rates(const std::vector<double>& values);
    void give_sources(const std::vector<double>& before);
    void solve();

    NumericState& state_;
    const NumericRunning& at_;
    const Pace& pace_;
    NumericSheets& sheets_;
    NumericSolver& solver_;
    NumericWatches& watches_;
};

}  // namespace deltaflow
