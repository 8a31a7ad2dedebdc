// Discrete blocks: samples at the ticks of exact clocks.
#include "blocks/arguments.hpp"
#include "blocks/types/groups.hpp"

namespace deltaflow {

namespace {

Refs sampled(Primitive op, const Arguments& a, Builder& b) {
    const Clock clock{.period = positive(a, "period"), .phase = finite_number(a, "phase").rational()};
    return {b.node(op, {input(a)}, {finite(a, "initial")}, b.clock(clock))};
}

Refs hold(const Arguments& a, Builder& b) { return sampled(Primitive::hold, a, b); }

Refs unit_delay(const Arguments& a, Builder& b) { return sampled(Primitive::unit_delay, a, b); }

std::vector<Parameter> clock_parameters() {
    return {{.name = "period", .about = "from tick to tick, exactly: 0.1 is 1/10"},
            {.name = "phase", .fallback = "0", .about = "time of the first tick"},
            {.name = "initial", .fallback = "0", .about = "value before the first sample"}};
}

}  // namespace

std::vector<BlockType> discrete_blocks() {
    return {
        {
            .type = "hold",
            .group = "discrete",
            .about = "Samples its input at ticks and holds the sample.",
            .rule = "y = u_right(phase + n period) up to the next tick; no impulse there",
            .inputs = single_input(),
            .parameters = clock_parameters(),
            .examples = {{.in = {"t"}, .parameters = "period = 1", .out = "0 | 1"},
                         {.in = {"t"}, .parameters = "period = \"2/3\"", .out = "0.6666666666666666"},
                         {.in = {"H"}, .parameters = "period = 0.5", .out = "0 | 1"},
                         {.in = {"d"}, .parameters = "period = 0.5", .fails = "impulse"}},
            .lower = hold,
        },
        {
            .type = "unit_delay",
            .group = "discrete",
            .about = "Gives the sample of the tick before.",
            .rule = "y = u_right(phase + (n - 1) period) from tick n on",
            .inputs = single_input(),
            .parameters = clock_parameters(),
            .examples = {{.in = {"1 + t"}, .parameters = "period = 0.5", .out = "1 | 1.5"},
                         {.in = {"t"}, .parameters = "period = 1, phase = 1, initial = 7", .out = "7"}},
            .lower = unit_delay,
        },
    };
}

}  // namespace deltaflow
