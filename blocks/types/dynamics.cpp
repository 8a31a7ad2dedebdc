// Dynamics: integrators, derivatives, and linear systems made of them.
#include "blocks/arguments.hpp"
#include "blocks/lag.hpp"
#include "blocks/types/groups.hpp"
#include "blocks/types/realization.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

Refs integrator(const Arguments& a, Builder& b) {
    return {b.node(Primitive::integrator, {input(a)}, {finite(a, "initial")})};
}

Refs derivative(const Arguments& a, Builder& b) { return {b.node(Primitive::derivative, {input(a)})}; }

Refs delay(const Arguments& a, Builder& b) {
    return {b.node(Primitive::delay, {input(a)}, {to_double(positive(a, "by")), finite(a, "initial")})};
}

// What whoever runs the block gives it a value of.
Ref given(Builder& b, double before, int impulses = 0) {
    Schedule s;
    s.before = before;
    s.set = true;
    s.fed = impulses;
    return b.schedule(std::move(s));
}

// y = u(t - by): a polynomial of t - by - origin, whose coefficients are set piece by piece (lag.hpp).
Refs variable_delay(const Arguments& a, Builder& b) {
    const double most = to_double(positive(a, "at_most")), initial = finite(a, "initial");
    const Ref by = input(a, 1), t = b.node(Primitive::time, {});
    const Ref time = b.affine(0, {{1, t}, {-1, by}});
    const Ref origin = given(b, 0), from = given(b, lag::never), until = given(b, -lag::never),
              strike = given(b, 0, 1);
    const Ref over = b.affine(0, {{1, time}, {-1, until}}), under = b.affine(0, {{1, from}, {-1, time}});
    std::vector<Ref> inputs{input(a), time, over, under, origin, from, until, strike};
    for (std::size_t k = 0; k < lag::most_coefficients; ++k) inputs.push_back(given(b, k == 0 ? initial : 0));
    const Ref s = b.affine(0, {{1, time}, {-1, origin}});
    Ref y = inputs.back();
    for (std::size_t k = inputs.size() - 1; k-- > lag::coefficients;)
        y = b.affine(0, {{1, inputs[k]}, {1, b.node(Primitive::product, {s, y})}});
    for (const Ref end : {over, under}) b.node(Primitive::crossing, {end}, {1});
    const auto message = b.message("\"by\" has to stay above 0 and at most at \"at_most\"");
    b.node(Primitive::assertion, {by}, {}, message);
    b.node(Primitive::assertion, {b.affine(most, {{-1, by}})}, {}, message);
    const Ref past = b.node(Primitive::delay, std::move(inputs), {most, initial});
    return {b.affine(0, {{1, y}, {1, strike}, {0, past}})};
}

Refs transfer_function(const Arguments& a, Builder& b) {
    const Polynomial numerator = polynomial_from_highest(finite_numbers(a, "numerator"));
    const Polynomial denominator = polynomial_from_highest(finite_numbers(a, "denominator"));
    require(!denominator.empty(), "denominator", "the denominator is zero");
    return {realize(numerator, denominator, input(a), b)};
}

// Only the parts that are there.
Refs pid(const Arguments& a, Builder& b) {
    const double kp = finite(a, "kp"), ki = finite(a, "ki"), kd = finite(a, "kd");
    const Ref u = input(a);
    std::vector<std::pair<double, Ref>> terms;
    if (kp != 0) terms.emplace_back(kp, u);
    if (ki != 0) terms.emplace_back(ki, b.node(Primitive::integrator, {u}, {0}));
    if (kd != 0) terms.emplace_back(kd, b.node(Primitive::derivative, {u}));
    return {b.affine(0, std::move(terms))};
}

using Matrix = std::vector<std::vector<double>>;

Matrix matrix(const Arguments& a, std::string_view name) {
    Matrix m;
    const Argument* argument = a.find(name);
    if (!argument) return m;
    for (const std::vector<Number>& row : argument->numbers) {
        m.push_back(doubles(row));
        for (const Number& n : row)
            require(std::isfinite(n.value), name, fmt::format("{} has to be made of finite numbers", name));
    }
    return m;
}

// A column may be written as a row.
Matrix shaped(Matrix m, std::string_view name, std::size_t rows, std::size_t columns) {
    if (columns == 1 && m.size() == 1 && m[0].size() == rows && rows > 1) {
        Matrix column;
        for (const double x : m[0]) column.push_back({x});
        m = std::move(column);
    }
    const bool fits = m.size() == rows &&
                      std::all_of(m.begin(), m.end(), [&](const auto& row) { return row.size() == columns; });
    require(fits, name, fmt::format("{} has to have {} rows and {} columns", name, rows, columns));
    return m;
}

