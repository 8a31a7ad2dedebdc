// Arithmetic: what acts rung by rung, and products.
#include "blocks/arguments.hpp"
#include "blocks/composer.hpp"
#include "blocks/fraction_book.hpp"
#include "blocks/limits.hpp"
#include "blocks/types/groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace deltaflow {

namespace {

// What a signal adds to a sum: a gain made in this fragment ("-b") is taken in, anything else stays.
std::pair<double, Ref> addend(const Fragment& f, Ref u) {
    if (u.kind != Ref::Kind::node) return {1, u};
    const Node& node = f.nodes[u.index];
    const bool gain =
        node.op == Primitive::affine && node.input_count == 1 && f.parameters[node.first_parameter] == 0;
    if (!gain) return {1, u};
    return {f.parameters[node.first_parameter + 1], f.inputs[node.first_input]};
}

// The same signal twice is one term.
void add(std::vector<std::pair<double, Ref>>& terms, std::pair<double, Ref> term) {
    const auto same = std::find_if(terms.begin(), terms.end(),
                                   [&](const auto& other) { return other.second == term.second; });
    if (same == terms.end())
        terms.push_back(term);
    else
        same->first = noted_sum(same->first, term.first);
}

Refs sum(const Arguments& a, Builder& b) {
    std::vector<std::pair<double, Ref>> terms;
    for (const Ref u : a.inputs[0]) add(terms, addend(b.fragment(), u));
    return {b.affine(0, std::move(terms))};
}

Refs negate(const Arguments& a, Builder& b) { return {b.affine(0, {{-1, input(a)}})}; }

Refs gain(const Arguments& a, Builder& b) { return {b.affine(0, {{finite(a, "k"), input(a)}})}; }

Refs product(const Arguments& a, Builder& b) {
    const Refs& u = a.inputs[0];
    if (u.size() == 1) return {b.affine(0, {{1, u[0]}})};
    Ref y = u[0];
    for (std::size_t i = 1; i < u.size(); ++i) y = b.node(Primitive::product, {y, u[i]});
    return {y};
}

Refs inverse(const Arguments& a, Builder& b) { return {b.node(Primitive::inverse, {input(a)})}; }

Refs divide(const Arguments& a, Builder& b) {
    const Refs& u = a.inputs[0];
    require(u.size() == 2, "in", fmt::format("divide takes two signals, not {}", u.size()));
    return {b.node(Primitive::product, {u[0], b.node(Primitive::inverse, {u[1]})})};
}

Refs power(const Arguments& a, Builder& b) {
    const Number exponent = finite_number(a, "exponent");
    const auto n = whole(exponent);
    require(!n || std::abs(*n) <= limits::whole_exponent, "exponent",
            fmt::format("whole exponents go from -{0} to {0}", limits::whole_exponent));
    if (n && *n == 1) return {b.affine(0, {{1, input(a)}})};
    Composer composer(b);
    return {composer.signal(composer.power(affine_of(input(a)), exponent))};
}

}  // namespace

std::vector<BlockType> arithmetic_blocks() {
    return {
        {
            .type = "sum",
            .group = "arithmetic",
            .about = "Adds its inputs; \"-b\" subtracts.",
            .rule = "y[k] = u1[k] + u2[k] + ... on every rung (003:18)",
            .inputs = input_list(),
            .examples = {{.in = {"t", "-2*d"}, .out = "1 - 2 delta"},
                         {.in = {"H", "H", "3*d1"}, .out = "0 | 2 + 3 delta'"}},
            .lower = sum,
        },
        {
            .type = "negate",
            .group = "arithmetic",
            .about = "Changes the sign.",
            .rule = "y[k] = -u[k] on every rung (003:19)",
            .inputs = single_input(),
            .examples = {{.in = {"H + 3*d1"}, .out = "0 | -1 - 3 delta'"}},
            .lower = negate,
        },
        {
            .type = "gain",
            .group = "arithmetic",
            .about = "Multiplies by a number.",
            .rule = "y[k] = k u[k] on every rung (003:18, 19)",
            .inputs = single_input(),
            .parameters = {{.name = "k", .about = "the factor"}},
            .examples = {{.in = {"H + 2*d"}, .parameters = "k = 3", .out = "0 | 3 + 6 delta"}},
            .lower = gain,
        },
        {
            .type = "product",
            .group = "arithmetic",
            .about = "Multiplies its inputs; an impulse meets the derivatives of the others (Leibniz).",
            .rule = "u delta^(n) = sum_m (-1)^(n-m) C(n,m) u^(n-m)(tau) delta^(m) (003:31)",
            .inputs = input_list(),
            .examples = {{.in = {"2", "3*d"}, .out = "6 delta"},
                         {.in = {"t", "2*d1"}, .out = "-2 delta + 2 delta'"},
                         {.in = {"t^2", "2*d2"}, .out = "4 delta - 8 delta' + 2 delta''"},
                         {.in = {"d", "d"}, .fails = "not defined"},
                         {.in = {"H", "d"}, .fails = "jump"}},
            .lower = product,
        },
        {
            .type = "inverse",
            .group = "arithmetic",
            .about = "One divided by its input, which may carry no impulse.",
            .rule = "y = 1/u where every rung of u below the bar is 0 (003:34)",
            .inputs = single_input(),
            .examples = {{.in = {"1 + H"}, .out = "1 | 0.5"}, {.in = {"1 + d"}, .fails = "delta"}},
            .lower = inverse,
        },
        {
            .type = "divide",
            .group = "arithmetic",
            .about = "Divides the first input by the second.",
            .rule = "y = u (1/v) (003:31, 34)",
            .inputs = input_list(2),
            .examples = {{.in = {"3*d", "1 + t"}, .out = "1.5 delta"},
                         {.in = {"4*d1", "1 + t"}, .out = "delta + 2 delta'"},
                         {.in = {"H", "2"}, .out = "0 | 0.5"},
                         {.in = {"t", "1 + d"}, .fails = "delta"}},
            .lower = divide,
        },
        {
            .type = "power",
            .group = "arithmetic",
            .about = "A power; whole exponents by products, so that their input may have any sign.",
            .rule = "y = u u ... u, 1/u^n (003:31, 34), or u^c for u > 0",
            .inputs = single_input(),
            .parameters = {{.name = "exponent", .about = "a number"}},
            .examples = {{.in = {"1 + t"}, .parameters = "exponent = 2", .out = "4"},
                         {.in = {"1 + H"}, .parameters = "exponent = -1", .out = "1 | 0.5"},
                         {.in = {"1 + 3*H"}, .parameters = "exponent = 1.5", .out = "1 | 8"},
                         {.in = {"d"}, .parameters = "exponent = 2", .fails = "not defined"}},
            .lower = power,
        },
    };
}

}  // namespace deltaflow
