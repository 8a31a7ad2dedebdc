// Causality of modes: what has to be settled anew, and choices that can be taken back.
#include "bonds/charts.hpp"
#include "bonds/propagation.hpp"
#include "bonds/ranks.hpp"
#include "bonds/ratios.hpp"
#include "bonds/redundancy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

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

const Redundancy::Flip* Redundancy::find(std::uint32_t element, std::uint32_t bond) const {
    const auto found = std::find_if(flips.begin(), flips.end(),
                                    [&](const Flip& f) { return f.element == element && f.bond == bond; });
    return found == flips.end() ? nullptr : &*found;
}

bool is_on(const Graph& g, const Element& e, const Mode& mode) {
    if (e.automaton < 0) return true;
    const auto a = static_cast<std::size_t>(e.automaton);
    return g.automata[a].on[mode[a]] != 0;
}

// The bonds that one call settles: all of them at first, later those that may come out otherwise.
class CausalityOfModes::Assignment : Propagation {
public:
    Assignment(const Graph& g, const Ports& ports, bool may_lead) : Propagation(g, ports) {
        controlled_.resize(g.automata.size());
        for (Index x = 0; x < g.elements.size(); ++x)
            if (g.elements[x].automaton >= 0)
                controlled_[static_cast<std::size_t>(g.elements[x].automaton)].push_back(x);
        modulated_ = std::any_of(g.elements.begin(), g.elements.end(),
                                 [](const Element& e) { return e.parameter != no_node && e.is_two_port(); });
        by_rank_ = !modulated_ && std::any_of(g.elements.begin(), g.elements.end(),
                                              [](const Element& e) { return e.is_ideal(); });
        loops_ = !modulated_ && !by_rank_ && has_loops(g);
        refused_.assign(g.elements.size(), 1);
        for (Index x = 0; x < g.elements.size() && may_lead; ++x)
            if (could_lead(x)) leaders_.push_back(x);
    }

    void move_to(const Mode& mode) {
        if (!assigned_ || !leaders_.empty() || modulated_ || by_rank_ || loops_ ||
            !c_.redundancy.dependent.empty() || !c_.redundancy.flips.empty())
            return begin(mode);
        std::vector<Index> switched;
        for (std::size_t a = 0; a < g_.automata.size(); ++a)
            if (mode[a] != mode_[a] &&
                (g_.automata[a].ideal || g_.automata[a].on[mode[a]] != g_.automata[a].on[mode_[a]]))
                switched.insert(switched.end(), controlled_[a].begin(), controlled_[a].end());
        mode_ = mode;
        assigned_ = false;
        withdraw_from(switched);
        try {
            settle(ends_of(open_, switched));
        } catch (const CausalConflict&) {
            return begin(mode);  // which tells it as if there had been no mode before
        }
        note_changes(switched);
        assigned_ = true;
    }
    const Causality& now() const { return c_; }
    const std::vector<Index>& changed() const { return changed_elements_; }

private:
    // Without division by the ratios that the mode's chart avoids, if it has one and that is possible.
    void begin(const Mode& mode) {
        if (const std::uint32_t chart = chart_of(g_, mode); chart != 0) {
            const std::vector<Index> two_ports = modulated_two_ports(g_);
            avoided_.assign(g_.elements.size(), 0);
            for (std::size_t i = 0; i < two_ports.size(); ++i) avoided_[two_ports[i]] = (chart >> i) & 1;
            const bool good = begin_somehow(mode, false);
            avoided_.clear();
            if (good) return;
        }
        begin_somehow(mode, true);
    }
    // Which storages are independent, and what a mode imposes too often, is a matter of rank. The structure
    // alone tells it where there are no loops of junctions; ideal networks are full of them.
    bool begin_somehow(const Mode& mode, bool must) {
        const bool ranked = by_rank_ || has_numbers(mode);
        if (ranked && begin_by_rank(mode)) return true;
        try {
            begin(mode, {});
            if (loops_ && is_mistaken(mode) && !begin_by_rank(mode)) begin(mode, {});
            return true;
        } catch (const CausalConflict&) {
            if (!ranked && begin_by_rank(mode)) return true;
            if (must) throw;
            return false;
        }
    }
    bool has_numbers(const Mode& mode) const { return modulated_ && !std::isnan(ratio_in(g_, mode, 0)); }
    // Where there are loops the procedure may take storages for independent that are not.
    bool is_mistaken(const Mode& mode) {
        std::vector<Index> storages = storages_in_order();
        std::stable_partition(storages.begin(), storages.end(), [&](Index x) { return !c_.dependent[x]; });
        const auto redundancy = find_redundancy(g_, ports_, mode, storages);
        return redundancy && std::any_of(storages.begin(), storages.end(), [&](Index x) {
                   const bool dependent = !redundancy->dependent.empty() && redundancy->dependent[x];
                   return dependent != (c_.dependent[x] != 0);
               });
    }
    std::vector<Index> storages_in_order() {
        std::vector<Index> storages;
        for (Index x = 0; x < g_.elements.size(); ++x)
            if (g_.elements[x].is_storage()) storages.push_back(x);
        if (ranks_.element.empty()) ranks_ = ranks_of(g_, ports_);
        sort(storages, ranks_.element);
        return storages;
    }
    bool begin_by_rank(const Mode& mode) {
        const bool counts = !modulated_ || has_numbers(mode);
        auto redundancy =
            find_redundancy(g_, ports_, mode, counts ? storages_in_order() : std::vector<Index>());
        if (!redundancy) return false;
        if (modulated_ && redundancy->flips.empty()) return false;
        if (has_numbers(mode) && contradicts_by_numbers(mode, *redundancy)) return false;
        if (modulated_) {
            redundancy->dependent.clear();
            redundancy->follows.clear();
        }
        try {
            begin(mode, std::move(*redundancy));
            return true;
        } catch (const CausalConflict&) {
            return false;
        }
    }
    // Sums of what is imposed that are zero by the numbers of ratios alone would change with them.
    bool contradicts_by_numbers(Mode mode, const Redundancy& redundancy) const {
        if (redundancy.excess.empty()) return false;
        mode.resize(g_.automata.size() + 1);
        const auto without = find_redundancy(g_, ports_, mode, {});
        return !without || without->excess.size() != redundancy.excess.size();
    }
    void begin(const Mode& mode, Redundancy redundancy) {
        mode_ = mode;
        const std::size_t bonds = g_.bonds.size(), elements = g_.elements.size();
        reset();
        c_.redundancy = std::move(redundancy);
        for (const Index x : leaders_) refused_[x] = !is_on(g_, g_.elements[x], mode);
        seen_.assign(bonds, 0);
        visited_.assign(elements, 0);
        before_.assign(bonds, End::nobody);
        open_.resize(bonds);
        std::iota(open_.begin(), open_.end(), 0);
        changed_elements_.resize(elements);
        std::iota(changed_elements_.begin(), changed_elements_.end(), 0);
        settle(changed_elements_);
        for (const Index x : changed_elements_) note_dependence(x);
        assigned_ = true;
    }

