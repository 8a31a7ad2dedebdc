// What follows from a settled bond: the rules of junctions, transformers and gyrators over a worklist.
#pragma once

#include "bonds/imposes.hpp"

#include <algorithm>
#include <optional>

namespace deltaflow::bonds {

class Propagation {
protected:
    using Index = std::uint32_t;
    static constexpr Index no_element = ~Index{0};

    Propagation(const Graph& g, const Ports& ports) : g_(g), ports_(ports) {}

    void reset() {
        const std::size_t bonds = g_.bonds.size();
        c_.effort_by.assign(bonds, End::nobody);
        c_.because_of.assign(bonds, -1);
        c_.dependent.assign(g_.elements.size(), 0);
        c_.leads.assign(g_.elements.size(), 0);
        c_.redundancy = {};
        settled_at_.assign(bonds, no_element);
        by_choice_.assign(bonds, 0);
        work_.clear();
    }
    void clear(Index b) {
        c_.effort_by[b] = End::nobody;
        c_.because_of[b] = -1;
        settled_at_[b] = no_element;
        by_choice_[b] = 0;
    }

    std::optional<bool> imposes(const Element& e) const { return imposed_by(g_, e, mode_); }

    End end_of(Index x, Index b) const { return g_.bonds[b].from == x ? End::from : End::to; }
    static End other(End e) { return e == End::from ? End::to : End::from; }
    bool is_set(Index b) const { return c_.effort_by[b] != End::nobody; }
    bool sets_effort(Index x, Index b) const { return c_.effort_by[b] == end_of(x, b); }

    // x computes the effort of b (or its flow); false: the other end already does.
    bool demand(Index x, Index b, bool effort, std::int32_t because_of) {
        const End end = effort ? end_of(x, b) : other(end_of(x, b));
        if (c_.effort_by[b] == end) return true;
        if (is_set(b)) {
            clash_ = {b, because_of};
            return false;
        }
        c_.effort_by[b] = end;
        c_.because_of[b] = because_of;
        settled_at_[b] = x;
        by_choice_[b] = choosing_;
        settled_.push_back(b);
        work_.push_back(g_.bonds[b].from);
        work_.push_back(g_.bonds[b].to);
        return true;
    }

    bool propagate() {
        while (!work_.empty()) {
            const Index x = work_.back();
            work_.pop_back();
            if (visit(x)) continue;
            work_.clear();
            return false;
        }
        return true;
    }

    bool visit(Index x) {
        const Element& e = g_.elements[x];
        switch (e.type) {
            case Type::zero:
            case Type::one:
                return !is_on(g_, e, mode_) || c_.leads[x] || visit_junction(x, e.type == Type::zero);
            case Type::TF:
            case Type::GY:
                return visit_two_port(x, e);
            default:
                return true;
        }
    }

    // Exactly one bond brings the common variable to a junction: the effort of a 0, the flow of a 1.
    bool visit_junction(Index x, bool effort) {
        std::int32_t strong = -1, open = -1;
        int unset = 0;
        const auto bonds = ports_.of(x);
        for (const Index b : bonds) {
            if (!is_set(b)) {
                ++unset;
                open = static_cast<std::int32_t>(b);
            } else if (sets_effort(x, b) != effort) {
                if (strong >= 0) {
                    clash_ = {b, strong};
                    return false;
                }
                strong = static_cast<std::int32_t>(b);
            }
        }
        if (strong >= 0) {
            for (const Index b : bonds)
                if (!is_set(b) && !demand(x, b, effort, strong)) return false;
            return true;
        }
        if (unset == 1) {
            const Index b = static_cast<Index>(open);
            const auto cause = std::find_if(bonds.begin(), bonds.end(), [&](Index i) { return i != b; });
            return demand(x, b, !effort, cause == bonds.end() ? -1 : static_cast<std::int32_t>(*cause));
        }
        if (unset == 0) {
            clash_ = {bonds[0], static_cast<std::int32_t>(bonds[bonds.size() - 1])};
            return false;
        }
        return true;
    }

    // A transformer passes effort on, a gyrator turns it into flow.
    bool visit_two_port(Index x, const Element& e) {
        const auto bonds = ports_.of(x);
        for (int i = 0; i < 2; ++i) {
            const Index a = bonds[i], b = bonds[1 - i];
            if (!is_set(a)) continue;
            const bool was_open = !is_set(b);
            const bool effort = (e.type == Type::TF) != sets_effort(x, a);
            if (!demand(x, b, effort, static_cast<std::int32_t>(a))) return false;
            if (was_open && !may_pass(x, e)) {
                clash_ = {b, static_cast<std::int32_t>(a)};
                return false;
            }
        }
        return true;
    }
    // Not where that would divide by a ratio that the chart avoids.
    bool may_pass(Index x, const Element& e) {
        if (e.parameter == no_node) return true;
        const auto bonds = ports_.of(x);
        const Index in = g_.bonds[bonds[0]].to == x ? bonds[0] : bonds[1];
        if (sets_effort(x, in)) return true;  // e_in = r e_out needs no division, nor does e_in = r f_out
        ++inverted_;
        return avoided_.empty() || !avoided_[x];
    }

    // Settles a bond and all that follows; undone, and false, if that leads to a contradiction.
    bool attempt(Index x, Index b, bool effort) {
        const std::size_t mark = settled_.size();
        const std::uint32_t inverted = inverted_;
        if (demand(x, b, effort, -1) && propagate()) return true;
        undo(mark, inverted);
        return false;
    }
    // A junction gives its flow to all of its bonds.
    bool attempt_to_lead(Index x) {
        const std::size_t mark = settled_.size();
        const std::uint32_t inverted = inverted_;
        c_.leads[x] = 1;
        const auto bonds = ports_.of(x);
        if (std::all_of(bonds.begin(), bonds.end(), [&](Index b) { return demand(x, b, false, -1); }) &&
            propagate())
            return true;
        undo(mark, inverted);
        c_.leads[x] = 0;
        return false;
    }
    void undo(std::size_t mark, std::uint32_t inverted) {
        work_.clear();
        inverted_ = inverted;
        while (settled_.size() > mark) {
            clear(settled_.back());
            settled_.pop_back();
        }
    }

    // The bonds that settled b, from the one where it began.
    std::vector<Index> history(std::int32_t b) const {
        std::vector<Index> path;
        for (; b >= 0 && path.size() <= g_.bonds.size(); b = c_.because_of[static_cast<Index>(b)])
            path.push_back(static_cast<Index>(b));
        std::reverse(path.begin(), path.end());
        return path;
    }

    [[noreturn]] void fail() const {
        std::vector<Index> path = history(static_cast<std::int32_t>(clash_.bond));
        std::vector<Index> back = history(clash_.because_of);
        for (std::size_t i = back.size(); i-- > 0;)
            if (path.empty() || path.back() != back[i]) path.push_back(back[i]);
        throw CausalConflict(path, "two ends ask for the same variable");
    }

    const Graph& g_;
    const Ports& ports_;
    Mode mode_;
    Causality c_;
    std::vector<Index> settled_at_;        // per bond: the element whose rule settled it
    std::vector<std::uint8_t> by_choice_;  // per bond: it, or what it follows from, was chosen
    bool choosing_ = false;
    std::vector<Index> work_, settled_;
    std::uint32_t inverted_ = 0;         // modulated ratios that are divided by
    std::vector<std::uint8_t> avoided_;  // per element: its ratio must not be; empty: all may be
    struct Contradiction {
        Index bond;
        std::int32_t because_of;  // the bond that asks for the opposite
    };
    Contradiction clash_{0, -1};
};

}  // namespace deltaflow::bonds
