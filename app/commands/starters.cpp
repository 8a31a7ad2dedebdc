// The models themselves. Each runs as it stands and has an impulse in it.
#include "app/commands/starters.hpp"

namespace deltaflow::app {

namespace {

constexpr std::string_view ball = R"toml(# A ball that bounces. Run it and look at it:
#   deltaflow run FILE --plot -
# Then change something: another e, a second ball, a floor that is not at 0.

name  = "Ball"
about = "A ball on a hard floor."

[parameters]                    # numbers; try --set e=0.5 on the command line
g = 9.81                        # gravity
e = 0.8                         # how much of its speed the ball keeps

[blocks]                        # name = what it is; the order does not matter
y   = { type = "integrator", in = "v", initial = 10 }       # height: the integral of v, 10 at the start
v   = { type = "integrator", in = "a", initial = 0 }        # speed: the integral of a
a   = "-g + F"                                              # a string is an expression
hit = { type = "crossing", in = "y", direction = "falling" }  # an impulse (delta) where y falls through 0
F   = "-(1 + e) * pre(v) * hit"                             # pre(v) is v just before; F is an impulse too

[simulation]
stop   = 4
record = ["y", "v", "F"]        # what is shown and written; leave it out for all of the blocks
)toml";

constexpr std::string_view doses =
    R"toml(# A medicine that is injected, again and again: impulses that come from outside. Run it and look at it:
#   deltaflow run FILE --plot -

name  = "Doses"
about = "Injections into the blood; the body removes the medicine and takes it up into the tissue."

[parameters]
dose    = 100                   # mg, all at once
every   = 6                     # hours
removal = 0.3                   # per hour, from the blood
uptake  = 0.2                   # per hour, from blood to tissue
release = 0.1                   # per hour, back again

[blocks]
injection = { type = "impulse", at = 1, size = "dose", period = "every" }   # dose * delta, every few hours
blood     = { type = "integrator", in = "injection - (removal + uptake)*blood + release*tissue" }
tissue    = { type = "integrator", in = "uptake*blood - release*tissue" }

[simulation]
stop   = 24
record = ["injection", "blood", "tissue"]   # blood jumps by a dose, tissue has a kink only
)toml";

constexpr std::string_view signals = R"toml(# What differentiation does to a jump. Run it and look at it:
#   deltaflow run FILE --plot -

name  = "Signals"
about = "A step, its derivatives, and a filter that they hit."

[blocks]
s   = { type = "step", at = 1 }                 # jumps from 0 to 1
d   = { type = "derivative", in = "s" }         # an impulse: delta
dd  = { type = "derivative", in = "d" }         # its derivative: delta'
td  = "t * dd"                                  # the product rule at t = 1: delta' - delta
lag = { type = "transfer_function", in = "2*d", numerator = [1], denominator = [0.5, 1] }  # dies away

[simulation]
stop = 4
)toml";

constexpr std::string_view circuit =
    R"toml(# A switch connects a charged capacitor to an empty one: a bond graph. Run it and look at it:
#   deltaflow run FILE --plot -
# Elements store, lose or supply energy; bonds carry it. Effort is voltage, flow is current.

name  = "Circuit"
about = "Two capacitors and a switch; the second one leaks."

[parameters]
c1 = 2.0                        # farad
c2 = 1.0
r  = 4.0                        # ohm

[elements]
first  = { type = "C", value = "c1", displacement = 6 }     # displacement is charge: 6 coulomb at the start
second = { type = "C", value = "c2" }
leak   = { type = "R", value = "r" }
node1  = { type = "0" }                                     # a 0-junction: one voltage, currents add up
node2  = { type = "0" }
wire   = { type = "1", automaton = "switch" }               # a 1-junction: one current; none while it is off

[bonds]                         # "from -> to": which way power counts as positive
b1 = "node1 -> first"
b2 = "node2 -> second"
b3 = "node2 -> leak"
b4 = "node1 -> wire"
b5 = "wire -> node2"

[automata.switch]
initial = "open"
states  = { open = "off", closed = "on" }
transitions = [
  { from = "open", to = "closed", when = "t >= 1" },
]

[simulation]
stop   = 10
record = ["node1.effort", "node2.effort", "b4.flow"]        # at t = 1 the charge jumps across: an impulse of current
)toml";

constexpr std::string_view collision =
    R"toml(# Two bodies that collide: a bond graph whose modes come and go. Run it and look at it:
#   deltaflow run FILE --plot -
# Effort is force, flow is velocity. No line says what the velocities are after the collision.

name  = "Collision"
about = "A body meets another one at rest; restitution e."

[parameters]
m1 = 1.0
m2 = 2.0
e  = 0.5

[elements]
body1   = { type = "I", value = "m1", momentum = 1, displacement = -1 }  # a mass: how it moves, where it is
body2   = { type = "I", value = "m2" }
v1      = { type = "1" }                                                 # a 1-junction: one velocity
v2      = { type = "1" }
contact = { type = "0", off = "effort", automaton = "touch" }            # no force while it is off
bounce  = { type = "MSf", flow = "e * pre(v1.flow - v2.flow)" }          # how fast they part

[bonds]                         # "from -> to": which way power counts as positive
b1 = "v1 -> body1"
b2 = "v2 -> body2"
b3 = "v1 -> contact"
b4 = "contact -> v2"
b5 = "bounce -> contact"

[automata.touch]
initial = "apart"
states  = { apart = "off", together = "on" }
transitions = [
  { from = "apart",    to = "together", when = "body1.displacement >= body2.displacement and pre(v1.flow - v2.flow) > 0" },
  { from = "together", to = "apart",    when = "pre(v1.flow - v2.flow) < 0" },
]

[simulation]
stop   = 2
record = ["v1.flow", "v2.flow", "b3.effort"]    # the force is an impulse
)toml";

constexpr std::string_view reuse =
    R"toml(# A diagram that is written once and used three times. Run it and look at it:
#   deltaflow run FILE --plot "balls[0].y,balls[1].y,balls[2].y;balls[0].F"

name  = "Three balls"
about = "Balls of different restitution, let go at once."

[parameters]
g = 9.81

[diagrams.ball]                 # a block type of your own
parameters = { e = 0.8, height = 10 }
outputs    = ["y", "v", "F"]
[diagrams.ball.blocks]
y   = { type = "integrator", in = "v", initial = "height" }
v   = { type = "integrator", in = "-g + F" }
hit = { type = "crossing", in = "y", direction = "falling" }
F   = "-(1 + e) * pre(v) * hit"

[blocks]
balls = { type = "ball", count = 3, e = "0.9 - 0.2*i" }     # i is 0, 1, 2

[simulation]
stop   = 4
record = ["balls[0].*", "balls[1].y", "balls[2].y"]
)toml";

constexpr Starter all[] = {
    {"ball", "a ball that bounces: blocks, and an impulse at each contact", ball},
    {"doses", "injections of a medicine: impulses from outside", doses},
    {"signals", "a step and its derivatives: delta, delta' and products with them", signals},
    {"circuit", "a switch between two capacitors: a bond graph", circuit},
    {"collision", "two bodies collide: a bond graph with modes", collision},
    {"reuse", "a diagram used three times", reuse},
};

}  // namespace

std::span<const Starter> starters() { return all; }

}  // namespace deltaflow::app
