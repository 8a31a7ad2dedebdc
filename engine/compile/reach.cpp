// Walking back from what a run is about.
#include "engine/compile/reach.hpp"

namespace deltaflow {

std::vector<std::uint8_t> reached_nodes(const System& s, const Discrete* discrete) {
    std::vector<std::uint8_t> reached(s.d.nodes.size(), 0);
    std::vector<NodeId> work(s.states);
    for (const auto& output : s.outputs) work.push_back(output.node);
    for (const auto* list : {&s.crossings, &s.assertions, &s.delays, &s.sampled})
        work.insert(work.end(), list->begin(), list->end());
    work.insert(work.end(), s.guards.begin(), s.guards.end());
    if (discrete) work.insert(work.end(), s.unread.begin(), s.unread.end());
    while (!work.empty()) {
        const NodeId n = work.back();
        work.pop_back();
        if (reached[n]) continue;
        reached[n] = 1;
        const auto in = s.d.inputs_of(n);
        if (discrete && s.d.nodes[n].op == Primitive::decision) {
            work.push_back(in[0]);
            work.push_back(in[discrete->branch[n] == 1 ? 1 : 2]);
        } else {
            work.insert(work.end(), in.begin(), in.end());
        }
    }
    return reached;
}

}  // namespace deltaflow
