// First roots of conditions in a step, from their Taylor series, as far as the equations agree.
#pragma once

#include "engine/run/flow/conditions.hpp"

namespace deltaflow {

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

}  // namespace deltaflow
