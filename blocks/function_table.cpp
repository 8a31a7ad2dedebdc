#include "blocks/function_table.hpp"

#include "signal/quadratic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>

namespace deltaflow {

namespace {

using Numbers = std::span<const Number>;
using Affines = std::span<const Affine>;

constexpr std::size_t any = std::numeric_limits<std::size_t>::max();

// A function of a number. Where it is a fraction at all, it is so at `at`, and `there`: exp(0) = 1.
template <double (*f)(double), int at, int there>
Number real(Numbers x) {
    if (x[0].exact && *x[0].exact == Rational(at)) return number_from_rational(Rational(there));
    return number_without_fraction(f(x[0].value));
}

Number root(Numbers x) {
    const auto exact = x[0].exact && sign(*x[0].exact) >= 0 ? square_root(*x[0].exact) : std::nullopt;
    return exact ? number_from_rational(*exact) : number_without_fraction(std::sqrt(x[0].value));
}

template <Primitive op>
Affine function(Composer& c, Affines u) {
    return affine_of(c.function(op, c.signal(u[0])));
}

template <std::vector<double> (*parameters)()>
Affine piecewise(Composer& c, Affines u) {
    return affine_of(c.node(Primitive::piecewise, {c.signal(u[0])}, parameters()));
}

const Number zero{0, Rational(0)}, one{1, Rational(1)}, minus_one{-1, Rational(-1)};

Number absolute(Numbers x) { return sign(x[0]) < 0 ? -x[0] : x[0]; }
Number step(Numbers x) { return sign(x[0]) >= 0 ? one : zero; }
Number angle(Numbers x) {
    if (x[0].exact && is_zero(x[0]) && sign(x[1]) > 0) return zero;
    return number_without_fraction(std::atan2(x[0].value, x[1].value));
}

Number sign_of(Numbers x) {
    const int s = sign(x[0]);
    return {static_cast<double>(s), Rational(s)};
}

// 1 picks the smaller, -1 the larger
template <int direction>
Number extreme(Numbers x) {
    return *std::min_element(x.begin(), x.end(), [](const Number& a, const Number& b) {
        return direction > 0 ? a.value < b.value : b.value < a.value;
    });
}

// min(a, b) = if(b - a, a, b), and so on from left to right; max(a, b) = if(a - b, a, b)
template <int direction>
Affine extreme_signal(Composer& c, Affines u) {
    Affine best = u[0];
    for (const Affine& next : u.subspan(1)) {
        const Affine lead = direction > 0 ? next - best : best - next;
        best = affine_of(c.decision(c.signal(lead), c.signal(best), c.signal(next)));
    }
    return best;
}

Number floor_of(const Number& x) {
    if (!x.exact) return number_without_fraction(std::floor(x.value));
    return number_from_rational(Rational(floor(*x.exact)));
}

const Number half{0.5, Rational(1, 2)};

Number floor_value(Numbers x) { return floor_of(x[0]); }
Number ceil_value(Numbers x) { return -floor_of(-x[0]); }
Number round_value(Numbers x) { return sign(x[0]) >= 0 ? floor_of(x[0] + half) : -floor_of(half - x[0]); }
Number mod_value(Numbers x) {
    if (is_zero(x[1])) return number_without_fraction(std::numeric_limits<double>::quiet_NaN());
    return x[0] - x[1] * floor_of(x[0] / x[1]);
}

Affine floor_signal(Composer& c, const Affine& u) {
    return affine_of(c.node(Primitive::floor, {c.signal(u)}));
}
Affine floor_of_signal(Composer& c, Affines u) { return floor_signal(c, u[0]); }
Affine ceil_of_signal(Composer& c, Affines u) { return minus_one * floor_signal(c, minus_one * u[0]); }
// Halves go away from zero.
Affine round_of_signal(Composer& c, Affines u) {
    const Affine above = floor_signal(c, u[0] + affine_of(half));
    const Affine below = minus_one * floor_signal(c, affine_of(half) - u[0]);
    return affine_of(c.decision(c.signal(u[0]), c.signal(above), c.signal(below)));
}
// x - m floor(x / m)
Affine mod_of_signal(Composer& c, Affines u) {
    const bool constant = u[1].is_constant();
    const Affine ratio = constant ? one / u[1].constant * u[0] : c.product(u[0], c.inverse(u[1]));
    return u[0] - c.product(u[1], floor_signal(c, ratio));
}

Number sum_value(Numbers x) { return std::accumulate(x.begin() + 1, x.end(), x[0]); }
Number product_value(Numbers x) { return std::accumulate(x.begin() + 1, x.end(), x[0], std::multiplies<>()); }
Affine sum_of_signals(Composer&, Affines u) { return std::accumulate(u.begin() + 1, u.end(), u[0]); }
Affine product_of_signals(Composer& c, Affines u) {
    return std::accumulate(u.begin() + 1, u.end(), u[0],
                           [&](const Affine& a, const Affine& b) { return c.product(a, b); });
}

Affine arc_cosine(Composer& c, Affines u) {
    const Number quarter = number_without_fraction(std::numbers::pi / 2);
    return affine_of(quarter) - function<Primitive::asin>(c, u);
}

Affine angle_signal(Composer& c, Affines u) { return affine_of(c.atan2(c.signal(u[0]), c.signal(u[1]))); }

const std::array table{
    Function{"sin", 1, 1, real<std::sin, 0, 0>, function<Primitive::sin>},
    Function{"cos", 1, 1, real<std::cos, 0, 1>, function<Primitive::cos>},
    Function{"tan", 1, 1, real<std::tan, 0, 0>, function<Primitive::tan>},
    Function{"asin", 1, 1, real<std::asin, 0, 0>, function<Primitive::asin>},
    Function{"acos", 1, 1, real<std::acos, 1, 0>, arc_cosine},
    Function{"atan", 1, 1, real<std::atan, 0, 0>, function<Primitive::atan>},
    Function{"atan2", 2, 2, angle, angle_signal},
    Function{"sinh", 1, 1, real<std::sinh, 0, 0>, function<Primitive::sinh>},
    Function{"cosh", 1, 1, real<std::cosh, 0, 1>, function<Primitive::cosh>},
    Function{"tanh", 1, 1, real<std::tanh, 0, 0>, function<Primitive::tanh>},
    Function{"exp", 1, 1, real<std::exp, 0, 1>, function<Primitive::exp>},
    Function{"log", 1, 1, real<std::log, 1, 0>, function<Primitive::log>},
    Function{"sqrt", 1, 1, root, function<Primitive::sqrt>},
    Function{"abs", 1, 1, absolute, piecewise<absolute_value>},
    Function{"sign", 1, 1, sign_of, function<Primitive::sign>},
    Function{"floor", 1, 1, floor_value, floor_of_signal, false, true},
    Function{"ceil", 1, 1, ceil_value, ceil_of_signal, false, true},
    Function{"round", 1, 1, round_value, round_of_signal, false, true},
    Function{"mod", 2, 2, mod_value, mod_of_signal, false, true},
    Function{"sum", 1, any, sum_value, sum_of_signals, false, true},
    Function{"product", 1, any, product_value, product_of_signals, false, true},
    Function{"min", 1, any, extreme<1>, extreme_signal<1>},
    Function{"max", 1, any, extreme<-1>, extreme_signal<-1>},
    Function{"heaviside", 1, 1, step, piecewise<unit_step>},
    Function{"if", 3, 3, nullptr, nullptr},  // its first argument is a condition: lower_expression
    Function{"der", 1, 1, nullptr, function<Primitive::derivative>},
    Function{"pre", 1, 1, nullptr, function<Primitive::pre>},
    Function{"impulse", 1, 1, nullptr, function<Primitive::strength>, true},
};

}  // namespace

std::span<const Function> function_table() { return table; }

const Function* find_function(std::string_view name) {
    const auto found =
        std::find_if(table.begin(), table.end(), [&](const Function& f) { return f.name == name; });
    return found == table.end() ? nullptr : &*found;
}

}  // namespace deltaflow
