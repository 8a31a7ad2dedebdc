// Functions in steps: whole numbers, and dead zones.
#include "blocks/arguments.hpp"
#include "blocks/function_table.hpp"
#include "blocks/types/groups.hpp"

namespace deltaflow {

namespace {

// As the function of that name is composed in expressions.
Affine composed(Composer& c, std::string_view function, const Affine& u) {
    return find_function(function)->compose(c, {&u, 1});
}

Refs quantize(const Arguments& a, Builder& b) {
    const Number step = finite_number(a, "step");
    require(sign(step) > 0, "step", "step has to be greater than 0");
    Composer composer(b);
    const Affine steps = Number{1, Rational(1)} / step * affine_of(input(a));
    return {b.affine(0, {{step.value, composer.signal(composed(composer, "round", steps))}})};
}

Refs dead_zone(const Arguments& a, Builder& b) {
    const double low = finite(a, "low"), high = finite(a, "high");
    require(low <= high, "low", "low has to be at most high");
    const double breaks[] = {low, high};
    const Line lines[] = {{0, 1, low}, {0, 0, 0}, {0, 1, high}};
    return {b.node(Primitive::piecewise, {input(a)}, piecewise_parameters(breaks, lines))};
}

}  // namespace

std::vector<BlockType> step_blocks() {
    return {
        {
            .type = "quantize",
            .group = "steps",
            .about = "The nearest multiple of step; halves go away from zero.",
            .rule = "y = step round(u / step)",
            .inputs = single_input(),
            .parameters = {{.name = "step", .about = "from one value to the next"}},
            .examples = {{.in = {"1.3*H"}, .parameters = "step = 0.5", .out = "0 | 1.5"},
                         {.in = {"t"}, .parameters = "step = 2", .out = "0 | 2"},
                         {.in = {"d"}, .parameters = "step = 2", .fails = "impulse"}},
            .lower = quantize,
        },
        {
            .type = "deadzone",
            .group = "steps",
            .about = "0 between low and high, and beyond them how far beyond.",
            .rule = "y = u - low where u < low, u - high where u >= high, else 0",
            .inputs = single_input(),
            .parameters = {{.name = "low", .about = "where it begins"},
                           {.name = "high", .about = "where it ends"}},
            .examples = {{.in = {"3*H"}, .parameters = "low = -1, high = 2", .out = "0 | 1"},
                         {.in = {"-3*H"}, .parameters = "low = -1, high = 2", .out = "0 | -2"},
                         {.in = {"d"}, .parameters = "low = -1, high = 2", .fails = "delta"}},
            .lower = dead_zone,
        },
    };
}

}  // namespace deltaflow
