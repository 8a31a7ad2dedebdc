// Cuts a model down as long as it shows the same difference.
#pragma once

#include "tests/campaign/trial.hpp"

namespace deltaflow::campaign {

// The smallest model found, of at most so many that were tried.
Draft minimised(const Trial& trial, const Finding& finding, int most_trials = 1500);

}  // namespace deltaflow::campaign
