// How many random models a test tries: DELTAFLOW_SEEDS=10 in the environment makes it ten times as many.
#pragma once

#include <cstdlib>

namespace deltaflow::tests {

inline unsigned seeds(unsigned usual) {
    const char* factor = std::getenv("DELTAFLOW_SEEDS");
    return factor ? usual * static_cast<unsigned>(std::atoi(factor)) : usual;
}

}  // namespace deltaflow::tests
