"""Models are written in Python, and print as the TOML that they are."""

import fractions

import numpy
import pytest

import deltaflow
from deltaflow import Diagram, circuit, mechanics
from deltaflow.blocks import (
    automaton, crossing, der, gain, if_, impulse, input, integrator, pre, signal, sine, step, transition,
)
from deltaflow.bonds import C, I, MSf, R, Se, one, zero
from deltaflow.signals import Name


def ball() -> Diagram:
    d = Diagram("Bouncing ball", g=9.81, e=0.8)
    d.a = -d.g + d.F
    d.F = -(1 + d.e) * pre(d.v) * d.hit
    d.hit = crossing(d.y, "falling")
    d.v = integrator(d.a, initial=0)
    d.y = integrator(d.v, initial=10)
    return d.simulation(stop=4).record("y", "v", "F")


def test_a_ball_in_python_is_the_ball_of_the_file_bit_for_bit():
    assert ball().run() == deltaflow.load("diagrams/bouncing_ball.toml").run()


def test_what_is_printed_is_what_runs():
    model = ball().model()
    again = deltaflow.loads(model.toml())
    assert again.run() == model.run()
    assert 'F   = "-(1 + e)*pre(v)*hit"' in model.toml()


def test_blocks_need_no_diagram_and_no_names_until_they_are_added():
    e, g = 0.8, 9.81
    v = signal()
    y = integrator(v, initial=10)
    F = -(1 + e) * pre(v) * crossing(y, "falling")
    v.define(integrator(-g + F, initial=0))
    run = Diagram("Ball").add(y=y, F=F).run(stop=4, at=[0, 1, 2, 4])
    file = deltaflow.load("diagrams/bouncing_ball.toml").run(at=[0, 1, 2, 4])
    assert run["y"] == pytest.approx(file["y"], rel=1e-12)
    assert run.signals == ["y", "F"]


def test_operators_keep_what_was_grouped():
    x, y, z = Name("x"), Name("y"), Name("z")
    written = {
        "x - (y - z)": x - (y - z),
        "x - y - z": x - y - z,
        "x/(y/z)": x / (y / z),
        "x*(y*z)": x * (y * z),
        "x + (y + z)": x + (y + z),
        "(x + y)*z": (x + y) * z,
        "x*(-y)": x * -y,
        "-x*y": -x * y,
        "-(x + y)": -(x + y),
        "x^(-2)": x**-2,
        "(-2)^x": (-2) ** x,
        "(x^y)^z": (x**y) ** z,
        "x^(y^z)": x ** (y**z),
        "2 - x": 2 - x,
        "1/3*x": fractions.Fraction(1, 3) * x,
        "x > 0 and y <= 1": (x > 0) & (y <= 1),
        "(x > 0 or y > 0) and not z > 0": ((x > 0) | (y > 0)) & ~(z > 0),
        "abs(x) + mod(y, 3)": abs(x) + y % 3,
        "sin(x)*max(y, 1)": numpy.sin(x) * numpy.maximum(y, 1),
        "if(x > 0, y, der(z))": if_(x > 0, y, der(z)),
        "2.5*x": numpy.float64(2.5) * x,
    }
    for text, made in written.items():
        assert repr(made) == text


@pytest.mark.parametrize("seed", range(30))
def test_random_expressions_mean_to_the_engine_what_they_mean_to_python(seed):
    random = numpy.random.default_rng(seed)
    values = {"x": 1.25, "y": -0.5, "z": 3.0}

    def make(depth):
        if depth == 0 or random.random() < 0.15:
            if random.random() < 0.3:
                number = float(random.choice([-2.0, 0.5, 3.0]))
                return number, number
            name = str(random.choice(list(values)))
            return d[name], values[name]
        (a, p), (b, q) = make(depth - 1), make(depth - 1)
        match int(random.integers(6)):
            case 0:
                return a + b, p + q
            case 1:
                return a - b, p - q
            case 2:
                return a * b, p * q
            case 3:
                return a / (2 + b * b), p / (2 + q * q)
            case 4:
                return -a, -p
            case _:
                return a**2, p**2

    d = Diagram("Random")
    for name, value in values.items():
        d[name] = integrator(0, initial=value)
    expression, expected = make(5)
    d.result = expression
    assert d.run(at=[0])["result"][0] == pytest.approx(expected, rel=1e-12)


