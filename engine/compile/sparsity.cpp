#include "engine/compile/sparsity.hpp"

#include <algorithm>
#include <utility>

namespace deltaflow {

namespace {

// Its value is known before the slopes are: from the past, or from a source.
bool is_given(Primitive op) {
    return op == Primitive::delay || op == Primitive::hold || op == Primitive::unit_delay;
}

// The states that a node reads, found by walking back.
class Walk {
public:
    explicit Walk(const System& s)
        : s_(s), state_(s.d.nodes.size(), no_node), seen_(s.d.nodes.size(), no_node) {
        for (std::uint32_t i = 0; i < s.states.size(); ++i) state_[s.states[i]] = i;
    }

    // Of the slope of state `row`, sorted, and the state itself.
    const std::vector<std::uint32_t>& states_of(std::uint32_t row) {
        found_.assign(1, row);
        work_.assign(1, s_.d.inputs_of(s_.states[row])[0]);
        while (!work_.empty()) {
            const NodeId n = work_.back();
            work_.pop_back();
            if (std::exchange(seen_[n], row) != row) visit(n);
        }
        std::sort(found_.begin(), found_.end());
        found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
        return found_;
    }

private:
    // Where a derivative asks a state for more than its value, the slope of that is read, too.
    void visit(NodeId n) {
        const auto inputs = s_.d.inputs_of(n);
        if (state_[n] != no_node) {
            found_.push_back(state_[n]);
            if (s_.derivative.offset[n] > 0) work_.push_back(inputs[0]);
        } else if (!is_given(s_.d.nodes[n].op)) {
            work_.insert(work_.end(), inputs.begin(), inputs.end());
        }
    }

    const System& s_;
    std::vector<std::uint32_t> state_, seen_;  // per node: which state it is; for which row it was met
    std::vector<NodeId> work_;
    std::vector<std::uint32_t> found_;
};

// From rows to columns.
void transpose(const std::vector<std::uint32_t>& first, const std::vector<std::uint32_t>& columns,
               Sparsity& p) {
    const std::size_t n = first.size() - 1;
    p.first.assign(n + 1, 0);
    for (const std::uint32_t c : columns) ++p.first[c + 1];
    for (std::size_t c = 0; c < n; ++c) p.first[c + 1] += p.first[c];
    p.rows.resize(columns.size());
    p.diagonal.resize(n);
    std::vector<std::uint32_t> next(p.first.begin(), p.first.end() - 1);
    for (std::uint32_t row = 0; row < n; ++row)
        for (std::uint32_t e = first[row]; e < first[row + 1]; ++e) {
            const std::uint32_t at = next[columns[e]]++;
            p.rows[at] = row;
            if (columns[e] == row) p.diagonal[row] = at;
        }
}

// Each column joins the first group in which nobody has one of its rows.
void group(const std::vector<std::uint32_t>& first, const std::vector<std::uint32_t>& columns, Sparsity& p) {
    const std::size_t n = p.size();
    std::vector<std::uint32_t> of(n, no_node), taken;  // taken: by a neighbour of this column
    for (std::uint32_t c = 0; c < n; ++c) {
        for (std::uint32_t e = p.first[c]; e < p.first[c + 1]; ++e)
            for (std::uint32_t k = first[p.rows[e]]; k < first[p.rows[e] + 1]; ++k)
                if (const std::uint32_t g = of[columns[k]]; g != no_node) taken[g] = c;
        std::uint32_t g = 0;
        while (g < taken.size() && taken[g] == c) ++g;
        if (g == taken.size()) {
            taken.push_back(no_node);
            p.groups.emplace_back();
        }
        of[c] = g;
        p.groups[g].push_back(c);
    }
}

}  // namespace

std::optional<Sparsity> sparsity_of(const System& s, std::size_t most) {
    Walk walk(s);
    std::vector<std::uint32_t> first{0}, columns;
    for (std::uint32_t row = 0; row < s.states.size(); ++row) {
        const auto& states = walk.states_of(row);
        if (columns.size() + states.size() > most) return std::nullopt;
        columns.insert(columns.end(), states.begin(), states.end());
        first.push_back(static_cast<std::uint32_t>(columns.size()));
    }
    Sparsity p;
    transpose(first, columns, p);
    group(first, columns, p);
    return p;
}

}  // namespace deltaflow
