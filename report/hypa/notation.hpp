// How the variables, numbers and expressions of 002 are written: as plain text or in LaTeX.
#pragma once

#include "blocks/expression.hpp"
#include "bonds/graph.hpp"

#include <compare>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace deltaflow::report::hypa {

using namespace bonds;  // graphs, elements and automata are what all of this is about

// E, p, q, e and f of a bond. `one` belongs to no bond: it is what a number is a multiple of.
enum class Quantity : std::uint8_t { energy, momentum, displacement, effort, flow, one };
// x, x^- before a re-initialisation, x^+ after it, x' = x^+ - x^-, dx/dt.
enum class Mark : std::uint8_t { none, left, right, jump, rate };

struct Variable {
    Quantity quantity = Quantity::one;
    Mark mark = Mark::none;
    std::uint32_t bond = 0;
    auto operator<=>(const Variable&) const = default;
};
constexpr Variable jump(Quantity q, std::uint32_t bond) { return {q, Mark::jump, bond}; }
constexpr Variable effort(std::uint32_t bond) { return {Quantity::effort, Mark::none, bond}; }
constexpr Variable flow(std::uint32_t bond) { return {Quantity::flow, Mark::none, bond}; }

// How strongly a piece of text holds together: an operator puts weaker pieces in parentheses.
enum Level { disjunction, conjunction, negation, comparison, sum, product, power, atom };
struct Piece {
    std::string text;
    Level level = atom;
};

// How names in expressions are read. In flow pre(x) is x. A condition is about x^- and the x that it tests.
// Before and after: the left and the right side of an instant.
enum class Reading : std::uint8_t { flow, condition, before, after };

class Notation {
public:
    // `is_block` tells names of blocks, which change, from names of parameters, which do not.
    using IsBlock = std::function<bool(const std::string&)>;
    Notation(const Graph& graph, bool latex, IsBlock is_block);

    bool latex() const { return latex_; }
    const std::string& label(std::uint32_t bond) const { return labels_[bond]; }
    // "{3,4,5}", a bond alone without braces.
    std::string index(const std::vector<std::uint32_t>& bonds) const;

    std::string variable(Variable v) const;
    std::string name(const std::string& name) const;
    std::string number(double x) const;
    // "touch.apart", with a mark.
    std::string state(std::uint32_t automaton, std::uint32_t state, Mark mark) const;
    // A word with an index, "Bond_3".
    std::string indexed(const std::string& word, const std::string& index) const;
    // A name of clauses, "d_as".
    std::string clause(const std::string& letter, const std::string& index) const;

    // An expression that stood in an element or automaton called `owner`. `own` is what f, q or p of a law
    // is.
    Piece expression(const std::string& text, const std::string& owner, Reading reading,
                     const Piece* own = nullptr) const;
    Piece expression(const Expression& tree, const std::string& owner, Reading reading) const;
    // Does its value change at an instant? pre(x) does not.
    bool may_jump(const std::string& text, const std::string& owner) const;
    static bool has_pre(const std::string& text);

    // Variables that expressions of the model speak of.
    std::vector<Variable> mentioned() const;

    Piece times(const Piece& a, const Piece& b) const;
    Piece over(const Piece& a, const Piece& b) const;
    std::string wrapped(const Piece& piece, Level least) const;

    // The sign is -1 where an arrow points against the element's own count of power.
    struct Signal {
        Variable variable;
        int sign = 1;
        bool power = false;  // effort times flow
    };
    std::optional<Signal> signal(const std::string& name, const std::string& owner) const;

    std::string and_, or_, not_, times_, less_equal, greater_equal, unequal, minus;

private:
    struct Context {
        const std::string& owner;
        Reading reading;
        const Piece* own;
    };
    Piece write(const Expression& e, const Context& c) const;
    Piece write_name(const Expression& e, const Context& c) const;
    Piece write_call(const Expression& e, const Context& c) const;
    Piece write_operation(const Expression& e, const Context& c) const;
    Piece write_impulse(const Expression& e, const Context& c) const;
    Piece binary(const Expression& e, const Context& c, const std::string& sign, Level level) const;
    bool is_state(const std::string& name, const std::string& owner) const;
    bool may_jump(const Expression& e, const std::string& owner) const;
    void mention(const Expression& e, const std::string& owner, bool impulse,
                 std::vector<Variable>& found) const;
    void mention(const std::string& text, const std::string& owner, std::vector<Variable>& found) const;
    std::optional<Signal> element_signal(std::uint32_t x, const std::string& member) const;
    std::optional<Signal> bond_signal(std::uint32_t b, const std::string& member) const;

    const Graph& graph_;
    bool latex_;
    IsBlock is_block_;
    std::vector<std::string> labels_;
    std::vector<std::vector<std::uint32_t>> ports_;
    std::map<std::string, std::uint32_t> elements_, bonds_;
    std::map<std::string, bool> states_;
};

// -a, -a*b, -a/b: the sign can be taken off.
std::string scope_of(const std::string& owner);
bool has_leading_minus(const Expression& e);
Expression without_leading_minus(Expression e);

// +1 where power along the bond is power into an R, C, I or switch, or out of a source (lower.cpp).
int sign_at(const Graph& g, std::uint32_t element, std::uint32_t bond);
// Between junctions, transformers and gyrators.
bool is_internal(const Graph& g, const Bond& b);

}  // namespace deltaflow::report::hypa
