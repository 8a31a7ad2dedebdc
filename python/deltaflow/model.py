"""Models: read from files or texts, never changed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Union

import numpy

from . import _core, progress as bars
from .errors import Error, SourceMap
from .progress import Progress
from .run import Run

if TYPE_CHECKING:
    from .answers import Check, Comparison, Explanation, Scheme
    from .exact import Exact

Number = Union[float, int, Fraction, str]


def number_text(name: str, value: Number) -> str:
    """A parameter as the engine reads it: 0.1 is a tenth, a Fraction itself, a string an expression.

    >>> number_text("e", 0.1), number_text("e", Fraction(1, 3)), number_text("w", "2*pi")
    ('0.1', '1/3', '2*pi')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, (int, float, Fraction, numpy.number)):
        raise TypeError(f"{name} is a number, a Fraction or an expression, not {value!r}")
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, (int, numpy.integer)):
        return str(int(value))
    if isinstance(value, numpy.complexfloating):
        raise TypeError(f"{name} is a real number, not {value!r}")
    if isinstance(value, numpy.floating) and not isinstance(value, float):
        return _finite(name, str(value))  # a float32 as it is written
    return _finite(name, repr(float(value)))


def _finite(name: str, text: str) -> str:
    if text in ("nan", "inf", "-inf"):
        raise ValueError(f"{name} is a finite number, not {text}")
    return text


def sets_of(parameters: Mapping[str, Number]) -> list[tuple[str, str]]:
    """Parameters as the engine reads them."""
    return [(name, number_text(name, value)) for name, value in parameters.items()]


