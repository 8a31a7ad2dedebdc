// Runs a model to one instant and tells how that was solved.
#pragma once

#include "engine/model/model.hpp"
#include "engine/run/worked.hpp"
#include "engine/simulate.hpp"

#include <optional>
#include <string>
#include <vector>

namespace deltaflow {

// Which instant, by its time (as precisely as summaries print it) or by its number in the trace, from 1.
struct InstantChoice {
    std::optional<double> at;
    std::uint64_t event = 0;
    bool all = false;
};

struct Explanation {
    std::string model;
    bool found = false;
    double t = 0;
    std::vector<WorkedInstant> instants;  // one for each island that takes part
    std::vector<std::uint64_t> events;    // numbers of the events there
    std::vector<RunError> errors;         // of the run, if it ends here
    // What there is instead, if nothing is found.
    std::uint64_t event_count = 0;
    std::vector<std::pair<double, std::uint64_t>> near;  // times, with the number of the event or 0
    double end_t = 0;
};

// Runs the model to the instant and tells how it was solved. Throws ModelError.
Explanation explain(const FlatModel& model, const InstantChoice& choice, const RunControl& control = {});

}  // namespace deltaflow
