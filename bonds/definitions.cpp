// Definitions of free nodes: what follows from constants, and chains of equal signals.
#include "bonds/definitions.hpp"

#include "blocks/fraction_book.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace deltaflow::bonds {

namespace {

bool is_algebra(Primitive op) { return op == Primitive::affine || op == Primitive::product; }

// Room for a list in place of another one, or else at the end of all.
template <class T>
void put(std::vector<T>& all, std::span<const T> list, std::uint32_t& first, std::uint32_t& count) {
    if (list.size() > count) {
        first = static_cast<std::uint32_t>(all.size());
        all.resize(all.size() + list.size());
    }
    count = static_cast<std::uint32_t>(list.size());
    std::copy(list.begin(), list.end(), all.begin() + first);
}

// A sum of products; where a book of fractions is open it is noted what the result stands for.
class NotedSum {
public:
    explicit NotedSum(double first) : sum_(first) {
        if (const FractionBook* book = FractionBook::open()) exact_ = book->find(first);
    }
    void add(double a, double b) {
        sum_ += a * b;
        if (!exact_) return;
        const FractionBook& book = *FractionBook::open();
        const auto u = book.find(a), v = book.find(b);
        exact_ = u && v ? std::optional<Rational>(*exact_ + *u * *v) : std::nullopt;
    }
    double value() const { return exact_ ? noted(to_double(*exact_), *exact_) : sum_; }

private:
    double sum_;
    std::optional<Rational> exact_;
};

}  // namespace

Definitions::Definitions(const Diagram& base, const std::vector<NodeId>& states)
    : base_(base), slot_(base.nodes.size(), 0), noted_(base.nodes.size(), 0) {
    definitions_.reserve(base.nodes.size());
    inputs_.reserve(2 * base.nodes.size());
    parameters_.reserve(3 * base.nodes.size());
    find_foldable(states);
}

void Definitions::find_foldable(const std::vector<NodeId>& states) {
    const auto n = static_cast<NodeId>(base_.nodes.size());
    const auto readers = make_lists(states.empty() ? 0 : n, [&](const auto& add) {
        for (NodeId reader = 0; reader < n && !states.empty(); ++reader)
            if (is_algebra(base_.nodes[reader].op))
                for (const NodeId input : base_.inputs_of(reader)) add(input, reader);
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
                for (const NodeId input : base_.inputs_of(reader)) add(input, reader);
    });
}

// Once changes have been taken.
void Definitions::renumber(const std::vector<NodeId>& place, const std::vector<NodeId>& states) {
    const std::vector<std::uint32_t> slot = slot_;
    for (NodeId n = 0; n < slot.size(); ++n) slot_[place[n]] = slot[n];
    for (NodeId& input : inputs_) input = place[input];
    find_foldable(states);
}

std::optional<Definition> Definitions::of(NodeId n) const {
    if (slot_[n] == 0 || definitions_[slot_[n] - 1].op == Primitive::free) return std::nullopt;
    return view(definitions_[slot_[n] - 1]);
}

bool Definitions::is(NodeId n, const Definition& d) const {
    const Definition old = view(definitions_[slot_[n] - 1]);
    return old.op == d.op &&
           std::equal(old.inputs.begin(), old.inputs.end(), d.inputs.begin(), d.inputs.end()) &&
           std::equal(old.parameters.begin(), old.parameters.end(), d.parameters.begin(), d.parameters.end());
}

void Definitions::note(NodeId n) {
    if (!noted_[n]) changed_.push_back(n);
    noted_[n] = 1;
}

void Definitions::define(NodeId n, const Definition& d) {
    if (slot_[n] == 0) {
        definitions_.emplace_back();
        slot_[n] = static_cast<std::uint32_t>(definitions_.size());
    } else if (is(n, d)) {
        return;
    }
    Stored& stored = definitions_[slot_[n] - 1];
    stored.op = d.op;
    put(inputs_, d.inputs, stored.first_input, stored.input_count);
    put(parameters_, d.parameters, stored.first_parameter, stored.parameter_count);
    note(n);
}

std::vector<NodeId> Definitions::take_changes() {
    if (changed_.size() > noted_.size() / 16) {  // at first: nearly all
        changed_.clear();
        for (NodeId n = 0; n < noted_.size(); ++n)
            if (noted_[n]) changed_.push_back(n);
    } else {
        std::sort(changed_.begin(), changed_.end());
    }
    for (const NodeId n : changed_) noted_[n] = 0;
    return std::exchange(changed_, {});
}

