// Polynomials with exact coefficients, lowest power first; the last one is not zero, and none is the zero.
#pragma once

#include "signal/quadratic.hpp"

#include <span>
#include <utility>
#include <vector>

namespace deltaflow::closed_form {

using Polynomial = std::vector<Quadratic>;

// Without zeros at its end.
Polynomial trimmed(Polynomial p);
inline int degree(const Polynomial& p) { return static_cast<int>(p.size()) - 1; }

Quadratic evaluate(const Polynomial& p, const Quadratic& x);
// p(x + by)
Polynomial shifted(const Polynomial& p, const Quadratic& by);
Polynomial derivative(const Polynomial& p);
// 1 x^n + ..., for a polynomial that is not zero
Polynomial monic(const Polynomial& p);
Polynomial conjugate(const Polynomial& p);
bool is_rational(const Polynomial& p);

// u = quotient v + rest, v not zero
struct Quotient {
    Polynomial quotient, rest;
};
Quotient divide(Polynomial u, const Polynomial& v);
Polynomial greatest_divisor(Polynomial u, Polynomial v);
// Each root once.
Polynomial square_free(const Polynomial& p);

}  // namespace deltaflow::closed_form
