"""Pictures of runs: SVG for notebooks, or into axes of matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy

from . import _core

if TYPE_CHECKING:
    import matplotlib.axes

    from .run import Run


class Svg:
    """A picture that a notebook shows."""

    def __init__(self, text: str):
        self.text = text

    def save(self, path: str) -> None:
        """Writes the picture into a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)

    def _repr_svg_(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Svg, {len(self.text)} characters; a notebook shows it, save(path) writes it>"


def _groups(run: "Run", signals: Sequence[str | Sequence[str]]) -> list[list[str]]:
    groups = [[s] if isinstance(s, str) else list(s) for s in signals]
    for group in groups:
        for name in group:
            if not name.endswith(".*"):
                run[name]  # or KeyError, with the nearest name
    return groups


def of_run(run: "Run", signals: Sequence[str | Sequence[str]]) -> Svg:
    """Panels below each other."""
    return Svg(_core.run_text(run._core, "svg", _groups(run, signals)))


class Curve:
    """Samples and both sides of jumps in order of time, cut at jumps by NaN."""

    def __init__(self, run: "Run", signal: str):
        self.impulses: list[tuple[float, tuple[float, ...]]] = []
        t, y = [run.t], [run[signal]]
        self.jumps: list[tuple[float, float, float]] = []
        for event in run.events:
            germ = event.jumps.get(signal)
            if germ is None or not event.committed:
                continue
            if any(germ.impulses):
                self.impulses.append((event.t, germ.impulses))
            if germ.left != germ.right:
                self.jumps.append((event.t, germ.left, germ.right))
                t.append(numpy.array([event.t] * 3))
                y.append(numpy.array([germ.left, numpy.nan, germ.right]))
        times, values = numpy.concatenate(t), numpy.concatenate(y)
        # A sample at the very time of a jump is its right limit: it comes behind.
        rank = numpy.concatenate([numpy.full(len(run.t), 3.0)] + [numpy.arange(3.0)] * len(self.jumps))
        order = numpy.lexsort((rank, times))
        self.t, self.y = times[order], values[order]


def _names(run: "Run", signals: Sequence[str | Sequence[str]]) -> list[str]:
    return [name for group in _groups(run, signals) for name in group] or list(run)


def _delta(order: int) -> str:
    return "δ" + ("′" * order if order < 4 else f"⁽{order}⁾")


def into_axes(
    run: "Run", signals: Sequence[str | Sequence[str]], ax: "matplotlib.axes.Axes", **style: Any
) -> "matplotlib.axes.Axes":
    """Curves with gaps and dotted lines at jumps; impulses are arrows on an axis of their own at the right."""
    scale: Any = None
    most = 1  # labels one above the other
    for name in _names(run, signals):
        curve = Curve(run, name)
        (line,) = ax.plot(curve.t, curve.y, label=name, **style)
        for t, left, right in curve.jumps:
            ax.plot([t, t], [left, right], ":", color=line.get_color(), linewidth=0.8)
        for t, coefficients in curve.impulses:
            if scale is None:
                scale = ax.twinx()
                scale.set_ylabel("impulses")
            impulses = [(order, c) for order, c in enumerate(coefficients) if c]
            most = max(most, _arrows(scale, t, impulses, line.get_color()))
    if scale is not None:
        _align(ax, scale, most)
    ax.set_xlabel("t")
    ax.legend(loc="best")
    return ax


def _align(ax: Any, scale: Any, labels: int) -> None:
    """Zero is at the same height on both axes, with room for arrows and as many labels at their ends."""
    share = 0.2 * labels
    down, up = (min(0.0, scale.dataLim.y0), max(0.0, scale.dataLim.y1))
    low, high = ax.get_ylim()
    low, high = min(low, 0.0), max(high, 0.0)
    if ax.dataLim.y0 == ax.dataLim.y1 == 0:  # nothing but impulses
        low, high = (-0.1 if down == 0 else -1.0), (0.1 if up == 0 else 1.0)
    if down < 0:
        low = min(low, -share * high)
    if up > 0:
        high = max(high, -share * low)
    ax.set_ylim(low, high)
    below, above = -low / (high - low), high / (high - low)
    size = (0.9 + 0.4 * labels) * max(up / above if up else 0.0, -down / below if down else 0.0)
    scale.set_ylim(-below * size, above * size)


def _arrows(ax: Any, t: float, impulses: Sequence[tuple[int, float]], colour: Any) -> int:
    """Side by side, and their labels one above the other: several orders may sit on one time."""
    from matplotlib.transforms import ScaledTranslation

    side = {True: 0, False: 0}  # how many point upwards, and downwards
    ends = {up: max((abs(c) for _, c in impulses if (c > 0) == up), default=0.0) for up in side}
    for place, (order, c) in enumerate(impulses):
        up = c > 0
        beside = ax.transData + ScaledTranslation(place * 5 / 72, 0, ax.figure.dpi_scale_trans)
        ax.annotate(
            "", (t, c), (t, 0), xycoords=beside, textcoords=beside,
            arrowprops={"arrowstyle": "-|>", "color": colour, "shrinkA": 0, "shrinkB": 0,
                        "linestyle": "--" if order else "-"},
        )
        ax.plot([t, t], [0, c], alpha=0)  # so that the axis has room for it
        ax.annotate(
            f"{c:.4g} {_delta(order)}",
            (t, ends[up] if up else -ends[up]),
            textcoords="offset points",
            xytext=(3, 3 + 10 * side[up] if up else -9 - 10 * side[up]),
            fontsize="small",
            color=colour,
        )
        side[up] += 1
    return max(side.values())


def phase(run: "Run", x: str, y: str, ax: "matplotlib.axes.Axes | None", **style: Any) -> Any:
    """y against x; where one jumps alone or both do, a dotted line."""
    points = _phase_points(run, x, y)
    if ax is None:
        return _phase_svg(points, x, y, run.model)
    (line,) = ax.plot(*_cut(points), **style)
    for _, before, after in points[1]:
        ax.plot(*zip(before, after), ":", color=line.get_color(), linewidth=0.8)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    return ax


Point = tuple[float, float]
Points = tuple[list[tuple[float, float, float]], list[tuple[float, Point, Point]]]


def _phase_points(run: "Run", x: str, y: str) -> Points:
    """Samples as (t, x, y), and jumps as (t, before, after)."""
    xs, ys = run[x], run[y]
    jumps = []
    for event in run.events:
        if event.committed and (x in event.jumps or y in event.jumps):
            sides = []
            for name, samples in ((x, xs), (y, ys)):
                germ = event.jumps.get(name)
                smooth = _before(run.t, samples, event.t)
                sides.append((germ.left, germ.right) if germ else (smooth, smooth))
            if any(a != b for a, b in sides):
                jumps.append((event.t, (sides[0][0], sides[1][0]), (sides[0][1], sides[1][1])))
    return list(zip(run.t.tolist(), xs.tolist(), ys.tolist())), jumps


def _before(times: Any, samples: Any, t: float) -> float:
    """A signal that does not jump, from the samples just before."""
    end = int(numpy.searchsorted(times, t))
    if end < 3:
        return float(numpy.interp(t, times, samples))
    near = slice(end - 3, end)
    return float(numpy.polyval(numpy.polyfit(times[near] - t, samples[near], 2), 0.0))


def _cut(points: Points) -> tuple[list[float], list[float]]:
    samples, jumps = points
    rows = [(t, 3, a, b) for t, a, b in samples]
    for t, before, after in jumps:
        rows += [(t, 0, *before), (t, 1, numpy.nan, numpy.nan), (t, 2, *after)]
    rows.sort(key=lambda row: row[:2])
    return [row[2] for row in rows], [row[3] for row in rows]


def _phase_svg(points: Points, x: str, y: str, title: str) -> Svg:
    import html

    wide, high, edge = 480.0, 360.0, 50.0
    xs, ys = _cut(points)
    low_x, high_x = numpy.nanmin(xs), numpy.nanmax(xs)
    low_y, high_y = numpy.nanmin(ys), numpy.nanmax(ys)
    per_x = (wide - 2 * edge) / ((high_x - low_x) or 1)
    per_y = (high - 2 * edge) / ((high_y - low_y) or 1)

    def place(a: float, b: float) -> str:
        return f"{edge + (a - low_x) * per_x:.2f} {high - edge - (b - low_y) * per_y:.2f}"

    path, pen = [], "M"
    for a, b in zip(xs, ys):
        if numpy.isnan(a) or numpy.isnan(b):
            pen = "M"
            continue
        path.append(pen + place(a, b))
        pen = "L"
    dotted = "".join("M" + place(*before) + "L" + place(*after) for _, before, after in points[1])
    style = (
        "text{font:12px system-ui,sans-serif;fill:#1f2328}.page{fill:#fff}.frame{fill:none;stroke:#8c959f}"
        ".line{fill:none;stroke:#0969da;stroke-width:1.5}.jump{fill:none;stroke:#0969da;stroke-dasharray:2 3}"
    )
    ends = [
        (edge, high - edge + 16, "middle", f"{low_x:.4g}"),
        (wide - edge, high - edge + 16, "middle", f"{high_x:.4g}"),
        (edge - 6, high - edge, "end", f"{low_y:.4g}"),
        (edge - 6, edge + 10, "end", f"{high_y:.4g}"),
        (wide / 2, high - edge + 32, "middle", x),
        (edge, edge - 8, "end", y),
        (wide / 2, 20, "middle", title),
    ]
    words = "".join(
        f'<text x="{a:g}" y="{b:g}" text-anchor="{anchor}">{html.escape(text)}</text>'
        for a, b, anchor, text in ends
    )
    return Svg(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" width="{wide:g}" '
        f'height="{high:g}" role="img"><title>{html.escape(f"{y} against {x}")}</title><style>{style}</style>'
        f'<rect class="page" width="{wide:g}" height="{high:g}"/>'
        f'<rect class="frame" x="{edge:g}" y="{edge:g}" width="{wide - 2 * edge:g}" height="{high - 2 * edge:g}"/>'
        f'<path class="line" d="{"".join(path)}"/><path class="jump" d="{dotted}"/>{words}</svg>\n'
    )
