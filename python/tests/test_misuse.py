"""No misuse crashes: closed objects, wrong types, huge arrays, threads, fork, pickling, Ctrl-C."""

import copy
import gc
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import weakref

import numpy
import pytest

import deltaflow

BALL = "diagrams/bouncing_ball.toml"
LONG = "[blocks]\nx = { type = 'integrator', in = 'sin(1000*t) - x' }\n[simulation]\nstop = 1e6\n"


def test_what_is_closed_says_so():
    with deltaflow.Simulation(deltaflow.load(BALL)) as sim:
        sim.advance_to(1)
        run = sim.run
    assert sim.closed and "closed" in repr(sim)
    for use in (
        lambda: sim.advance_to(2), sim.step, sim.save, sim.close, lambda: sim.value("y"), lambda: sim.germ("y"),
        lambda: sim.set("y", 1), lambda: sim.strike("y", [1]), lambda: sim.time, sim.finish, lambda: sim.restore(b""),
    ):
        with pytest.raises(ValueError, match="closed"):
            use()
    assert run["y"][0] == 10


def test_wrong_types_are_type_errors():
    ball = deltaflow.load(BALL)
    sim = deltaflow.Simulation(ball)
    for use in (
        lambda: deltaflow.load(3), lambda: deltaflow.loads(b"x"), lambda: deltaflow.loads(None),
        lambda: deltaflow.Simulation("ball"), lambda: deltaflow.Simulation(ball, stpo=1), lambda: sim.advance_to("x"),
        lambda: sim.value(3), lambda: sim.strike("x", "y"), lambda: sim.set("x", None), lambda: sim.observe(3),
        lambda: deltaflow.sweep("ball", e=[1]), lambda: deltaflow.sweep(ball), lambda: deltaflow.sweep(ball, e=3),
        lambda: deltaflow.sweep(ball, e=[1], measure=3), lambda: ball.run(sink=3),
        lambda: deltaflow._core.Run(), lambda: deltaflow._core.Model(),
    ):
        with pytest.raises(TypeError):
            use()


def test_wrong_values_are_value_errors():
    ball = deltaflow.load(BALL)
    sim = deltaflow.Simulation(ball)
    sim.advance_to(1)
    for use in (
        lambda: sim.advance_to(0.5), lambda: sim.advance_to(99), lambda: sim.advance_to(float("nan")),
        lambda: sim.value("nope"), lambda: sim.set("nope", 1), lambda: sim.strike("nope", [1]),
        lambda: deltaflow.Simulation(ball, method="taylr"), lambda: sim.restore(b"\0" * 100),
        lambda: deltaflow._core.Run.unpack(b"\xff" * 100),
    ):
        with pytest.raises(ValueError):
            use()
    with pytest.raises(KeyError, match="did you mean"):
        ball.run()["yy"]
    with pytest.raises(KeyError):
        ball.run()[3]


def test_broken_texts_are_model_errors():
    random = numpy.random.default_rng(1)
    text = open(BALL).read()
    for _ in range(200):
        broken = list(text)
        for at in random.integers(0, len(text), 5):
            broken[at] = chr(random.integers(32, 1000))
        try:
            deltaflow.loads("".join(broken)).run(stop=0.1)
        except deltaflow.Error:
            pass
    with pytest.raises(deltaflow.ModelError):
        deltaflow.loads("\0" * 100)
    with pytest.raises(deltaflow.ModelError):
        deltaflow.loads("[[." * 1000)


def test_a_million_samples_cost_no_copy():
    import resource

    run = deltaflow.loads("[blocks]\nx = 't'\n").run(stop=1, every=1e-6)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    x = run["x"]
    again = run["x"]
    assert len(x) == 1_000_001 and x.ctypes.data == again.ctypes.data
    assert x[-1] == 1 and resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4000


def test_arrays_outlive_runs_and_runs_do_not_leak():
    run = deltaflow.load(BALL).run()
    kept = weakref.ref(run)
    y, events = run["y"], run.events.array
    del run
    gc.collect()
    assert kept() is None and y[0] == 10 and len(events) == 2


