// Errors of a run in words: time, block, place, inputs with their germs, and the way out.
#pragma once

#include "engine/model/model.hpp"
#include "engine/model/run_failure.hpp"
#include "engine/run/island_run.hpp"

namespace deltaflow {

RunError describe(const FlatModel& model, const IslandRun& island, const RunFailure& failure);
// A mode that is entered under way may be wrong in itself.
RunError describe(const ModelError& error, double t);
RunError describe_zeno(const FlatModel& model, const IslandRun& island);
// The same failure before the run began is an error of the model (exit code 3).
[[noreturn]] void fail_model_with(const FlatModel& model, const IslandRun& island, const RunFailure& failure);

}  // namespace deltaflow
