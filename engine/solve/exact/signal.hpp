// A signal of a polynomial flow in fractions: what decides where rounding cannot.
#pragma once

#include "engine/compile/discrete.hpp"
#include "engine/compile/system.hpp"
#include "engine/solve/exact/polynomial.hpp"

#include <optional>
#include <span>

namespace deltaflow {

// The signal of a node as a polynomial of the time after t, from the states x, bit for bit; nothing where it
// is none, or where a loop or a delay is on the way.
std::optional<closed_form::Polynomial> exact_signal(const System& s, const Discrete& discrete, double t,
                                                    std::span<const double> x, NodeId node);

}  // namespace deltaflow
