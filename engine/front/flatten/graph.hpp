// The bond graph of a diagram: its elements, bonds and automata, with nodes for their signals.
#pragma once

#include "engine/front/flatten/formulas.hpp"
#include "engine/front/flatten/wanted.hpp"

#include <deque>

namespace deltaflow::front {

// Signals are `free` nodes; what they follow from is a matter of the mode.
class GraphBody {
public:
    GraphBody(const Templates& templates, Template& shape, Formulas& formulas, const WantedSignals& wanted,
              Report& report);

    // Each adds its part to the template. Reports errors and throws Reported.
    void add_element(const BlockDeclaration& block);
    void add_bond(const BlockDeclaration& block);
    void add_automaton(const BlockDeclaration& block);
    void add_complement(const BlockDeclaration& block, Ref w);
    void add_total();

    // Finds the ends of bonds and the automata of elements, once the sizes of all instances are known.
    void connect();

private:
    struct ControlledElement {
        std::size_t element;
        const Value* automaton;
    };
    struct OpenBond {
        std::size_t first, count;  // bonds of the graph
        const BlockDeclaration* block;
    };

    Ref free_node() { return formulas_.builder().node(Primitive::free, {}); }
    NodeId keep(Ref signal);
    void set_rank(const BlockDeclaration& block, std::size_t rank);

    void make_ports(const BlockDeclaration& block, bonds::Element& element);
    void read_argument(const BlockDeclaration& block, const ArgumentDeclaration& argument,
                       bonds::Element& element);
    void read_modulation(const BlockDeclaration& block, const Formula& formula, bonds::Element& element);
    void read_law(const BlockDeclaration& block, const Formula& formula, bonds::Element& element);
    double number(const BlockDeclaration& block, const bonds::ElementParameter& parameter,
                  const Formula& formula);
    void refuse_signal(const BlockDeclaration& block, const bonds::ElementParameter& parameter,
                       const Formula& formula);
    Ref energy(const BlockDeclaration& block, const bonds::Element& element);
    Ref signal(const bonds::Element& element, bonds::Signal signal) const;
    void add_outputs(const BlockDeclaration& block, const bonds::Element& element);

    void make_ideal(const BlockDeclaration& block, bonds::Element& element);
    class Ideal;
    void add_field(const BlockDeclaration& block);
    class Field;

    std::uint32_t chosen_state(const BlockDeclaration& block);
    bonds::Transition made(const TransitionDeclaration& declared,
                           const std::vector<Formulas::Variable>& values);
    void add_timer(const TransitionDeclaration& declared, bonds::Transition& transition);
    bonds::Guard guard(const Formula& when, const Expression& e);
    bonds::Guard comparison(const Formula& when, const Expression& e);
    [[noreturn]] void refuse_guard(const Formula& when, const Expression& e);

    void connect(const OpenBond& open);
    void connect_ends(const OpenBond& open, std::string_view path, std::uint32_t bonds::Bond::*end);
    void connect_indexed(const OpenBond& open, std::string_view path, std::uint32_t bonds::Bond::*end);
    std::uint32_t find_element(std::string_view path);
    std::uint32_t find_automaton(const Value& name);

    const Templates& templates_;
    Template& shape_;
    Formulas& formulas_;
    const WantedSignals& wanted_;
    Report& report_;
    std::vector<ControlledElement> controlled_;
    std::vector<OpenBond> open_bonds_;
    std::deque<Formula> made_;  // formulas that nobody wrote; their names are looked up later
};

}  // namespace deltaflow::front
