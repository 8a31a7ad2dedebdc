// Linear relations between the variables of a bond graph, with ratios as symbols, and what follows from them.
#pragma once

#include "report/hypa/notation.hpp"

#include <functional>
#include <map>
#include <set>

namespace deltaflow::report::hypa {

// A parameter as a factor: how it is written above and below the line.
struct Symbol {
    Piece above, below;   // below: what to divide by
    Piece inverse_above;  // 1/k is written as k on the other side of the line; empty if there is no such form
    bool may_divide = false;
    std::optional<double> number;  // written as part of the numbers of a product
    double value = 1;              // some number that no other symbol has, for questions of rank
};

// Numbers times powers of symbols.
using Monomial = std::map<std::uint32_t, int>;
struct Coefficient {
    std::map<Monomial, double> terms;

    static Coefficient number(double x) { return x == 0 ? Coefficient{} : Coefficient{{{Monomial{}, x}}}; }
    bool is_zero() const { return terms.empty(); }
    bool is_number(double x) const;
    void add(const Coefficient& other, double factor = 1);
};
Coefficient operator*(const Coefficient& a, const Coefficient& b);

using Form = std::map<Variable, Coefficient>;
void add(Form& to, const Form& form, const Coefficient& factor);
Form operator-(const Form& a, const Form& b);
inline Form one_of(Variable v, double factor = 1) { return {{v, Coefficient::number(factor)}}; }

class Symbols {
public:
    // The same text is the same symbol.
    Coefficient factor(const Symbol& symbol);
    const Symbol& operator[](std::uint32_t i) const { return list_[i]; }
    double value(const Coefficient& c) const;
    // 1/c, if c is one product of symbols that may be divided by.
    std::optional<Coefficient> inverse(const Coefficient& c) const;

private:
    std::vector<Symbol> list_;
    std::map<std::string, std::uint32_t> index_;
};

// "p_1 + n·p_2 - 3"; "0" if there is nothing.
Piece written(const Form& form, const Notation& n, const Symbols& symbols);
// Terms with a minus go to the other side: "e_1 + e_2 = e_3".
std::string equation(const Form& zero, const Notation& n, const Symbols& symbols);
// form >= 0
std::string inequality(const Form& form, const Notation& n, const Symbols& symbols);

// Equations (form = 0) and inequalities (form >= 0).
class Relations {
public:
    explicit Relations(const Symbols& symbols) : symbols_(&symbols) {}

    void equal(Form zero) { equations.push_back(std::move(zero)); }
    void zero(Variable v) { equal(one_of(v)); }
    void at_least_zero(Form form, std::uint32_t group) { inequalities.push_back({std::move(form), group}); }

    // Variables that `abstracted` names are eliminated: equations first, then pairs of inequalities.
    void eliminate(const std::function<bool(Variable)>& abstracted);

    // Do these relations imply the others? Sound, and complete for what junctions say.
    bool imply(const Relations& others) const;
    std::vector<bool> imply_zero(const std::vector<Variable>& variables) const;

    struct Inequality {
        Form form;
        std::uint32_t group;  // the junction
    };
    std::vector<Form> equations;
    std::vector<Inequality> inequalities;

private:
    bool solve_for(Variable v);
    void combine(Variable v);
    const Symbols* symbols_;
};

// What a set of relations says, in the order in which 002 writes it.
struct Summary {
    std::set<Variable> zeros;
    std::vector<std::vector<std::pair<Variable, int>>> classes;  // equal up to the sign
    std::vector<Form> sums;                                      // what else has to be zero
    std::vector<Form> inequalities;                              // at least zero
    bool consistent = true;
};
// `said`: equations that stand elsewhere and need not be repeated.
Summary summarize(const Relations& relations, const std::vector<Form>& said, const Symbols& symbols);

}  // namespace deltaflow::report::hypa
