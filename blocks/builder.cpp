#include "blocks/builder.hpp"

#include <cassert>

namespace deltaflow {

namespace {

std::uint32_t count(std::size_t n) { return static_cast<std::uint32_t>(n); }

// Appends an item and gives its index.
template <class T>
std::uint32_t append(std::vector<T>& list, T item) {
    list.push_back(std::move(item));
    return count(list.size() - 1);
}

}  // namespace

Ref Builder::node(Primitive op, std::vector<Ref> inputs, std::vector<double> parameters,
                  std::uint32_t extra) {
    Fragment& f = fragment_;
    const Node made{.op = op,
                    .first_input = count(f.inputs.size()),
                    .input_count = count(inputs.size()),
                    .first_parameter = count(f.parameters.size()),
                    .parameter_count = count(parameters.size()),
                    .extra = extra};
    f.inputs.insert(f.inputs.end(), inputs.begin(), inputs.end());
    f.parameters.insert(f.parameters.end(), parameters.begin(), parameters.end());
    return {Ref::Kind::node, append(f.nodes, made)};
}

Ref Builder::constant(double value) { return node(Primitive::constant, {}, {value}); }

Ref Builder::affine(double c0, const std::vector<std::pair<double, Ref>>& terms) {
    if (terms.empty()) return constant(c0);
    std::vector<Ref> inputs;
    std::vector<double> parameters{c0};
    for (const auto& [coefficient, signal] : terms) {
        inputs.push_back(signal);
        parameters.push_back(coefficient);
    }
    return node(Primitive::affine, std::move(inputs), std::move(parameters));
}

Ref Builder::schedule(Schedule s) {
    return node(Primitive::schedule, {}, {}, append(fragment_.schedules, std::move(s)));
}

std::uint32_t Builder::clock(Clock c) { return append(fragment_.clocks, std::move(c)); }

std::uint32_t Builder::message(std::string text) { return append(fragment_.messages, std::move(text)); }

void Builder::set_input(Ref node, std::size_t j, Ref input) {
    assert(node.kind == Ref::Kind::node);
    const Node& changed = fragment_.nodes[node.index];
    assert(j < changed.input_count);
    fragment_.inputs[changed.first_input + j] = input;
}

}  // namespace deltaflow
