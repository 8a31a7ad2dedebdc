// Linear systems as integrators, derivatives and sums.
#pragma once

#include "blocks/builder.hpp"

#include <vector>

namespace deltaflow {

// Coefficients, lowest power first, with no zeros at the end.
using Polynomial = std::vector<Number>;

// From coefficients with the highest power first, as models write them.
Polynomial polynomial_from_highest(const std::vector<Number>& coefficients);

struct Division {
    Polynomial quotient, rest;
};
Division divide(Polynomial dividend, const Polynomial& divisor);

// y = numerator(s)/denominator(s) u in controllable canonical form. The quotient acts on derivatives of
// the input, so that a system of degree n has n states, however improper it is. denominator != 0.
Ref realize(const Polynomial& numerator, const Polynomial& denominator, Ref u, Builder& b);

}  // namespace deltaflow
