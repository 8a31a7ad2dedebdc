// Formulas as trees, to be written as plain text or LaTeX.
#pragma once

#include "report/text/notation.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace deltaflow::report {

// What is meant of a named signal: all of it, a rung of a one-sided limit, or the coefficient of
// delta^(order).
enum class Side : unsigned char { whole, left, right, impulse };

struct Math {
    enum class Kind : unsigned char {
        number,
        name,
        delta,       // delta^(order)
        sum,         // of parts
        product,     // of parts
        power,       // parts[0] to the value
        ratio,       // 1 / parts[0]
        call,        // text(parts)
        integral,    // of parts[0]
        derivative,  // of parts[0]
    };
    Kind kind = Kind::number;
    double value = 0;
    int order = 0;
    Side side = Side::whole;
    std::string text = {};
    std::vector<Math> parts = {};
};

Math number(double x);
Math name(std::string text, Side side = Side::whole, int order = 0);
Math delta(int order);
Math sum(std::vector<Math> parts);      // without what is zero
Math product(std::vector<Math> parts);  // numbers stay as they are: they are to be seen
Math scaled(double c, Math m);          // c m, with nothing in front where c is 1
Math times(double c, Math m);           // the same with a number in m multiplied
Math difference(double a, double b);    // a - b, zeros and all
Math call(std::string function, std::vector<Math> arguments);
Math one_part(Math::Kind kind, Math part);

// "3 + 2 delta - delta'": a value and the coefficients of delta, delta', ...
Math germ(double value, std::span<const double> impulses);

std::string plain(const Math& m);
std::string latex(const Math& m);

std::string latex_number(double x);

// Words with formulas among them, in both notations.
struct Words {
    std::string plain, latex;
    Words() = default;
    Words(const std::string& text) : plain(text), latex(latex_words(text)) {}
    Words(const char* text) : Words(std::string(text)) {}
    Words(const Math& m) : plain(report::plain(m)), latex("$" + report::latex(m) + "$") {}
    Words(double x) : Words(number(x)) {}
    bool empty() const { return plain.empty(); }
};

// "{} jumps" with the words put in.
Words said(std::string_view pattern, const std::vector<Words>& parts);

}  // namespace deltaflow::report
