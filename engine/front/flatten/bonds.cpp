// Bonds of a diagram, and what they and automata are connected to.
#include "engine/front/flatten/graph.hpp"
#include "engine/front/flatten/indices.hpp"
#include "engine/front/flatten/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::front {
namespace {

// A model with more bonds in one line is a mistake.
constexpr std::uint64_t most_bonds = 10000000;

std::uint32_t offset_in(const Value& string, std::string_view part) {
    return static_cast<std::uint32_t>(part.data() - string.text.data());
}

}  // namespace

GraphBody::GraphBody(const Templates& templates, Template& shape, Formulas& formulas,
                     const WantedSignals& wanted, Report& report)
    : templates_(templates), shape_(shape), formulas_(formulas), wanted_(wanted), report_(report) {}

NodeId GraphBody::keep(Ref signal) {
    shape_.graph_signals.push_back(signal);
    return static_cast<NodeId>(shape_.graph_signals.size() - 1);
}

void GraphBody::set_rank(const BlockDeclaration& block, std::size_t rank) {
    shape_.rank.resize(shape_.diagram->blocks.size());
    shape_.rank[static_cast<std::size_t>(&block - shape_.diagram->blocks.data())] =
        static_cast<std::uint32_t>(rank);
}

// First effort and flow of each bond, then, if anybody reads them, the powers.
void GraphBody::add_bond(const BlockDeclaration& block) {
    std::uint64_t count = 1;
    if (block.count) count = read_count(*block.count, *shape_.environment, report_);
    if (count > most_bonds) {
        report_.add(block.count->place, fmt::format("at most {} bonds may stand in a line", most_bonds));
        throw Reported{};
    }
    auto& bonds = shape_.graph.bonds;
    const std::size_t first = bonds.size();
    open_bonds_.push_back({first, static_cast<std::size_t>(count), &block});
    for (std::uint64_t i = 0; i < count; ++i) {
        bonds.push_back({std::string(block.name), block.place});
        if (block.count) bonds.back().name += fmt::format("[{}]", i);
        bonds.back().effort = keep(free_node());
        bonds.back().flow = keep(free_node());
    }
    const bool power = wanted_.contains(*shape_.diagram, block, bonds::Signal::power);
    for (std::size_t b = first; b < bonds.size(); ++b) {
        const Ref effort = shape_.graph_signals[bonds[b].effort], flow = shape_.graph_signals[bonds[b].flow];
        Ref product = broken_signal;
        if (power) {
            product = formulas_.builder().node(Primitive::product, {effort, flow});
            bonds[b].power = keep(product);
        }
        shape_.outputs.insert(shape_.outputs.end(), {effort, flow, product});
    }
}

void GraphBody::add_total() {
    if (!wanted_.contains_total()) return;
    shape_.outputs.push_back(free_node());
    shape_.graph.total_energy = keep(shape_.outputs.back());
}

void GraphBody::connect() {
    for (const auto& open : open_bonds_) {
        try {
            connect(open);
        } catch (const Reported&) {
        }
    }
    for (const auto& [element, automaton] : controlled_) {
        try {
            shape_.graph.elements[element].automaton = static_cast<int>(find_automaton(*automaton));
        } catch (const Reported&) {
        }
    }
}

void GraphBody::connect(const OpenBond& open) {
    const auto& [text, from, to] = open.block->bond;
    connect_ends(open, from, &bonds::Bond::from);
    connect_ends(open, to, &bonds::Bond::to);
    for (std::size_t i = 0; i < open.count; ++i) {
        const bonds::Bond& bond = shape_.graph.bonds[open.first + i];
        if (bond.from != bond.to) continue;
        report_.add(text->place, "a bond joins two elements; this one ends where it begins");
        throw Reported{};
    }
}

void GraphBody::connect_ends(const OpenBond& open, std::string_view path, std::uint32_t bonds::Bond::*end) {
    const Value& text = *open.block->bond.text;
    try {
        if (has_open_index(path)) return connect_indexed(open, path, end);
        const std::uint32_t element = find_element(path);
        for (std::size_t i = 0; i < open.count; ++i) shape_.graph.bonds[open.first + i].*end = element;
    } catch (const ExpressionError& e) {
        const std::uint32_t offset = offset_in(text, path);
        report_.add(text, ExpressionError(offset + e.offset, e.length, e.what()), formulas_.where());
        throw Reported{};
    }
}

void GraphBody::connect_indexed(const OpenBond& open, std::string_view path,
                                std::uint32_t bonds::Bond::*end) {
    for (std::size_t k = 0; k < open.count; ++k) {
        std::optional<std::uint64_t> i;
        if (open.block->count) i = k;
        const std::string name = close_indices(path, i, *shape_.environment, report_);
        try {
            shape_.graph.bonds[open.first + k].*end = find_element(name);
        } catch (const ExpressionError& e) {
            throw ExpressionError(0, static_cast<std::uint32_t>(path.size()),
                                  fmt::format("{} (this is {})", e.what(), name));
        }
    }
}

std::uint32_t GraphBody::find_element(std::string_view path) {
    return static_cast<std::uint32_t>(find_member(templates_, shape_, path, Role::element, report_));
}

std::uint32_t GraphBody::find_automaton(const Value& name) {
    try {
        return static_cast<std::uint32_t>(
            find_member(templates_, shape_, name.text, Role::automaton, report_));
    } catch (const ExpressionError& e) {
        report_.add(name, e);
        throw Reported{};
    }
}

}  // namespace deltaflow::front
