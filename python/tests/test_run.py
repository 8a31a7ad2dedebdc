"""Models are loaded and run; results are arrays of numpy's."""

import fractions
import pathlib
import pickle
import tomllib

import numpy
import pytest

import deltaflow
from deltaflow.exact import Surd

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


def test_events_are_one_structured_array_without_a_copy():
    run = deltaflow.load(BALL).run()
    array = numpy.asarray(run.events)
    assert array.dtype.names[:4] == ("t", "epsilon", "index", "committed")
    assert not array.flags.owndata and not array.flags.writeable
    assert array["t"].tolist() == [event.t for event in run.events]
    assert len(run.events) == len(array) and run.events[-1] == run.events[len(array) - 1]
    assert run.events[:2] == [run.events[0], run.events[1]]
    with pytest.raises(IndexError):
        run.events[99]


def test_impulses_of_a_signal_are_listed():
    run = deltaflow.loads("[blocks]\nu = { type = 'impulse', at = 1, size = 3, order = 2 }").run(stop=2)
    (impulse,) = run.impulses("u")
    assert impulse.t == 1 and impulse.coefficients == (0, 0, 3)
    assert run.events[0].impulses == {"u": (0, 0, 3)}
    with pytest.raises(KeyError, match="did you mean"):
        deltaflow.load(BALL).run().impulses("vv")


def test_modes_stand_in_events():
    run = deltaflow.load("diagrams/collision.toml").run()
    assert run.events[0].modes == {"state": "Act"} and run.events[-1].modes == {"state": "Inact"}
    mythical = [event for event in run.events if not event.committed]
    assert all(event.index >= 0 for event in mythical)


def test_samples_become_tables_of_pandas_and_xarray():
    run = deltaflow.load(BALL).run()
    table = run.to_pandas()
    assert list(table.columns) == ["y", "v", "F"] and table.index.name == "t"
    assert table["y"].to_numpy() == pytest.approx(run["y"])
    xarray = pytest.importorskip("xarray")
    data = run.to_xarray()
    assert isinstance(data, xarray.Dataset) and float(data["y"].sel(t=0)) == 10


def test_other_values_need_no_reading():
    ball = deltaflow.load(BALL, e=0.5)
    assert ball.parameters == {"g": 9.81, "e": 0.5}
    assert ball.with_(e=0.7).parameters["e"] == 0.7 and ball.parameters["e"] == 0.5
    assert ball.with_(g="2*pi").parameters["g"] == pytest.approx(6.283185307)
    assert ball.with_(g=fractions.Fraction(1, 3)).parameters["g"] == pytest.approx(1 / 3)
    with pytest.raises(deltaflow.ModelError, match="no parameter"):
        ball.with_(f=1)
    for value in (None, True, [1], 1j, numpy.complex128(1)):
        with pytest.raises(TypeError):
            ball.with_(e=value)


def test_options_are_those_of_the_program():
    ball = deltaflow.load(BALL)
    run = ball.run(stop=1, method="rk4", step=0.01, every="1/4", record=["v"])
    assert run.signals == ["v"] and run.t.tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert ball.run(at=[1, 0.5])["y"].shape == (2,)
    assert ball.run(stop=2, certify=True, method="taylor").proved["events"] >= 1
    numeric = ball.run(stop=1, impulses="numeric", step=1e-3)
    assert numeric["y"][-1] == pytest.approx(10 - 9.81 / 2, rel=1e-2)
    for wrong in ({"method": "taylr"}, {"stop": -1}, {"at": [99]}, {"tolerance": 0}, {"every": -1}):
        with pytest.raises(ValueError) as caught:
            ball.run(**wrong)
        assert isinstance(caught.value, deltaflow.ModelError)
    for wrong in ({"stop": [1]}, {"at": "x"}, {"at": [[1]]}, {"max_events": "9"}, {"method": 3}, {"stpo": 1}):
        with pytest.raises(TypeError):
            ball.run(**wrong)


def test_a_run_that_fails_keeps_what_there_is():
    model = deltaflow.loads("[blocks]\nd = { type = 'impulse', at = 1 }\ny = 'd * heaviside(t - 1)'", "u.toml")
    with pytest.raises(deltaflow.RunError) as caught:
        model.run(stop=2)
    error = caught.value
    assert error.t == 1 and error.kind == "undefined" and error.run.reason == "error"
    assert error.run.t[-1] < 1 and error.places[0].line == 3 and error.places[0].file == "u.toml"


