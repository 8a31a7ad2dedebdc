// Facts about numbers, and numbers in the place of others.
#include "engine/compile/alike.hpp"

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

// For each number, the place of the first one that is equal, and its sign.
void add_equal_numbers(const std::vector<double>& numbers, Facts& facts) {
    std::vector<std::uint32_t> order(numbers.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return numbers[a] != numbers[b] ? numbers[a] < numbers[b] : a < b;
    });
    const std::size_t begin = facts.size();
    facts.resize(begin + numbers.size());
    std::uint32_t first = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const double x = numbers[order[i]];
        if (i == 0 || x != numbers[order[i - 1]]) first = order[i];
        facts[begin + order[i]] = 3 * first + (x > 0 ? 1 : x < 0 ? 2 : 0);
    }
}

bool same_node(const Node& a, const Node& b) {
    return a.op == b.op && a.first_input == b.first_input && a.input_count == b.input_count &&
           a.first_parameter == b.first_parameter && a.parameter_count == b.parameter_count &&
           a.extra == b.extra;
}

bool same_record(const Recorded& a, const Recorded& b) {
    return a.node == b.node && a.shown == b.shown && a.name == b.name;
}

template <class T, class Same>
bool all_same(const std::vector<T>& a, const std::vector<T>& b, const Same& same) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), same);
}

bool is_torn(const Program& p) {
    return std::any_of(p.loops.begin(), p.loops.end(), [](const Loop& loop) { return !loop.affine; });
}

}  // namespace

Facts facts_of(const Diagram& d) {
    Facts facts;
    facts.reserve(d.parameters.size() + d.nodes.size());
    add_equal_numbers(d.parameters, facts);
    for (NodeId n = 0; n < d.nodes.size(); ++n)
        if (const auto fact = fact_of(d, n)) facts.push_back(*fact);
    return facts;
}

bool has_same_structure(const FlatModel& a, const FlatModel& b) {
    return all_same(a.diagram.nodes, b.diagram.nodes, same_node) && a.diagram.inputs == b.diagram.inputs &&
           a.diagram.guesses == b.diagram.guesses && a.named == b.named &&
           all_same(a.record, b.record, same_record);
}

bool can_rebind(const std::vector<System>& systems) {
    return std::none_of(systems.begin(), systems.end(), [](const System& s) {
        return s.has_modes() || is_torn(s.whole) || is_torn(s.series) || is_torn(s.germ) ||
               is_torn(s.derivative) || is_torn(s.output) || is_torn(s.conditions) || is_torn(s.confirmation);
    });
}

void rebind(std::vector<System>& systems, const FlatModel& model) {
    const Diagram& from = model.diagram;
    for (System& s : systems)
        for (NodeId n = 0; n < s.d.nodes.size(); ++n) {
            const Node& node = s.d.nodes[n];
            const Node& origin = from.nodes[s.origin[n]];
            const auto numbers = from.parameters_of(s.origin[n]);
            std::copy(numbers.begin(), numbers.end(),
                      s.d.parameters.begin() + static_cast<std::ptrdiff_t>(node.first_parameter));
            if (node.op == Primitive::schedule) s.d.schedules[node.extra] = from.schedules[origin.extra];
            if (node.op == Primitive::hold || node.op == Primitive::unit_delay)
                s.d.clocks[node.extra] = from.clocks[origin.extra];
            if (node.op == Primitive::assertion) s.d.messages[node.extra] = from.messages[origin.extra];
        }
}

}  // namespace deltaflow
