// Algebraic loops: which boxes they pass through.
#include "report/scheme/build.hpp"

#include <algorithm>
#include <set>

namespace deltaflow::report::scheme {

namespace {

using bonds::Element;
using bonds::Type;

bool hands_on(const Element& e) { return e.is_junction() || e.type == Type::TF || e.type == Type::GY; }

}  // namespace

void PictureBuilder::find_loops() {
    for (const auto& loop : order_.loops) mark_loop(loop, false);
    for (const auto& loop : order_.instant_loops) mark_loop(loop, true);
    std::vector<Passage> passages;
    add_bond_passages(passages);
    add_link_passages(passages);
    for (std::uint32_t loop = 1; loop <= loops_; ++loop) join_loop(loop, passages);
    for (Link& link : picture_.links)
        if (picture_.boxes[link.from].loop == picture_.boxes[link.to].loop)
            link.loop = picture_.boxes[link.from].loop;
}

// A loop marks the blocks that its nodes come from, and the folded instances around them. A box that is in
// several loops is told with the first.
void PictureBuilder::mark_loop(const std::vector<NodeId>& loop, bool at_instants) {
    bool drawn = false;
    for (const NodeId node : loop) {
        const Found found = find(maker_of(model_.naming->name(node)));
        if (found.box < 0) continue;
        Box& box = picture_.boxes[static_cast<std::size_t>(found.box)];
        if (box.loop > 0) continue;
        box.loop = loops_ + 1;
        box.loop_at_instants = at_instants;
        drawn = true;
    }
    if (drawn) ++loops_;
}

// Who computes a signal: of a bond, the element whose causality it is.
std::string PictureBuilder::maker_of(const std::string& signal) const {
    const std::size_t dot = signal.rfind('.');
    const auto bond = bonds_.find(signal.substr(0, dot));
    if (dot == std::string::npos || bond == bonds_.end()) return signal;
    const bonds::Bond& ends = model_.graph.bonds[bond->second];
    const bool effort_by_from = order_.causality.effort_by[bond->second] == bonds::End::from;
    const bool by_from = (signal.substr(dot) == ".effort") == effort_by_from;
    return model_.graph.elements[by_from ? ends.from : ends.to].name;
}

// One bond of a 0-junction brings the effort of all, one bond of a 1-junction the flow.
void PictureBuilder::add_bond_passages(std::vector<Passage>& all) {
    const auto& g = model_.graph;
    for (std::uint32_t b = 0; b < g.bonds.size(); ++b)
        for (const bool from : {true, false}) {
            const std::uint32_t here = from ? g.bonds[b].from : g.bonds[b].to;
            const std::uint32_t there = from ? g.bonds[b].to : g.bonds[b].from;
            const Element& e = g.elements[here];
            if (!hands_on(e)) continue;
            const std::int32_t box = find(e.name).box, other = find(g.elements[there].name).box;
            if (box < 0 || other < 0 || box == other) continue;
            const bool brings = (e.type == Type::one) == order_.causality.sets_effort(g, here, b);
            all.push_back({static_cast<std::size_t>(box), static_cast<std::size_t>(other),
                           brings || !e.is_junction(), !brings || !e.is_junction()});
        }
}

// A block such as "q / C" with C = 1 is another name for what it reads.
void PictureBuilder::add_link_passages(std::vector<Passage>& all) const {
    std::set<NodeId> looped;
    for (const auto* loops : {&order_.loops, &order_.instant_loops})
        for (const auto& loop : *loops) looped.insert(loop.begin(), loop.end());
    const auto is_name = [&](std::uint32_t box) {
        const auto& nodes = numbers_[box].nodes;
        return picture_.boxes[box].loop == 0 &&
               std::any_of(nodes.begin(), nodes.end(), [&](NodeId n) { return looped.count(n) > 0; });
    };
    for (const Link& link : picture_.links) {
        if (link.control || link.from == link.to) continue;
        if (is_name(link.to)) all.push_back({link.to, link.from, true, false});
        if (is_name(link.from)) all.push_back({link.from, link.to, false, true});
    }
}

// What only hands on what it gets computes nothing, so no node of a loop is named after it. It belongs to the
// loop if that comes from there and goes there, by way of others like it.
void PictureBuilder::join_loop(std::uint32_t loop, const std::vector<Passage>& passages) {
    std::set<std::size_t> between;
    for (const Passage& p : passages)
        if (picture_.boxes[p.box].loop == 0) between.insert(p.box);
    const auto is_in = [&](std::size_t box) {
        return picture_.boxes[box].loop == loop || between.count(box) > 0;
    };
    const auto is_passed = [&](std::size_t box) {
        int all = 0, brought = 0, taken = 0;
        for (const Passage& p : passages)
            if (p.box == box && is_in(p.other)) ++all, brought += p.brings, taken += p.takes;
        return all > 1 && brought > 0 && taken > 0;
    };
    while (std::erase_if(between, [&](std::size_t box) { return !is_passed(box); }) > 0) {
    }
    const auto member = std::find_if(picture_.boxes.begin(), picture_.boxes.end(),
                                     [&](const Box& box) { return box.loop == loop; });
    for (const std::size_t box : between)
        picture_.boxes[box].loop = loop, picture_.boxes[box].loop_at_instants = member->loop_at_instants;
}

}  // namespace deltaflow::report::scheme
