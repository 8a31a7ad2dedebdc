// The first event in a step, whichever way its method shows conditions.
#pragma once

#include "engine/run/flow/sampled_roots.hpp"
#include "engine/run/flow/series_roots.hpp"

namespace deltaflow {

class Roots {
public:
    Roots(const Settings& settings, State& state, const Running& at, Conditions& conditions)
        : state_(state),
          at_(at),
          conditions_(conditions),
          series_(state, at, conditions),
          sampled_(settings, state, at, conditions) {}

    std::optional<Reached> first_event(double h);
    Reached ending_branch(const Reached& root);
    SeriesRoots& by_series() { return series_; }
    SampledRoots& by_points() { return sampled_; }

private:
    const State& state_;
    const Running& at_;
    Conditions& conditions_;
    SeriesRoots series_;
    SampledRoots sampled_;
};

// Does the value grow beyond all bounds there? At a branch point it does not, only its slope does.
bool is_pole(const Diagram& d, NodeId n);
RunFailure singular_point(const Watch& w);

}  // namespace deltaflow
