"""Many runs over ranges of parameters."""

import numpy
import pytest

import deltaflow

BALL = deltaflow.load("diagrams/bouncing_ball.toml")


def test_a_measure_is_an_array_over_the_axes():
    e = numpy.linspace(0.3, 1, 15)
    found = deltaflow.sweep(BALL, e=e, options={"stop": 2.8, "zeno": "stop"},
                            measure=lambda run: run.events[0].jumps["v"].right)
    assert found.values.shape == (15,)
    assert found.values == pytest.approx(e * (2 * 9.81 * 10) ** 0.5, rel=1e-12)


def test_without_a_measure_final_values_are_kept():
    found = deltaflow.sweep(BALL, e=[0.5, 0.8], g=[1.0, 2.0, 3.0], options={"stop": 1})
    assert set(found) == {"y", "v", "F"} and found["y"].shape == (2, 3)
    assert found["y"][0] == pytest.approx([9.5, 9.0, 8.5])
    assert found.reason.tolist() == [["stop"] * 3] * 2 and found.events.tolist() == [[0] * 3] * 2


def test_measures_may_be_several_or_arrays():
    found = deltaflow.sweep(BALL, e=[0.5, 0.8], options={"stop": 2},
                            measure=lambda run: {"top": run["y"].max(), "events": len(run.events)})
    assert found["top"].tolist() == [10, 10] and found["events"].tolist() == [1, 1]
    found = deltaflow.sweep(BALL, e=[0.5, 0.8], options={"at": [0, 1]}, measure=lambda run: run["y"])
    assert found.values.shape == (2, 2)


def test_a_run_that_fails_is_a_gap_with_a_reason():
    found = deltaflow.sweep(BALL, e=[0.2, 0.8], options={"stop": 4}, measure=lambda run: len(run.events))
    assert numpy.isnan(found.values[0]) and found.values[1] == 2
    assert "Zeno" in found.errors[(0,)] and found.reason[0] == "zeno"


def test_a_sweep_that_makes_no_model_at_all_raises():
    with pytest.raises(deltaflow.OptionError, match='no parameter "zz"') as caught:
        deltaflow.sweep(BALL, zz=[1, 2])
    assert str(caught.value).startswith("parameters:1:1:") and caught.value.places[0].file == "parameters"
    with pytest.raises(ValueError, match="e is a finite number, not nan"):
        deltaflow.sweep(BALL, e=[0.5, numpy.nan])


def test_runs_in_lanes_have_the_bits_of_runs_alone():
    model = deltaflow.loads("""
[parameters]
mu = 1.0
[blocks]
x = { type = "integrator", in = "v", initial = 2 }
v = { type = "integrator", in = "mu * (1 - x^2) * v - sin(x)" }
[simulation]
stop = 3
method = "rk4"
step = 0.01
""")
    mu = numpy.linspace(0.1, 3, 50)
    finals = deltaflow.sweep(model, mu=mu)
    curves = deltaflow.sweep(model, mu=mu, measure=lambda run: run["x"].copy())
    for i, value in enumerate(mu):
        alone = model.with_(mu=float(value)).run()
        assert finals["x"][i] == alone["x"][-1] and curves.values[i].tobytes() == alone["x"].tobytes()


def test_what_a_measure_raises_is_raised():
    with pytest.raises(ZeroDivisionError):
        deltaflow.sweep(BALL, e=numpy.linspace(0.5, 0.6, 50), options={"stop": 1}, measure=lambda run: 1 / 0)


def test_a_sweep_is_the_runs_one_by_one():
    e = [0.5, 0.6, 0.7]
    found = deltaflow.sweep(BALL, e=e, jobs=2, options={"stop": 2}, measure=lambda run: run["y"].copy())
    for i, value in enumerate(e):
        assert found.values[i].tobytes() == BALL.with_(e=value).run(stop=2)["y"].tobytes()


def test_results_become_tables_and_pictures():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    one = deltaflow.sweep(BALL, e=[0.5, 0.8], options={"stop": 1})
    assert one.to_pandas()["y"].tolist() == one["y"].tolist()
    assert float(one.to_xarray()["y"].sel(e=0.8)) == one["y"][1]
    ax = one.plot("y")
    assert ax.lines[0].get_ydata().tolist() == one["y"].tolist() and ax.get_xlabel() == "e"
    two = deltaflow.sweep(BALL, e=[0.5, 0.8], g=[1, 2, 3], options={"stop": 1})
    assert len(two.to_pandas()) == 6 and two.plot().get_ylabel() == "e"
    assert "e: 2, g: 3" in repr(two)
