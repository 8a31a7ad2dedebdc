// Lowers the body of a diagram: its blocks become primitives, its instances get their inputs.
#include "engine/flatten_arguments.hpp"
#include "engine/flatten_numbers.hpp"
#include "engine/flatten_resolve.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::front {
namespace {

using Kind = BlockDeclaration::Kind;

class Body {
public:
    Body(const Templates& templates, Template& shape, ArgumentReader& reader, Report& report)
        : templates_(templates),
          shape_(shape),
          reader_(reader),
          report_(report),
          builder_(shape.own),
          scope_([this](const Expression& name) { return look_up(name); }),
          slot_of_block_(shape.diagram->blocks.size(), none) {}

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
        resolve(templates_, shape_, references_, guesses_, report_);
    }

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    void lower_block(const BlockDeclaration& block) {
        const std::size_t first = shape_.outputs.size();
        if (block.kind == Kind::expression) shape_.outputs.push_back(signal(block.inputs[0][0]));
        if (block.kind == Kind::catalogue) lower_catalogue(block);
        if (block.kind == Kind::instance) lower_instance(block);
        if (block.kind == Kind::expression || block.kind == Kind::catalogue) ++shape_.sizes.blocks;
        if (block.guess) add_guess(block, first);
    }

    void lower_catalogue(const BlockDeclaration& block) {
        Arguments arguments = reader_.read(block, *shape_.environment);
        arguments.inputs = signals(block);
        try {
            for (const Ref output : block.type->lower(arguments, builder_)) shape_.outputs.push_back(output);
        } catch (const UnreadableFile& e) {
            const Entry* entry = find(*block.value, e.parameter);
            report_.add_unreadable(entry ? entry->value.place : block.place, e.what(), where());
        } catch (const ArgumentError& e) {
            const Entry* entry = find(*block.value, e.parameter);
            report_.add(entry ? entry->value.place : block.place, e.what(), where());
        }
    }

    // Arguments may be wrong in one instance and right in another.
    std::vector<std::string> where() const {
        if (!shape_.first_use || shape_.diagram->parameters.empty()) return {};
        return {fmt::format("in \"{}\" at {}", shape_.first_use->name,
                            render(report_.sources(), shape_.first_use->place))};
    }

    void lower_instance(const BlockDeclaration& block) {
        Child& child = shape_.children[next_child_++];
        child.arguments.assign(block.inputs.size(), broken_signal);
        const auto lowered = signals(block);
        for (std::size_t i = 0; i < lowered.size(); ++i) child.arguments[i] = lowered[i][0];
    }

    void add_guess(const BlockDeclaration& block, std::size_t first) {
        const Number guess = evaluate(*block.guess, "a number", *shape_.environment, report_);
        for (std::size_t i = first; i < shape_.outputs.size(); ++i)
            guesses_.emplace_back(shape_.outputs[i], guess.value);
    }

    // All inputs are lowered even if one of them is wrong, so that every error is told.
    std::vector<std::vector<Ref>> signals(const BlockDeclaration& block) {
        std::vector<std::vector<Ref>> lowered(block.inputs.size());
        bool good = true;
        for (std::size_t i = 0; i < block.inputs.size(); ++i)
            for (const auto& formula : block.inputs[i]) {
                try {
                    lowered[i].push_back(signal(formula));
                } catch (const Reported&) {
                    good = false;
                }
            }
        if (!good) throw Reported{};
        return lowered;
    }

    Ref signal(const Formula& formula) {
        if (formula.source->is_number()) return builder_.constant(formula.source->real);
        formula_ = &formula;
        try {
            return lower_expression(formula.tree, scope_, builder_);
        } catch (const ExpressionError& e) {
            report_.add(*formula.source, e, where());
            throw Reported{};
        }
    }