    // Takes back what followed from junctions that have switched, and the pieces of choices beside it. What
    // an element imposes follows from nothing else and stays.
    void withdraw_from(const std::vector<Index>& switched) {
        open_.clear();
        for (const Index x : switched)
            for (const Index b : ports_.of(x))
                if (settled_at_[b] == x || by_choice_[b]) withdraw(b);
        for (std::size_t i = 0; i < open_.size(); ++i)  // it grows on the way
            for (const Index y : {g_.bonds[open_[i]].from, g_.bonds[open_[i]].to})
                if (!visited_[y]) withdraw_beside(y);
        for (const Index b : open_) {
            seen_[b] = 0;
            before_[b] = c_.effort_by[b];
            visited_[g_.bonds[b].from] = visited_[g_.bonds[b].to] = 0;
            clear(b);
        }
        std::sort(open_.begin(), open_.end());
    }
    void withdraw_beside(Index y) {
        visited_[y] = 1;
        const bool derives = !imposes(g_.elements[y]);
        for (const Index b : ports_.of(y))
            if (by_choice_[b] || (derives && settled_at_[b] == y)) withdraw(b);
    }
    void withdraw(Index b) {
        if (seen_[b]) return;
        seen_[b] = 1;
        open_.push_back(b);
    }

    std::vector<Index> ends_of(const std::vector<Index>& bonds, std::vector<Index> elements) const {
        for (const Index b : bonds) elements.insert(elements.end(), {g_.bonds[b].from, g_.bonds[b].to});
        std::sort(elements.begin(), elements.end());
        elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
        return elements;
    }
    void note_changes(const std::vector<Index>& switched) {
        std::vector<Index> bonds;
        for (const Index b : open_)
            if (c_.effort_by[b] != before_[b]) bonds.push_back(b);
        changed_elements_ = ends_of(bonds, switched);
        for (const Index x : changed_elements_) note_dependence(x);
    }
    void note_dependence(Index x) {
        if (g_.elements[x].is_storage()) c_.dependent[x] = !is_integral(x);
    }

