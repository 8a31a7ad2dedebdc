// The past that delays keep: what their inputs were in each step.
#pragma once

#include "engine/run/flow/conditions.hpp"

namespace deltaflow {

class Pasts {
public:
    Pasts(const Settings& settings, State& state, const Running& at, Conditions& conditions)
        : settings_(settings), state_(state), at_(at), conditions_(conditions) {}

    // A step of length h is over.
    void append(double h) {
        if (h > 0 && !at_.s->delays.empty()) append_step(h);
    }

private:
    void append_step(double h);
    void append_series(const Stepper& method, double from, double to);
    double append_expansions(double h);
    void append_fitted(double from, double to, int depth);
    std::vector<double> fitted(NodeId u, double from, double to);
    bool fits(NodeId u, std::span<const double> c, double from, double to);
    void keep_piece(std::size_t delay, History::Piece piece);

    const Settings& settings_;
    State& state_;
    const Running& at_;
    Conditions& conditions_;
};

}  // namespace deltaflow
