// Functions of signals that carry no impulse.
#include "blocks/arguments.hpp"
#include "blocks/composer.hpp"
#include "blocks/fraction_book.hpp"
#include "blocks/function_table.hpp"
#include "blocks/types/groups.hpp"

#include <array>

namespace deltaflow {

namespace {

template <Primitive op>
Refs function(const Arguments& a, Builder& b) {
    return {Composer(b).function(op, input(a))};
}

Refs absolute(const Arguments& a, Builder& b) {
    return {b.node(Primitive::piecewise, {input(a)}, absolute_value())};
}

// The function of expressions that has this name.
Refs apply(std::string_view name, const Arguments& a, Builder& b) {
    Composer composer(b);
    std::vector<Affine> u;
    for (const Ref signal : a.inputs[0]) u.push_back(affine_of(signal));
    return {composer.signal(find_function(name)->compose(composer, u))};
}

Refs arc_cosine(const Arguments& a, Builder& b) { return apply("acos", a, b); }

// A block is a node of its own, be it of one input alone.
Refs extreme(std::string_view name, const Arguments& a, Builder& b) {
    return a.inputs[0].size() == 1 ? Refs{b.affine(0, {{1, input(a)}})} : apply(name, a, b);
}

Refs minimum(const Arguments& a, Builder& b) { return extreme("min", a, b); }
Refs maximum(const Arguments& a, Builder& b) { return extreme("max", a, b); }

Refs saturate(const Arguments& a, Builder& b) {
    const double low = finite(a, "low"), high = finite(a, "high");
    require(low <= high, "low", "low has to be at most high");
    if (low == high) return {b.constant(low)};
    const std::array breaks{low, high};
    const std::array lines{Line{low, 0, low}, Line{0, 1, 0}, Line{high, 0, high}};
    return {b.node(Primitive::piecewise, {input(a)}, piecewise_parameters(breaks, lines))};
}

void check_points(const std::vector<double>& x, const std::vector<double>& y) {
    require(x.size() >= 2, "x", "a table needs at least two points");
    require(x.size() == y.size(), "y", "x and y have to be of the same length");
    for (std::size_t i = 1; i < x.size(); ++i) require(x[i - 1] < x[i], "x", "x has to increase strictly");
}

// The lines from point to point.
std::vector<Line> segments(const std::vector<double>& x, const std::vector<double>& y) {
    std::vector<Line> lines;
    for (std::size_t i = 0; i + 1 < x.size(); ++i)
        lines.push_back({y[i], noted_slope(x[i], y[i], x[i + 1], y[i + 1]), x[i]});
    return lines;
}

Refs table(const Arguments& a, Builder& b) {
    std::vector<double> x = doubles(finite_numbers(a, "x"));
    const std::vector<double> y = doubles(finite_numbers(a, "y"));
    check_points(x, y);
    std::vector<Line> lines = segments(x, y);
    if (choice(a, "outside") == "hold") {
        lines.insert(lines.begin(), {y.front(), 0, x.front()});
        lines.push_back({y.back(), 0, x.back()});
    } else {
        x = {x.begin() + 1, x.end() - 1};
    }
    if (x.empty()) return {b.affine(lines[0].y - lines[0].slope * lines[0].x, {{lines[0].slope, input(a)}})};
    return {b.node(Primitive::piecewise, {input(a)}, piecewise_parameters(x, lines))};
}

// A function of one signal, each entry by its name.
BlockType entry(std::string_view type, std::string_view about, std::string_view rule,
                std::vector<Example> examples, Refs (*lower)(const Arguments&, Builder&)) {
    examples.push_back({.in = {"1 + d"}, .fails = "delta"});
    return {.type = type,
            .group = "functions",
            .about = about,
            .rule = rule,
            .inputs = single_input(),
            .examples = std::move(examples),
            .lower = lower};
}

}  // namespace

std::vector<BlockType> function_blocks() {
    return {
        entry("abs", "The absolute value.", "y = u where the germ of u is >= 0, else -u",
              {{.in = {"H - 2"}, .out = "2 | 1"}, {.in = {"t - 1"}, .out = "0"}}, absolute),
        entry("sign", "-1, 0 or 1, by the sign of the germ.", "the sign of the first rung that is not zero",
              {{.in = {"t - 1"}, .out = "-1 | 1"}, {.in = {"-2*H"}, .out = "0 | -1"}},
              function<Primitive::sign>),
        entry("sqrt", "The square root of a signal that is >= 0.",
              "y^2 = u: y[k] = (u[k] - sum y[j] y[k-j]) / (2 y[0])", {{.in = {"1 + 3*H"}, .out = "1 | 2"}},
              function<Primitive::sqrt>),
        entry("exp", "The exponential function.", "y' = y u'",
              {{.in = {"H"}, .out = "1 | 2.718281828459045"}}, function<Primitive::exp>),
        entry("log", "The natural logarithm of a signal that is > 0.", "y' = u' / u",
              {{.in = {"1 + H"}, .out = "0 | 0.6931471805599453"}}, function<Primitive::log>),
        entry("sin", "The sine.", "y' = cos(u) u'", {{.in = {"pi/2*H"}, .out = "0 | 1"}},
              function<Primitive::sin>),
        entry("cos", "The cosine.", "y' = -sin(u) u'", {{.in = {"pi*H"}, .out = "1 | -1"}},
              function<Primitive::cos>),
        entry("tan", "The tangent.", "y' = (1 + y^2) u'", {{.in = {"pi/4*H"}, .out = "0 | 1"}},
              function<Primitive::tan>),
        entry("asin", "The inverse sine, for -1 <= u <= 1.", "y' = u' / sqrt(1 - u^2)",
              {{.in = {"H/2"}, .out = "0 | 0.5235987755982989"}}, function<Primitive::asin>),
        entry("acos", "The inverse cosine, for -1 <= u <= 1.", "y = pi/2 - asin(u)",
              {{.in = {"H/2"}, .out = "1.5707963267948966 | 1.0471975511965979"}}, arc_cosine),
        entry("atan", "The inverse tangent.", "y' = u' / (1 + u^2)",
              {{.in = {"H"}, .out = "0 | 0.7853981633974483"}}, function<Primitive::atan>),
        entry("sinh", "The hyperbolic sine.", "y' = cosh(u) u'",
              {{.in = {"H"}, .out = "0 | 1.1752011936438014"}}, function<Primitive::sinh>),
        entry("cosh", "The hyperbolic cosine.", "y' = sinh(u) u'",
              {{.in = {"H"}, .out = "1 | 1.5430806348152437"}}, function<Primitive::cosh>),
        entry("tanh", "The hyperbolic tangent.", "y' = (1 - y^2) u'",
              {{.in = {"H"}, .out = "0 | 0.7615941559557649"}}, function<Primitive::tanh>),
        {
            .type = "min",
            .group = "functions",
            .about = "The smallest of its inputs.",
            .rule = "min(u, v) = u where v - u >= 0, else v (003:22, 23)",
            .inputs = input_list(),
            .examples = {{.in = {"t", "2 - t"}, .out = "1"},
                         {.in = {"3", "1 + 3*H", "5"}, .out = "1 | 3"},
                         {.in = {"1", "d"}, .fails = "impulse"}},
            .lower = minimum,
        },
        {
            .type = "max",
            .group = "functions",
            .about = "The largest of its inputs.",
            .rule = "max(u, v) = u where u - v >= 0, else v (003:22, 23)",
            .inputs = input_list(),
            .examples = {{.in = {"t", "2 - t"}, .out = "1"},
                         {.in = {"3", "1 + 3*H", "2"}, .out = "3 | 4"},
                         {.in = {"1", "d"}, .fails = "impulse"}},
            .lower = maximum,
        },
        {
            .type = "saturate",
            .group = "functions",
            .about = "Its input, kept between low and high.",
            .rule = "y = low, u or high",
            .inputs = single_input(),
            .parameters = {{.name = "low", .about = "the smallest value"},
                           {.name = "high", .about = "the largest value"}},
            .examples = {{.in = {"3*H"}, .parameters = "low = -1, high = 2", .out = "0 | 2"},
                         {.in = {"t"}, .parameters = "low = -1, high = 2", .out = "1"},
                         {.in = {"d"}, .parameters = "low = -1, high = 2", .fails = "delta"}},
            .lower = saturate,
        },
        {
            .type = "table",
            .group = "functions",
            .about = "Lines through given points.",
            .rule = "y = y_i + (y_(i+1) - y_i) (u - x_i) / (x_(i+1) - x_i) for x_i <= u < x_(i+1)",
            .inputs = single_input(),
            .parameters = {{.name = "x", .kind = ParameterKind::numbers, .about = "strictly increasing"},
                           {.name = "y", .kind = ParameterKind::numbers, .about = "as many"},
                           {.name = "outside",
                            .kind = ParameterKind::choice,
                            .fallback = "hold",
                            .about = "hold the end values, or extend the end lines",
                            .choices = {"hold", "extend"}}},
            .examples = {{.in = {"t"}, .parameters = "x = [0, 1, 2], y = [0, 10, 0]", .out = "10"},
                         {.in = {"4*H - 1"}, .parameters = "x = [0, 1, 2], y = [3, 10, 0]", .out = "3 | 0"},
                         {.in = {"3*H"},
                          .parameters = "x = [0, 1, 2], y = [0, 10, 0], outside = \"extend\"",
                          .out = "0 | -10"}},
            .lower = table,
        },
    };
}

}  // namespace deltaflow
