// The flat diagram as the engine sees it: primitives, grouped by the block that they come from.
#include "report/scheme/build.hpp"
#include "report/text/notation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace deltaflow::report::scheme {

namespace {

// As the enumeration has it: compilers write "... op = deltaflow::Primitive::exp]" or "...; ...".
template <Primitive op>
constexpr std::string_view name_of() {
    const std::string_view text = __PRETTY_FUNCTION__;
    const std::size_t begin = text.find("Primitive::") + 11;
    return text.substr(begin, text.find_first_of(";]", begin) - begin);
}

template <std::size_t... op>
constexpr std::array<std::string_view, primitive_count> all_names(std::index_sequence<op...>) {
    return {name_of<static_cast<Primitive>(op)>()...};
}

constexpr auto names = all_names(std::make_index_sequence<primitive_count>{});
static_assert(names.front() == "constant" && names.back() == "held");

std::string parameters_text(std::span<const double> parameters) {
    std::vector<std::string> words;
    for (const double x : parameters) words.push_back(number_text(x));
    return list_text(words, 5, ", ");
}

Box box_of(const Diagram& d, const Order& order, NodeId n, const std::string& block, std::int32_t group) {
    Box box;
    box.name = fmt::format("{} {}", n, block);
    box.title = names[static_cast<std::size_t>(d.nodes[n].op)];
    const std::string parameters = parameters_text(d.parameters_of(n));
    if (!parameters.empty()) box.lines = wrapped(parameters, 30, 2);
    box.about = fmt::format("{}: {} [{}]", box.name, box.title, parameters);
    if (order.flow[n] > 0) box.order = std::to_string(order.flow[n]);
    if (order.flow[n] == 0 && order.instant[n] > 0) box.order = fmt::format("i{}", order.instant[n]);
    box.group = group;
    return box;
}

// A box that is in several loops is told with the first.
void mark_loops(const std::vector<std::vector<NodeId>>& loops, bool at_instants, std::uint32_t& number,
                std::vector<Box>& boxes) {
    for (const auto& loop : loops) {
        ++number;
        for (const NodeId n : loop)
            if (n < boxes.size() && boxes[n].loop == 0)
                boxes[n].loop = number, boxes[n].loop_at_instants = at_instants;
    }
}

void add_links(const Diagram& d, const Order& order, NodeId n, Picture& picture) {
    for (const NodeId input : d.inputs_of(n)) {
        if (input >= picture.boxes.size()) continue;
        const std::uint32_t from_loop = picture.boxes[input].loop, loop = picture.boxes[n].loop;
        picture.links.push_back({input, n, -1, -1,
                                 picture.groups[static_cast<std::size_t>(picture.boxes[input].group)].title,
                                 order.regularity[input], from_loop == loop ? loop : 0, false});
    }
}

}  // namespace

Picture make_primitives_picture(const FlatModel& model, const bonds::Mode& mode, std::size_t most) {
    const Order order = order_of(model, mode);
    const Diagram d = diagram_in(model, mode);
    Picture picture;
    picture.title = model.name;
    picture.mode = mode_text(model.graph, mode);
    std::map<std::string, std::int32_t> groups;
    const auto shown = static_cast<NodeId>(std::min(most, d.nodes.size()));
    for (NodeId n = 0; n < shown; ++n) {
        const std::string name = model.naming->name(n);
        const auto [group, is_new] = groups.try_emplace(name, static_cast<std::int32_t>(groups.size()));
        if (is_new) picture.groups.push_back({name, -1});
        picture.boxes.push_back(box_of(d, order, n, name, group->second));
    }
    std::uint32_t loops = 0;
    mark_loops(order.loops, false, loops, picture.boxes);
    mark_loops(order.instant_loops, true, loops, picture.boxes);
    for (NodeId n = 0; n < shown; ++n) add_links(d, order, n, picture);
    if (shown < d.nodes.size())
        picture.notes.push_back(
            fmt::format("{} more primitives are not drawn; --most N draws more", d.nodes.size() - shown));
    return picture;
}

}  // namespace deltaflow::report::scheme
