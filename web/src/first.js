// A model to be drawn.
export const blank = `name = "New"

[blocks]

[simulation]
stop = 5
`;

// What the page shows when nothing was asked for.
export const ball = `# A ball that bounces. Drag a slider, change a line: the run follows.

name  = "Ball"
about = "A ball on a hard floor."

[parameters]                    # each number has a slider
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
record = ["y", "v", "F"]

[animation]                     # how it is drawn; press play
floor = { shape = "ground", y = 0 }
ball  = { shape = "ball", x = 0, y = "y + 0.5", size = 0.5 }
`;
