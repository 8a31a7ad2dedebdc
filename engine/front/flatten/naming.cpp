// Names of nodes, found by walking from the model inwards: nothing is stored for a node.
#include "engine/front/flatten/flatten.hpp"
#include "engine/model/signal_name.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::front {
namespace {

class TemplateNaming : public Naming {
public:
    TemplateNaming(std::shared_ptr<const Written> written, std::vector<NodeId> made)
        : written_(std::move(written)), made_(std::move(made)) {}

    std::string name(NodeId node) const override {
        std::string prefix;
        const Found found = walk_noting(node, prefix);
        return prefix.append(block_of(found).name).append(signal_of(found));
    }

    // Nothing for a part of a block.
    std::string signal(NodeId node) const {
        std::string prefix;
        const Found found = walk_noting(node, prefix);
        const BlockDeclaration& block = block_of(found);
        prefix.append(block.name);
        if (block.role == Role::bond) return prefix.append(signal_of(found));
        const auto outputs = found.shape->outputs_of(found.block);
        const auto at = std::find(outputs.begin(), outputs.end(), Ref{Ref::Kind::node, found.node});
        if (at == outputs.end()) return "";
        if (block.role == Role::block && outputs.size() == 1) return prefix;
        return prefix.append(output_name(block, static_cast<std::size_t>(at - outputs.begin())));
    }

    Place place(NodeId node) const override {
        return block_of(walk(node, [](const BlockDeclaration&, const Child&, std::uint64_t) {})).place;
    }

private:
    // The block that a node was made for, and the node, counted from the first of the template.
    struct Found {
        const Template* shape;
        std::uint32_t block;
        NodeId node;
    };

    static const BlockDeclaration& block_of(const Found& found) {
        return found.shape->diagram->blocks[found.block];
    }

    // ".momentum" of an element; nothing for what it was computed from.
    static std::string signal_of(const Found& found) {
        const BlockDeclaration& block = block_of(found);
        if (block.role == Role::block) return "";
        const auto outputs = found.shape->outputs_of(found.block);
        if (block.role == Role::bond) return output_name(block, bond_output(found, outputs.size()));
        const auto at = std::find(outputs.begin(), outputs.end(), Ref{Ref::Kind::node, found.node});
        if (at == outputs.end()) return "";
        return output_name(block, static_cast<std::size_t>(at - outputs.begin()));
    }

    // Bonds have their efforts and flows first, then their powers; outputs are effort, flow, power of each.
    static std::size_t bond_output(const Found& found, std::size_t outputs) {
        const std::size_t at = found.node - found.shape->first_node[found.block], count = outputs / 3;
        return at < 2 * count ? at / 2 * 3 + at % 2 : (at - 2 * count) * 3 + 2;
    }

    Found walk_noting(NodeId node, std::string& prefix) const {
        return walk(node, [&](const BlockDeclaration& instance, const Child& child, std::uint64_t i) {
            prefix += instance.name;
            if (child.array_size > 0) prefix += fmt::format("[{}]", i);
            prefix += '.';
        });
    }

    // Tells `passed` every instance on the way.
    template <class Passed>
    Found walk(std::uint64_t node, const Passed& passed) const {
        const auto& templates = written_->templates.list;
        const Template* shape = &templates[0];
        if (node >= shape->sizes.nodes) node = made_[node - shape->sizes.nodes];
        while (node >= shape->own.nodes.size()) {
            const auto after = [](std::uint64_t n, const Child& child) { return n < child.first_node; };
            const Child& child =
                *std::prev(std::upper_bound(shape->children.begin(), shape->children.end(), node, after));
            const Template& inner = templates[child.shape];
            const std::uint64_t index = (node - child.first_node) / inner.sizes.nodes;
            passed(shape->diagram->blocks[child.block], child, child.first_index + index);
            node -= child.first_node + index * inner.sizes.nodes;
            shape = &inner;
        }
        const auto first = std::upper_bound(shape->first_node.begin(), shape->first_node.end(), node);
        return {shape, static_cast<std::uint32_t>(first - shape->first_node.begin() - 1),
                static_cast<NodeId>(node)};
    }

    std::shared_ptr<const Written> written_;
    std::vector<NodeId> made_;  // behind the nodes of the model
};

}  // namespace

std::shared_ptr<const Naming> make_naming(std::shared_ptr<const Written> written, std::vector<NodeId> made) {
    return std::make_shared<TemplateNaming>(std::move(written), std::move(made));
}

}  // namespace deltaflow::front

namespace deltaflow {

std::string signal_name(const Naming& naming, NodeId node) {
    const auto* templates = dynamic_cast<const front::TemplateNaming*>(&naming);
    return templates ? templates->signal(node) : naming.name(node);
}

}  // namespace deltaflow
