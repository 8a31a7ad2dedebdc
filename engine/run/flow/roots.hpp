// The first event in a step, whichever way its method shows conditions.
#pragma once

#include "engine/run/flow/sampled_roots.hpp"

namespace deltaflow {

// From their Taylor series, as far as the equations agree.
class SeriesRoots {
public:
    SeriesRoots(const State& state, const Running& at, Conditions& conditions)
        : state_(state), at_(at), conditions_(conditions) {}

    std::optional<Reached> first(double h);
    // Of one condition, in (0, h].
    std::optional<double> root_of(const Watch& w, double h);
    // A root that the series has not seen, though at the end of the step it lies behind.
    std::optional<Reached> hidden(double h);
    // May a multiple root lie at the end of the step?
    bool ends_in_doubt(double h);
    double polished(const Reached& root);

private:
    bool is_contradicted(const Watch& w, double root, double h);
    double with_remainder(const Watch& w, double root, double h);
    std::optional<double> reach_side(const Watch& w, double at, double ahead, int side);
    double edge_of_side(const Watch& w, double on, double off, int side);
    double settled(const Watch& w, double at);

    const State& state_;
    const Running& at_;
    Conditions& conditions_;
};

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
