// What a bond graph adds to germs: values that a solve has set against the flow, and those before the start.
#pragma once

#include "engine/run/germs/germs.hpp"

namespace deltaflow {

class GraphGerms {
public:
    GraphGerms(State& state, const Running& at, Germs& germs, ModeSystems* modes)
        : state_(state), at_(at), germs_(germs), modes_(modes) {}

    void adopt_solved();
    void check_kept();
    void settle_guard_branches();
    void forget_initial_values();
    bool has_left_initial_values() const;

    // Which modulated ratios are divided by.
    std::vector<double> ratio_weights(const OneSidedGerm& g);
    void choose_chart();
    // Is it time for another chart after a step of length h?
    bool turns(double h) { return modes_ && modes_->has_charts() && nears_zero_ratio(h); }
    // For a start: the mode with the chart that suits these weights.
    bonds::Mode with_first_chart(const bonds::Mode& mode, const std::vector<double>& weights) const;

private:
    bool nears_zero_ratio(double h);
    bool has_drifted(double h) const;

    State& state_;
    const Running& at_;
    Germs& germs_;
    ModeSystems* modes_;  // only with a bond graph
};

}  // namespace deltaflow