    // Settles the open bonds; `at` are the elements at their ends.
    void settle(const std::vector<Index>& at) {
        choosing_ = false;
        settled_.clear();
        for (const Index x : at) impose(x);
        // Elsewhere only what comes from outside decides; a junction of one bond decides by itself.
        for (const Index x : at)
            if (!ports_.of(x).empty()) work_.push_back(x);
        if (!propagate()) fail();
        choosing_ = true;
        if (!c_.redundancy.dependent.empty())
            for (const Index x : at)
                if (g_.elements[x].is_storage() && !hold(x)) fail();
        for (const Index b : open_)
            if (!is_set(b)) decide(piece_of(b));
    }
    // A storage is independent, or not, as its rank says.
    bool hold(Index x) {
        const bool effort = g_.elements[x].prefers_effort() != (c_.redundancy.dependent[x] != 0);
        const Index b = ports_.of(x)[0];
        return is_set(b) ? sets_effort(x, b) == effort : attempt(x, b, effort);
    }
    void impose(Index x) {
        const auto effort = imposes(g_.elements[x]);
        if (!effort) return;
        for (const Index b : ports_.of(x)) {
            const bool flipped = c_.redundancy.find(x, b) != nullptr;
            const bool good = demand(x, b, *effort != flipped, -1) && propagate();
            if (!good) fail();
        }
    }

    bool is_integral(Index x) const {
        const Index b = ports_.of(x)[0];
        return sets_effort(x, b) == g_.elements[x].prefers_effort();
    }

    // Open bonds that hang together, and the storages and resistors at their ends: by rank.
    struct Piece {
        std::vector<Index> bonds, storages, resistors, junctions;
        std::size_t next_storage = 0, next_resistor = 0, next_bond = 0;
    };
    Piece piece_of(Index first) {
        Piece piece;
        piece.bonds.push_back(first);
        seen_[first] = 1;
        for (std::size_t i = 0; i < piece.bonds.size(); ++i)
            for (const Index x : {g_.bonds[piece.bonds[i]].from, g_.bonds[piece.bonds[i]].to}) {
                if (visited_[x]) continue;
                visited_[x] = 1;
                if (g_.elements[x].is_storage()) piece.storages.push_back(x);
                if (g_.elements[x].is_resistor()) piece.resistors.push_back(x);
                if (!refused_[x]) piece.junctions.push_back(x);
                for (const Index b : ports_.of(x))
                    if (!is_set(b) && !seen_[b]) {
                        seen_[b] = 1;
                        piece.bonds.push_back(b);
                    }
            }
        for (const Index b : piece.bonds) {
            seen_[b] = 0;
            visited_[g_.bonds[b].from] = visited_[g_.bonds[b].to] = 0;
        }
        if (ranks_.element.empty()) ranks_ = ranks_of(g_, ports_);
        sort(piece.bonds, ranks_.bond);
        for (auto* list : {&piece.storages, &piece.resistors, &piece.junctions}) sort(*list, ranks_.element);
        return piece;
    }

    static void sort(std::vector<Index>& list, const std::vector<Index>& rank) {
        std::sort(list.begin(), list.end(), [&](Index a, Index b) { return rank[a] < rank[b]; });
    }

    // A choice that may have to be taken back: what was tried, and how far things were before.
    struct Decision {
        Index element, bond;
        bool effort, lead, last_resort;
        std::size_t mark;
        std::uint32_t inverted;
    };