class Model:
    """A model. It never changes; `with_` gives another one. Threads may share it.

    >>> import deltaflow
    >>> model = deltaflow.loads('''
    ... [parameters]
    ... k = 2
    ... [blocks]
    ... x = { type = "integrator", in = "-k*x", initial = 1 }
    ... ''')
    >>> model.parameters
    {'k': 2.0}
    >>> round(float(model.with_(k=1).run(stop=1)["x"][-1]), 6)
    0.367879
    """

    __slots__ = ("_core", "_map", "_allow", "__dict__")

    def __init__(self, core: _core.Model, map: SourceMap | None = None, allow: Sequence[str] = ()):
        self._core = core
        self._map = map
        self._allow = tuple(allow)

    @property
    def name(self) -> str:
        return self._core.name

    @property
    def about(self) -> str:
        return self._core.about

    @cached_property
    def signals(self) -> list[str]:
        """What is recorded."""
        return self._core.signals

    @property
    def inputs(self) -> list[str]:
        """Blocks of type `input`, for `Simulation.set` and `strike`."""
        return self._core.inputs

    @property
    def parameters(self) -> dict[str, float]:
        """Parameters of the model and their values."""
        return dict(self._core.parameters)

    @property
    def options(self) -> dict[str, Any]:
        """The table [simulation], with all defaults."""
        return self._core.options

    def with_(self, **parameters: Number) -> "Model":
        """The same model with other values of parameters; nothing is read again."""
        return self._made(lambda: self._core.with_(sets_of(parameters)))

    def recording(self, signals: Iterable[str]) -> "Model":
        """The same model with other signals recorded."""
        if isinstance(signals, str):
            signals = [signals]
        names = list(signals)
        return self._made(lambda: self._core.recording(names))

    def run(
        self,
        *,
        stop: Number | None = None,
        start: Number | None = None,
        method: str | None = None,
        record: Iterable[str] | None = None,
        at: Sequence[float] | None = None,
        impulses: str | None = None,
        certify: bool | None = None,
        step: Number | None = None,
        riemann: str | None = None,
        tolerance: float | None = None,
        absolute: float | None = None,
        every: Number | None = None,
        simultaneous: str | None = None,
        zeno: str | None = None,
        sliding: str | None = None,
        max_events: int | None = None,
        threads: int | None = None,
        limit_seconds: float | None = None,
        limit_megabytes: float | None = None,
        progress: Progress = None,
        sink: Callable[[Run], object] | None = None,
    ) -> Run:
        """Simulates from start to stop. What is not given is as the model says. `at` are times to sample instead of
        a grid; `sink` is called with parts of the run as they become known. Ctrl-C ends the run and gives what
        there is, with `run.reason == "interrupted"`. An error of the run raises RunError, whose `run` has what was
        simulated before.

        >>> import deltaflow
        >>> model = deltaflow.loads("[blocks]\\nx = { type = 'integrator', in = '1' }")
        >>> model.run(stop=2, every=1)["x"]
        array([0., 1., 2.])
        """
        given: dict[str, Any] = {
            "stop": stop,
            "start": start,
            "method": method,
            "at": at,
            "impulses": impulses,
            "certify": certify,
            "step": step,
            "riemann": riemann,
            "tolerance": tolerance,
            "absolute": absolute,
            "every": every,
            "simultaneous": simultaneous,
            "zeno": zeno,
            "sliding": sliding,
            "max_events": max_events,
            "threads": threads,
            "limit_seconds": limit_seconds,
            "limit_megabytes": limit_megabytes,
        }
        given = {name: value for name, value in given.items() if value is not None}
        model, given = self._prepared(given, record)
        bar = bars.bar_for(progress, self.name)
        told = None if sink is None else lambda part: sink(Run(part))
        try:
            return Run(_core.run(model._core, given, bar, told))._check()
        except Error as error:
            raise self._translated(error) from None
        finally:
            bars.close(bar)

    def _prepared(
        self, given: dict[str, Any], record: Iterable[str] | None = None
    ) -> "tuple[Model, dict[str, Any]]":
        """A model and options that are numbers: expressions and fractions go through the reader."""
        model = self
        words = {}
        for key, value in given.items():
            if isinstance(value, Fraction) or (isinstance(value, str) and key in ("stop", "start", "step", "every")):
                words[f"simulation.{key}"] = value
        if words:
            model = model.with_(**words)
            given = {k: v for k, v in given.items() if f"simulation.{k}" not in words}
        if record is not None:
            model = model.recording(record)
        return model, given

    def _made(self, make: Callable[[], _core.Model]) -> "Model":
        try:
            return Model(make(), self._map, self._allow)
        except Error as error:
            raise self._translated(error) from None

    def _translated(self, error: Error) -> Error:
        return self._map.translate(error) if self._map else error

    def check(self) -> "Check":
        """What can be said without running: regularity of each signal, loops, causality, warnings."""
        from .answers import Check

        return Check(self)

    def exact(self) -> "Exact":
        """The run in fractions: each signal in closed form."""
        from .exact import Exact

        return Exact(self)

    def explain(self, event: int = 1, at: float | None = None, all: bool = False) -> "Explanation":
        """One instant, worked step by step."""
        from .answers import Explanation

        return Explanation(self, event, at, all)

    def show(
        self, *, flat: bool = False, primitives: bool = False, most: int = 150, mode: str = ""
    ) -> "Scheme":
        """The model as a picture of blocks and bonds."""
        from .answers import Scheme

        return Scheme(self, flat, primitives, most, mode)

    def compare(self, steps: Sequence[float] = (), signal: str = "") -> "Comparison":
        """Symbolic against numeric impulses."""
        from .answers import Comparison

        return Comparison(self, steps, signal)

    def hypa(self, latex: bool = False) -> str:
        """A bond graph as constitutive hybrid processes."""
        try:
            return _core.hypa(self._core, "latex" if latex else "text")
        except Error as error:
            raise self._translated(error) from None

    def toml(self) -> str:
        """The model as a file: all that it is."""
        from .toml import named, rewritten

        path, text, sets, record = self._core.origin
        return named(rewritten(text, sets, record), self.name)

    def save(self, path: "str | os.PathLike[str]") -> None:
        """Writes the model as a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.toml())

    def __repr__(self) -> str:
        values = ", ".join(f"{k} = {v:g}" for k, v in list(self.parameters.items())[:8])
        return f"<Model {self.name!r}{': ' + values if values else ''}>"

    def _repr_svg_(self) -> str | None:
        return self.show()._repr_svg_()

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{html.escape(self.toml())}</pre>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_again, (*self._core.origin, self._map, self._allow))


def as_model(x: Any, what: str) -> Model:
    """A model, or a diagram as the model that it is now."""
    from .diagram import Diagram

    if isinstance(x, Diagram):
        return x.model()
    if not isinstance(x, Model):
        raise TypeError(f"a {what} is of a model, not of {x!r}")
    return x


def _again(
    path: str,
    text: str,
    sets: list[tuple[str, str]],
    record: list[str] | None,
    map: SourceMap | None,
    allow: Sequence[str],
) -> Model:
    core = _core.Model.parse(text, path, sets, list(allow))
    return Model(core if record is None else core.recording(record), map, allow)


def load(path: "str | os.PathLike[str]", /, *, allow: Iterable[str] = (), **parameters: Number) -> Model:
    """Reads a model file; parameters may have other values. `use` and `data` read files below its folder, and below
    those of `allow`.

    >>> import deltaflow
    >>> deltaflow.load("diagrams/bouncing_ball.toml", e=0.5).parameters["e"]
    0.5
    """
    folders = [os.fspath(folder) for folder in allow]
    return Model(_core.Model.load(os.fspath(path), sets_of(parameters), folders), None, folders)


def loads(
    text: str, /, name: str = "model.toml", *, allow: Iterable[str] = (), **parameters: Number
) -> Model:
    """Reads a model from a text; `name` stands in messages.

    >>> import deltaflow
    >>> deltaflow.loads("[blocks]\\ny = 't^2'").run(at=[3])["y"]
    array([9.])
    """
    if not isinstance(text, str):
        raise TypeError(f"a model is a text, not {type(text).__name__}")
    folders = [os.fspath(folder) for folder in allow]
    return Model(_core.Model.parse(text, name, sets_of(parameters), folders), None, folders)
