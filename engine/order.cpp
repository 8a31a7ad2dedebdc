// Reads the order of evaluation off the compiled programs.
#include "engine/order.hpp"

#include "engine/compile/system.hpp"
#include "engine/modes/modes.hpp"
#include "engine/solve/instant_solver.hpp"

#include <algorithm>
#include <set>
#include <span>

namespace deltaflow {
namespace {

// Systems one after the other; numbers go on.
struct Reader {
    Order& order;
    std::uint32_t flow = 0, instant = 0;

    void read(const System& s) {
        for (NodeId n = 0; n < s.d.nodes.size(); ++n) order.regularity[s.origin[n]] = s.regularity[n].r;
        read_flow(s);
        if (s.has_instants) read_instant(s, InstantSolver(s).program());
    }

    void read_flow(const System& s) {
        for (const Run& run : s.whole.runs) {
            if (run.loop >= 0) add_loop(s, s.whole.loops[static_cast<std::size_t>(run.loop)]);
            if (run.loop < 0)
                for (std::uint32_t i = 0; i < run.count; ++i)
                    order.flow[s.origin[s.whole.order[run.first + i]]] = ++flow;
        }
    }

    void add_loop(const System& s, const Loop& loop) {
        ++flow;
        auto& members = order.loops.emplace_back();
        for (const auto& member : loop.members) {
            members.push_back(s.origin[member.node]);
            order.flow[members.back()] = flow;
        }
    }

    // The first rung of a node counts.
    void read_instant(const System& s, const InstantProgram& program) {
        std::uint32_t loop_end = 0;
        for (std::uint32_t i = 0; i < program.steps.size(); ++i) {
            if (i >= loop_end) ++instant;
            if (program.loop_at[i] >= 0) {
                loop_end = i + program.loops[static_cast<std::size_t>(program.loop_at[i])].count;
                add_instant_loop(s, {program.steps.data() + i, loop_end - i});
            }
            std::uint32_t& number = order.instant[s.origin[program.steps[i].node]];
            if (number == 0) number = instant;
        }
    }

    // A loop of the flow is one at instants, too, and is told only once.
    void add_instant_loop(const System& s, std::span<const RungStep> steps) {
        std::set<NodeId> members;
        for (const RungStep& step : steps) members.insert(s.origin[step.node]);
        const auto holds_all = [&](const std::vector<NodeId>& loop) {
            const std::set<NodeId> known(loop.begin(), loop.end());
            return std::includes(known.begin(), known.end(), members.begin(), members.end());
        };
        for (const auto* loops : {&order.loops, &order.instant_loops})
            if (std::any_of(loops->begin(), loops->end(), holds_all)) return;
        order.instant_loops.emplace_back(members.begin(), members.end());
    }
};

// The first mode of a run has to have a causality; of a mode that is only looked at, no other has to.
FlatModel beginning_in(FlatModel model, const bonds::Mode& mode) {
    for (std::size_t a = 0; a < mode.size(); ++a) model.graph.automata[a].initial = mode[a];
    return model;
}

}  // namespace

Order order_of(const FlatModel& model, const bonds::Mode& mode) {
    Order order;
    const std::size_t nodes = model.diagram.nodes.size();
    order.flow.assign(nodes, 0);
    order.instant.assign(nodes, 0);
    order.regularity.assign(nodes, Regularity::smooth);
    Reader reader{order};
    if (!has_modes(model.graph)) {
        for (const System& s : compile_model(model)) reader.read(s);
        return order;
    }
    const FlatModel begun = beginning_in(model, mode);
    ModeSystems systems(begun, begun.settings);
    order.causality = systems.causality(mode);
    reader.read(systems.of(mode));
    return order;
}

Diagram diagram_in(const FlatModel& model, const bonds::Mode& mode) {
    if (!has_modes(model.graph)) return model.diagram;
    const FlatModel begun = beginning_in(model, mode);
    ModeSystems systems(begun, begun.settings);
    const System& s = systems.of(mode);
    std::vector<NodeId> place(s.origin.size());
    for (NodeId n = 0; n < s.origin.size(); ++n) place[s.origin[n]] = n;
    return renumber(s.d, place);
}

}  // namespace deltaflow
