#include "engine/run/exact/germs.hpp"

#include "engine/solve/decide.hpp"
#include "engine/solve/exact/flow.hpp"

#include <algorithm>

namespace deltaflow::closed_form {

Side ExactGerms::evaluate(const ExactDiscrete& discrete, bool before) const {
    FlowInput in{at_.x, &discrete, &state_.states, &state_.active, {}, state_.t};
    in.delayed = [&](NodeId n) { return state_.histories.at(n).around(state_.t, before); };
    return evaluate_side(in);
}

void ExactGerms::mark_active(const ExactDiscrete& discrete) {
    const ExactSystem& x = *at_.x;
    const Diagram& d = x.s->d;
    const System& s = x.s->released ? *x.s->released : *x.s;
    const bool any = std::any_of(s.branchers.begin(), s.branchers.end(),
                                 [&](NodeId n) { return s.d.nodes[n].op == Primitive::decision; });
    if (!any) return;
    auto& active = state_.active;
    active.assign(d.nodes.size(), 0);
    std::vector<NodeId> work(x.states);
    for (const auto& output : x.s->outputs) work.push_back(output.node);
    for (const auto* list : {&x.crossings, &x.assertions, &x.delays, &x.sampled, &x.s->guards})
        work.insert(work.end(), list->begin(), list->end());
    while (!work.empty()) {
        const NodeId n = work.back();
        work.pop_back();
        if (active[n]) continue;
        active[n] = 1;
        const auto in = d.inputs_of(n);
        if (d.nodes[n].op == Primitive::decision) {
            work.push_back(in[0]);
            work.push_back(in[discrete.branch[n] == 1 ? 1 : 2]);
        } else {
            work.insert(work.end(), in.begin(), in.end());
        }
    }
}

int ExactGerms::forward_sign(const Side& side, NodeId node, const Quadratic& threshold) {
    const int last = std::max(1, static_cast<int>(side.rungs[node].size()));
    for (int k = 0; k < last; ++k)
        if (const int s = k == 0 ? compare(side.at(node, 0), threshold) : sign(side.at(node, k)); s != 0)
            return s;
    return 0;
}

int ExactGerms::decide_forward(const Side& side, NodeId n, int from) const {
    const Primitive op = at_.diagram().nodes[n].op;
    const NodeId c = at_.input(n);
    const std::span<const Quadratic> p(at_.x->parameters[n]);
    return decide(op, p, from, [&](const Quadratic& threshold) {
        return op == Primitive::hysteresis ? compare(side.at(c, 0), threshold)
                                           : forward_sign(side, c, threshold);
    });
}

}  // namespace deltaflow::closed_form
