// Causality by propagation over a worklist, with choices that can be taken back.
#include "bonds/causality.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace deltaflow::bonds {

Ports::Ports(const Graph& g) : first(g.elements.size() + 1, 0), list(2 * g.bonds.size()) {
    for (const Bond& b : g.bonds) {
        ++first[b.from + 1];
        ++first[b.to + 1];
    }
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (std::uint32_t b = 0; b < g.bonds.size(); ++b) {
        list[next[g.bonds[b].from]++] = b;
        list[next[g.bonds[b].to]++] = b;
    }
}

bool is_on(const Graph& g, const Element& e, const Mode& mode) {
    if (e.automaton < 0) return true;
    const auto a = static_cast<std::size_t>(e.automaton);
    return g.automata[a].on[mode[a]] != 0;
}

namespace {

using Index = std::uint32_t;

class Assignment {
public:
    Assignment(const Graph& g, const Ports& ports, const Mode& mode) : g_(g), ports_(ports), mode_(mode) {
        c_.effort_by.assign(g.bonds.size(), End::nobody);
        c_.because_of.assign(g.bonds.size(), -1);
        c_.dependent.assign(g.elements.size(), 0);
        modulated_ = std::any_of(g.elements.begin(), g.elements.end(), [](const Element& e) {
            return e.parameter != no_node && (e.type == Type::TF || e.type == Type::GY);
        });
    }

    Causality run() {
        sources();
        decide();
        for (Index x = 0; x < g_.elements.size(); ++x)
            if (g_.elements[x].is_storage()) c_.dependent[x] = !is_integral(x);
        c_.inverted = inverted_;
        return std::move(c_);
    }

private:
    struct Contradiction {
        Index bond;
        std::int32_t because_of;  // the bond that asks for the opposite
    };

