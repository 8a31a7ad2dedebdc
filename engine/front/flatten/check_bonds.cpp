// How many bonds each element of a graph takes.
#include "engine/front/flatten/flatten.hpp"

#include "bonds/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::front {
namespace {

struct Count {
    std::uint32_t in = 0, out = 0;
};

bonds::Joins joins(bonds::Type kind) {
    const auto types = bonds::elements();
    return std::find_if(types.begin(), types.end(), [&](const auto& type) { return type.kind == kind; })
        ->joins;
}

std::string counted(std::uint32_t n) { return n == 1 ? "1 bond" : fmt::format("{} bonds", n); }

// What is wrong with it, or nothing.
std::string complaint(const bonds::Element& e, const Count& count) {
    const std::uint32_t all = count.in + count.out;
    const bool pair = joins(e.type) == bonds::Joins::in_and_out;
    if (pair && (count.in != 1 || count.out != 1))
        return fmt::format("\"{}\" needs one bond that leads to it and one that leads away; it has {} and {}",
                           e.name, count.in, count.out);
    if (all == 0)
        return fmt::format("element \"{}\" has no bond; write one under [bonds]: b = \"... -> {}\"", e.name,
                           e.name);
    if (joins(e.type) == bonds::Joins::one && all > 1)
        return fmt::format("element \"{}\" has {} and takes one; join them in a junction, 0 or 1", e.name,
                           counted(all));
    return "";
}

}  // namespace

void check_bonds(const bonds::Graph& graph, Report& report) {
    std::vector<Count> counts(graph.elements.size());
    for (const auto& bond : graph.bonds) {
        ++counts[bond.from].out;
        ++counts[bond.to].in;
    }
    for (std::size_t i = 0; i < counts.size(); ++i) {
        std::string message = complaint(graph.elements[i], counts[i]);
        if (!message.empty()) report.add(graph.elements[i].place, std::move(message));
    }
}

}  // namespace deltaflow::front