def test_a_wrong_model_tells_all_its_places():
    text = "[blocks]\na = 'b + 1'\nv = { type = 'integrtor', in = '1' }\n"
    with pytest.raises(deltaflow.ModelError) as caught:
        deltaflow.loads(text, name="wrong.toml")
    assert [place.line for place in caught.value.places] == [2, 3]
    assert caught.value.places[1].file == "wrong.toml" and "integrator" in caught.value.places[1].message
    assert "wrong.toml:3:" in str(caught.value)
    with pytest.raises(OSError):
        deltaflow.load("no/such/file.toml")


def test_what_commands_print_can_be_asked_for():
    ball = deltaflow.load(BALL)
    assert ball.check().signals == {"y": "C0", "v": "jump", "F": "delta"}
    assert "committed" in repr(ball.explain(event=1)).lower() and "align" in ball.explain(at=1.42784312).latex()
    with pytest.raises(deltaflow.OptionError, match="no event 99"):
        ball.explain(event=99)
    assert "hit" in ball.show().text and ball.show().dot.startswith("digraph")
    rows = ball.compare(steps=[1e-2, 1e-3]).rows
    assert len(rows) == 4 and rows[2]["max_error"] < rows[0]["max_error"]
    assert "mass1" in deltaflow.load("diagrams/collision.toml").hypa()
    with pytest.raises(deltaflow.ModelError):
        ball.hypa()


def test_exact_runs_are_fractions():
    exact = deltaflow.load(BALL).with_(**{"simulation.stop": 2}).exact()
    y = exact["y"]
    assert y.pieces[0].coefficients == (10, 0, fractions.Fraction(-981, 200))
    (impulse,) = exact["F"].impulses
    assert impulse.coefficients[0] == Surd(fractions.Fraction(0), fractions.Fraction(27, 25), 545)
    assert float(impulse.at) == pytest.approx((20 / 9.81) ** 0.5)
    assert y(1) == pytest.approx(10 - 9.81 / 2)
    sympy = pytest.importorskip("sympy")
    t = sympy.Symbol("t", real=True)
    F = exact["F"].sympy(t)
    assert sympy.integrate(F, (t, 0, 2)) == sympy.Rational(27, 25) * sympy.sqrt(545)
    with pytest.raises(deltaflow.ModelError):
        deltaflow.loads("[blocks]\nx = 'sin(t)'").exact()


def test_a_model_prints_as_the_file_that_it_is():
    ball = deltaflow.load(BALL)
    assert ball.toml() == open(BALL).read()
    changed = ball.with_(e=0.3, **{"simulation.stop": 2}).recording(["v"])
    again = deltaflow.loads(changed.toml())
    assert again.parameters["e"] == 0.3 and again.run() == changed.run()


@pytest.mark.parametrize("path", sorted(pathlib.Path("diagrams").glob("*.toml")), ids=lambda p: p.stem)
def test_every_model_survives_being_written_anew(path):
    from deltaflow.toml import dumps

    model = deltaflow.load(path)
    text = dumps(tomllib.loads(path.read_text()))
    again = deltaflow.loads(text, name=str(path))
    assert again.signals == model.signals and again.parameters == model.parameters
    assert again.check().signals == model.check().signals


def test_a_run_that_may_not_take_longer_ends_with_what_there_is():
    endless = deltaflow.loads("[blocks]\nx = { type = 'integrator', in = 'sin(1000*t) - x' }\n")
    run = endless.run(stop=1e6, limit_seconds=0.3)
    assert run.reason == "interrupted" and 0 < run.end < 1e6


def test_data_outside_of_the_folder_is_read_where_it_is_allowed(tmp_path):
    (tmp_path / "models").mkdir()
    (tmp_path / "data").mkdir()
    (tmp_path / "data/u.csv").write_text("t,u\n0,1\n1,3\n")
    path = tmp_path / "models/m.toml"
    path.write_text("[blocks]\nu = { type = 'data', file = '../data/u.csv', column = 'u' }\n[simulation]\nstop = 1\n")
    with pytest.raises(deltaflow.ModelError):
        deltaflow.load(path)
    model = deltaflow.load(path, allow=[str(tmp_path / "data")])
    assert model.run().final("u") == 3
    assert pickle.loads(pickle.dumps(model)).run() == model.run()


def test_a_model_that_is_called_like_its_file_keeps_its_name(tmp_path):
    (tmp_path / "ramp.toml").write_text("# a comment\n[blocks]\ny = 't'\n")
    model = deltaflow.load(tmp_path / "ramp.toml")
    again = deltaflow.loads(model.toml())
    assert again.name == "ramp" and again.run() == model.run() and "# a comment" in model.toml()


def test_compare_looks_at_what_impulses_reach():
    model = deltaflow.loads("[blocks]\na = 'sin(t)'\nx = { type = 'integrator', in = 'k' }\n"
                            "k = { type = 'impulse', at = 1 }\n[simulation]\nrecord = ['a', 'x']\n")
    assert model.compare([0.1]).signal == "x"
