"""What notebooks show."""

import xml.etree.ElementTree

import numpy
import pytest

import deltaflow

BALL = deltaflow.load("diagrams/bouncing_ball.toml")


def is_svg(text):
    return xml.etree.ElementTree.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"


def test_runs_models_and_answers_show_themselves():
    run = BALL.run()
    assert is_svg(run._repr_svg_()) and is_svg(run.plot("y", ["v", "F"])._repr_svg_())
    assert is_svg(run.phase("y", "v")._repr_svg_()) and is_svg(BALL.compare([1e-2]).plot()._repr_svg_())
    assert is_svg(BALL._repr_svg_()) and is_svg(BALL.show()._repr_svg_())
    assert "<pre>" in run._repr_html_() and "hit" in BALL._repr_html_() and "delta" in BALL.check()._repr_html_()
    assert "\\frac" in BALL.with_(**{"simulation.stop": 2}).exact()._repr_latex_()
    assert "aligned" in BALL.explain()._repr_markdown_()
    assert run._repr_mimebundle_()["image/svg+xml"] == run._repr_svg_()
    with pytest.raises(KeyError):
        run.plot("nope")


def test_impulses_at_one_time_are_told_apart_in_matplotlib():
    run = deltaflow.load("diagrams/improper_transfer_function.toml").run()
    pyplot = pytest.importorskip("matplotlib.pyplot")
    figure, ax = pyplot.subplots()
    run.plot("y5", ax=ax)
    figure.canvas.draw()
    (arrows,) = [a for a in figure.axes if a is not ax]
    labels = [a.get_window_extent() for a in arrows.texts if a.get_text()]
    assert len(labels) == 4
    assert not any(a.overlaps(b) for i, a in enumerate(labels) for b in labels[:i])
    assert all(ax.bbox.y0 < label.y0 and label.y1 < ax.bbox.y1 for label in labels)


def test_impulses_are_arrows_and_jumps_are_jumps_in_matplotlib():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot

    run = BALL.run()
    figure, (upper, lower) = matplotlib.pyplot.subplots(2)
    assert run.plot("v", ax=upper) is upper
    curve = upper.lines[0]
    assert numpy.isnan(curve.get_ydata()).sum() == len(run.events)
    assert len(upper.lines) == 1 + len(run.events)
    run.plot("F", ax=lower)
    (arrows,) = [ax for ax in figure.axes if ax not in (upper, lower)]
    assert sum(a.arrow_patch is not None for a in arrows.texts) == len(run.events)
    assert "25.21 δ" in [a.get_text() for a in arrows.texts]
    (low, high), (down, up) = lower.get_ylim(), arrows.get_ylim()
    assert low / high == pytest.approx(down / up)  # zero is at the same height
    assert up > 25.3
    assert run.phase("y", "v", ax=upper) is upper
    figure.canvas.draw()


def test_a_jump_of_a_curve_has_both_sides():
    from deltaflow.picture import Curve

    run = BALL.run()
    curve = Curve(run, "v")
    at = int(numpy.flatnonzero(numpy.isnan(curve.y))[0])
    germ = run.events[0].jumps["v"]
    assert curve.y[at - 1] == germ.left and curve.y[at + 1] == germ.right
    assert (numpy.diff(curve.t) >= 0).all()
