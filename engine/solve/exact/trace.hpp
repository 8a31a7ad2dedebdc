// What a run in exact numbers leaves behind.
#pragma once

#include "deltaflow/trace.hpp"
#include "engine/solve/exact/polynomial.hpp"

#include <string>
#include <vector>

namespace deltaflow {

// From `from` (to the next piece, or the end of the run) the signal is p(t), a polynomial of t itself.
struct ExactPiece {
    Quadratic from;
    closed_form::Polynomial p;
};

// sum_i coefficients[i] delta^(i)(t - at); epsilon counts the commits at one time.
struct ExactImpulses {
    Quadratic at;
    std::uint32_t epsilon = 0;
    std::vector<Quadratic> coefficients;
};

struct ExactSignal {
    std::string name;
    std::vector<ExactPiece> pieces;
    std::vector<ExactImpulses> impulses;
};

struct ExactTrace {
    std::string model;
    std::vector<ExactSignal> signals;
    Quadratic start, end;
    bool end_is_exact = true;  // else the end is a fraction near an event that cannot be written down
    EndReason end_reason = EndReason::stop;
    std::uint64_t instants = 0;
    std::vector<RunError> errors;  // empty if all went well
};

}  // namespace deltaflow