struct StateSpace {
    Matrix A, B, C, D;
    std::vector<double> initial;
};

StateSpace state_space_of(const Arguments& a) {
    StateSpace s{matrix(a, "A"), matrix(a, "B"), matrix(a, "C"), matrix(a, "D"), {}};
    const std::size_t n = s.A.size(), m = a.inputs[0].size(), p = s.C.size();
    require(n > 0, "A", "A is empty");
    require(p > 0, "C", "C is empty");
    s.A = shaped(std::move(s.A), "A", n, n);
    s.B = shaped(std::move(s.B), "B", n, m);
    s.C = shaped(std::move(s.C), "C", p, n);
    s.D = a.has("D") ? shaped(std::move(s.D), "D", p, m) : Matrix(p, std::vector<double>(m));
    s.initial = a.has("initial") ? doubles(finite_numbers(a, "initial")) : std::vector<double>(n);
    require(s.initial.size() == n, "initial", fmt::format("initial has to have {} numbers, one a state", n));
    return s;
}

// k x + l u
Ref combination(const std::vector<double>& k, const Refs& x, const std::vector<double>& l, const Refs& u,
                Builder& b) {
    std::vector<std::pair<double, Ref>> terms;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (k[i] != 0) terms.emplace_back(k[i], x[i]);
    for (std::size_t i = 0; i < u.size(); ++i)
        if (l[i] != 0) terms.emplace_back(l[i], u[i]);
    return b.affine(0, std::move(terms));
}

Refs state_space(const Arguments& a, Builder& b) {
    const StateSpace s = state_space_of(a);
    const Refs& u = a.inputs[0];
    Refs x, y;
    for (const double initial : s.initial) x.push_back(b.node(Primitive::integrator, {u[0]}, {initial}));
    for (std::size_t i = 0; i < x.size(); ++i) b.set_input(x[i], 0, combination(s.A[i], x, s.B[i], u, b));
    for (std::size_t i = 0; i < s.C.size(); ++i) y.push_back(combination(s.C[i], x, s.D[i], u, b));
    return y;
}

}  // namespace

