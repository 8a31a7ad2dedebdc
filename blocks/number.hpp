// A model's number: a double and, where it is one, the exact fraction.
#pragma once

#include "signal/rational.hpp"

#include <optional>

namespace deltaflow {

struct Number {
    double value = 0;
    std::optional<Rational> exact;  // lost by sqrt, sin, ... and by fractions that grow too long

    // What schedules and clocks use: the exact fraction, else the double bit for bit.
    Rational rational() const { return exact ? *exact : deltaflow::exact(value); }
};

Number number_from_double(double x);          // 0.1 is 1/10
Number number_from_text(std::string_view);    // a literal of an expression

}  // namespace deltaflow