def test_threads_share_a_model():
    ball = deltaflow.load(BALL)
    expected = ball.run()
    same = []
    threads = [threading.Thread(target=lambda: same.extend(ball.run() == expected for _ in range(50))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(same) == 200 and all(same)


def test_a_simulation_is_for_one_thread_at_a_time():
    sim = deltaflow.Simulation(deltaflow.loads(LONG), keep=False)
    refused = []

    def other():
        time.sleep(0.05)
        for _ in range(20):
            try:
                sim.value("x")
            except RuntimeError as error:
                refused.append(str(error))

    thread = threading.Thread(target=other)
    thread.start()
    sim.advance_to(300)
    thread.join()
    assert all("in use" in text for text in refused)
    sim = deltaflow.Simulation(deltaflow.load(BALL))
    sim.observe(lambda part: sim.value("y"))
    with pytest.raises(RuntimeError, match="in use"):
        sim.advance_to(2)


def in_child(queue):
    queue.put(deltaflow.load(BALL).run().events[0].t)


def test_processes_that_fork_run_models():
    expected = deltaflow.load(BALL).run().events[0].t
    deltaflow.sweep(deltaflow.load(BALL), e=[0.5, 0.6], options={"stop": 1})
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=in_child, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == expected
    child.join()
    assert child.exitcode == 0


def test_models_and_runs_are_pickled_and_copied():
    ball = deltaflow.load(BALL, e=0.3).recording(["v"])
    run = ball.run(stop=2)
    for again in (pickle.loads(pickle.dumps(ball)), copy.deepcopy(ball)):
        assert again.parameters == ball.parameters and again.run(stop=2) == run
    for again in (pickle.loads(pickle.dumps(run)), copy.copy(run)):
        assert again == run and again.events[0] == run.events[0] and again["v"].tobytes() == run["v"].tobytes()
    with pytest.raises(TypeError, match="save"):
        pickle.dumps(deltaflow.Simulation(ball))
    try:
        deltaflow.loads("[blocks]\nx = 'y'")
    except deltaflow.ModelError as error:
        again = pickle.loads(pickle.dumps(error))
        assert again.places == error.places and str(again) == str(error)


@pytest.mark.parametrize(
    "work, after",
    [
        ("run = model.run()", "run.reason == 'interrupted' and 0 < run.end < 1e6 and len(run.events) == 0"),
        ("run = deltaflow.sweep(model, k=[1, 2, 3])", "list(run.reason).count('interrupted') >= 1"),
    ],
)
def test_control_c_ends_a_run_and_keeps_what_there_is(work, after):
    program = f"""
import deltaflow, os, signal, threading
model = deltaflow.loads({LONG.replace("sin(1000*t)", "sin(1000*t*k)") + chr(10) + "[parameters]" + chr(10) + "k = 1"!r})
threading.Timer(0.7, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
{work}
assert {after}, run
try:
    os.kill(os.getpid(), signal.SIGINT)
    import time; time.sleep(1)
except KeyboardInterrupt:
    print("Python listens again")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "Python listens again\n"


def test_control_c_ends_a_simulation():
    program = f"""
import deltaflow, os, signal, threading
sim = deltaflow.Simulation(deltaflow.loads({LONG!r}), keep=False)
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    sim.advance_to(1e6)
except KeyboardInterrupt:
    print(0 < sim.time < 1e6)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout == "True\n", done.stderr


def test_long_runs_tell_how_far_they_are():
    told = []
    model = deltaflow.loads(LONG)
    begin = time.perf_counter()

    def progress(fraction):
        told.append(fraction)
        if time.perf_counter() - begin > 1.2:
            raise StopIteration

    with pytest.raises(StopIteration):
        model.run(progress=progress)
    assert told and told == sorted(told) and all(0 <= x <= 1 for x in told)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no signals")
def test_a_handler_of_ones_own_is_left_alone():
    seen = []
    old = signal.signal(signal.SIGINT, lambda *_: seen.append(1))
    try:
        threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        deltaflow.loads(LONG).run(stop=200)
        time.sleep(0.2)
    finally:
        signal.signal(signal.SIGINT, old)
    assert seen == [1]


@pytest.mark.parametrize("hidden", [False, True])
def test_a_bar_is_shown_where_it_is_wanted(hidden):
    program = f"""
import deltaflow, os, signal, sys, threading
if {hidden}:
    sys.modules["tqdm"] = sys.modules["tqdm.auto"] = None  # as if it were not installed
threading.Timer(1.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
deltaflow.loads({LONG!r}, name="endless.toml").run(progress=True)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "endless" in done.stderr and "%" in done.stderr
    program = program.replace("progress=True", "")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stderr == ""  # no terminal: nobody looks


def test_huge_things_are_refused_or_carried_out():
    with pytest.raises(deltaflow.ModelError):
        deltaflow.loads("#" * 70_000_000)
    with pytest.raises(deltaflow.ModelError):
        deltaflow.loads("[blocks]\nx = '" + "(" * 100_000 + "'\n")
    sim = deltaflow.Simulation(deltaflow.loads("[blocks]\nu = { type = 'input' }\nx = 'u'"))
    with pytest.raises(ValueError):
        sim.strike("u", numpy.zeros(1_000_000))
    at = numpy.linspace(0, 1, 200_000)
    assert deltaflow.loads("[blocks]\nx = 't'").run(at=at)["x"] == pytest.approx(at)
    with pytest.raises(ValueError):
        deltaflow.loads("[blocks]\nx = 't'").run(every=1e-300)


def test_what_is_empty_or_counted_wrongly_is_told():
    model = deltaflow.loads("[blocks]\nx = 't'")
    with pytest.raises(deltaflow.OptionError, match="at is a list of numbers, and this one is empty"):
        model.run(at=[])
    for event in (0, -1):
        with pytest.raises(deltaflow.OptionError, match="there is no event"):
            model.explain(event=event)


@pytest.mark.parametrize("name", ["Model", "Run", "Simulation"])
def test_nothing_is_made_without_its_inside(name):
    made = getattr(deltaflow._core, name)
    with pytest.raises(TypeError):
        made.__new__(made)
    with pytest.raises(TypeError):
        made()


@pytest.mark.parametrize("limit", [dict(limit_seconds=0), dict(limit_seconds=-1), dict(limit_megabytes=float("nan"))])
def test_a_limit_is_greater_than_zero(limit):
    with pytest.raises(deltaflow.OptionError, match="a limit must be greater than 0"):
        deltaflow.load("diagrams/bouncing_ball.toml").run(**limit)


@pytest.mark.parametrize("ask", ["run", "compare", "explain"])
def test_an_interrupt_ends_what_takes_long(ask):
    model = deltaflow.loads(
        "[blocks]\nx = { type = 'integrator', in = 'v', initial = 1 }\nv = { type = 'integrator', in = '-x' }\n"
        "[simulation]\nmethod = 'rk4'\nstep = '1/1000000'\nstop = 100000\nevery = 1\n"
    )
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    if ask == "run":
        assert model.run().reason == "interrupted"
    else:
        with pytest.raises(KeyboardInterrupt):
            getattr(model, ask)()
    assert time.monotonic() - begin < 30
