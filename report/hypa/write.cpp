// Linear forms on paper: sums, equations, inequalities.
#include "report/hypa/linear.hpp"

#include <cmath>

namespace deltaflow::report::hypa {

namespace {

struct Product {
    double number_above = 1, number_below = 1;
    std::vector<Piece> above, below;

    void multiply(const Symbol& s, int power) {
        const bool turned = !s.inverse_above.text.empty();
        for (int i = 0; i < std::abs(power); ++i)
            if (s.number)
                (power > 0 ? number_above : number_below) *= *s.number;
            else if (power > 0)
                above.push_back(s.above);
            else if (turned)
                above.push_back(s.inverse_above);
            else
                below.push_back(s.below);
    }
};

Piece joined(const std::vector<Piece>& factors, const Notation& n) {
    if (factors.empty()) return {"1"};
    Piece all = factors[0];
    for (std::size_t i = 1; i < factors.size(); ++i) all = n.times(all, factors[i]);
    return all;
}

// |x| times symbols times the variable.
Piece term(double x, const Monomial& monomial, Variable v, const Notation& n, const Symbols& symbols) {
    Product p;
    for (const auto& [symbol, power] : monomial) p.multiply(symbols[symbol], power);
    const auto put = [&](std::vector<Piece>& side, double number) {
        if (number != 1) side.insert(side.begin(), {n.number(number)});
    };
    put(p.above, p.number_above * std::abs(x));
    put(p.below, p.number_below);
    if (v.quantity != Quantity::one) p.above.push_back({n.variable(v)});
    const Piece above = joined(p.above, n);
    return p.below.empty() ? above : n.over(above, joined(p.below, n));
}

// Terms that differ in numbers only are added up.
Coefficient collected(const Coefficient& c, const Symbols& symbols) {
    std::map<Monomial, std::vector<std::pair<Monomial, double>>> alike;
    for (const auto& [monomial, x] : c.terms) {
        Monomial letters = monomial;
        std::erase_if(letters, [&](const auto& factor) { return symbols[factor.first].number.has_value(); });
        alike[letters].emplace_back(monomial, x);
    }
    Coefficient result;
    for (const auto& [letters, terms] : alike) {
        double total = 0;
        for (const auto& [monomial, x] : terms) {
            double value = x;
            for (const auto& [symbol, power] : monomial)
                if (symbols[symbol].number) value *= std::pow(*symbols[symbol].number, power);
            total += value;
        }
        result.add(terms.size() == 1 ? Coefficient{{terms[0]}} : Coefficient{{{letters, total}}});
    }
    return result;
}

// The terms with the sign that is asked for.
Piece part(const Form& form, int sign, const Notation& n, const Symbols& symbols) {
    std::vector<Piece> terms;
    for (const auto& [v, c] : form)
        for (const auto& [monomial, x] : collected(c, symbols).terms)
            if ((x > 0) == (sign > 0)) terms.push_back(term(x, monomial, v, n, symbols));
    if (terms.empty()) return {"0"};
    if (terms.size() == 1) return terms[0];
    std::string text;
    for (const Piece& piece : terms) text += (text.empty() ? "" : " + ") + n.wrapped(piece, product);
    return {text, sum};
}

}  // namespace

Piece written(const Form& form, const Notation& n, const Symbols& symbols) {
    std::string text;
    std::size_t count = 0;
    Piece last;
    for (const auto& [v, c] : form)
        for (const auto& [monomial, x] : collected(c, symbols).terms) {
            last = term(x, monomial, v, n, symbols);
            const std::string sign = x < 0 ? (text.empty() ? "-" : " - ") : (text.empty() ? "" : " + ");
            if (x < 0 || count > 0) last = {n.wrapped(last, product), sum};
            text += sign + last.text;
            ++count;
        }
    if (count == 0) return {"0"};
    return {text, count == 1 ? last.level : sum};
}

std::string equation(const Form& zero, const Notation& n, const Symbols& symbols) {
    Piece left = part(zero, 1, n, symbols), right = part(zero, -1, n, symbols);
    if (left.text == "0") std::swap(left, right);
    return left.text + " = " + right.text;
}

std::string inequality(const Form& form, const Notation& n, const Symbols& symbols) {
    const Piece left = part(form, -1, n, symbols), right = part(form, 1, n, symbols);
    if (left.text == "0") return right.text + n.greater_equal + "0";
    return left.text + n.less_equal + right.text;
}

}  // namespace deltaflow::report::hypa
