// Runs flow programs over arrays of rungs: rung k of node n is a[n * stride + k].
#pragma once

#include "blocks/kernels.hpp"
#include "engine/compile/discrete.hpp"
#include "engine/compile/program.hpp"
#include "engine/model/archive.hpp"
#include "engine/model/run_failure.hpp"
#include "engine/numerics/newton.hpp"

#include <span>
#include <vector>

namespace deltaflow {

// The rungs of all nodes at one time, and what they depend on.
template <class S>
struct Frame {
    S* a = nullptr;
    std::uint32_t stride = 1;
    const Diagram* d = nullptr;
    const Discrete* discrete = nullptr;
    S t = S(0);
    const NodeId* saturating = nullptr;  // intervals: per node, u if it is 1 - tanh(u)^2

    S* at(NodeId n) const { return a + std::size_t{n} * stride; }
};

template <class S>
struct Series {
    const S* p;
    const S& operator()(int k) const { return p[k]; }
};

// A block as its rule sees it (kernels.hpp).
template <class S>
struct View {
    using Scalar = S;
    const Frame<S>& f;
    NodeId id;
    const NodeId* in;
    const double* par;
    std::uint32_t inputs, parameters;

    View(const Frame<S>& frame, NodeId n) : View(frame, n, frame.d->nodes[n]) {}
    View(const Frame<S>& frame, NodeId n, const Node& node)
        : f(frame),
          id(n),
          in(frame.d->inputs.data() + node.first_input),
          par(frame.d->parameters.data() + node.first_parameter),
          inputs(node.input_count),
          parameters(node.parameter_count) {}
    Series<S> u(int j) const { return {f.at(in[j])}; }
    Series<S> y() const { return {f.at(id)}; }
    double p(int i) const { return par[i]; }
    int input_count() const { return static_cast<int>(inputs); }
    int parameter_count() const { return static_cast<int>(parameters); }
    int branch() const { return f.discrete->branch[id]; }
    double held() const { return f.discrete->held[id]; }
    const Piece& piece() const { return f.discrete->pieces[f.d->nodes[id].extra]; }
    const S& t() const { return f.t; }
    const S* saturating() const {
        return f.saturating && f.saturating[id] != no_node ? f.at(f.saturating[id]) : nullptr;
    }
};

// The same block with one rung marked: the slope of the result is the partial derivative by it.
template <class S>
struct SeededView {
    using Scalar = Dual;
    View<S> view;
    const S* seed;

    struct Marked {
        const S* p;
        const S* seed;
        Dual operator()(int k) const { return {value(p[k]), p + k == seed ? 1.0 : 0.0}; }
    };
    Marked u(int j) const { return {view.f.at(view.in[j]), seed}; }
    Marked y() const { return {view.f.at(view.id), seed}; }
    double p(int i) const { return view.par[i]; }
    int input_count() const { return view.input_count(); }
    int parameter_count() const { return view.parameter_count(); }
    int branch() const { return view.branch(); }
    double held() const { return view.held(); }
    const Piece& piece() const { return view.piece(); }
    Dual t() const { return {value(view.f.t)}; }
};

// The state of Newton's method for one loop.
struct LoopState {
    std::vector<LinearSolver> solver;          // [0] for full stages, [1] for the first ones
    std::vector<std::uint32_t> rows, columns;  // of the Jacobian; the identity comes first
    NewtonRoom room;
    std::vector<double> guess, right_side;
    std::uint64_t flow = 0;         // in which the solution is followed
    std::vector<SheetSign> sheets;  // from the first full stage downwards
    bool factored = false;
    explicit LoopState(const Loop& loop);
    void archive(Archive& a) {
        a(flow, sheets, factored, room.values);
        if (!a.is_writing() && factored) of(true).factor(room.values);
    }
    LinearSolver& of(bool full) { return solver[full ? 0 : 1]; }
};

// Everything a program needs to run beside the frame.
struct Workspace {
    std::vector<LoopState> loops;
    std::vector<double>* guess = nullptr;  // per node: last solution, where Newton starts; NaN: none yet
    const std::vector<std::uint8_t>* active = nullptr;  // per node: demanded under the branches in force
    // The number of the flow, which begins at 1. Within one flow solutions of loops are continuous: only
    // those are found that lie on the same sheet. Nothing: any solution will do.
    const std::uint64_t* flow = nullptr;
    bool same_matrices =
        false;  // parameters that stand beside inputs, and branches, are those of the last run
    // Intervals, per node: where the unknowns of loops are looked for, and then where no second solution is.
    Interval* enclosure = nullptr;
    std::uint64_t evaluations = 0;
    Workspace() = default;
    explicit Workspace(const Program& p);
    void archive(Archive& a) { a(loops, evaluations); }
};

// Stages first..last. Throws RunFailure where a loop cannot be solved.
template <class S>
void execute(const Program& p, Workspace& w, const Frame<S>& f, int first, int last);

extern template void execute<double>(const Program&, Workspace&, const Frame<double>&, int, int);
extern template void execute<Bounded>(const Program&, Workspace&, const Frame<Bounded>&, int, int);
extern template void execute<Dual>(const Program&, Workspace&, const Frame<Dual>&, int, int);
extern template void execute<Interval>(const Program&, Workspace&, const Frame<Interval>&, int, int);

// One stage of a loop in intervals: a solution for all that comes into it, and no other nearby
// (interval_loop.cpp). Where that cannot be shown its rungs are nowhere.
void solve_loop(const Loop& loop, LoopState& state, const Frame<Interval>& f, int stage, Workspace& w);

// Constants are written once into every row.
template <class S>
void fill_constants(const Diagram& d, S* a, std::uint32_t stride) {
    for (NodeId n = 0; n < d.nodes.size(); ++n)
        if (d.nodes[n].op == Primitive::constant) a[std::size_t{n} * stride] = S(d.parameters_of(n)[0]);
}

}  // namespace deltaflow
