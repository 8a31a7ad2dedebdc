// Causality: which end of each bond computes its effort; the other end computes its flow.
//
// The sequential procedure (SCAP), as a worklist: sources and inactive junctions first, then storages in
// integral causality where they can, resistors, and what is left. Every choice is carried through junctions,
// transformers and gyrators at once; a choice that contradicts itself further away is taken back.
//
// What sources and inactive junctions settle follows from them alone. The bonds that they leave open fall
// into pieces that share no element, and each piece is settled by itself, in an order that the file has no
// part in (ranks.hpp). So a mode has one causality, whichever mode was there before; and when junctions
// switch, only what followed from them, and the pieces beside it, are settled anew.
//
// An inertia behind a modulated transformer, f_out = r f_in, would give f_in = f_out / r, which fails where r
// is zero: a pendulum made of two masses and an angle. There the junction before the transformer leads: its
// flow is a state as if a body without mass were there, the inertias behind are dependent, and what the
// efforts at the junction add up to, zero, settles the rate of its flow.
#pragma once

#include "bonds/graph.hpp"

#include <memory>
#include <span>
#include <stdexcept>

namespace deltaflow::bonds {

// Which end imposes the effort on a bond.
enum class End : std::uint8_t { nobody, from, to };

struct RedundantTerm {
    double factor = 0;
    NodeId node = no_node;
};

// Constraints that are too many in a mode (redundancy.hpp).
struct Redundancy {
    // An element does not impose its variable on this bond, but the other one: a sum of such others.
    struct Flip {
        std::uint32_t element, bond;
        bool effort;
        std::vector<RedundantTerm> relation;
    };
    // What the other variable of an ideal element is, times the leak; zero where the mode does not contradict
    // itself.
    struct Excess {
        std::uint32_t element;
        double constant;
        std::vector<RedundantTerm> terms;
    };
    // What a dependent storage holds follows from this: its effort (C) or flow (I).
    struct Follows {
        std::uint32_t element;
        double constant;
        std::vector<RedundantTerm> terms;
    };
    std::vector<Flip> flips;
    std::vector<Excess> excess;
    std::vector<Follows> follows;
    std::vector<std::uint8_t> dependent;  // per element: a storage that follows from others, by rank
    const Flip* find(std::uint32_t element, std::uint32_t bond) const;
};

struct Causality {
    std::vector<End> effort_by;            // per bond
    std::vector<std::uint8_t> dependent;   // per element: a storage in derivative causality
    std::vector<std::int32_t> because_of;  // per bond: the bond that settled it, or -1
    std::vector<std::uint8_t> leads;       // per element: a 1-junction whose flow is a state of its own
    Redundancy redundancy;

    bool sets_effort(const Graph& g, std::uint32_t element, std::uint32_t bond) const {
        return effort_by[bond] == (g.bonds[bond].from == element ? End::from : End::to);
    }
};

// The bonds of each element.
struct Ports {
    std::vector<std::uint32_t> first, list;
    explicit Ports(const Graph& g);
    std::span<const std::uint32_t> of(std::uint32_t element) const {
        return {list.data() + first[element], first[element + 1] - first[element]};
    }
};

// Sources (or inactive junctions) that contradict each other: the bonds from one to the other.
struct CausalConflict : std::runtime_error {
    CausalConflict(std::vector<std::uint32_t> path_, const std::string& message)
        : std::runtime_error(message), path(std::move(path_)) {}
    std::vector<std::uint32_t> path;
};

// Is a controlled junction or switch on in this mode? Others always are.
bool is_on(const Graph& g, const Element& e, const Mode& mode);

// Throws CausalConflict. `may_lead`: flows of junctions may be states.
Causality assign_causality(const Graph& g, const Ports& ports, const Mode& mode, bool may_lead = true);

// The causality of one mode after the other, at the cost of what changes.
class CausalityOfModes {
public:
    CausalityOfModes(const Graph& g, const Ports& ports, bool may_lead = true);
    CausalityOfModes(CausalityOfModes&&) noexcept;
    ~CausalityOfModes();

    // Throws CausalConflict; then the next call begins anew.
    void move_to(const Mode& mode);
    const Causality& now() const;
    // Elements that the last call switched, or at which a bond changed; sorted. All of them at first.
    const std::vector<std::uint32_t>& changed() const;

private:
    class Assignment;
    std::unique_ptr<Assignment> assignment_;
};

}  // namespace deltaflow::bonds
