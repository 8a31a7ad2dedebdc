// Expressions without names, but for pi.
#include "report/text/numbers.hpp"

#include "blocks/builder.hpp"

#include <cmath>
#include <numbers>

namespace deltaflow::report {

double number_of(const std::string& text) {
    const Scope scope = [](const Expression& name) -> Meaning {
        if (name.text == "pi") return Number{std::numbers::pi, {}};
        throw ExpressionError(name.offset, name.length, "names have no meaning here");
    };
    return evaluate_expression(parse_expression(text), scope).value;
}

std::optional<double> finite_number(const std::string& text) {
    try {
        if (const double x = number_of(text); std::isfinite(x)) return x;
    } catch (const std::exception&) {  // it is none
    }
    return {};
}

}  // namespace deltaflow::report
