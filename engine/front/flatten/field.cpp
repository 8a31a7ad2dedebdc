// Fields: an I or C with a matrix becomes storages of one port behind transformers (bonds/field.hpp).
#include "bonds/field.hpp"
#include "engine/front/flatten/graph.hpp"
#include "engine/front/flatten/numbers.hpp"

#include <fmt/format.h>

#include <cmath>

namespace deltaflow::front {

using bonds::Element;
using bonds::Signal;
using bonds::Type;

// Port k is a 0-junction, "coils[k]", with one bond inside. Of an I that leads to a 1-junction with the
// port's flow, whose parts add up to the flow of each inertia; of a C to a 0-junction with the port's effort,
// whose parts add up to the effort of each capacity.
class GraphBody::Field {
public:
    Field(GraphBody& body, const BlockDeclaration& block)
        : body_(body), block_(block), inertial_(block.element->kind == Type::I) {}

    void make() {
        const auto ports = block_.field->value.size();
        for (std::size_t k = 0; k < ports; ++k) port_.push_back(junction(fmt::format("[{}]", k), Type::zero));
        read();  // what is wrong with it leaves its ports
        for (std::size_t k = 0; k < ports; ++k) {
            inside_.push_back(inertial_ ? junction(fmt::format("[{}]:1", k), Type::one)
                                        : junction(fmt::format("[{}]:0", k), Type::zero));
            connect(port_[k], inside_[k]);
        }
        for (std::size_t j = 0; j < ports; ++j) store(j);
        for (std::size_t k = 0; k < ports; ++k) add_outputs(k);
    }

private:
    // The matrix, and what is held at the start.
    void read() {
        bonds::Matrix matrix;
        for (const auto& row : block_.field->value) matrix.push_back(numbers(row));
        const Place& place = block_.field->place;
        try {
            factors_ = bonds::factors_of(matrix);
        } catch (const std::invalid_argument& e) {
            body_.report_.add(place, fmt::format("\"value\" of \"{}\" {}", block_.name, e.what()),
                              body_.formulas_.where());
            throw Reported{};
        }
        momentum_ = numbers(block_.field->momentum);
        displacement_ = numbers(block_.field->displacement);
        held_ = factors_.inside(inertial_ ? momentum_ : displacement_);
        for (std::size_t j = 0; j < held_.size(); ++j)
            if (is_zero(factors_.pivots[j]) && std::abs(held_[j].value) > 1e-12) {
                body_.report_.add(
                    place,
                    fmt::format("\"{}\" cannot hold that at the start: its value is singular", block_.name),
                    body_.formulas_.where());
                throw Reported{};
            }
    }
    std::vector<Number> numbers(const std::vector<Formula>& formulas) {
        std::vector<Number> result;
        for (const Formula& f : formulas)
            result.push_back(evaluate(f, *body_.shape_.environment, body_.report_));
        result.resize(block_.field->value.size(), number_from_double(0));
        return result;
    }

    // Parts of the graph
    bonds::Graph& graph() { return body_.shape_.graph; }
    Element& element(std::uint32_t x) { return graph().elements[x]; }
    NodeId free() { return body_.keep(body_.free_node()); }
    Ref signal(NodeId kept) const { return body_.shape_.graph_signals[kept]; }
    std::uint32_t add(const std::string& name, Type type) {
        graph().elements.push_back({type, std::string(block_.name) + name, block_.place});
        return static_cast<std::uint32_t>(graph().elements.size() - 1);
    }
    std::uint32_t junction(const std::string& name, Type type) {
        const std::uint32_t x = add(name, type);
        Element& e = element(x);
        e.off = type == Type::one ? bonds::Off::flow : bonds::Off::effort;
        (type == Type::one ? e.flow : e.effort) = free();
        if (type == Type::one && body_.wanted_.contains_modulated_transformers()) element(x).rate = free();
        return x;
    }
    void connect(std::uint32_t from, std::uint32_t to) {
        bonds::Bond bond{fmt::format("{} -> {}", element(from).name, element(to).name), block_.place, from,
                         to};
        bond.effort = free();
        bond.flow = free();
        graph().bonds.push_back(std::move(bond));
    }
    // flow' = ratio flow, or for a C effort' = ratio effort.
    void connect_by(const Number& ratio, std::uint32_t from, std::uint32_t to, const std::string& name) {
        if (ratio.value == 1) return connect(from, to);
        const std::uint32_t x = add(name, Type::TF);
        element(x).value = (inertial_ ? ratio : number_from_double(1) / ratio).value;
        connect(from, x);
        connect(x, to);
    }

