// What each element says, as relations: in flow, and at a re-initialisation (002, section 4).
#pragma once

#include "bonds/causality.hpp"
#include "report/hypa/ideal.hpp"
#include "report/hypa/linear.hpp"

namespace deltaflow::report::hypa {

// A controlled junction or switch at a re-initialisation. One that switches behaves like what it is when on,
// or like what it is when off, and may dissipate.
enum class Situation : std::uint8_t { on, off, switched_as_on, switched_as_off };

class Laws {
public:
    Laws(const Graph& graph, const Notation& notation, const WrittenOfAll& written);

    const Graph& graph() const { return graph_; }
    const Notation& notation() const { return notation_; }
    const Ports& ports() const { return ports_; }
    const IdealLaws& ideal() const { return ideal_; }
    const Symbols& symbols() const { return symbols_; }

    // The element's parameter as it is written, and as a factor.
    Piece parameter(std::uint32_t x, Reading reading) const;
    Coefficient factor(std::uint32_t x, Reading reading) const;
    bool is_linear(std::uint32_t x) const { return graph_.elements[x].law_text.empty(); }

    // One-ports: the variable that the law gives, and the law as a form, if it is linear.
    Variable given(std::uint32_t x) const;
    Form linear_law(std::uint32_t x, Reading reading) const;
    // "e_7 = b·f_7"; for Reading::after both sides are those after the re-initialisation.
    std::string law(std::uint32_t x, Reading reading) const;

    // What is linear. Laws of R, C, I and sources are not among the flows: they are said by law().
    void add_flow(Relations& to, std::uint32_t x, bool on) const;
    void add_jump(Relations& to, std::uint32_t x, Situation situation) const;
    // Where nothing is stored or moved no energy is: E' = 0 if p' = 0 (I) or q' = 0 (C), and so for sources.
    void close(Relations& to) const;
    // E' of a source that does not jump, as a form.
    std::optional<Form> source_energy(std::uint32_t x) const;
    // E' of storages and sources, and laws with pre(). Nothing for energies of what does not move.
    void add_jump_lines(std::vector<std::string>& to, std::uint32_t x, const std::set<Variable>& zeros) const;

    // The lines of a clause.
    std::vector<std::string> lines(const Summary& summary) const;

    bool is_controlled(std::uint32_t x) const { return graph_.elements[x].automaton >= 0; }
    bool is_two_port(std::uint32_t x) const;
    std::pair<std::uint32_t, std::uint32_t> in_and_out(std::uint32_t x) const;

private:
    void add_junction_jump(Relations& to, std::uint32_t x, Situation situation) const;
    void add_switch_jump(Relations& to, std::uint32_t x, Situation situation) const;
    std::string energy_of_storage(std::uint32_t x) const;
    std::vector<std::string> energy_of_source(std::uint32_t x) const;
    std::string unmoved_energy(std::uint32_t x) const;
    Variable moved(std::uint32_t x) const;  // p' of I and flow sources, q' of C and effort sources
    std::string chain(const std::vector<std::pair<Variable, int>>& members) const;

    const Graph& graph_;
    const Notation& notation_;
    Ports ports_;
    IdealLaws ideal_;
    mutable Symbols symbols_;
};

}  // namespace deltaflow::report::hypa
