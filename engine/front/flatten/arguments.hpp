// Arguments of blocks of the catalogue, as their entries want them.
#pragma once

#include "engine/front/flatten/templates.hpp"

#include <unordered_map>

namespace deltaflow::front {

class ArgumentReader {
public:
    ArgumentReader(const Sources& sources, Report& report) : sources_(sources), report_(report) {}

    // The parameters of a block: those given and those with a default. Reports errors and throws Reported.
    Arguments read(const BlockDeclaration& block, const Environment& environment);

private:
    Argument read_argument(const Parameter& parameter, const ArgumentDeclaration& given,
                           const Environment& environment);
    const Argument& fallback(const Parameter& parameter);

    const Sources& sources_;
    Report& report_;
    std::unordered_map<const Parameter*, Argument> fallbacks_;  // read once, looked up only
};

}  // namespace deltaflow::front
