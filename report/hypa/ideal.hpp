// Ideal elements as processes: no automaton, but the pairs of which one is zero.
#pragma once

#include "report/hypa/notation.hpp"

#include <span>

namespace deltaflow {
struct FlatModel;
}

namespace deltaflow::report::hypa {

// What was written of an element, beside its type: "drop" -> "0.7".
using Written = std::map<std::string, std::string>;
// Of ideal elements, by name.
using WrittenOfAll = std::map<std::string, Written>;
WrittenOfAll written_of(const FlatModel& model);

// The graph with ideal elements that no automaton controls: theirs say the same as the pairs.
Graph without_ideal_automata(const Graph& graph);

class IdealLaws {
public:
    IdealLaws(const Graph& graph, const Notation& notation, const WrittenOfAll& written)
        : graph_(graph), notation_(notation), written_(written) {}

    // "Diode", and what it is told: "0.7".
    static std::string word(Type type);
    std::string arguments(std::uint32_t x) const;
    // The lines of its clauses; `b` is its bond.
    std::vector<std::string> flow(std::uint32_t x, std::uint32_t b) const;
    std::vector<std::string> jump(std::uint32_t x, std::uint32_t b) const;

private:
    // Its own variables, power into it, on its bond.
    struct Own;
    std::string parameter(std::uint32_t x, const std::string& key, const std::string& fallback,
                          Level least = product) const;
    bool has(std::uint32_t x, const std::string& key) const;
    std::string level(std::uint32_t x, bool stuck) const;
    std::string implies(const std::string& a, const std::string& b) const;

    const Graph& graph_;
    const Notation& notation_;
    const WrittenOfAll& written_;
};

}  // namespace deltaflow::report::hypa
