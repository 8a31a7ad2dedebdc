"""Runs are stepped, looked at, fed, saved and gone on with."""

import threading
import time

import numpy
import pytest

import deltaflow

PUCK = """
[parameters]
drag = 1
[blocks]
hit  = { type = "input" }
wall = { type = "crossing", in = "x - 2", direction = "rising" }
v    = { type = "integrator", in = "hit - drag*v - 2*pre(v)*wall" }
x    = { type = "integrator", in = "v" }
"""


def puck(**options):
    return deltaflow.Simulation(deltaflow.loads(PUCK, name="puck.toml"), **options)


def test_a_struck_body_jumps_and_goes_on():
    sim = puck()
    sim.advance_to(1)
    sim.strike("hit", [3])
    assert sim.germ("v") == deltaflow.Germ(0, 3)
    assert sim.germ("hit").impulses == (3,)
    sim.advance_to(1.5)
    assert sim.time == 1.5 and sim.value("x") == pytest.approx(3 * (1 - numpy.exp(-0.5)))
    sim.set("hit", 2)
    sim.advance_to(10)
    assert sim.has_ended and sim.reason == "stop"
    assert sim.run.events[0].jumps["v"].right == 3
    assert "hit" in sim.inputs and {"v", "x"} <= set(sim.signals)


def test_looking_does_not_disturb():
    model = deltaflow.load("diagrams/bouncing_ball.toml")
    sim = deltaflow.Simulation(model)
    for t in numpy.linspace(0, 4, 777):
        sim.advance_to(t)
        sim.value("y")
    assert sim.finish()["y"].tobytes() == model.run()["y"].tobytes()


def test_steps_lead_to_the_end():
    sim = deltaflow.Simulation(deltaflow.load("diagrams/bouncing_ball.toml"))
    steps = 0
    while sim.step():
        steps += 1
    assert steps >= 3 and sim.time == 4 and not sim.step()


def test_a_saved_state_goes_on_bit_for_bit():
    first = puck()
    first.strike("hit", [5])
    first.advance_to(1)
    state = first.save()
    first.advance_to(4)
    second = puck()
    second.restore(state)
    second.advance_to(4)
    assert isinstance(state, bytes) and first.value("x") == second.value("x")
    with pytest.raises(deltaflow.OptionError):
        second.restore(state[:-3])
    with pytest.raises(deltaflow.OptionError):
        puck(stop=7).restore(state)
    with pytest.raises(TypeError):
        second.restore("text")


def test_a_callback_is_told_of_parts_as_they_happen():
    told = []
    sim = puck()
    sim.observe(lambda part: told.extend((event.t, event.causes) for event in part.events))
    sim.strike("hit", [3])
    sim.advance_to(5)
    assert [causes for _, causes in told] == [("hit",), ("wall",)]

    parts = []
    run = deltaflow.load("diagrams/bouncing_ball.toml").run(sink=parts.append)
    assert numpy.concatenate([part.t for part in parts]).tolist() == run.t.tolist()
    assert sum(len(part.events) for part in parts) == len(run.events)


def test_what_a_callback_raises_ends_the_run_and_is_raised():
    def complain(part):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        deltaflow.load("diagrams/bouncing_ball.toml").run(sink=complain)
    sim = puck()
    sim.observe(complain)
    with pytest.raises(RuntimeError, match="enough"):
        sim.advance_to(5)


class Env:
    """A loop as reinforcement learners know it: reset, step(action) -> observation, reward, terminated, truncated."""

    def __init__(self):
        self.model = deltaflow.loads(PUCK)

    def reset(self):
        self.sim = deltaflow.Simulation(self.model, stop=10)
        return self.observation(), {}

    def observation(self):
        return numpy.array([self.sim.value("x"), self.sim.value("v")])

    def step(self, action):
        self.sim.set("hit", float(action))
        self.sim.advance_to(min(self.sim.time + 0.1, 10))
        seen = self.observation()
        return seen, -abs(seen[0] - 1), bool(seen[0] > 1.9), self.sim.has_ended, {}


def test_an_environment_is_reset_and_stepped():
    env = Env()
    seen, _ = env.reset()
    total = 0.0
    for count in range(200):
        seen, reward, terminated, truncated, _ = env.step(2 * (1 - seen[0]) - seen[1])
        total += reward
        if terminated or truncated:
            break
    assert truncated and not terminated and count in (99, 100)
    assert seen == pytest.approx([1, 0], abs=1e-2) and total < 0
    env.reset()
    assert env.observation() == pytest.approx([0, 0])


def test_a_controller_in_python_drives_a_hybrid_plant():
    """A mass that hits a wall at x = 1 loses half of its speed there; a sampled PID brings it to rest before it."""
    plant = deltaflow.Diagram("Cart")
    plant.u = deltaflow.blocks.input()
    plant.hit = deltaflow.blocks.crossing(plant.x - 1, "rising")
    plant.v = deltaflow.blocks.integrator(plant.u - 1.5 * deltaflow.blocks.pre(plant.v) * plant.hit, initial=12)
    plant.x = deltaflow.blocks.integrator(plant.v)
    sim = deltaflow.Simulation(plant.model(stop=20))
    h, total, before = 0.01, 0.0, None
    for k in range(2000):
        error = 0.5 - sim.value("x")
        total += error * h
        slope = 0.0 if before is None else (error - before) / h
        before = error
        sim.set("u", 6 * error + 1.0 * total + 4 * slope)
        sim.advance_to((k + 1) * h)
    assert any(event.causes == ("hit",) for event in sim.run.events)
    assert sim.value("x") == pytest.approx(0.5, abs=1e-2) and abs(sim.value("v")) < 1e-2


def test_other_threads_of_python_run_while_the_engine_works():
    model = deltaflow.loads("[blocks]\nx = { type = 'integrator', in = 'sin(1000*t) - x' }\n")
    counted = [0]
    done = threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.0005)

    other = threading.Thread(target=count)
    other.start()
    begin = time.perf_counter()
    model.run(stop=60)
    took = time.perf_counter() - begin
    done.set()
    other.join()
    assert took > 0.01 and counted[0] > took / 0.0005 / 100


def test_errors_of_a_simulation_have_a_time_and_what_was_before():
    sim = deltaflow.Simulation(deltaflow.loads("[blocks]\nd = { type = 'impulse', at = 1 }\ny = 'd * d'"))
    sim.advance_to(0.5)
    with pytest.raises(deltaflow.RunError) as caught:
        sim.advance_to(2)
    assert caught.value.t == 1 and caught.value.run["d"][0] == 0


def test_what_a_callback_raises_is_over_when_it_was_raised():
    sim = puck()
    wrong = [True]

    def look(_):
        if wrong.pop() if wrong else False:
            raise ValueError("not like this")

    sim.observe(look)
    with pytest.raises(ValueError, match="not like this"):
        sim.advance_to(2)
    before = sim.time
    sim.advance_to(3)
    assert before <= sim.time == 3