def test_a_signal_has_no_truth_value():
    with pytest.raises(TypeError, match="if_"):
        if Name("x") > 0:
            pass
    with pytest.raises(TypeError):
        float(Name("x"))
    with pytest.raises(TypeError):
        Name("x") + object()


def test_errors_point_at_the_python_line():
    d = Diagram("Wrong")
    d.x = integrator("1")
    d.y = d.x + d.nowhere  # this line
    with pytest.raises(deltaflow.ModelError) as caught:
        d.model()
    place = caught.value.places[0]
    assert place.file == __file__
    assert "# this line" in open(__file__).read().split("\n")[place.line - 1]
    assert "nowhere" in place.message and "d.nowhere  # this line" in str(caught.value)


def test_errors_of_a_run_point_at_the_python_line():
    d = Diagram("Undefined")
    d.u = impulse(at=1)
    d.y = d.u * d.u  # delta times delta
    with pytest.raises(deltaflow.RunError) as caught:
        d.run(stop=2)
    assert caught.value.t == 1 and caught.value.run["u"][0] == 0
    assert caught.value.places[0].file == __file__
    assert "# delta times delta" in open(__file__).read().split("\n")[caught.value.places[0].line - 1]


def test_names_of_another_diagram_are_refused():
    one, other = Diagram("one"), Diagram("other")
    one.y = integrator(1)
    other.x = integrator(one.y * 2)
    with pytest.raises(deltaflow.ModelError, match="y is a name of another diagram, 'one'") as caught:
        other.toml()
    assert caught.value.places[0].file.endswith("test_diagram.py")


def test_what_a_block_is_given_is_not_set_from_outside():
    d = Diagram("model")
    d.y = integrator(1)
    with pytest.raises(AttributeError, match="y.initial can only be read"):
        d.y.initial = 3


def test_inputs_may_come_as_a_list():
    product, sum = deltaflow.blocks.product, deltaflow.blocks.sum
    for make in (lambda u, v: sum([u, v]), lambda u, v: product([u, v])):
        d = Diagram("model")
        d.u, d.v = step(at=1), step(at=2)
        d.y = make(d.u, d.v)
        assert 'in = ["u", "v"]' in d.toml()


def test_what_is_assigned_again_is_changed():
    d = ball()
    high = d.run().final("y")
    d.e = 0.5
    assert d.model().parameters["e"] == 0.5 and d.run().final("y") < high
    d.y = integrator(d.v, initial=5)
    assert d.run(stop=1)["y"][0] == 5
    assert deltaflow.sweep(d, e=[0.5], options={"stop": 1})["y"].shape == (1,)
    assert deltaflow.Simulation(d).value("y") == 5


def test_words_of_diagrams_are_reached_by_their_names():
    d = Diagram("Words")
    with pytest.raises(AttributeError, match=r"d\['run'\]"):
        d.run = 3
    d["run"] = 3
    assert d.run(at=[0])["run"][0] == 3
    with pytest.raises(TypeError, match=r"d.model\(\).show\(\)"):
        d.show()


def test_diagrams_are_types_of_blocks():
    oscillator = Diagram("oscillator", inputs=["force"], outputs=["x"], m=1.0, k=1.0)
    oscillator.v = integrator(oscillator.acc)
    oscillator.x = integrator(oscillator.v)
    oscillator.acc = (oscillator.force - oscillator.k * oscillator.x) / oscillator.m
    d = Diagram("Two")
    d.push = step(at=1)
    d.left = oscillator(force=d.push, k=4.0)
    d.many = oscillator(force=d.push, count=3)
    d.seen = d.left.x + d.many[2].x
    run = d.record("seen").run(at=[0, 2])
    assert run["seen"][1] == pytest.approx((1 - numpy.cos(2)) / 4 + 1 - numpy.cos(1))


def test_a_wrong_line_inside_a_diagram_is_found():
    part = Diagram("part", inputs=["u"], outputs=["x"])
    part.x = integrator(part.uu)  # in the part
    d = Diagram("Whole")
    d.a = part(u=1)
    with pytest.raises(deltaflow.ModelError) as caught:
        d.model()
    assert "# in the part" in open(__file__).read().split("\n")[caught.value.places[0].line - 1]


