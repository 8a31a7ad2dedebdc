// The rules of an instant, rung by rung: right limits and impulses from left limits (003, section 3).
//
// `get` gives what is known, in its Scalar: right(n, k), left(n, k), impulse(n, i), t(), parameter(n, i), the
// branch, held value and piece of a node, whether it ticks, whether it strikes (delta on it is not zero), the
// sample that a unit_delay has stored, and whether pre(x) is x itself in the flow that follows (pre_flows).
#pragma once

#include "blocks/kernels.hpp"
#include "signal/leibniz.hpp"
#include "signal/regularity.hpp"

#include <span>

namespace deltaflow {

// A block's right limits as its flow rule sees them.
template <class G>
struct InstantView {
    using Scalar = typename G::Scalar;
    const Diagram& d;
    const G& get;
    NodeId id;

    struct Rung {
        const G& get;
        NodeId n;
        Scalar operator()(int k) const { return get.right(n, k); }
    };
    Rung u(int j) const { return {get, d.inputs_of(id)[j]}; }
    Rung y() const { return {get, id}; }
    decltype(auto) p(int i) const { return get.parameter(id, i); }
    int input_count() const { return static_cast<int>(d.nodes[id].input_count); }
    int parameter_count() const { return static_cast<int>(d.nodes[id].parameter_count); }
    int branch() const { return get.branch(id); }
    decltype(auto) held() const { return get.held(id); }
    decltype(auto) piece() const { return get.piece(id); }
    Scalar t() const { return get.t(); }
};

// The right limit of rung k where the instant makes a difference; else `flow`, the block's own rule.
template <class G, class Flow>
typename G::Scalar right_rung(const Diagram& d, const G& get, NodeId n, int k, const Flow& flow) {
    using S = typename G::Scalar;
    const auto inputs = d.inputs_of(n);
    switch (d.nodes[n].op) {
        case Primitive::integrator:  // (003:30): the impulse makes the jump
            if (k > 0) break;
            if (d.nodes[n].is_reset() && get.strikes(inputs[1])) {
                const bool after = d.parameters_of(n)[1] > 0;
                return S(after ? get.right(inputs[2], 0) : get.left(inputs[2], 0)) +
                       get.impulse(inputs[0], 0);
            }
            return get.left(n, 0) + get.impulse(inputs[0], 0);
        case Primitive::strength:
            if (k == 0) return get.impulse(inputs[0], 0);
            break;
        case Primitive::pre:  // in a bond graph the value before, and x itself in the flow that follows
            return k > 0 && get.pre_flows() ? get.right(inputs[0], k) : get.left(inputs[0], k);
        case Primitive::hold:
            if (k == 0 && get.ticking(n)) return get.right(inputs[0], 0);
            break;
        case Primitive::unit_delay:
            if (k == 0 && get.ticking(n)) return S(get.stored(n));
            break;
        case Primitive::delay:
            return get.right(n, k);
        default:
            break;
    }
    return flow(InstantView<G>{d, get, n}, k);
}

// The coefficient of delta^(i).
template <class G>
typename G::Scalar impulse_rung(const Diagram& d, std::span<const Reading> regularity, const G& get, NodeId n,
                                int i) {
    using S = typename G::Scalar;
    const auto u = d.inputs_of(n);
    switch (traits_of(d.nodes[n].op).impulses) {
        case Impulses::linear: {
            S sum = S(0);
            for (std::size_t j = 0; j < u.size(); ++j)
                sum = sum + S(get.parameter(n, static_cast<int>(j) + 1)) * get.impulse(u[j], i);
            return sum;
        }
        case Impulses::leibniz: {
            S sum = S(0);
            for (int side = 0; side < 2; ++side) {
                const NodeId a = u[side], b = u[1 - side];
                const int orders = impulse_rungs(regularity[a].r);
                if (orders == 0) continue;
                sum = sum + leibniz<S>(
                                i, [&](int j) { return get.impulse(a, j); }, orders - 1,
                                [&](int k) { return get.left(b, k); });
            }
            return sum;
        }
        case Impulses::climb:
            return get.impulse(u[0], i + 1);
        case Impulses::fall:
            return i == 0 ? S(get.right(u[0], 0) - get.left(u[0], 0)) : get.impulse(u[0], i - 1);
        case Impulses::select:
            return get.impulse(u[get.branch(n) == 1 ? 1 : 2], i);
        default:
            return get.impulse(n, i);  // sources: set beforehand
    }
}

// The side on which a crossing sees its input after a commit. What rests on zero comes from the side where it
// was, until it leaves; what passed zero in the flow and then rests there has nothing left to pass.
inline int side_after(int now, int before, bool passed) { return now != 0 ? now : passed ? 0 : before; }

inline bool is_source_of_impulses(Primitive op) {
    return op == Primitive::schedule || op == Primitive::crossing || op == Primitive::delay;
}

}  // namespace deltaflow
