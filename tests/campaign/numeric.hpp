// Numeric impulses against symbolic ones: the error falls with the step.
#pragma once

#include "tests/campaign/outcome.hpp"
#include "tests/campaign/trial.hpp"

#include <string>

namespace deltaflow::campaign {

// `reference`: the model by symbolic impulses. Skipped where its events are denser than samples can tell.
Finding compare_numeric(const std::string& text, const Outcome& reference);

}  // namespace deltaflow::campaign