    // Storages, resistors, then whatever is open; a dead end takes choices back, the last one first.
    void decide(Piece piece) {
        decisions_.clear();
        taken_back_ = 0;
        while (const auto next = next_choice(piece)) {
            Decision d{next->element, next->bond,      next->effort, next->lead,
                       false,         settled_.size(), inverted_};
            if (d.lead ? !attempt_to_lead(d.element) : !attempt(d.element, d.bond, d.effort)) {
                d.effort = !d.effort;
                d.last_resort = true;
                if (!attempt(d.element, d.bond, d.effort)) {
                    if (!take_back()) fail();
                    piece.next_storage = piece.next_resistor = piece.next_bond = 0;
                    continue;
                }
            }
            decisions_.push_back(d);
        }
    }
    bool take_back() {
        const Contradiction first = clash_;
        for (; !decisions_.empty() && ++taken_back_ < most_taken_back; decisions_.pop_back()) {
            Decision& d = decisions_.back();
            undo(d.mark, d.inverted);
            if (d.lead) {
                refused_[d.element] = 1;
                c_.leads[d.element] = 0;
                decisions_.pop_back();
                return true;
            }
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
        bool lead = false;
    };
    std::optional<Choice> next_choice(Piece& p) {
        if (const auto x = next_to_lead(p)) return Choice{*x, ports_.of(*x)[0], false, true};
        if (const auto x = next_storage(p))
            return Choice{*x, ports_.of(*x)[0], g_.elements[*x].prefers_effort()};
        // e = R f divides by nothing, and law(f) or law(e) is not to be inverted; so that is tried first.
        for (; p.next_resistor < p.resistors.size(); ++p.next_resistor)
            if (const Index x = p.resistors[p.next_resistor], b = ports_.of(x)[0]; !is_set(b))
                return Choice{x, b, !g_.elements[x].law_of_effort};
        for (; p.next_bond < p.bonds.size(); ++p.next_bond)
            if (const Index b = p.bonds[p.next_bond]; !is_set(b)) return Choice{g_.bonds[b].from, b, true};
        return std::nullopt;
    }

    // By rank; where ratios are modulated, first what divides by none of them.
    std::optional<Index> next_storage(Piece& p) {
        const auto open = [&](Index x) { return !is_set(ports_.of(x)[0]); };
        while (p.next_storage < p.storages.size() && !open(p.storages[p.next_storage])) ++p.next_storage;
        if (p.next_storage == p.storages.size()) return std::nullopt;
        if (!modulated_) return p.storages[p.next_storage];
        Index best = p.storages[p.next_storage];
        std::uint32_t fewest = ~0u;
        for (std::size_t i = p.next_storage; i < p.storages.size(); ++i) {
            const Index x = p.storages[i];
            if (!open(x)) continue;
            const std::size_t mark = settled_.size();
            const std::uint32_t before = inverted_;
            if (!attempt(x, ports_.of(x)[0], g_.elements[x].prefers_effort())) continue;
            const std::uint32_t added = inverted_ - before;
            undo(mark, before);
            if (added >= fewest) continue;
            fewest = added;
            best = x;
        }
        return best;
    }

    // Before a modulated transformer, and without an inertia of its own, which would do better.
    bool could_lead(Index x) const {
        if (g_.elements[x].rate == no_node) return false;
        bool before = false;
        for (const Index b : ports_.of(x)) {
            const Bond& bond = g_.bonds[b];
            const Element& next = g_.elements[bond.from == x ? bond.to : bond.from];
            if (next.type == Type::I) return false;
            before = before || (bond.from == x && next.type == Type::TF && next.parameter != no_node);
        }
        return before;
    }
    // A junction whose flow moves inertias without a division.
    std::optional<Index> next_to_lead(const Piece& p) {
        for (const Index x : p.junctions) {
            const std::size_t mark = settled_.size();
            const std::uint32_t before = inverted_;
            if (refused_[x] || c_.leads[x] || !attempt_to_lead(x)) continue;
            const bool good = inverted_ == before && moves_an_inertia(mark);
            undo(mark, before);
            c_.leads[x] = 0;
            if (good) return x;
        }
        return std::nullopt;
    }
    bool moves_an_inertia(std::size_t mark) const {
        return std::any_of(settled_.begin() + static_cast<std::ptrdiff_t>(mark), settled_.end(),
                           [&](Index b) {
                               const Bond& bond = g_.bonds[b];
                               return is_moved(bond.from) || is_moved(bond.to);
                           });
    }
    bool is_moved(Index x) const { return g_.elements[x].type == Type::I && !is_integral(x); }

    bool assigned_ = false;
    std::vector<std::vector<Index>> controlled_;  // per automaton: its elements
    std::vector<End> before_;                     // per bond that is open: what it was
    std::vector<std::uint8_t> seen_, visited_;    // marks, per bond and per element; 0 between uses
    std::vector<Index> open_, changed_elements_;
    std::vector<Decision> decisions_;
    bool modulated_ = false;
    bool by_rank_ = false;               // there are ideal elements, and no ratio is modulated
    bool loops_ = false;                 // there are none, but loops
    Ranks ranks_;                        // once there is something to choose
    std::vector<Index> leaders_;         // junctions that could lead
    std::vector<std::uint8_t> refused_;  // per element: it cannot, is off, or came to a dead end
    // Real graphs take back a handful; what needs more than this is given up.
    static constexpr int most_taken_back = 100000;
    int taken_back_ = 0;
};

CausalityOfModes::CausalityOfModes(const Graph& g, const Ports& ports, bool may_lead)
    : assignment_(std::make_unique<Assignment>(g, ports, may_lead)) {}
CausalityOfModes::CausalityOfModes(CausalityOfModes&&) noexcept = default;
CausalityOfModes::~CausalityOfModes() = default;
void CausalityOfModes::move_to(const Mode& mode) { assignment_->move_to(mode); }
const Causality& CausalityOfModes::now() const { return assignment_->now(); }
const std::vector<std::uint32_t>& CausalityOfModes::changed() const { return assignment_->changed(); }

Causality assign_causality(const Graph& g, const Ports& ports, const Mode& mode, bool may_lead) {
    CausalityOfModes causality(g, ports, may_lead);
    causality.move_to(mode);
    return causality.now();
}

}  // namespace deltaflow::bonds
