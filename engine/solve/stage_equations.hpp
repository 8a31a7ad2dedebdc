// The equations of an algebraic loop in flow.
#pragma once

#include "engine/solve/execute.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace deltaflow {

namespace stage {
inline void set_value(double& x, double v) { x = v; }
inline void set_value(Bounded& x, double v) { x.value = v; }
inline void set_value(Dual& x, double v) { x.value = v; }

inline double factorial(int k) {
    static const auto table = [] {
        std::array<double, 171> f{1};
        for (int i = 1; i <= 170; ++i) f[i] = f[i - 1] * i;
        return f;
    }();
    return table[k];
}

}  // namespace stage

// The rungs of a loop at one stage. Unknowns are scaled by (rung)! / (stage)!, that is, they are
// derivatives: then integrators and derivatives have unit slope and every stage has the same Jacobian.
template <class S>
struct StageEquations {
    const Frame<S>& f;
    const Loop& loop;
    const LoopState& state;
    int stage;
    const std::vector<std::uint8_t>* active;

    int rung(int i) const { return stage + loop.members[i].offset; }
    bool present(int i) const {
        const int k = rung(i);
        return k > 0 || (k == 0 && f.d->nodes[loop.members[i].node].op != Primitive::integrator);
    }
    bool live(int i) const { return present(i) && (!active || (*active)[loop.members[i].node]); }
    double scale(int i) const {
        if (loop.members[i].offset == 0 && stage >= 0) return 1;
        return present(i) ? stage::factorial(rung(i)) / stage::factorial(std::max(stage, 0)) : 1;
    }
    S& cell(int i) const { return f.at(loop.members[i].node)[rung(i)]; }

    const Tearing& tearing() const { return loop.tearing; }
    int size() const { return static_cast<int>(loop.members.size()); }
    double get(int i) const { return present(i) ? value(cell(i)) * scale(i) : 0; }
    void set(int i, double v) const {
        if (present(i)) stage::set_value(cell(i), v / scale(i));
    }
    double evaluate(int i) const {
        if (!live(i)) return present(i) ? 0 : get(i);
        return value(full(i)) * scale(i);
    }
    S full(int i) const {
        const NodeId n = loop.members[i].node;
        return rung_of(f.d->nodes[n].op, View<S>(f, n), rung(i));
    }
    double added(int i) const {
        const NodeId n = loop.members[i].node;
        if (!live(i) || f.d->nodes[n].op != Primitive::affine) return 0;
        double sum = 0;
        for (std::size_t j = 0; j < f.d->inputs_of(n).size(); ++j)
            sum += std::abs(f.d->parameters_of(n)[j + 1] * value(f.at(f.d->inputs_of(n)[j])[rung(i)]));
        return sum * scale(i);
    }
    std::pair<std::uint32_t, std::uint32_t> place(std::size_t e) const {
        return {state.rows[e], state.columns[e]};
    }
    bool diagonal(std::size_t e) const {
        return state.rows[e] == state.columns[e] && e < loop.members.size();
    }
    double partial(std::size_t e) const {
        if (e < loop.members.size()) return 0;  // the identity
        const int i = static_cast<int>(state.rows[e]), j = static_cast<int>(state.columns[e]);
        if (!live(i) || !live(j)) return 0;
        const NodeId n = loop.members[i].node;
        const SeededView<S> view{View<S>(f, n), &cell(j)};
        return rung_of(f.d->nodes[n].op, view, rung(i)).slope * scale(i) / scale(j);
    }
};

}  // namespace deltaflow
