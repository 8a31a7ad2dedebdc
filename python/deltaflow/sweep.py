"""Many runs over ranges of parameters, on all cores."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy
import numpy.typing

from . import _core, progress as bars
from .errors import Error
from .model import Model, as_model, number_text
from .progress import Progress
from .run import Run

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas
    import xarray

    from .diagram import Diagram

Array = numpy.typing.NDArray[Any]


class Sweep(Mapping[str, Array]):
    """Results of many runs: an array a measure, a dimension an axis. Where a run failed there is no number, and
    `errors` says why."""

    def __init__(
        self, axes: dict[str, Array], results: dict[str, Array], rows: Sequence[tuple[Any, ...]], title: str
    ):
        self.axes = axes
        self.shape = tuple(len(values) for values in axes.values())
        self._results = results
        self._title = title
        self.events: Array = numpy.array([row[1] for row in rows], dtype=int).reshape(self.shape)
        self.end: Array = numpy.array([row[2] for row in rows], dtype=float).reshape(self.shape)
        self.reason: Array = numpy.array([row[3] for row in rows], dtype=object).reshape(self.shape)
        self.errors: dict[tuple[int, ...], str] = {
            tuple(int(k) for k in numpy.unravel_index(i, self.shape)): row[4]
            for i, row in enumerate(rows)
            if row[4]
        }

    @property
    def values(self) -> Array:  # type: ignore[override]
        """The only measure, or the first one."""
        return next(iter(self._results.values()))

    def __getitem__(self, name: str) -> Array:
        return self._results[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def __bool__(self) -> bool:
        return True

    def __array__(self, dtype: Any = None) -> Array:
        return self.values if dtype is None else self.values.astype(dtype)

    def to_pandas(self) -> "pandas.DataFrame":
        """A row a run."""
        import pandas

        index = pandas.MultiIndex.from_product(self.axes.values(), names=self.axes)
        if len(self.axes) == 1:
            index = pandas.Index(next(iter(self.axes.values())), name=next(iter(self.axes)))
        columns: dict[str, Any] = {
            name: list(a.reshape(len(index), *a.shape[len(self.shape) :])) for name, a in self._results.items()
        }
        columns.update(events=self.events.ravel(), reason=self.reason.ravel())
        return pandas.DataFrame(columns, index=index)

    def to_xarray(self) -> "xarray.Dataset":
        """A data set over the axes."""
        import xarray

        plain = {name: a for name, a in self._results.items() if a.shape == self.shape}
        return xarray.Dataset(
            {name: (tuple(self.axes), a) for name, a in plain.items()}, coords=dict(self.axes)
        )

    def plot(self, name: str | None = None, ax: "matplotlib.axes.Axes | None" = None, **style: Any) -> Any:
        """A measure over one axis as a curve, over two as a map."""
        if ax is None:
            import matplotlib.pyplot

            ax = matplotlib.pyplot.figure().subplots()
        name = next(iter(self)) if name is None else name
        over = list(self.axes)
        if len(over) == 1:
            ax.plot(self.axes[over[0]], self[name], **{"marker": "." if self.shape[0] < 60 else None, **style})
            ax.set_ylabel(name)
        elif len(over) == 2:
            x, y = (self.axes[axis].astype(float) for axis in reversed(over))
            mesh = ax.pcolormesh(x, y, self[name].astype(float), shading="nearest", **style)
            ax.figure.colorbar(mesh, ax=ax, label=name)
            ax.set_ylabel(over[0])
        else:
            raise ValueError("a picture has one axis or two; take a part of the arrays")
        ax.set_xlabel(over[-1])
        ax.set_title(self._title)
        return ax

    def __repr__(self) -> str:
        axes = ", ".join(f"{name}: {len(values)}" for name, values in self.axes.items())
        failed = f"; {len(self.errors)} failed" if self.errors else ""
        return f"<Sweep of {self._title!r} over {axes}; {', '.join(self)}{failed}>"

    def _repr_html_(self) -> str:
        try:
            return str(self.to_pandas()._repr_html_())
        except ImportError:
            return repr(self)


def _stacked(found: list[Any], shape: tuple[int, ...]) -> dict[str, Array]:
    """What was measured, as arrays; NaN where nothing was."""
    first = next((x for x in found if x is not None), None)
    if isinstance(first, Mapping):
        return {
            str(key): _stacked([None if x is None else x[key] for x in found], shape)["measure"] for key in first
        }
    like = numpy.asarray(numpy.nan if first is None else first)
    if like.dtype.kind in "iu" and any(x is None for x in found):
        like = like.astype(float)
    if like.dtype.kind in "iub":
        like = numpy.result_type(*(numpy.asarray(x).dtype for x in found if x is not None)).type(0) + 0 * like
    empty = numpy.full(like.shape, numpy.nan if like.dtype.kind in "fc" else None, dtype=None)
    rows = [empty if x is None else numpy.asarray(x) for x in found]
    if all(row.shape == like.shape for row in rows):
        return {"measure": numpy.array(rows).reshape(*shape, *like.shape)}
    ragged = numpy.empty(len(rows), dtype=object)
    ragged[:] = found
    return {"measure": ragged.reshape(shape)}


def sweep(
    model: "Model | Diagram",
    measure: Callable[[Run], Any] | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    jobs: int = 0,
    progress: Progress = None,
    **axes: Any,
) -> Sweep:
    """Runs a model at every combination of values, on all cores. `measure` is called with each run and gives a number,
    several, or a dict of them; without it the final value of each recorded signal is kept. Axes are parameters;
    `options` are those of `Model.run`, for all runs. Ctrl-C ends it and keeps what there is.

    >>> import deltaflow
    >>> ball = deltaflow.load("diagrams/bouncing_ball.toml")
    >>> heights = deltaflow.sweep(ball, e=[0.5, 0.8], options={"stop": 2.8, "zeno": "stop"},
    ...                           measure=lambda run: run["y"][run.t > 1.5].max())
    >>> heights.values.round(2)
    array([2.5, 6.4])
    """
    model = as_model(model, "sweep")
    if measure is not None and not callable(measure):
        raise TypeError(f"measure is called with each run; {measure!r} cannot be called")
    if not axes:
        raise TypeError("a sweep needs an axis: a parameter and its values")
    ranges = {name: _axis(name, values) for name, values in axes.items()}
    given = dict(options or {})
    prepared, given = model._prepared(
        {k: v for k, v in given.items() if k != "record" and v is not None}, given.get("record")
    )
    for name in given:
        if name not in model.options:
            raise TypeError(f"there is no option {name!r}; there are {', '.join(model.options)}")
    texts = [[(name, number_text(name, v)) for v in values.tolist()] for name, values in ranges.items()]
    points = [list(point) for point in itertools.product(*texts)]
    found: list[Any] = [None] * len(points)

    def measured(i: int, run: _core.Run) -> None:
        assert measure is not None
        found[i] = measure(Run(run))

    bar = bars.bar_for(progress, model.name)
    try:
        rows = _core.sweep(prepared._core, points, given, jobs, None if measure is None else measured, bar)
    except Error as error:
        raise model._translated(error) from None
    finally:
        bars.close(bar)
    shape = tuple(len(values) for values in ranges.values())
    if measure is None:
        signals = prepared.signals
        finals = numpy.full((len(rows), len(signals)), numpy.nan)
        for i, row in enumerate(rows):
            if len(row[0]) == len(signals):
                finals[i] = row[0]
        results = {name: finals[:, s].reshape(shape) for s, name in enumerate(signals)}
    else:
        results = _stacked(found, shape)
    return Sweep(ranges, results, rows, model.name)


def _axis(name: str, values: Any) -> Array:
    array = numpy.asarray(values if not isinstance(values, range) else list(values))
    if array.ndim != 1 or not len(array):
        raise TypeError(f"{name} is a list of values, not {values!r}")
    if array.dtype.kind not in "iuf":
        array = numpy.array(list(values), dtype=object)
    return array
