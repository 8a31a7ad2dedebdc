// Reads the order of evaluation off the compiled programs.
#include "engine/order.hpp"

#include "engine/instant_solver.hpp"
#include "engine/modes.hpp"
#include "engine/system.hpp"

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
            if (program.loop_at[i] >= 0)
                loop_end = i + program.loops[static_cast<std::size_t>(program.loop_at[i])].count;
            std::uint32_t& number = order.instant[s.origin[program.steps[i].node]];
            if (number == 0) number = instant;
        }
    }
};

}  // namespace

Order order_of(const Model& model, const bonds::Mode& mode) {
    Order order;
    const std::size_t nodes = model.diagram.nodes.size();
    order.flow.assign(nodes, 0);
    order.instant.assign(nodes, 0);
    order.regularity.assign(nodes, Regularity::smooth);
    Reader reader{order};
    if (model.graph.empty()) {
        for (const System& s : compile_model(model)) reader.read(s);
        return order;
    }
    ModeSystems systems(model, model.settings);
    order.causality = systems.causality(mode);
    reader.read(systems.of(mode));
    return order;
}

Diagram diagram_in(const Model& model, const bonds::Mode& mode) {
    if (model.graph.empty()) return model.diagram;
    ModeSystems systems(model, model.settings);
    const System& s = systems.of(mode);
    std::vector<NodeId> place(s.origin.size());
    for (NodeId n = 0; n < s.origin.size(); ++n) place[s.origin[n]] = n;
    return renumber(s.d, place);
}

}  // namespace deltaflow
