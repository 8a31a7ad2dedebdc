"""Models are loaded and run; results are arrays of numpy's."""

import numpy
import pytest

import deltaflow

BALL = "diagrams/bouncing_ball.toml"


def test_a_run_gives_arrays_that_look_into_it_without_a_copy():
    run = deltaflow.load(BALL).run()
    assert run.t.shape == run["y"].shape == (201,)
    assert not run["y"].flags.owndata and not run["y"].flags.writeable
    assert run["y"].ctypes.data == run["y"].ctypes.data
    with pytest.raises(ValueError):
        run["y"][0] = 1


def test_an_array_keeps_the_run_that_it_looks_into():
    y = deltaflow.load(BALL).run()["y"]
    assert y[0] == 10 and numpy.isfinite(y).all()


def test_a_ball_hits_the_floor_when_physics_says():
    event = deltaflow.load(BALL).run(stop=2).events[0]
    t = (2 * 10 / 9.81) ** 0.5
    assert event.t == pytest.approx(t, rel=1e-14)
    assert event.jumps["v"].left == pytest.approx(-9.81 * t)
    assert event.jumps["v"].right == pytest.approx(0.8 * 9.81 * t)
    assert event.jumps["F"].impulses == pytest.approx((1.8 * 9.81 * t,))
    assert event.causes == ("hit",) and event.epsilon == 0 and event.index == 0 and event.committed