def collision() -> Diagram:
    d = Diagram("Two bodies collide", m1=1.0, m2=2.0, e=0.5)
    d.body1 = I(d.m1, momentum=1.0, displacement=-1.0)
    d.body2 = I(d.m2)
    d.v1, d.v2 = one(), one()
    d.contact = zero(off="effort", automaton="touch")
    d.bounce = MSf(d.e * pre(d.v1.flow - d.v2.flow))
    d.v1 >> d.body1
    d.v2 >> d.body2
    d.v1 >> d.contact >> d.v2
    d.bounce >> d.contact
    closing = pre(d.v1.flow - d.v2.flow)
    d.touch = automaton(
        {"apart": "off", "together": "on"},
        [
            transition("apart", "together", when=(d.body1.displacement >= d.body2.displacement) & (closing > 0)),
            transition("together", "apart", when=closing < 0),
        ],
    )
    return d


def test_a_bond_graph_keeps_momentum():
    run = collision().run(record=["v1.flow", "v2.flow"], stop=2)
    assert run.events[0].t == pytest.approx(1)
    assert 1 * run.final("v1.flow") + 2 * run.final("v2.flow") == pytest.approx(1)
    assert run.final("v2.flow") - run.final("v1.flow") == pytest.approx(0.5)
    assert run.events[-1].modes == {"touch": "apart"}
    assert run.energy["stored_at_start"] == pytest.approx(0.5)


def test_a_wrong_bond_is_found():
    d = Diagram("Wrong")
    d.m, d.v = I(1), one()
    d.v >> d.m
    d.v >> d.spring  # no such element
    with pytest.raises(deltaflow.ModelError) as caught:
        d.model()
    assert "# no such element" in open(__file__).read().split("\n")[caught.value.places[0].line - 1]
    with pytest.raises(TypeError):
        d.v >> Diagram("Other").m


def test_a_circuit_charges():
    d = Diagram("RC")
    d.u = circuit.voltage("a ground", 10)
    d.r = circuit.resistor("a p", 100)
    d.c = circuit.capacitor("p ground", 1e-3, initial=0)
    run = d.run(record=["c.voltage"], at=[0.1])
    assert run["c.voltage"][0] == pytest.approx(10 * (1 - numpy.exp(-1)))


def test_a_mass_falls_onto_the_ground():
    d = Diagram("Fall")
    d.m = mechanics.mass("x", 2, position=5)
    d.w = mechanics.force("x", -2 * 9.81)
    d.k = mechanics.contact("x ground", restitution=0.5)
    run = d.run(record=["x.position", "k.force"], stop=1.5)
    assert run.impulses("k.force")[0].coefficients[0] == pytest.approx(1.5 * 2 * (2 * 9.81 * 5) ** 0.5)


def test_every_block_of_the_catalogue_can_be_written():
    from deltaflow import blocks, bonds
    from deltaflow.diagram import catalogue

    for entry in catalogue()["blocks"]:
        assert callable(getattr(blocks, entry["type"]))
        assert entry["type"] in dir(blocks)
    for entry in catalogue()["elements"]:
        if entry["type"].isidentifier():
            assert getattr(bonds, entry["type"]).__doc__.startswith(entry["about"])
    with pytest.raises(AttributeError):
        blocks.integrtor
    with pytest.raises(ImportError):
        from deltaflow.blocks import integrtor  # noqa: F401


def test_blocks_tell_what_they_take():
    assert "initial" in integrator.__doc__
    with pytest.raises(TypeError, match="takes in, k"):
        gain("x", 1, 2)
    with pytest.raises(TypeError, match="twice"):
        gain("x", 1, k=2)


def test_inputs_and_sources_are_blocks_too():
    d = Diagram("Fed")
    d.u = input(initial=2)
    d.y = d.u + sine(amplitude=3, omega=1)
    sim = deltaflow.Simulation(d.model(stop=10))
    sim.set("u", 5)
    sim.advance_to(1)
    assert sim.value("y") == pytest.approx(5 + 3 * numpy.sin(1))


def test_a_resistor_takes_energy():
    d = Diagram("Damped")
    d.m, d.r, d.s, d.v = I(1, momentum=1), R(2), Se(0), one()
    d.v >> d.m
    d.v >> d.r
    d.s >> d.v
    run = d.run(record=["m.flow"], at=[1])
    assert run["m.flow"][0] == pytest.approx(numpy.exp(-2))
    assert C(1).table == "elements"
