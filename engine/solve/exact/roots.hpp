// Real roots of exact polynomials: isolated by Sturm's theorem, and written down where one square root is
// enough.
#pragma once

#include "engine/solve/exact/polynomial.hpp"

#include <optional>

namespace deltaflow::closed_form {

// Which root ends a flow.
struct Search {
    bool touch = false;  // a zero without change of sign counts too
    int direction = 0;   // -1: only from + to -, +1: only from - to +, 0: both
};

// A root of a polynomial: between two fractions, or one of them.
struct Root {
    std::optional<Quadratic> value;  // nothing: one square root is not enough
    Rational low, high;
    Polynomial of;  // it is the only root of this one there
};

// Is the root at or before x? Narrows the root down until that is plain.
bool is_at_most(Root& root, const Quadratic& x);
// To about as many digits as a double has.
Rational near(Root root);

// The smallest root in (0, end] that counts, of a polynomial that is not zero at 0. A root that is a
// fraction, or one with sqrt(d), has a value; with d = 0 any square root will do.
std::optional<Root> first_root(const Polynomial& p, const Search& search, const Quadratic& end,
                               const Integer& d);

}  // namespace deltaflow::closed_form