Primitive Definitions::op(NodeId n) const {
    const auto d = of(n);
    return d ? d->op : base_.nodes[n].op;
}

std::span<const NodeId> Definitions::inputs(NodeId n) const {
    const auto d = of(n);
    return d ? d->inputs : base_.inputs_of(n);
}

std::optional<double> Definitions::constant(NodeId n) const {
    if (const auto d = of(n))
        return d->op == Primitive::constant ? std::optional(d->parameters[0]) : std::nullopt;
    if (base_.nodes[n].op != Primitive::constant) return std::nullopt;
    return base_.parameters_of(n)[0];
}

// A constant, or another signal times a constant.
struct Definitions::Folded {
    Primitive op = Primitive::free;
    NodeId of = no_node;
    std::array<double, 2> parameters{};

    static Folded constant(double value) { return {Primitive::constant, no_node, {value}}; }
    static Folded scaled(double factor, NodeId of) { return {Primitive::affine, of, {0.0, factor}}; }
    Definition view() const {
        const std::size_t count = op == Primitive::free ? 0 : op == Primitive::constant ? 1 : 2;
        return {op, {&of, count == 2 ? 1u : 0u}, {parameters.data(), count}};
    }
};

void Definitions::fold() {
    std::vector<NodeId> work = changed_;
    while (!work.empty()) {
        const NodeId n = work.back();
        work.pop_back();
        for (const NodeId reader : foldable_.of(n)) {
            const Folded d = folded(reader);
            if (slot_[reader] ? is(reader, d.view()) : d.op == Primitive::free) continue;
            define(reader, d.view());
            work.push_back(reader);
        }
    }
}

// A sum or product with the constants that it reads in this mode.
Definitions::Folded Definitions::folded(NodeId n) const {
    const auto inputs = base_.inputs_of(n);
    const auto p = base_.parameters_of(n);
    const Folded as_ever;
    if (base_.nodes[n].op == Primitive::product) {
        const auto a = constant(inputs[0]), b = constant(inputs[1]);
        if (a && b) {
            NotedSum product(0);
            product.add(*a, *b);
            return Folded::constant(product.value());
        }
        return a ? Folded::scaled(*a, inputs[1]) : b ? Folded::scaled(*b, inputs[0]) : as_ever;
    }
    NotedSum sum(p[0]);
    for (std::size_t j = 0; j < inputs.size(); ++j) {
        const auto c = constant(inputs[j]);
        if (!c) return as_ever;
        sum.add(p[j + 1], *c);
    }
    return Folded::constant(sum.value());
}

// What a signal is plus or minus; `sign` tells which. Signals that are each other in a circle, x = -y and
// y = x, have no origin: they stay as they are, for a loop to be solved.
NodeId Definitions::origin(const NodeId first, bool sums, double& sign) const {
    sign = 1;
    NodeId n = first;
    for (std::size_t steps = 0; steps < base_.nodes.size(); ++steps) {
        const auto d = of(n);
        if (!d || d->op != Primitive::affine || d->inputs.size() != 1 || d->parameters[0] != 0) return n;
        const double factor = d->parameters[1];
        if (factor != 1 && !(sums && factor == -1)) return n;
        sign *= factor;
        n = d->inputs[0];
    }
    sign = 1;
    return first;
}

void Definitions::append(Diagram& out, NodeId n) const {
    static constexpr double nothing = 0;
    auto d = of(n);
    if (!d && base_.nodes[n].op == Primitive::free)  // the mode does not define it
        d = Definition{Primitive::constant, {}, {&nothing, 1}};
    Node node = d ? Node{.op = d->op} : base_.nodes[n];
    const auto inputs = d ? d->inputs : base_.inputs_of(n);
    const auto parameters = d ? d->parameters : base_.parameters_of(n);
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
    out.inputs.reserve(base_.inputs.size() + inputs_.size());
    out.parameters.reserve(base_.parameters.size() + parameters_.size() + base_.nodes.size());
    for (NodeId n = 0; n < base_.nodes.size(); ++n) append(out, n);
    out.schedules = base_.schedules;
    out.clocks = base_.clocks;
    out.messages = base_.messages;
    out.guesses = base_.guesses;
    return out;
}

}  // namespace deltaflow::bonds