    End end_of(Index x, Index b) const { return g_.bonds[b].from == x ? End::from : End::to; }
    static End other(End e) { return e == End::from ? End::to : End::from; }
    Index far(Index x, Index b) const { return g_.bonds[b].from == x ? g_.bonds[b].to : g_.bonds[b].from; }
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
        changed_.push_back(b);
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
                return !is_on(g_, e, mode_) || visit_junction(x, e.type == Type::zero);
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
            if (was_open) count_inversion(x, e);
        }
        return true;
    }
    void count_inversion(Index x, const Element& e) {
        if (e.parameter == no_node) return;
        const auto bonds = ports_.of(x);
        const Index in = g_.bonds[bonds[0]].to == x ? bonds[0] : bonds[1];
        if (!sets_effort(x, in)) ++inverted_;  // e_in = r e_out needs no division, nor does e_in = r f_out
    }

    // Settles a bond and all that follows; undone, and false, if that leads to a contradiction.
    bool attempt(Index x, Index b, bool effort) {
        const std::size_t mark = changed_.size();
        const std::uint32_t inverted = inverted_;
        if (demand(x, b, effort, -1) && propagate()) return true;
        undo(mark, inverted);
        return false;
    }
    void undo(std::size_t mark, std::uint32_t inverted) {
        work_.clear();
        inverted_ = inverted;
        while (changed_.size() > mark) {
            c_.effort_by[changed_.back()] = End::nobody;
            c_.because_of[changed_.back()] = -1;
            changed_.pop_back();
        }
    }

    void sources() {
        for (Index x = 0; x < g_.elements.size(); ++x) {
            const Element& e = g_.elements[x];
            if (const auto effort = imposes(e))
                for (const Index b : ports_.of(x)) {
                    const bool good = demand(x, b, *effort, -1) && propagate();
                    if (!good) fail();
                }
        }
        // Junctions on which only propagation from elsewhere decides are visited once.
        for (Index x = 0; x < g_.elements.size(); ++x)
            if (g_.elements[x].is_junction() && ports_.of(x).size() == 1) work_.push_back(x);
        if (!propagate()) fail();
    }
    // Sources, switches and inactive junctions impose effort (true) or flow (false) on their bonds.
    std::optional<bool> imposes(const Element& e) const {
        if (e.type == Type::Se) return true;
        if (e.type == Type::Sf) return false;
        if (e.type == Type::Sw) return is_on(g_, e, mode_);
        if (e.is_junction() && !is_on(g_, e, mode_)) return e.off == Off::effort;
        return std::nullopt;
    }

    bool is_integral(Index x) const {
        const Index b = ports_.of(x)[0];
        return sets_effort(x, b) == (g_.elements[x].type == Type::C);
    }

    // A choice that may have to be taken back: what was tried, and how far things were before.
    struct Decision {
        Index element, bond;
        bool effort, last_resort;
        std::size_t mark;
        std::uint32_t inverted;
    };

    // Storages, resistors, then whatever is open; a dead end takes choices back, the last one first.
    void decide() {
        while (const auto next = next_choice()) {
            Decision d{next->element, next->bond, next->effort, false, changed_.size(), inverted_};
            if (!attempt(d.element, d.bond, d.effort)) {
                d.effort = !d.effort;
                d.last_resort = true;
                if (!attempt(d.element, d.bond, d.effort)) {
                    if (!take_back()) fail();
                    continue;
                }
            }
            decisions_.push_back(d);
        }
        for (const Decision& d : decisions_)
            if (!g_.elements[d.element].is_storage()) c_.chosen.push_back(d.bond);
    }
    bool take_back() {
        const Contradiction first = clash_;
        next_storage_ = next_resistor_ = next_bond_ = 0;
        for (; !decisions_.empty() && ++taken_back_ < most_taken_back; decisions_.pop_back()) {
            Decision& d = decisions_.back();
            undo(d.mark, d.inverted);
            if (d.last_resort) continue;
            d.effort = !d.effort;
            d.last_resort = true;
            if (attempt(d.element, d.bond, d.effort)) return true;
        }
        clash_ = first;
        return false;
    }

    struct Choice {
        Index element, bond;
        bool effort;  // is tried first
    };
    std::optional<Choice> next_choice() {
        if (const auto x = next_storage())
            return Choice{*x, ports_.of(*x)[0], g_.elements[*x].type == Type::C};
        // e = R f divides by nothing and inverts no law; so it is tried first.
        for (; next_resistor_ < g_.elements.size(); ++next_resistor_)
            if (g_.elements[next_resistor_].type == Type::R && !is_set(ports_.of(next_resistor_)[0]))
                return Choice{next_resistor_, ports_.of(next_resistor_)[0], true};
        for (; next_bond_ < g_.bonds.size(); ++next_bond_)
            if (!is_set(next_bond_)) return Choice{g_.bonds[next_bond_].from, next_bond_, true};
        return std::nullopt;
    }

    // In the order of the file; where ratios are modulated, first what divides by none of them.
    std::optional<Index> next_storage() {
        const auto open = [&](Index x) { return g_.elements[x].is_storage() && !is_set(ports_.of(x)[0]); };
        while (next_storage_ < g_.elements.size() && !open(next_storage_)) ++next_storage_;
        if (next_storage_ == g_.elements.size()) return std::nullopt;
        if (!modulated_) return next_storage_;
        Index best = next_storage_;
        std::uint32_t fewest = ~0u;
        for (Index x = next_storage_; x < g_.elements.size(); ++x) {
            if (!open(x)) continue;
            const std::size_t mark = changed_.size();
            const std::uint32_t before = inverted_;
            if (!attempt(x, ports_.of(x)[0], g_.elements[x].type == Type::C)) continue;
            const std::uint32_t added = inverted_ - before;
            undo(mark, before);
            if (added >= fewest) continue;
            fewest = added;
            best = x;
        }
        return best;
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
    const Mode& mode_;
    Causality c_;
    std::vector<Index> work_, changed_;
    Contradiction clash_{0, -1};
    std::uint32_t inverted_ = 0;
    std::vector<Decision> decisions_;
    Index next_storage_ = 0, next_resistor_ = 0, next_bond_ = 0;
    bool modulated_ = false;
    // Real graphs take back a handful; what needs more than this is given up.
    static constexpr int most_taken_back = 100000;
    int taken_back_ = 0;
};

}  // namespace

Causality assign_causality(const Graph& g, const Ports& ports, const Mode& mode) {
    return Assignment(g, ports, mode).run();
}

}  // namespace deltaflow::bonds
