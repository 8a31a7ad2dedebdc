// Runs a model in exact numbers: every signal as a piecewise polynomial and impulses, in closed form.
#pragma once

#include "blocks/fraction_book.hpp"
#include "engine/simulate.hpp"
#include "engine/solve/exact/trace.hpp"

namespace deltaflow {

// `book` was open while the model was loaded. A model that has no closed form, be it from some time on, gives
// an error (3) beside what was found until then; otherwise errors are those of `simulate`.
ExactTrace run_exactly(const FlatModel& model, const FractionBook& book, const RunControl& control = {});

}  // namespace deltaflow
