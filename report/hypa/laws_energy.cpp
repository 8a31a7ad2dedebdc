// What storages gain and sources give at an instant.
#include "report/hypa/laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace deltaflow::report::hypa {

using Index = std::uint32_t;

// (x+^2 - x-^2) / (2 value), or the integral of the law.
std::string Laws::energy_of_storage(Index x) const {
    const Element& e = graph_.elements[x];
    const Index b = ports_.of(x)[0];
    const Quantity state = e.type == Type::I ? Quantity::momentum : Quantity::displacement;
    const bool against = sign_at(graph_, x, b) < 0;
    bool minus = against;
    const std::string left = notation_.variable({state, Mark::left, b});
    const std::string right = notation_.variable({state, Mark::right, b});
    std::string value;
    if (is_linear(x)) {
        const bool tex = notation_.latex();
        const Piece squares{fmt::format(fmt::runtime(tex ? "({})^2 - ({})^2" : "({})² - ({})²"), right, left),
                            sum};
        const Coefficient c = factor(x, Reading::before);
        const Symbol* symbol =
            c.terms.begin()->first.empty() ? nullptr : &symbols_[c.terms.begin()->first.begin()->first];
        if (c.terms.begin()->second < 0) minus = !minus;
        if (!symbol)
            value = notation_.over(squares, {"2"}).text;
        else if (symbol->number && *symbol->number == 0.5)
            value = minus ? notation_.wrapped(squares, product) : squares.text;
        else if (!symbol->inverse_above.text.empty())
            value = notation_.times(symbol->inverse_above, notation_.over(squares, {"2"})).text;
        else
            value = notation_
                        .over(squares, symbol->number ? Piece{notation_.number(2 * *symbol->number)}
                                                      : notation_.times({"2"}, symbol->below))
                        .text;
    } else {
        const bool turned = against && e.type == Type::C;
        const Piece own{e.type == Type::I ? "p" : "q"};
        const Piece law = notation_.expression(e.law_text, e.name, Reading::before, &own);
        const std::string from = (turned ? "-" : "") + left, until = (turned ? "-" : "") + right;
        value = notation_.latex() ? fmt::format("\\int_{{{}}}^{{{}}} {} \\, d{}", from, until,
                                                notation_.wrapped(law, product), own.text)
                                  : fmt::format("∫ {} d{}, {} = {} .. {}", notation_.wrapped(law, product),
                                                own.text, own.text, from, until);
    }
    return notation_.variable(jump(Quantity::energy, b)) + " = " + (minus ? "-" : "") + value;
}

// A state that may only turn its sign.
std::string Laws::unmoved_energy(Index x) const {
    if (!is_linear(x)) return energy_of_storage(x);
    const Quantity state = moved(x).quantity;
    const Index b = ports_.of(x)[0];
    const char* square = notation_.latex() ? "^2" : "²";
    return fmt::format("({}){} = ({}){}", notation_.variable({state, Mark::right, b}), square,
                       notation_.variable({state, Mark::left, b}), square);
}

// The source may have any value between the two while it jumps: E' lies between S- x' and S+ x'.
std::vector<std::string> Laws::energy_of_source(Index x) const {
    const Element& e = graph_.elements[x];
    const Index b = ports_.of(x)[0];
    if (const auto energy = source_energy(x))
        return {notation_.variable(jump(Quantity::energy, b)) + " = " +
                written(*energy, notation_, symbols_).text};
    const Piece moves{notation_.variable(moved(x))};
    const bool against = e.type == Type::Sf && sign_at(graph_, x, b) < 0;
    const auto work = [&](Reading reading) {
        return (against ? "-" : "") + notation_.times(parameter(x, reading), moves).text;
    };
    const std::string both = work(Reading::before) + ", " + work(Reading::after);
    const std::string open = notation_.latex() ? "\\left(" : "(",
                      close = notation_.latex() ? "\\right)" : ")";
    const std::string slash = notation_.latex() ? "\\" : "";
    const std::string energy = notation_.variable(jump(Quantity::energy, b));
    return {energy + notation_.greater_equal + slash + "min" + open + both + close,
            energy + notation_.less_equal + slash + "max" + open + both + close};
}

}  // namespace deltaflow::report::hypa
