// Lowers the body of a diagram: its blocks become primitives, its instances get their inputs.
#include "engine/front/flatten/arguments.hpp"
#include "engine/front/flatten/graph.hpp"
#include "engine/front/flatten/indices.hpp"
#include "engine/front/flatten/numbers.hpp"

#include <algorithm>

namespace deltaflow::front {
namespace {

using Kind = BlockDeclaration::Kind;

class Body {
public:
    Body(const Templates& templates, Template& shape, ArgumentReader& reader, const WantedSignals& wanted,
         Report& report)
        : templates_(templates),
          shape_(shape),
          reader_(reader),
          report_(report),
          formulas_(shape, report),
          graph_(templates, shape, formulas_, wanted, report) {}

    void lower() {
        const auto& blocks = shape_.diagram->blocks;
        shape_.first_node.reserve(blocks.size());
        shape_.first_output.reserve(blocks.size() + 1);
        for (std::uint32_t i = 0; i < blocks.size(); ++i) {
            shape_.first_node.push_back(static_cast<NodeId>(shape_.own.nodes.size()));
            shape_.first_output.push_back(static_cast<std::uint32_t>(shape_.outputs.size()));
            try {
                lower_block(blocks[i]);
            } catch (const Reported&) {
            }
        }
        shape_.first_output.push_back(static_cast<std::uint32_t>(shape_.outputs.size()));
        measure();
        graph_.connect();
        resolve(templates_, shape_, formulas_.references(), guesses_, report_);
    }

private:
    void lower_block(const BlockDeclaration& block) {
        const std::size_t first = shape_.outputs.size();
        lower_kind(block);
        const bool counts =
            block.kind == Kind::expression || block.kind == Kind::catalogue || block.kind == Kind::element;
        if (counts) ++shape_.sizes.blocks;
        if (block.guess) add_guess(block, first);
    }

    void lower_kind(const BlockDeclaration& block) {
        switch (block.kind) {
            case Kind::expression:
                return shape_.outputs.push_back(formulas_.signal(block.inputs[0][0]));
            case Kind::catalogue:
                return lower_catalogue(block);
            case Kind::instance:
                return lower_instance(block);
            case Kind::element:
                return graph_.add_element(block);
            case Kind::bond:
                return graph_.add_bond(block);
            case Kind::automaton:
                return graph_.add_automaton(block);
            case Kind::total:
                return graph_.add_total();
            case Kind::broken:
                return;
        }
    }

    void lower_catalogue(const BlockDeclaration& block) {
        Arguments arguments = reader_.read(block, *shape_.environment);
        read_inputs(block, arguments);
        if (block.type->pairs) return graph_.add_complement(block, arguments.inputs[0][0]);
        try {
            for (const Ref output : block.type->lower(arguments, formulas_.builder()))
                shape_.outputs.push_back(output);
        } catch (const UnreadableFile& e) {
            const Entry* entry = find(*block.value, e.parameter);
            report_.add_unreadable(entry ? entry->value.place : block.place, e.what(), formulas_.where());
        } catch (const ArgumentError& e) {
            const Entry* entry = find(*block.value, e.parameter);
            report_.add(entry ? entry->value.place : block.place, e.what(), formulas_.where());
        }
    }

    // The children of the block all get their inputs.
    void lower_instance(const BlockDeclaration& block) {
        const std::size_t first = next_child_;
        const std::uint32_t index = shape_.children[first].block;
        for (; next_child_ < shape_.children.size() && shape_.children[next_child_].block == index;
             ++next_child_)
            shape_.children[next_child_].arguments.assign(block.inputs.size(), broken_signal);
        bool good = true;
        for (std::size_t port = 0; port < block.inputs.size(); ++port) {
            try {
                lower_input(block, port, first);
            } catch (const Reported&) {
                good = false;
            }
        }
        formulas_.set_index({});
        if (!good) throw Reported{};
    }

    // An input that does not speak of i is one signal for all instances.
    void lower_input(const BlockDeclaration& block, std::size_t port, std::size_t first) {
        const Formula& formula = block.inputs[port][0];
        const bool differs = next_child_ - first > 1 && mentions_index(formula.tree);
        Ref signal = broken_signal;
        for (std::size_t c = first; c < next_child_; ++c) {
            Child& child = shape_.children[c];
            if (block.count) formulas_.set_index(child.first_index);
            if (differs || c == first) signal = formulas_.signal(formula);
            child.arguments[port] = signal;
        }
    }

    void add_guess(const BlockDeclaration& block, std::size_t first) {
        const Number guess = evaluate(*block.guess, "a number", *shape_.environment, report_);
        for (std::size_t i = first; i < shape_.outputs.size(); ++i)
            guesses_.emplace_back(shape_.outputs[i], guess.value);
    }

    // All inputs are lowered even if one of them is wrong, so that every error is told.
    void read_inputs(const BlockDeclaration& block, Arguments& arguments) {
        arguments.inputs.resize(block.inputs.size());
        arguments.conditions.resize(block.inputs.size());
        bool good = true;
        for (std::size_t i = 0; i < block.inputs.size(); ++i)
            for (const auto& formula : block.inputs[i]) {
                try {
                    if (block.type->inputs[i].condition)
                        arguments.conditions[i] = formulas_.condition(formula);
                    else
                        arguments.inputs[i].push_back(formulas_.signal(formula));
                } catch (const Reported&) {
                    good = false;
                }
            }
        if (!good) throw Reported{};
    }

    // The size of the template, and where the nodes of its children begin.
    void measure() {
        Sizes& sizes = shape_.sizes;
        sizes.nodes = shape_.own.nodes.size();
        sizes.inputs = shape_.own.inputs.size();
        sizes.guesses = guesses_.size();
        sizes.elements = shape_.graph.elements.size();
        sizes.bonds = shape_.graph.bonds.size();
        sizes.automata = shape_.graph.automata.size();
        for (auto& child : shape_.children) {
            const Sizes& inside = templates_.list[child.shape].sizes;
            const auto add = [&](std::uint64_t& total, std::uint64_t one) {
                total = saturating_add(total, saturating_multiply(child.count, one));
            };
            child.first_node = sizes.nodes;
            child.first_element = sizes.elements;
            child.first_automaton = sizes.automata;
            add(sizes.blocks, std::max<std::uint64_t>(1, inside.blocks));
            add(sizes.nodes, inside.nodes);
            add(sizes.inputs, inside.inputs);
            add(sizes.guesses, inside.guesses);
            add(sizes.elements, inside.elements);
            add(sizes.bonds, inside.bonds);
            add(sizes.automata, inside.automata);
        }
    }

    const Templates& templates_;
    Template& shape_;
    ArgumentReader& reader_;
    Report& report_;
    Formulas formulas_;
    GraphBody graph_;
    std::size_t next_child_ = 0;
    std::vector<std::pair<Ref, double>> guesses_;
};

}  // namespace

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
    return a + b < a ? ~std::uint64_t{0} : a + b;
}

std::uint64_t saturating_multiply(std::uint64_t a, std::uint64_t b) {
    return b != 0 && a > ~std::uint64_t{0} / b ? ~std::uint64_t{0} : a * b;
}

void lower_templates(Templates& templates, const Sources& sources, const WantedSignals& wanted,
                     Report& report) {
    ArgumentReader reader(sources, report);
    for (const TemplateId id : templates.order)
        Body(templates, templates.list[id], reader, wanted, report).lower();
}

}  // namespace deltaflow::front
