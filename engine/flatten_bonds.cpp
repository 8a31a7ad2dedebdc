// Bonds of a diagram, and what they and automata are connected to.
#include "engine/flatten_graph.hpp"
#include "engine/flatten_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::front {
namespace {

// A model with more bonds in one line is a mistake.
constexpr std::uint64_t most_bonds = 10000000;

// A path whose indices are expressions of i and of parameters: stage[i + 1].into
class IndexedPath {
public:
    explicit IndexedPath(std::string_view text) {
        std::size_t at = 0;
        while (at < text.size()) {
            const std::size_t open = text.find('[', at), close = text.find(']', open);
            if (close == std::string_view::npos) break;
            const std::string_view index = text.substr(open + 1, close - open - 1);
            if (index.find_first_not_of("0123456789") == std::string_view::npos) {
                add_text(text.substr(at, close + 1 - at));
            } else {
                add_text(text.substr(at, open + 1 - at));
                parts_.back().index = parse(index, open + 1);
                parts_.back().has_index = true;
            }
            at = parts_.back().has_index ? close : close + 1;
        }
        add_text(text.substr(at));
    }

    template <class Evaluate>
    std::string at(const Evaluate& evaluate) const {
        std::string path;
        for (const Part& part : parts_) {
            path += part.text;
            if (part.has_index) path += fmt::format("{}", evaluate(part.index));
        }
        return path;
    }

private:
    struct Part {
        std::string text;
        bool has_index = false;
        Expression index;
    };

    void add_text(std::string_view text) {
        if (parts_.empty() || parts_.back().has_index) parts_.emplace_back();
        parts_.back().text += text;
    }

    static Expression parse(std::string_view text, std::size_t offset) {
        try {
            return shifted(parse_expression(text), static_cast<std::uint32_t>(offset));
        } catch (const ExpressionError& e) {
            throw ExpressionError(e.offset + static_cast<std::uint32_t>(offset), e.length, e.what());
        }
    }

    static Expression shifted(Expression e, std::uint32_t offset) {
        e.offset += offset;
        for (auto& argument : e.arguments) argument = shifted(std::move(argument), offset);
        return e;
    }

    std::vector<Part> parts_;
};

// Is there an index that is not a mere number?
bool is_indexed(std::string_view path) {
    for (std::size_t open = path.find('['); open != std::string_view::npos; open = path.find('[', open + 1))
        if (path.find_first_not_of("0123456789", open + 1) != path.find(']', open)) return true;
    return false;
}

std::uint64_t index_value(const Expression& e, std::size_t i, bool counted, const Environment& environment,
                          Report& report) {
    const auto scope = [&](const Expression& name) -> Meaning {
        if (counted && name.text == "i") return number_from_double(static_cast<double>(i));
        if (const auto number = find_parameter(environment, name.text)) return *number;
        std::vector<std::string_view> known;
        append_parameter_names(environment, known);
        if (counted) known.push_back("i");
        const std::string way_out =
            name.text == "i" ? "; a bond with \"count\" has one" : report.hint(name.text, known);
        throw ExpressionError(name.offset, name.length,
                              fmt::format("there is no parameter \"{}\"{}", name.text, way_out));
    };
    const Number number = evaluate_expression(e, scope);
    const Rational value = number.rational();
    if (value.denominator() == 1 && sign(number) >= 0 && number.value < 1e18)
        return static_cast<std::uint64_t>(value.numerator());
    throw ExpressionError(e.offset, std::max(1u, e.length),
                          fmt::format("an index is a whole number from 0 on, not {}", number.value));
}

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
        if (is_indexed(path)) return connect_indexed(open, path, end);
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
    const IndexedPath indexed(path);
    const bool counted = open.block->count != nullptr;
    for (std::size_t i = 0; i < open.count; ++i) {
        const std::string name = indexed.at(
            [&](const Expression& e) { return index_value(e, i, counted, *shape_.environment, report_); });
        try {
            shape_.graph.bonds[open.first + i].*end = find_element(name);
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
