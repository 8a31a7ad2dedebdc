// Memory: blocks that act where a condition becomes true or an impulse comes, or that rest at a limit.
#include "blocks/arguments.hpp"
#include "blocks/composer.hpp"
#include "blocks/types/groups.hpp"
#include "blocks/types/trigger.hpp"

namespace deltaflow {

Ref trigger(Builder& b, const Condition& c, bool later) {
    Composer composer(b);
    const Ref u = c.kind == Condition::Kind::least ? c.signal : choose(composer, c, 1, -1);
    return b.node(Primitive::crossing, {u}, {1, later ? 2.0 : 1.0});
}

Ref kept(Builder& b, double initial, Ref trigger, Ref to) {
    return b.node(Primitive::integrator, {b.constant(0), trigger, to}, {initial, -1});
}

namespace {

Refs reset_integrator(const Arguments& a, Builder& b) {
    const Ref to = a.inputs[2].empty() ? b.constant(0) : input(a, 2);
    return {b.node(Primitive::integrator, {input(a), trigger(b, a.conditions[1]), to},
                   {finite(a, "initial"), -1})};
}

Refs triggered_hold(const Arguments& a, Builder& b) {
    return {kept(b, finite(a, "initial"), trigger(b, a.conditions[1], true), input(a))};
}

// Is y at a limit, and does the input push outwards? `side`: 1 at high, -1 at low.
Condition pushes(Composer& c, Ref y, double limit, Ref u, int side) {
    const Number s = number_from_double(side), minus = number_from_double(-side);
    const Affine beyond = s * (affine_of(y) - affine_of(number_from_double(limit)));
    return joined(Condition::Kind::all,
                  {at_least_zero(beyond, &c),
                   joined(Condition::Kind::none, {at_least_zero(minus * affine_of(u), &c)})});
}

// y' = u; 0 where it pushes against a limit. At the limit y stays, so "y >= high" holds for good.
Refs limited_integrator(const Arguments& a, Builder& b) {
    const double low = finite(a, "low"), high = finite(a, "high"), initial = finite(a, "initial");
    require(low < high, "low", "low has to be less than high");
    require(low <= initial && initial <= high, "initial", "initial has to lie between low and high");
    const Ref u = input(a), zero = b.constant(0);
    const Ref y = b.node(Primitive::integrator, {zero}, {initial});
    Composer composer(b);
    const Ref below = choose(composer, pushes(composer, y, low, u, -1), zero, u);
    b.set_input(y, 0, choose(composer, pushes(composer, y, high, u, 1), zero, below));
    return {y};
}

// What a signal is at the start: a clock without a period ticks once.
Ref at_start(Builder& b, Ref u) {
    return b.node(Primitive::hold, {u}, {0}, b.clock({Rational(0), Rational(0)}));
}

// y' = rate sign(u - y): where y has reached u it slides along with it, as long as that is not too fast. The
// parameter of `sign` says that this is meant, even where sliding is an error.
Refs rate_limiter(const Arguments& a, Builder& b) {
    const double rate = finite(a, "rate");
    require(rate > 0, "rate", "rate has to be greater than 0");
    const Ref u = input(a);
    const Ref first = at_start(b, u);
    const Ref moved = b.node(Primitive::integrator, {first}, {0});
    const Ref y = b.affine(0, {{1, first}, {1, moved}});
    const Ref ahead = b.node(Primitive::sign, {b.affine(0, {{1, u}, {-1, first}, {-1, moved}})}, {1});
    b.set_input(moved, 0, b.affine(0, {{rate, ahead}}));
    return {y};
}

// max(u - width/2, min(u + width/2, h))
Ref within_play(Composer& c, Ref u, const Affine& h, double width) {
    const Affine half = affine_of(number_from_double(width / 2));
    const Affine top = affine_of(u) + half, bottom = affine_of(u) - half;
    const Ref below = c.decision(c.signal(top - h), c.signal(h), c.signal(top));
    return c.decision(c.signal(bottom - affine_of(below)), c.signal(bottom), below);
}

// h is the y where u last turned round or jumped; at first the initial one, as far as the play lets it.
Refs backlash(const Arguments& a, Builder& b) {
    const double width = finite(a, "width");
    require(width >= 0, "width", "width has to be at least 0");
    const Ref u = input(a);
    Composer composer(b);
    const Affine initial = affine_of(number_from_double(finite(a, "initial")));
    const Ref first = at_start(b, within_play(composer, u, initial, width));
    // A jump begins from y before it; behind it u may turn at once, so y is kept an infinitesimal later, too:
    // a trigger of kind 3 strikes with an impulse and behind it.
    const Ref turn = b.node(Primitive::crossing, {b.node(Primitive::derivative, {u})}, {0, 3});
    const Ref since = kept(b, 0, turn, u);
    const Ref y = within_play(composer, u, affine_of(first) + affine_of(since), width);
    b.set_input(since, 2, b.affine(0, {{1, y}, {-1, first}}));
    return {y};
}

}  // namespace

std::vector<BlockType> memory_blocks() {
    return {
        {
            .type = "reset_integrator",
            .group = "memory",
            .about =
                "An integrator that an impulse, or a condition that becomes true, sets to another value.",
            .rule = "y' = u; at an impulse on reset, or an infinitesimal after it became >= 0 or true, y = "
                    "to, as "
                    "that was just before; what u has of an impulse then is added",
            .inputs = {{.name = "in"}, {.name = "reset", .condition = true}, {.name = "to", .at_least = 0}},
            .parameters = {{.name = "initial", .fallback = "0", .about = "value at the start"}},
            .examples = {{.in = {"1", "d"}, .out = "1 | 0"},
                         {.in = {"3", "t >= 1", "5"}, .out = "3 | 5"},
                         {.in = {"2*d", "d", "5"}, .parameters = "initial = 1", .out = "1 | 7"},
                         {.in = {"0", "t >= 0", "5"}, .parameters = "initial = 1", .out = "1"}},
            .lower = reset_integrator,
        },
        {
            .type = "limited_integrator",
            .group = "memory",
            .about =
                "An integrator that rests at a limit while its input pushes outwards, and leaves it at once.",
            .rule =
                "y' = u; 0 where y = high and u > 0, or y = low and u < 0; an impulse that meets a limit is "
                "refused (complement takes it)",
            .inputs = single_input(),
            .parameters = {{.name = "low", .about = "the smallest value"},
                           {.name = "high", .about = "the largest value"},
                           {.name = "initial", .fallback = "0", .about = "value at the start"}},
            .examples = {{.in = {"3"}, .parameters = "low = -1, high = 2", .out = "2"},
                         {.in = {"-3"}, .parameters = "low = -1, high = 2", .out = "-1"},
                         {.in = {"0.5"}, .parameters = "low = -1, high = 2, initial = 1", .out = "1.5"},
                         {.in = {"d"}, .parameters = "low = -1, high = 2", .out = "0 | 1"},
                         {.in = {"5*d"}, .parameters = "low = -1, high = 2", .fails = "impulse"}},
            .lower = limited_integrator,
        },
        {
            .type = "rate_limiter",
            .group = "memory",
            .about = "Follows its input as fast as it may, and begins at it.",
            .rule = "y' = rate sign(u - y), and y = u where that is no faster; y = u at the start",
            .inputs = single_input(),
            .parameters = {{.name = "rate", .about = "the largest slope, up and down"}},
            .examples = {{.in = {"3*t"}, .parameters = "rate = 2", .out = "2"},
                         {.in = {"5 - t"}, .parameters = "rate = 2", .out = "4"},
                         {.in = {"4*H"}, .parameters = "rate = 2", .out = "0"},
                         {.in = {"d"}, .parameters = "rate = 2", .fails = "impulse"}},
            .lower = rate_limiter,
        },
        {
            .type = "triggered_hold",
            .group = "memory",
            .about =
                "Samples its input at an impulse, or where a condition becomes true, and holds the sample.",
            .rule = "y = u_right there, up to the next time; y itself may be part of u",
            .inputs = {{.name = "in"}, {.name = "trigger", .condition = true}},
            .parameters = {{.name = "initial", .fallback = "0", .about = "value before the first sample"}},
            .examples = {{.in = {"1 + H", "d"}, .out = "0 | 2"},
                         {.in = {"t", "t >= 1"}, .parameters = "initial = 7", .out = "7 | 1"},
                         {.in = {"t", "t >= 0"}, .parameters = "initial = 7", .out = "7"}},
            .lower = triggered_hold,
        },
        {
            .type = "backlash",
            .group = "memory",
            .about = "Play: follows its input at half the width behind it, and rests while the input crosses "
                     "the play.",
            .rule = "y = max(u - width/2, min(u + width/2, y where u last turned round or jumped))",
            .inputs = single_input(),
            .parameters = {{.name = "width", .about = "of the whole play"},
                           {.name = "initial",
                            .fallback = "0",
                            .about = "value at the start, as far as the play lets it"}},
            .examples = {{.in = {"3*t"}, .parameters = "width = 2", .out = "2"},
                         {.in = {"3*H"}, .parameters = "width = 2", .out = "0 | 2"},
                         {.in = {"0.5*H"}, .parameters = "width = 2", .out = "0"},
                         {.in = {"d"}, .parameters = "width = 2", .fails = "impulse"}},
            .lower = backlash,
        },
    };
}

}  // namespace deltaflow
