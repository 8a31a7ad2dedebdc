// Signs that people know from block diagrams: a sum is a circle, a gain a triangle, an integrator has its
// integral.
#pragma once

#include "engine/front/outline.hpp"
#include "report/scheme/scheme.hpp"

namespace deltaflow::report::scheme {

// Gives the box of a block or an expression its sign, and takes away the words that the sign replaces.
void add_sign(Box& box, const OutlinePart& part);

// +1 or -1: how a sum of plain signals takes what it reads under this name; 0 if the part is no such sum.
int sign_in_sum(const OutlinePart& part, const OutlineRead& read);

}  // namespace deltaflow::report::scheme
