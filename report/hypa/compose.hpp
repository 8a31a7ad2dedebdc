// The parallel composition written out: one process with a re-initialisation and a flow clause for each way
// of going from mode to mode (002, section 5).
#pragma once

#include "report/hypa/laws.hpp"
#include "report/hypa/layout.hpp"

namespace deltaflow::report::hypa {

struct Definition {
    std::string name;
    Lines lines;
};

struct Composition {
    struct Alternative {
        std::string jump, condition, flow;  // names of clauses, and when
    };
    std::vector<Alternative> alternatives;
    std::vector<Definition> jumps, flows;
    std::vector<Definition> states;  // per mode: the flow solved for the rates of independent storages
};

// The guards g_1, g_2, ... of all automata, in order; they are numbered through.
std::string guard_name(const Notation& n, std::size_t number);
// "touch.apart ∧ ¬g_1": a state lasts while none of its guards holds. `first`: the number of the automaton's
// first guard.
std::string lasting_state(const Notation& n, const Graph& g, std::uint32_t automaton, std::uint32_t state,
                          std::size_t first);
std::vector<std::size_t> first_guards(const Graph& g);

// Why there is no composition, or nothing.
std::string too_large(const Graph& g, std::uint64_t most_modes);

Composition compose(const Laws& laws);

}  // namespace deltaflow::report::hypa
