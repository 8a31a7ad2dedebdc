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

// y = max(u - width/2, min(u + width/2, h)), h being the y where u last turned round or jumped.
Refs backlash(const Arguments& a, Builder& b) {
    const double width = finite(a, "width");
    require(width >= 0, "width", "width has to be at least 0");
    const Ref u = input(a);
    Composer composer(b);
    const Ref turn = b.node(Primitive::crossing, {b.node(Primitive::derivative, {u})}, {0, 1});
    const Ref held = kept(b, finite(a, "initial"), turn, u);
    const Affine h = affine_of(held), half = affine_of(number_from_double(width / 2));
    const Affine top = affine_of(u) + half, bottom = affine_of(u) - half;
    const Ref below = composer.decision(composer.signal(top - h), held, composer.signal(top));
    const Ref y =
        composer.decision(composer.signal(bottom - affine_of(below)), composer.signal(bottom), below);
    b.set_input(held, 2, y);
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
            .rule = "y' = u; 0 where y = high and u > 0, or y = low and u < 0",
            .inputs = single_input(),
            .parameters = {{.name = "low", .about = "the smallest value"},
                           {.name = "high", .about = "the largest value"},
                           {.name = "initial", .fallback = "0", .about = "value at the start"}},
            .examples = {{.in = {"3"}, .parameters = "low = -1, high = 2", .out = "2"},
                         {.in = {"-3"}, .parameters = "low = -1, high = 2", .out = "-1"},
                         {.in = {"0.5"}, .parameters = "low = -1, high = 2, initial = 1", .out = "1.5"},
                         {.in = {"d"}, .parameters = "low = -1, high = 2", .out = "0 | 1"}},
            .lower = limited_integrator,
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
