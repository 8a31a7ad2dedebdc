// What is recorded: names, or every top-level block.
#include "engine/front/flatten/flatten.hpp"
#include "engine/front/flatten/formulas.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace deltaflow::front {
namespace {

class Recorder {
public:
    Recorder(const Templates& templates, bool by_name, Report& report)
        : templates_(templates), by_name_(by_name), report_(report) {}

    void add_everything() {
        const std::size_t before = recorded_.size();
        add_blocks(true);
        if (recorded_.size() == before) {
            add_networks(templates_.list[0]);
            add_bonds(templates_.list[0]);
        }
        if (recorded_.size() == before) add_automata(templates_.list[0]);
    }

    // All blocks of the model, and the outputs of instances; those of arrays too, or not.
    void add_blocks(bool arrays) {
        const Template& model = templates_.list[0];
        for (std::uint32_t i = 0; i < model.diagram->blocks.size(); ++i) {
            const Child* child = model.child_of(i);
            if (model.diagram->blocks[i].made) continue;
            if (child ? arrays || child->array_size == 0 : model.diagram->blocks[i].role == Role::block)
                add_block(model, i, std::string(model.diagram->blocks[i].name));
        }
    }

    void add(const RecordName& wanted) {
        const std::string_view name = wanted.name;
        try {
            if (name == "*")
                add_everything();
            else if (name.size() > 2 && name.substr(name.size() - 2) == ".*")
                add_inside(name.substr(0, name.size() - 2));
            else
                add_signal(std::string(name));
        } catch (const ExpressionError& e) {
            report_.add(*wanted.source, ExpressionError(offset_of(wanted) + e.offset, e.length, e.what()));
        } catch (const Reported&) {
        }
    }

    std::vector<Recorded> take() { return std::move(recorded_); }

private:
    static std::uint32_t offset_of(const RecordName& wanted) {
        return static_cast<std::uint32_t>(wanted.name.data() - wanted.source->text.data());
    }

    // Voltages of nodes and currents of two-poles; positions and velocities of points, and forces.
    void add_networks(const Template& model) {
        for (const auto& block : model.diagram->blocks)
            for (const auto& [signal, formula] : block.readings) {
                const bool own = block.network == BlockDeclaration::Network::node || signal == "current" ||
                                 signal == "force";
                if (own) add_signal(fmt::format("{}.{}", block.name, signal));
            }
    }

    // Effort and flow of every bond.
    void add_bonds(const Template& model) {
        for (std::uint32_t i = 0; i < model.diagram->blocks.size(); ++i) {
            const BlockDeclaration& block = model.diagram->blocks[i];
            if (block.role != Role::bond || block.made) continue;
            const std::size_t outputs = model.outputs_of(i).size();
            for (std::size_t k = 0; k < outputs; ++k)
                if (k % 3 != 2) add_signal(std::string(block.name) + output_name(block, k));
        }
    }

    void add_automata(const Template& model) {
        for (std::uint32_t i = 0; i < model.diagram->blocks.size(); ++i)
            if (model.diagram->blocks[i].role == Role::automaton)
                add_block(model, i, std::string(model.diagram->blocks[i].name));
    }

    void add_signal(std::string name) {
        const Ref signal = find_signal(templates_, templates_.list[0], name, report_);
        if (signal.kind != Ref::Kind::node) return;
        if (by_name_ && !seen_.insert(name).second) return;  // every top-level block comes only once anyway
        recorded_.push_back({std::move(name), signal.index});
    }

