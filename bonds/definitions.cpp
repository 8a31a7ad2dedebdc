// Definitions of free nodes: what follows from constants, and chains of equal signals.
#include "bonds/definitions.hpp"

#include <algorithm>
#include <utility>

namespace deltaflow::bonds {

namespace {

bool is_algebra(Primitive op) { return op == Primitive::affine || op == Primitive::product; }

Definition scaled(double factor, NodeId of) { return {Primitive::affine, {of}, {0.0, factor}}; }

}  // namespace

Definitions::Definitions(const Diagram& base, const std::vector<NodeId>& states)
    : base_(base), slot_(base.nodes.size(), 0), noted_(base.nodes.size(), 0) {
    const auto n = static_cast<NodeId>(base.nodes.size());
    const auto readers = make_lists(states.empty() ? 0 : n, [&](const auto& add) {
        for (NodeId reader = 0; reader < n && !states.empty(); ++reader)
            if (is_algebra(base.nodes[reader].op))
                for (const NodeId input : base.inputs_of(reader)) add(input, reader);
    });
    std::vector<std::uint8_t> behind(n, 0);
    std::vector<NodeId> work = states;
    while (!work.empty()) {
        const NodeId node = work.back();
        work.pop_back();
        for (const NodeId reader : readers.of(node))
            if (!behind[reader]) {
                behind[reader] = 1;
                work.push_back(reader);
            }
    }
    foldable_ = make_lists(n, [&](const auto& add) {
        for (NodeId reader = 0; reader < n; ++reader)
            if (behind[reader])
                for (const NodeId input : base.inputs_of(reader)) add(input, reader);
    });
}

const Definition* Definitions::of(NodeId n) const {
    if (slot_[n] == 0 || definitions_[slot_[n] - 1].op == Primitive::free) return nullptr;
    return &definitions_[slot_[n] - 1];
}

void Definitions::note(NodeId n) {
    if (!noted_[n]) changed_.push_back(n);
    noted_[n] = 1;
}

void Definitions::define(NodeId n, Definition d) {
    if (slot_[n] == 0) {
        definitions_.emplace_back();
        slot_[n] = static_cast<std::uint32_t>(definitions_.size());
    } else if (definitions_[slot_[n] - 1] == d) {
        return;
    }
    definitions_[slot_[n] - 1] = std::move(d);
    note(n);
}

std::vector<NodeId> Definitions::take_changes() {
    for (const NodeId n : changed_) noted_[n] = 0;
    std::sort(changed_.begin(), changed_.end());
    return std::exchange(changed_, {});
}

Primitive Definitions::op(NodeId n) const {
    const Definition* d = of(n);
    return d ? d->op : base_.nodes[n].op;
}

std::span<const NodeId> Definitions::inputs(NodeId n) const {
    const Definition* d = of(n);
    return d ? std::span<const NodeId>(d->inputs) : base_.inputs_of(n);
}

std::optional<double> Definitions::constant(NodeId n) const {
    if (const Definition* d = of(n))
        return d->op == Primitive::constant ? std::optional(d->parameters[0]) : std::nullopt;
    if (base_.nodes[n].op != Primitive::constant) return std::nullopt;
    return base_.parameters_of(n)[0];
}

void Definitions::fold() {
    std::vector<NodeId> work = changed_;
    while (!work.empty()) {
        const NodeId n = work.back();
        work.pop_back();
        for (const NodeId reader : foldable_.of(n)) {
            Definition d = folded(reader);
            if (slot_[reader] ? definitions_[slot_[reader] - 1] == d : d.op == Primitive::free) continue;
            define(reader, std::move(d));
            work.push_back(reader);
        }
    }
}

// A sum or product with the constants that it reads in this mode.
Definition Definitions::folded(NodeId n) const {
    const auto inputs = base_.inputs_of(n);
    const auto p = base_.parameters_of(n);
    const Definition as_ever{Primitive::free};
    if (base_.nodes[n].op == Primitive::product) {
        const auto a = constant(inputs[0]), b = constant(inputs[1]);
        if (a && b) return {Primitive::constant, {}, {*a * *b}};
        return a ? scaled(*a, inputs[1]) : b ? scaled(*b, inputs[0]) : as_ever;
    }
    double sum = p[0];
    for (std::size_t j = 0; j < inputs.size(); ++j) {
        const auto c = constant(inputs[j]);
        if (!c) return as_ever;
        sum += p[j + 1] * *c;
    }
    return {Primitive::constant, {}, {sum}};
}

// What a signal is plus or minus; `sign` tells which.
NodeId Definitions::origin(NodeId n, bool sums, double& sign) const {
    sign = 1;
    for (std::size_t steps = 0; steps < base_.nodes.size(); ++steps) {
        const Definition* d = of(n);
        if (!d || d->op != Primitive::affine || d->inputs.size() != 1 || d->parameters[0] != 0) break;
        const double factor = d->parameters[1];
        if (factor != 1 && !(sums && factor == -1)) break;
        sign *= factor;
        n = d->inputs[0];
    }
    return n;
}

void Definitions::append(Diagram& out, NodeId n) const {
    static const Definition nothing;  // a free node that the mode does not define
    const Definition* d = of(n);
    if (!d && base_.nodes[n].op == Primitive::free) d = &nothing;
    Node node = d ? Node{.op = d->op} : base_.nodes[n];
    const auto inputs = d ? std::span<const NodeId>(d->inputs) : base_.inputs_of(n);
    const auto parameters = d ? std::span<const double>(d->parameters) : base_.parameters_of(n);
    node.first_input = static_cast<std::uint32_t>(out.inputs.size());
    node.input_count = static_cast<std::uint32_t>(inputs.size());
    node.first_parameter = static_cast<std::uint32_t>(out.parameters.size());
    node.parameter_count = static_cast<std::uint32_t>(parameters.size());
    out.parameters.insert(out.parameters.end(), parameters.begin(), parameters.end());
    const bool sums = node.op == Primitive::affine;
    const bool shortened = sums || node.op == Primitive::integrator;
    for (std::size_t j = 0; j < inputs.size(); ++j) {
        double sign = 1;
        out.inputs.push_back(shortened ? origin(inputs[j], sums, sign) : inputs[j]);
        if (sums) out.parameters[node.first_parameter + j + 1] *= sign;
    }
    out.nodes.push_back(node);
}

Diagram Definitions::diagram() const {
    Diagram out;
    out.nodes.reserve(base_.nodes.size());
    out.inputs.reserve(base_.inputs.size());
    for (NodeId n = 0; n < base_.nodes.size(); ++n) append(out, n);
    out.schedules = base_.schedules;
    out.clocks = base_.clocks;
    out.messages = base_.messages;
    out.guesses = base_.guesses;
    return out;
}

}  // namespace deltaflow::bonds
