// Smooth flow in exact numbers: Taylor rungs by the flow program, until they end by themselves.
#pragma once

#include "engine/solve/exact/system.hpp"

#include <functional>

namespace deltaflow::closed_form {

// What a side of a germ follows from.
struct FlowInput {
    const ExactSystem* system = nullptr;
    const ExactDiscrete* discrete = nullptr;
    const std::vector<Quadratic>* states = nullptr;     // per node
    const std::vector<std::uint8_t>* active = nullptr;  // per node; empty: all
    std::function<Polynomial(NodeId)> delayed;          // the polynomial of a delay's output, from t on
    Quadratic t;
};

// All signals at t: as many rungs as it takes for them to be polynomials of t, and a good many where they are
// none.
//
// If all rungs above D vanish up to rung 2 D + 1, the polynomials of degree D solve every equation (the
// product of two has degree 2 D at most), and since the solution is unique they are it.
Side evaluate_side(const FlowInput& in);

// A block that keeps the flow from being polynomial, and the loop that it feeds back through.
RunFailure not_polynomial(const ExactSystem& x, const Side& side, const std::vector<std::uint8_t>& active);

}  // namespace deltaflow::closed_form
