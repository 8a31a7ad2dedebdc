// Contradictions of a mode, and what an ideal element's guards look at.
#include "engine/run/ideal.hpp"

#include "engine/model/run_failure.hpp"

#include <fmt/format.h>

namespace deltaflow {

void refuse_contradiction(const bonds::Graph& g, const std::vector<std::uint32_t>& contradicting,
                          const bonds::Mode& mode, bool starting, const std::function<int(NodeId)>& sign) {
    RunFailure failure{.kind = starting ? ErrorKind::model : ErrorKind::not_finite,
                       .what = "sources contradict each other, and no ideal element can give way",
                       .advice = "put a resistance between them"};
    for (const std::uint32_t x : contradicting) {
        const auto& e = g.elements[x];
        if (sign(e.excess) == 0) continue;
        const auto a = static_cast<std::size_t>(e.automaton);
        failure.notes.push_back(fmt::format("{} is {}", e.name, g.automata[a].states[mode[a]]));
        failure.node = e.effort;
    }
    if (!failure.notes.empty()) throw failure;
}

AtImpact::AtImpact(const bonds::Graph& g) : graph_(g) {
    for (const bonds::Element& e : g.elements)
        for (const bonds::Side& side : e.sides) rooms_.push_back(side.room);
    std::sort(rooms_.begin(), rooms_.end());
}

bool AtImpact::holds_in(const bonds::Mode& mode) const {
    if (rooms_.empty()) return false;
    for (std::size_t a = 0; a < graph_.automata.size(); ++a)
        if (graph_.automata[a].passes(mode[a])) return true;
    return false;
}

bool may_be(const bonds::Graph& g, std::size_t automaton, std::uint32_t state,
            const std::function<bool(NodeId)>& touches) {
    for (const bonds::Element& e : g.elements)
        for (const bonds::Side& side : e.sides)
            if (e.automaton == static_cast<int>(automaton) && side.closed == state) return touches(side.room);
    return true;
}

NodeId room_of(const System& s, const bonds::Graph& g, NodeId condition) {
    if (condition != no_node && s.d.nodes[condition].op == Primitive::pre)
        condition = s.d.inputs_of(condition)[0];
    for (const bonds::Element& e : g.elements)
        for (const bonds::Side& side : e.sides)
            if (side.room == condition) return condition;
    return no_node;
}

}  // namespace deltaflow
