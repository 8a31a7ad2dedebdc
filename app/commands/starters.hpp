// Small models to begin with, for `deltaflow new`.
#pragma once

#include <span>
#include <string_view>

namespace deltaflow::app {

struct Starter {
    std::string_view name, about, text;
};

// The first is the one that is written unless another is asked for.
std::span<const Starter> starters();

}  // namespace deltaflow::app
