#include "engine/run/exact/graph.hpp"

#include "engine/solve/exact/rules.hpp"

#include <fmt/format.h>

namespace deltaflow::closed_form {

void ExactGraph::adopt_solved() {
    solved_.clear();
    for (const NodeId n : at_.modes->free_nodes())
        if (const Quadratic& value = at_.solver->right(n); !(value == at_.right.at(n, 0)))
            solved_.emplace_back(n, value);
    if (!solved_.empty()) use_solved(at_.right, state_.after);
}

void ExactGraph::settle_guard_branches() {
    bool changed = false;
    for (const NodeId n : at_.system().guard_branchers) {
        if (!at_.x->wanted[n]) continue;  // only a guard that nobody asks reads it
        const auto branch = germs_.decide_forward(at_.right, n);
        changed = changed || branch != state_.now.branch[n];
        state_.now.branch[n] = branch;
    }
    if (!changed) return;
    at_.right = germs_.evaluate(state_.now, false);
    if (!solved_.empty()) use_solved(at_.right, state_.now);
}

namespace {

// A block that reads values of given signals, as the model defines it: a mode may have folded it into a
// constant, or let it read what a signal is equal to in that mode alone.
struct ReadingView {
    using Scalar = Quadratic;
    const Diagram& d;
    const FractionBook& book;
    const Side& side;
    const ExactDiscrete& discrete;
    Quadratic time;
    NodeId id;
    struct Rungs {
        const Side& side;
        NodeId n;
        const Quadratic& operator()(int k) const { return side.at(n, k); }
    };
    Rungs u(int j) const { return {side, d.inputs_of(id)[j]}; }
    Rungs y() const { return {side, id}; }
    Quadratic p(int i) const {
        if (const auto known = book.find(d.parameters_of(id)[i])) return Quadratic(*known);
        throw RunFailure{
            .kind = ErrorKind::model, .node = id, .what = "a number of this block is no fraction"};
    }
    int input_count() const { return static_cast<int>(d.nodes[id].input_count); }
    int parameter_count() const { return static_cast<int>(d.nodes[id].parameter_count); }
    int branch() const { return discrete.branch[id]; }
    const Quadratic& held() const { return discrete.held[id]; }
    const Line& piece() const { return discrete.pieces[d.nodes[id].extra]; }
    const Quadratic& t() const { return time; }
};

NodeId state_of(const bonds::Element& e) { return e.type == bonds::Type::I ? e.momentum : e.displacement; }

double initial_of(const bonds::Element& e) {
    return e.type == bonds::Type::I ? e.initial_momentum : e.initial_displacement;
}

}  // namespace

void ExactGraph::use_solved(Side& side, const ExactDiscrete& discrete) const {
    for (const auto& [node, value] : solved_) ExactRunning::value_of(side, node) = value;
    for (const auto& e : at_.modes->graph().elements) {
        if (e.sides.empty()) continue;
        auto& row = side.rungs[e.displacement];
        if (row.size() < 2) row.resize(2);
        row[1] = side.at(e.rate != no_node ? e.rate : e.flow, 0);
    }
    read(side, discrete);
}

// The blocks that read the graph's signals, in the order of the program that all modes share.
void ExactGraph::read(Side& side, const ExactDiscrete& discrete) const {
    const Program& reading = at_.modes->reading();
    const Diagram& base = at_.modes->base();
    for (const Run& run : reading.runs) {
        if (run.loop >= 0 || run.offset != 0) continue;
        for (std::uint32_t i = 0; i < run.count; ++i) {
            const NodeId n = reading.order[run.first + i];
            const Primitive op = base.nodes[n].op;
            const bool constant = at_.diagram().nodes[n].op == Primitive::constant;  // in this mode
            if ((!at_.x->wanted[n] && !constant) || side.unknown[n] || op == Primitive::integrator) continue;
            try {
                ExactRunning::value_of(side, n) =
                    exact_rung(op, ReadingView{base, at_.book, side, discrete, state_.t, n}, 0);
            } catch (const RunFailure& failure) {
                side.unknown[n] = std::make_shared<RunFailure>(failure);
            }
        }
    }
}

void ExactGraph::check_kept() {
    if (solved_.empty()) return;
    at_.right = germs_.evaluate(state_.now, false);
    for (const auto& [node, value] : solved_) {
        const Quadratic& flow = at_.right.at(node, 0);
        if (flow == value) continue;
        throw RunFailure{
            .kind = ErrorKind::undefined,
            .node = node,
            .what = fmt::format("this signal is {} after the jump, but the flow of the mode [{}] "
                                "would have it {} at once",
                                to_double(value), at_.modes->describe(state_.mode), to_double(flow)),
            .advice =
                "a mode that is entered with pre(...) has to be left by a guard on "
                "pre(...), or else it has to keep what it sets"};
    }
    solved_.clear();
}

bool ExactGraph::has_contradiction() const {
    const auto& elements = at_.modes->graph().elements;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (!at_.system().dependent[i]) continue;
        const auto initial = at_.book.find(initial_of(elements[i]));
        if (!initial || !(at_.left.at(state_of(elements[i]), 0) == Quadratic(*initial))) return true;
    }
    return false;
}

void ExactGraph::use_initial_values() {
    const auto& elements = at_.modes->graph().elements;
    bool any = false;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (!at_.system().dependent[i]) continue;
        const auto initial = at_.book.find(initial_of(elements[i]));
        if (initial) ExactRunning::value_of(at_.left, state_of(elements[i])) = Quadratic(*initial);
        any = true;
    }
    if (!any) return;
    read(at_.left, state_.now);
    const NodeId total = at_.modes->graph().total_energy;
    if (total == no_node || at_.left.unknown[total]) return;
    Quadratic sum;
    for (const auto& e : elements)
        if (e.energy != no_node) sum = sum + at_.left.at(e.energy, 0);
    ExactRunning::value_of(at_.left, total) = sum;
    read(at_.left, state_.now);
}

}  // namespace deltaflow::closed_form
