#include "engine/front/read/network_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace deltaflow::front {

namespace {

constexpr std::size_t never = ~std::size_t{0};

}  // namespace

Nodes::Nodes(const std::vector<PoleDraft>& drafts, bool joined) {
    for (const auto& draft : drafts) {
        use(draft.ends);
        use(draft.secondary);
        for (const auto& [inner, end] : draft.joined) join(use(end), 0);  // who knows what is inside
    }
    met_.assign(list_.size() + 1, never);
    parent_.assign(list_.size() + 1, 0);
    low_.assign(list_.size() + 1, 0);
    visit(0);
    for (Index n = 1; n <= list_.size(); ++n) {
        if (met_[n] != never) continue;
        list_[n - 1].floats = true;
        visit(n);
    }
    refer(joined);
    count_dependents();
    find_pairs(drafts);
}

Nodes::Node* Nodes::find(std::string_view name) {
    const auto found = index_.find(name);
    return found == index_.end() ? nullptr : &list_[found->second - 1];
}

Nodes::Index Nodes::index_of(const End& end) const {
    const auto found = index_.find(end.name);
    return found == index_.end() ? 0 : found->second;
}

Ends Nodes::relative(const Ends& ends) const {
    const Index i = index_of(ends[0]), j = index_of(ends[1]);
    const Node *a = at(i), *b = at(j);
    Ends result = ends;
    if (!a || !b) return result;
    if (a->reference == b) result[1].name = ground;
    if (b->reference == a) result[0].name = ground;
    const auto pair = pairs_.find(std::minmax(i, j));
    if (pair == pairs_.end() || pair->second.count < 2) return result;
    const bool along = pair->second.a.name == ends[0].name;
    result[along ? 0 : 1].name = pair->second.name;
    result[along ? 1 : 0].name = ground;
    return result;
}

void Nodes::find_pairs(const std::vector<PoleDraft>& drafts) {
    for (const auto& draft : drafts)
        for (const Ends* ends : {&draft.ends, &draft.secondary}) {
            const Index i = index_of((*ends)[0]), j = index_of((*ends)[1]);
            if (i == 0 || j == 0 || i == j || at(i)->reference == at(j) || at(j)->reference == at(i))
                continue;
            Pair& pair = pairs_[std::minmax(i, j)];
            if (pair.count++ > 0) continue;
            pair.a = (*ends)[0];
            pair.b = (*ends)[1];
            pair.name = fmt::format("{}:{}", pair.a.name, pair.b.name);
        }
}

std::vector<const Nodes::Pair*> Nodes::pairs() const {
    std::vector<const Pair*> list;
    for (const auto& [ends, pair] : pairs_)
        if (pair.count > 1) list.push_back(&pair);
    return list;
}

void Nodes::use(const Ends& ends) {
    const Index first = use(ends[0]);
    join(first, use(ends[1]));
}

Nodes::Index Nodes::use(const End& end) {
    if (end.is_ground() || end.name.empty()) return 0;
    const auto [found, fresh] = index_.emplace(end.name, list_.size() + 1);
    if (fresh) {
        list_.emplace_back().end = end;
        neighbours_.emplace_back();
    }
    ++list_[found->second - 1].uses;
    return found->second;
}

void Nodes::join(Index a, Index b) {
    if (a == b) return;
    neighbours_[a].push_back(b);
    neighbours_[b].push_back(a);
}

// Tarjan's walk, without recursion: networks may be long.
void Nodes::visit(Index root) {
    struct Stop {
        Index node, next;
    };
    std::vector<Stop> path{{root, 0}};
    const auto meet = [&](Index n) {
        met_[n] = low_[n] = order_.size();
        order_.push_back(n);
    };
    meet(root);
    while (!path.empty()) {
        auto& [n, next] = path.back();
        if (next == neighbours_[n].size()) {
            const Index done = n;
            path.pop_back();
            if (!path.empty()) low_[path.back().node] = std::min(low_[path.back().node], low_[done]);
            continue;
        }
        const Index other = neighbours_[n][next++];
        if (met_[other] != never) {
            low_[n] = std::min(low_[n], met_[other]);
            continue;
        }
        parent_[other] = n;
        meet(other);
        path.push_back({other, 0});
    }
}

// A node from whose branch no way leads back beyond its parent begins a block that hangs on the parent.
void Nodes::refer(bool joined) {
    for (const Index n : order_) {
        if (n == 0 || joined || list_[n - 1].floats) continue;
        const Index parent = parent_[n];
        const bool hangs = parent == 0 || low_[n] >= met_[parent];
        list_[n - 1].reference = hangs || parent == 0 ? at(parent) : list_[parent - 1].reference;
    }
}

// A node's voltage is the sum of its own and those that it counts from.
void Nodes::count_dependents() {
    std::vector<Index> first(list_.size() + 1, 0);  // of what a node is joined with; 0 where that is ground
    std::vector<std::size_t> counting(list_.size() + 1, 1);
    for (const Index n : order_)
        if (n != 0) first[n] = list_[n - 1].floats ? n : first[parent_[n]];
    for (auto n = order_.rbegin(); n != order_.rend(); ++n)
        if (const Node* node = at(*n); node && node->reference)
            counting[static_cast<Index>(node->reference - list_.data()) + 1] += counting[*n];
    for (const Index n : order_)
        if (first[n] != 0) list_[first[n] - 1].depending.emplace_back(at(n), counting[n]);
}

}  // namespace deltaflow::front
