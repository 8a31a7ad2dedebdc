// Decisions: blocks that look at the sign of the germ of a condition.
#include "blocks/arguments.hpp"
#include "blocks/composer.hpp"
#include "blocks/types/groups.hpp"
#include "blocks/types/trigger.hpp"

namespace deltaflow {

namespace {

// A block has a node of its own, also where nothing is left to decide.
Ref own(Builder& b, const Condition& c, Ref chosen) {
    return c.kind == Condition::Kind::known ? b.affine(0, {{1, chosen}}) : chosen;
}

Refs switch_block(const Arguments& a, Builder& b) {
    const Condition& c = a.conditions[0];
    if (c.plain && c.kind == Condition::Kind::least)
        return {b.node(Primitive::piecewise, {c.signal}, unit_step())};
    Composer composer(b);
    return {choose(composer, c, 1, 0)};
}

Refs decision(const Arguments& a, Builder& b) {
    Composer composer(b);
    const Condition& c = a.conditions[0];
    return {own(b, c, choose(composer, c, input(a, 1), input(a, 2)))};
}

Refs hysteresis(const Arguments& a, Builder& b) {
    const double low = finite(a, "low"), high = finite(a, "high");
    require(low < high, "low", "low has to be less than high");
    const double initial = whole_between(a, "initial", 0, 1);
    return {b.node(Primitive::hysteresis, {input(a)}, {low, high, initial})};
}

Refs crossing(const Arguments& a, Builder& b) {
    const std::string direction = choice(a, "direction");
    const double sign = direction == "falling" ? -1 : direction == "rising" ? 1 : 0;
    return {b.node(Primitive::crossing, {input(a)}, {sign})};
}

Refs pre(const Arguments& a, Builder& b) { return {b.node(Primitive::pre, {input(a)})}; }

// A signal that is >= 0 where the condition holds: itself, or 1, and -1 where it does not.
Ref at_least_zero(Builder& b, const Condition& c) {
    if (c.plain && c.kind == Condition::Kind::least) return c.signal;
    Composer composer(b);
    return choose(composer, c, 1, -1);
}

Refs assertion(const Arguments& a, Builder& b) {
    return {b.node(Primitive::assertion, {at_least_zero(b, a.conditions[0])}, {},
                   b.message(choice(a, "message")))};
}

// 1 until the condition ceases to hold; then -1, and with that the run ends.
Refs terminate(const Arguments& a, Builder& b) {
    const Condition& c = a.conditions[0];
    Composer composer(b);
    const Ref ceases = trigger(b, joined(Condition::Kind::none, {c}));
    const Ref going = b.node(Primitive::integrator, {b.constant(0), ceases, b.constant(-1)}, {1, -1});
    b.node(Primitive::assertion, {going}, {1}, b.message("the run ends"));
    return {b.affine(0, {{1, c.plain ? c.signal : choose(composer, c, 1, 0)}})};
}

}  // namespace

std::vector<BlockType> decision_blocks() {
    return {
        {
            .type = "switch",
            .group = "decisions",
            .about = "1 where its input is >= 0, or where it is a condition that holds, else 0.",
            .rule = "y = H(u), by the germ of u: its first rung that is not zero decides (003:20, 21)",
            .inputs = condition_input(),
            .examples = {{.in = {"t - 1"}, .out = "0 | 1"},
                         {.in = {"t > 1 and t < 2"}, .out = "0 | 1"},
                         {.in = {"1 - t"}, .out = "1 | 0"},
                         {.in = {"H - 1"}, .out = "0 | 1"},
                         {.in = {"1 + d"}, .fails = "impulse"}},
            .lower = switch_block,
        },
        {
            .type = "decision",
            .group = "decisions",
            .about = "Passes `then` on where `if` is >= 0, or a condition that holds, `else` otherwise.",
            .rule = "y = u where the germ of c is >= 0, else v; no impulse where c changes sign (003:22, 23)",
            .inputs = {{.name = "if", .condition = true}, {.name = "then"}, {.name = "else"}},
            .examples = {{.in = {"t - 1", "2", "3"}, .out = "3 | 2"},
                         {.in = {"t < 1 or t >= 2", "2", "3"}, .out = "2 | 3"},
                         {.in = {"t", "2*d", "5"}, .out = "2 delta"},
                         {.in = {"t - 1", "2*d", "0"}, .fails = "impulse"},
                         {.in = {"1 + d", "2", "3"}, .fails = "impulse"}},
            .lower = decision,
        },
        {
            .type = "hysteresis",
            .group = "decisions",
            .about = "1 once its input has risen to high, 0 once it has fallen to low.",
            .rule = "y = 1 from u >= high on, 0 from u <= low on",
            .inputs = single_input(),
            .parameters = {{.name = "low", .about = "switches off here"},
                           {.name = "high", .about = "switches on here"},
                           {.name = "initial",
                            .fallback = "0",
                            .about = "0 or 1, between the two at the start"}},
            .examples = {{.in = {"2*H"}, .parameters = "low = 0.5, high = 1.5", .out = "0 | 1"},
                         {.in = {"t"}, .parameters = "low = 0.5, high = 1", .out = "0 | 1"},
                         {.in = {"2 - t"}, .parameters = "low = 1, high = 3, initial = 1", .out = "1 | 0"}},
            .lower = hysteresis,
        },
        {
            .type = "crossing",
            .group = "decisions",
            .about = "A unit impulse where its input passes zero; never at the start.",
            .rule = "y[-1] = 1 where the left germ has u[0] = 0 and its first rung that is not zero is odd",
            .inputs = single_input(),
            .parameters = {{.name = "direction",
                            .kind = ParameterKind::choice,
                            .fallback = "both",
                            .about = "which passages count",
                            .choices = {"falling", "rising", "both"}}},
            .examples = {{.in = {"1 - t"}, .out = "delta"},
                         {.in = {"t^2 - 1"}, .parameters = "direction = \"rising\"", .out = "delta"},
                         {.in = {"1 - t"}, .parameters = "direction = \"rising\"", .out = "0"},
                         {.in = {"(t - 1)^2"}, .out = "0"}},
            .lower = crossing,
        },
        {
            .type = "pre",
            .group = "decisions",
            .about = "The left limit; it may stand beside an impulse where its input jumps.",
            .rule = "at an instant u_left, also beside an impulse; in flow u itself; impulses do not pass",
            .inputs = single_input(),
            .examples = {{.in = {"2*t"}, .out = "2"}, {.in = {"t + 2*d"}, .out = "1"}},
            .lower = pre,
        },
        {
            .type = "assert",
            .group = "decisions",
            .about = "Passes its input on, and fails the run where it is < 0, or a condition that is false.",
            .rule = "y = u as long as the germ of u is >= 0; y = 1 as long as a condition holds",
            .inputs = condition_input(),
            .parameters = {{.name = "message",
                            .kind = ParameterKind::text,
                            .fallback = "the input is negative",
                            .about = "what to say then"}},
            .examples = {{.in = {"t"}, .out = "1"},
                         {.in = {"t >= 0 and t < 3"}, .out = "1"},
                         {.in = {"t <= 1"}, .parameters = "message = \"too late\"", .fails = "too late"},
                         {.in = {"-H"}, .parameters = "message = \"too low\"", .fails = "too low"}},
            .lower = assertion,
        },
        {
            .type = "complement",
            .group = "decisions",
            .about = "A pair: w reads the output z, directly or through states, and one of them is zero.",
            .rule = "0 <= w, 0 <= z, w z = 0; a germ is positive if its lowest rung that is not zero is, "
                    "impulses first",
            .inputs = {{.name = "w"}},
            .examples = {{.in = {"y - 2*H"}, .out = "0 | 2"},
                         {.in = {"y + 3 - 5*H"}, .out = "0 | 2"},
                         {.in = {"2*y - 6*d"}, .out = "3 delta"},
                         {.in = {"y + 6*d"}, .out = "0"},
                         {.in = {"-1 - y"}, .fails = "no consistent state"}},
            .pairs = true,
        },
        {
            .type = "terminate",
            .group = "decisions",
            .about = "Passes its input on, and ends the run where it ceases to be >= 0, or to hold.",
            .rule = "y = u; from where the germ of u becomes < 0 there is no run; what is false at the start "
                    "may be so",
            .inputs = condition_input(),
            .examples = {{.in = {"t - 3"}, .out = "-2"}, {.in = {"t < 2"}, .out = "1"}},
            .lower = terminate,
        },
    };
}

}  // namespace deltaflow