    // name.*: all outputs of an instance, of each instance of an array, or of a block with several.
    void add_inside(std::string_view name) {
        const FoundBlock found = find_block(templates_, templates_.list[0], name, report_);
        const Child* child = found.shape->child_of(found.block);
        const BlockDeclaration& block = found.shape->diagram->blocks[found.block];
        if (child && found.index)
            return add_outputs(found.shape->child_of(found.block, *found.index), std::string(name));
        if (!child && found.index && block.role != Role::block) {
            const auto signals = block.field ? std::span(block.element->signals) : bonds::bond_signals();
            for (const auto signal : signals) add_signal(fmt::format("{}.{}", name, bonds::name_of(signal)));
            return;
        }
        if (!child && block.role == Role::block && found.shape->outputs_of(found.block).size() == 1)
            throw ExpressionError(0, static_cast<std::uint32_t>(name.size()),
                                  "this is a single signal; nothing is inside it");
        add_block(*found.shape, found.block, std::string(name));
    }

    void add_block(const Template& shape, std::uint32_t index, const std::string& name) {
        if (shape.child_of(index)) return add_instances(shape, index, name);
        const BlockDeclaration& block = shape.diagram->blocks[index];
        const std::size_t outputs = shape.outputs_of(index).size();
        if (outputs == 1 && block.role == Role::block) return add_signal(name);
        for (std::size_t i = 0; i < outputs; ++i) add_signal(name + output_name(block, i));
        if (block.namesake) add_block(shape, *block.namesake, name);
    }

    void add_instances(const Template& shape, std::uint32_t block, const std::string& name) {
        const Child& first = *shape.child_of(block);
        if (first.array_size == 0) return add_outputs(first, name);
        for (std::uint64_t i = 0; i < first.array_size; ++i)
            add_outputs(shape.child_of(block, i), fmt::format("{}[{}]", name, i));
    }

    void add_outputs(const Child& child, const std::string& name) {
        const Template& inner = templates_.list[child.shape];
        const auto& outputs = inner.diagram->outputs;
        for (std::size_t i = 0; i < outputs.size(); ++i)
            add_block(inner, inner.diagram->output_blocks[i], fmt::format("{}.{}", name, outputs[i].name));
    }

    const Templates& templates_;
    const bool by_name_;  // names may overlap: a, *
    Report& report_;
    std::unordered_set<std::string> seen_;
    std::vector<Recorded> recorded_;
};

}  // namespace

std::vector<Recorded> find_recorded(const Templates& templates,
                                    const std::optional<std::vector<RecordName>>& names, Report& report) {
    Recorder recorder(templates, names.has_value(), report);
    if (!names)
        recorder.add_everything();
    else
        for (const auto& name : *names) recorder.add(name);
    return recorder.take();
}

std::vector<NodeId> find_unrecorded(const Templates& templates, const std::vector<Recorded>& record,
                                    Report& report) {
    Recorder recorder(templates, false, report);
    recorder.add_blocks(false);
    std::vector<NodeId> known, result;
    for (const Recorded& recorded : record) known.push_back(recorded.node);
    std::sort(known.begin(), known.end());
    for (const Recorded& block : recorder.take())
        if (!std::binary_search(known.begin(), known.end(), block.node)) result.push_back(block.node);
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

std::vector<Formula> read_shapes(const Value& document, Report& report) {
    std::vector<Formula> formulas;
    const Entry* animation = find(document, "animation");
    if (!animation) return formulas;
    for (const Entry& shape : animation->value.entries)
        for (const Entry& entry : shape.value.entries)
            if (entry.key != "shape" && entry.value.kind == Value::Kind::string)
                formulas.push_back(read_formula(entry.value, "an expression", report));
    std::erase_if(formulas, [](const Formula& formula) { return !formula.source; });
    return formulas;
}

void check_shapes(const Templates& templates, const std::vector<Formula>& shapes, Report& report) {
    if (shapes.empty()) return;
    Template trial;
    trial.diagram = templates.list[0].diagram;
    trial.environment = templates.list[0].environment;
    Formulas formulas(trial, report);
    for (const Formula& shape : shapes) try {
            formulas.signal(shape);
        } catch (const Reported&) {
        }
    find_references(templates, templates.list[0], formulas.references(), report);
}

}  // namespace deltaflow::front