    // A block's name becomes a slot, since its definition may come later.
    Meaning look_up(const Expression& name) {
        const std::string_view text = name.text;
        const std::string_view first = text.substr(0, text.find_first_of(".["));
        const auto found = shape_.diagram->names.find(first);
        if (found != shape_.diagram->names.end() && found->second.kind == Symbol::Kind::block)
            return Ref{Ref::Kind::slot, slot(found->second.index, name, text.size() == first.size())};
        if (found != shape_.diagram->names.end() && found->second.kind == Symbol::Kind::input &&
            text.size() == first.size())
            return Ref{Ref::Kind::port, found->second.index};
        if (const auto number = find_parameter(*shape_.environment, text)) return *number;
        return unknown(name, first);
    }

    std::uint32_t slot(std::uint32_t block, const Expression& name, bool plain) {
        std::uint32_t& known =
            plain ? slot_of_block_[block] : slot_of_name_.try_emplace(name.text, none).first->second;
        if (known == none) {
            known = static_cast<std::uint32_t>(references_.size());
            references_.push_back({name.text, block, formula_->source, name.offset, name.length});
        }
        return known;
    }

    // Reported here, so that the other names of the expression are looked at, too.
    Meaning unknown(const Expression& name, std::string_view first) {
        const bool inside = first.size() < name.text.size() && find_parameter(*shape_.environment, first);
        const bool input = shape_.diagram->names.count(first) > 0;
        const std::string message = inside || input
                                        ? fmt::format("nothing is inside \"{}\"", first)
                                        : fmt::format("there is no signal or parameter \"{}\"{}", first,
                                                      report_.hint(first, visible_names()));
        report_.add(*formula_->source,
                    ExpressionError(name.offset, static_cast<std::uint32_t>(first.size()), message));
        return broken_signal;
    }

    std::vector<std::string_view> visible_names() const {
        std::vector<std::string_view> names;
        for (const auto& block : shape_.diagram->blocks) names.push_back(block.name);
        for (const auto& input : shape_.diagram->inputs) names.push_back(input.name);
        append_parameter_names(*shape_.environment, names);
        names.insert(names.end(), {"t", "pi"});
        return names;
    }

    // The size of the template, and where the nodes of its children begin.
    void measure() {
        Sizes& sizes = shape_.sizes;
        sizes.nodes = shape_.own.nodes.size();
        sizes.inputs = shape_.own.inputs.size();
        sizes.guesses = guesses_.size();
        for (auto& child : shape_.children) {
            const Sizes& inside = templates_.list[child.shape].sizes;
            const auto add = [&](std::uint64_t& total, std::uint64_t one) {
                total = saturating_add(total, saturating_multiply(child.count, one));
            };
            child.first_node = sizes.nodes;
            add(sizes.blocks, std::max<std::uint64_t>(1, inside.blocks));
            add(sizes.nodes, inside.nodes);
            add(sizes.inputs, inside.inputs);
            add(sizes.guesses, inside.guesses);
        }
    }

    const Templates& templates_;
    Template& shape_;
    ArgumentReader& reader_;
    Report& report_;
    Builder builder_;
    Scope scope_;
    const Formula* formula_ = nullptr;  // the one that is being lowered
    std::size_t next_child_ = 0;
    std::vector<std::uint32_t> slot_of_block_;
    std::unordered_map<std::string_view, std::uint32_t> slot_of_name_;
    std::vector<Reference> references_;
    std::vector<std::pair<Ref, double>> guesses_;
};

}  // namespace

std::uint64_t saturating_add(std::uint64_t a, std::uint64_t b) {
    return a + b < a ? ~std::uint64_t{0} : a + b;
}

std::uint64_t saturating_multiply(std::uint64_t a, std::uint64_t b) {
    return b != 0 && a > ~std::uint64_t{0} / b ? ~std::uint64_t{0} : a * b;
}

void lower_templates(Templates& templates, const Sources& sources, Report& report) {
    ArgumentReader reader(sources, report);
    for (const TemplateId id : templates.order) Body(templates, templates.list[id], reader, report).lower();
}

}  // namespace deltaflow::front
