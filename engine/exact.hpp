// Runs a model in exact numbers: every signal as a piecewise polynomial and impulses, in closed form.
#pragma once

#include "blocks/fraction_book.hpp"
#include "engine/simulate.hpp"
#include "engine/solve/exact/polynomial.hpp"

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
    bool end_is_exact = true;         // else the end is a fraction near an event that cannot be written down
    std::string end_reason = "stop";  // stop, zeno, error, interrupted
    std::uint64_t instants = 0;
    std::vector<RunError> errors;  // empty if all went well
};

// `book` was open while the model was loaded. A model that has no closed form, be it from some time on, gives
// an error (3) beside what was found until then; otherwise errors are those of `simulate`.
ExactTrace run_exactly(const Model& model, const FractionBook& book, const RunControl& control = {});

}  // namespace deltaflow
