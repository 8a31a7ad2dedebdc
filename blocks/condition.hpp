// Conditions: comparisons joined by and, or, not. They are lowered to decisions, one for each comparison, so
// that the sign of its germ decides, its zeros are located, and what is not asked is not held against a
// model.
#pragma once

#include "blocks/composer.hpp"

#include <string_view>
#include <vector>

namespace deltaflow {

struct Condition {
    enum class Kind : std::uint8_t {
        known,  // true or false whatever happens
        least,  // signal >= 0, by its germ
        all,
        any,
        none,
    } kind = Kind::known;
    bool holds = false;  // of known
    Ref signal{};        // of least
    std::vector<Condition> parts{};
    // No comparison, but a signal that is read as a condition.
    bool plain = false;
};

// left OP right, by their difference: a > b is "not b - a >= 0", so that equal germs are not greater; a == b
// is "a - b >= 0 and b - a >= 0", true only where the difference is zero for good.
// Of numbers alone no composer is needed.
Condition compared(std::string_view relation, const Affine& difference, Composer* composer);
Condition at_least_zero(const Affine& a, Composer* composer);
Condition joined(Condition::Kind kind, std::vector<Condition> parts);

// `then` where the condition holds, else `otherwise`.
Ref choose(Composer& composer, const Condition& condition, Ref then, Ref otherwise);
// `yes` where it holds, else `no`.
Ref choose(Composer& composer, const Condition& condition, double yes, double no);

}  // namespace deltaflow
