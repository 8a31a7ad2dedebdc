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

// Of a field: "coils[0]". What stands in an array is "many[0].x".
bool is_port(const bonds::Element& e) { return e.name.back() == ']'; }

std::string counted(std::uint32_t n) { return n == 1 ? "1 bond" : fmt::format("{} bonds", n); }

// What is wrong with it, or nothing.
std::string complaint(const bonds::Element& e, const Count& count) {
    const std::uint32_t all = count.in + count.out;
    if (is_port(e) && all != 2)  // one leads inside
        return fmt::format("port \"{}\" has {} and takes one; join several in a junction, 0 or 1", e.name,
                           counted(all - 1));
    const bool pair = joins(e.type) == bonds::Joins::in_and_out;
    if (pair && (count.in != 1 || count.out != 1))
        return fmt::format("\"{}\" needs one bond that leads to it and one that leads away; it has {} and {}",
                           e.name, count.in, count.out);
    if (all == 0)
        return fmt::format("element \"{}\" has no bond; write one under [bonds]: b = \"... -> {}\"", e.name,
                           e.name);
    const bool two = joins(e.type) == bonds::Joins::one_or_two;
    if (two && all > 1 && (count.in != 1 || count.out != 1))
        return fmt::format(
            "\"{}\" takes one bond, or one that leads to it and one that leads away; it has {} and {}",
            e.name, count.in, count.out);
    if (joins(e.type) == bonds::Joins::one && all > 1)
        return fmt::format("element \"{}\" has {} and takes one; join them in a junction, 0 or 1", e.name,
                           counted(all));
    return "";
}

// An ideal element between two junctions of one kind hangs on a junction of the other kind between them.
void put_between(bonds::Graph& graph, std::uint32_t x, std::uint32_t in, std::uint32_t out, Report& report) {
    using bonds::Type;
    const bonds::Element& before = graph.elements[graph.bonds[in].from];
    const bonds::Element& after = graph.elements[graph.bonds[out].to];
    const bonds::Element& e = graph.elements[x];
    if (!before.is_junction() || before.type != after.type)
        return report.add(e.place,
                          fmt::format("\"{}\" has two bonds: it stands between two 0-junctions (one flow) or "
                                      "between two 1-junctions (one effort), and these are \"{}\" and \"{}\"",
                                      e.name, before.name, after.name));
    const auto junction = static_cast<std::uint32_t>(graph.elements.size());
    const bonds::Bond tie{e.name, e.place, junction, x, e.effort, e.flow};
    bonds::Element between{before.type == Type::zero ? Type::one : Type::zero, e.name, e.place};
    between.off = between.type == Type::one ? bonds::Off::flow : bonds::Off::effort;
    graph.elements.push_back(std::move(between));
    graph.bonds[in].to = junction;
    graph.bonds[out].from = junction;
    graph.bonds.push_back(tie);
}

}  // namespace

void join_ideal_elements(bonds::Graph& graph, Report& report) {
    constexpr std::uint32_t none = ~std::uint32_t{0};
    std::vector<std::uint32_t> in(graph.elements.size(), none), out(in);
    for (std::uint32_t b = 0; b < graph.bonds.size(); ++b) {
        in[graph.bonds[b].to] = b;
        out[graph.bonds[b].from] = b;
    }
    for (std::uint32_t x = 0; x < in.size(); ++x)
        if (graph.elements[x].is_ideal() && in[x] != none && out[x] != none)
            put_between(graph, x, in[x], out[x], report);
}

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