    // Storage j, and what leads to it.
    void store(std::size_t j) {
        storage_.push_back(none);
        if (is_zero(factors_.pivots[j])) return;
        const std::uint32_t sum = junction(fmt::format(":sum{}", j), inertial_ ? Type::zero : Type::one);
        const std::uint32_t x = storage_[j] =
            add(fmt::format(":{}{}", block_.element->type, j), block_.element->kind);
        Element e = element(x);
        e.value = factors_.pivots[j].value;
        e.effort = free();
        e.flow = free();
        const NodeId state = free();
        (inertial_ ? e.momentum : e.displacement) = state;
        (inertial_ ? e.initial_momentum : e.initial_displacement) = held_[j].value;
        if (is_wanted(Signal::energy)) e.energy = body_.keep(body_.energy(block_, e));
        element(x) = std::move(e);
        connect(sum, x);
        for (std::size_t k = j; k < port_.size(); ++k)
            if (const Number& ratio = factors_.ratios[j][k]; !is_zero(ratio))
                connect_by(ratio, inside_[k], sum, fmt::format(":{}{}", j, k));
    }

    // What port k has of it: T' times what the storages have.
    Ref part_of(std::size_t k, NodeId Element::*slot) {
        std::vector<std::pair<double, Ref>> terms;
        for (std::size_t j = 0; j <= k; ++j)
            if (storage_[j] != none && !is_zero(factors_.ratios[j][k]))
                terms.emplace_back(factors_.ratios[j][k].value, signal(element(storage_[j]).*slot));
        return builder().affine(0, terms);
    }
    Ref integral(Signal of, Ref rate, const Number& initial) {
        return is_wanted(of) ? builder().node(Primitive::integrator, {rate}, {initial.value}) : broken_signal;
    }
    void add_outputs(std::size_t k) {
        const Ref effort = signal(element(port_[k]).effort);
        const Ref flow = inertial_ ? signal(element(inside_[k]).flow) : part_of(k, &Element::flow);
        const Ref momentum =
            inertial_ ? part_of(k, &Element::momentum) : integral(Signal::momentum, effort, momentum_[k]);
        const Ref displacement = inertial_ ? integral(Signal::displacement, flow, displacement_[k])
                                           : part_of(k, &Element::displacement);
        // Half of p f, or q e: together that is all.
        Ref energy = broken_signal;
        if (is_wanted(Signal::energy))
            energy = builder().affine(
                0, {{0.5, builder().node(Primitive::product,
                                         {inertial_ ? momentum : displacement, inertial_ ? flow : effort})}});
        for (const Ref output : {effort, flow, momentum, displacement, energy})
            body_.shape_.outputs.push_back(output);
    }
    bool is_wanted(Signal s) const { return body_.wanted_.contains(*body_.shape_.diagram, block_, s); }
    Builder& builder() { return body_.formulas_.builder(); }

    static constexpr std::uint32_t none = ~std::uint32_t{0};
    GraphBody& body_;
    const BlockDeclaration& block_;
    const bool inertial_;
    bonds::Factors factors_;
    std::vector<Number> momentum_, displacement_, held_;
    std::vector<std::uint32_t> port_, inside_, storage_;
};

void GraphBody::add_field(const BlockDeclaration& block) {
    set_rank(block, shape_.graph.elements.size());
    Field(*this, block).make();
}

}  // namespace deltaflow::front
