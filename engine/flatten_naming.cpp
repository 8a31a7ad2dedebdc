// Names of nodes, found by walking from the model inwards: nothing is stored for a node.
#include "engine/flatten.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::front {
namespace {

class TemplateNaming : public Naming {
public:
    TemplateNaming(std::shared_ptr<const Declarations> declarations,
                   std::shared_ptr<const Templates> templates)
        : declarations_(std::move(declarations)), templates_(std::move(templates)) {}

    std::string name(NodeId node) const override {
        std::string prefix;
        const BlockDeclaration& block =
            walk(node, [&](const BlockDeclaration& instance, const Child& child, std::uint64_t i) {
                prefix += instance.name;
                if (child.array) prefix += fmt::format("[{}]", i);
                prefix += '.';
            });
        return prefix.append(block.name);
    }

    Place place(NodeId node) const override {
        return walk(node, [](const BlockDeclaration&, const Child&, std::uint64_t) {}).place;
    }

private:
    // The block that a node was made for; tells `passed` every instance on the way.
    template <class Passed>
    const BlockDeclaration& walk(std::uint64_t node, const Passed& passed) const {
        const Template* shape = &templates_->list[0];
        while (node >= shape->own.nodes.size()) {
            const auto after = [](std::uint64_t n, const Child& child) { return n < child.first_node; };
            const Child& child =
                *std::prev(std::upper_bound(shape->children.begin(), shape->children.end(), node, after));
            const Template& inner = templates_->list[child.shape];
            const std::uint64_t index = (node - child.first_node) / inner.sizes.nodes;
            passed(shape->diagram->blocks[child.block], child, index);
            node -= child.first_node + index * inner.sizes.nodes;
            shape = &inner;
        }
        const auto first = std::upper_bound(shape->first_node.begin(), shape->first_node.end(), node);
        return shape->diagram->blocks[static_cast<std::size_t>(first - shape->first_node.begin()) - 1];
    }

    std::shared_ptr<const Declarations> declarations_;
    std::shared_ptr<const Templates> templates_;
};

}  // namespace

std::shared_ptr<const Naming> make_naming(std::shared_ptr<const Declarations> declarations,
                                          std::shared_ptr<const Templates> templates) {
    return std::make_shared<TemplateNaming>(std::move(declarations), std::move(templates));
}

}  // namespace deltaflow::front