std::vector<BlockType> dynamic_blocks() {
    return {
        {
            .type = "integrator",
            .group = "dynamics",
            .about = "The integral of its input; an impulse makes it jump.",
            .rule = "y[k] = u[k-1] / k, y_right[0] = y_left[0] + u[-1] (003:30)",
            .inputs = single_input(),
            .parameters = {{.name = "initial", .fallback = "0", .about = "value just before the start"}},
            .examples = {{.in = {"3*d"}, .parameters = "initial = 1", .out = "1 | 4"},
                         {.in = {"2"}, .out = "2"},
                         {.in = {"t + 2*d1"}, .out = "0.5 + 2 delta"}},
            .lower = integrator,
        },
        {
            .type = "derivative",
            .group = "dynamics",
            .about = "The derivative of its input; a jump makes an impulse.",
            .rule = "y[k] = (k+1) u[k+1], y[-1] = u_right[0] - u_left[0] (003:29)",
            .inputs = single_input(),
            .examples = {{.in = {"2*H"}, .out = "2 delta"},
                         {.in = {"t^2 + 3*d"}, .out = "2 + 3 delta'"},
                         {.in = {"t*H"}, .out = "0 | 1 + delta"}},
            .lower = derivative,
        },
        {
            .type = "delay",
            .group = "dynamics",
            .about = "Its input some time ago, impulses included.",
            .rule = "y(t) = u(t - by); initial before the start",
            .inputs = single_input(),
            .parameters = {{.name = "by", .about = "how long, > 0"},
                           {.name = "initial", .fallback = "0", .about = "value up to start + by"}},
            .examples = {{.in = {"t"}, .parameters = "by = 0.25", .out = "0.75"},
                         {.in = {"t"}, .parameters = "by = 2, initial = 7", .out = "7"},
                         {.in = {"heaviside(t - 0.5)"}, .parameters = "by = 0.5", .out = "0 | 1"},
                         {.in = {"3*der(heaviside(t - 0.5))"}, .parameters = "by = 0.5", .out = "3 delta"}},
            .lower = delay,
        },
        {
            .type = "variable_delay",
            .group = "dynamics",
            .about = "Its input some time ago, and that time is a signal.",
            .rule = "y(t) = u(t - by(t)); initial before the start; c delta at t0 comes out as "
                    "c / |1 - by'| delta where t - by = t0",
            .inputs = {{.name = "in"}, {.name = "by"}},
            .parameters = {{.name = "at_most", .about = "the largest by: so much of the past is kept"},
                           {.name = "initial", .fallback = "0", .about = "value before the start"}},
            .examples = {{.in = {"t", "0.5 + 0.25*t"}, .parameters = "at_most = 2", .out = "0.25"},
                         {.in = {"t", "2"}, .parameters = "at_most = 2, initial = 7", .out = "7"},
                         {.in = {"t + 1", "0.75 - 0.5*H"}, .parameters = "at_most = 1", .out = "1.25 | 1.75"},
                         {.in = {"3*der(heaviside(t - 0.25))", "0.5 + 0.25*t"},
                          .parameters = "at_most = 2",
                          .out = "4 delta"},
                         {.in = {"t", "2"}, .parameters = "at_most = 1", .fails = "at_most"}},
            .lower = variable_delay,
        },
        {
            .type = "transfer_function",
            .group = "dynamics",
            .about = "A quotient of polynomials of s, at rest at the start; it may be improper.",
            .rule = "y = N(s)/D(s) u: integrators for D, derivatives of u where N has the higher degree",
            .inputs = single_input(),
            .parameters =
                {{.name = "numerator", .kind = ParameterKind::numbers, .about = "highest power first"},
                 {.name = "denominator", .kind = ParameterKind::numbers, .about = "highest power first"}},
            .examples = {{.in = {"3*d"},
                          .parameters = "numerator = [1], denominator = [1, 0]",
                          .out = "0 | 3"},
                         {.in = {"2*H"},
                          .parameters = "numerator = [1, 0, 0], denominator = [1, 1]",
                          .out = "0 | -2 + 2 delta"},
                         {.in = {"2*d"},
                          .parameters = "numerator = [1, 0, 0], denominator = [1, 1]",
                          .out = "0 | 2 - 2 delta + 2 delta'"}},
            .lower = transfer_function,
        },
        {
            .type = "state_space",
            .group = "dynamics",
            .about = "A linear system of first order; several outputs are read as name[0], name[1], ...",
            .rule = "x' = A x + B u, y = C x + D u",
            .inputs = input_list(),
            .parameters = {{.name = "A", .kind = ParameterKind::matrix, .about = "n rows, n columns"},
                           {.name = "B", .kind = ParameterKind::matrix, .about = "n rows, a column an input"},
                           {.name = "C",
                            .kind = ParameterKind::matrix,
                            .about = "a row an output, n columns"},
                           {.name = "D",
                            .kind = ParameterKind::matrix,
                            .required = false,
                            .about = "a row an output, a column an input; 0 unless given"},
                           {.name = "initial",
                            .kind = ParameterKind::numbers,
                            .required = false,
                            .about = "x at the start; 0 unless given"}},
            .examples = {{.in = {"5*d"}, .parameters = "A = -1, B = 1, C = 1", .out = "0 | 5"},
                         {.in = {"2*d1"},
                          .parameters = "A = [[0, 1], [0, 0]], B = [[0], [1]], C = [[1, 0]]",
                          .out = "0 | 2"},
                         {.in = {"2*d"},
                          .parameters = "A = 0, B = 1, C = 1, D = 3, initial = [4]",
                          .out = "4 | 6 + 6 delta"}},
            .lower = state_space,
        },
        {
            .type = "pid",
            .group = "dynamics",
            .about = "A controller: proportional, integral and derivative parts.",
            .rule = "y = kp u + ki (integral of u) + kd u' (003:18, 29, 30)",
            .inputs = single_input(),
            .parameters = {{.name = "kp", .fallback = "0", .about = "proportional gain"},
                           {.name = "ki", .fallback = "0", .about = "integral gain"},
                           {.name = "kd", .fallback = "0", .about = "derivative gain"}},
            .examples = {{.in = {"H"}, .parameters = "kp = 2, ki = 3, kd = 4", .out = "0 | 2 + 4 delta"},
                         {.in = {"d"},
                          .parameters = "kp = 2, ki = 3, kd = 4",
                          .out = "0 | 3 + 2 delta + 4 delta'"}},
            .lower = pid,
        },
    };
}

}  // namespace deltaflow
