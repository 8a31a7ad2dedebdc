"""What a run leaves behind: arrays, events, impulses, tables and pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, overload

import numpy
import numpy.typing

from . import _core
from .errors import OptionError, Place, RunError, places_in

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas
    import xarray

    from .picture import Svg

Floats = numpy.typing.NDArray[numpy.float64]


@dataclass(frozen=True)
class Germ:
    """A signal at one time: its limits from the left and from the right, and its impulses; `impulses[i]` is the
    coefficient of the i-th derivative of delta.

    >>> Germ(-14.0, 11.2, (0.0, 3.0))
    -14 -> 11.2 + 3 delta'
    >>> Germ(0.0, 0.0, (2.0,))
    2 delta
    """

    left: float
    right: float
    impulses: tuple[float, ...] = ()

    @property
    def jump(self) -> float:
        return self.right - self.left

    def __repr__(self) -> str:
        text = f"{self.left:g}" if self.left == self.right else f"{self.left:g} -> {self.right:g}"
        if self.left == self.right == 0 and any(self.impulses):
            text = ""
        for order, c in enumerate(self.impulses):
            if c:
                sign = (" - " if c < 0 else " + ") if text else ("-" if c < 0 else "")
                text += f"{sign}{abs(c):g} delta{_primes(order)}"
        return text


def _primes(order: int) -> str:
    return "'" * order if order < 4 else f"^({order})"


@dataclass(frozen=True)
class Event:
    """All that happened at one point of hyperdense time. `jumps` has the recorded signals that jump or carry
    an impulse, `modes` the state of each automaton after it."""

    t: float
    epsilon: int
    index: int
    committed: bool
    causes: tuple[str, ...]
    jumps: dict[str, Germ]
    modes: dict[str, str]

    @property
    def impulses(self) -> dict[str, tuple[float, ...]]:
        """Signals that carry an impulse here."""
        return {name: germ.impulses for name, germ in self.jumps.items() if any(germ.impulses)}

    def __repr__(self) -> str:
        what = "; ".join(f"{name}: {germ!r}" for name, germ in self.jumps.items())
        return f"<Event at {self.t:.9g} by {', '.join(self.causes) or 'the start'}{': ' if what else ''}{what}>"


class Events(Sequence[Event]):
    """The events of a run. `array` has them as one structured array, without a copy."""

    def __init__(self, core: _core.Run):
        self._core = core
        self._signals = core.signals
        self._causes = core.cause_names
        self._automata = core.automata
        self.array = core.events

    def __len__(self) -> int:
        return len(self.array)

    @overload
    def __getitem__(self, i: int) -> Event: ...
    @overload
    def __getitem__(self, i: slice) -> list[Event]: ...
    def __getitem__(self, i: int | slice) -> Event | list[Event]:
        if isinstance(i, slice):
            return [self._make(row) for row in self.array[i]]
        return self._make(self.array[i])

    def __array__(self, dtype: Any = None) -> numpy.typing.NDArray[Any]:
        return self.array if dtype is None else self.array.astype(dtype)

    def __repr__(self) -> str:
        lines = [repr(event) for event in self[:10]]
        if len(self) > 10:
            lines.append(f"... {len(self) - 10} more")
        return "\n".join(lines) or "no events"

    def _make(self, row: Any) -> Event:
        core = self._core
        first = int(row["first_cause"])
        causes = core.causes[first : first + int(row["cause_count"])]
        first = int(row["first_jump"])
        jumps = {}
        for jump in core.jumps[first : first + int(row["jump_count"])]:
            start = int(jump["first_impulse"])
            impulses = core.impulses[start : start + int(jump["impulse_count"])]
            jumps[self._signals[jump["signal"]]] = Germ(
                float(jump["left"]), float(jump["right"]), tuple(impulses.tolist())
            )
        first = int(row["first_mode"])
        modes = {
            name: states[core.modes[first + i]]
            for i, (name, states) in enumerate(self._automata)
            if first + i < len(core.modes)
        }
        return Event(
            float(row["t"]),
            int(row["epsilon"]),
            int(row["index"]),
            bool(row["committed"]),
            tuple(self._causes[c] for c in causes),
            jumps,
            modes,
        )


@dataclass(frozen=True)
class Impulse:
    """An impulse of a signal: `coefficients[i]` is that of the i-th derivative of delta."""

    t: float
    coefficients: tuple[float, ...]


class Run(Mapping[str, Floats]):
    """A run. `run.t` are the times of its samples, `run["y"]` the samples of a signal: read-only arrays that look
    into the run without a copy.

    >>> import deltaflow
    >>> run = deltaflow.loads("[blocks]\\nx = { type = 'integrator', in = '2' }").run(at=[0, 1, 3])
    >>> run.t, run["x"]
    (array([0., 1., 3.]), array([0., 2., 6.]))
    """

    def __init__(self, core: _core.Run):
        self._core = core

    @cached_property
    def t(self) -> Floats:
        """Times of the samples."""
        return self._core.t

    @cached_property
    def signals(self) -> list[str]:
        """Names of the recorded signals."""
        return self._core.signals

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.signals)}

    def __getitem__(self, signal: str) -> Floats:
        try:
            return self._core.samples(self._numbers[signal])
        except (KeyError, TypeError):
            raise KeyError(_unknown(signal, self.signals)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.signals)

    def __len__(self) -> int:
        return len(self.signals)

    def __bool__(self) -> bool:
        return True

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Run) and self._key() == other._key()

    def _key(self) -> tuple[Any, ...]:
        core = self._core
        arrays = [core.t, core.impulses, *(core.samples(i) for i in range(len(self)))]
        for table in (core.events, core.jumps):  # field by field: between them may stand anything
            arrays += [table[name] for name in table.dtype.names or ()]
        return (core.model, core.signals, core.reason, core.end_t, [a.tobytes() for a in arrays])

    @cached_property
    def events(self) -> Events:
        return Events(self._core)

    @property
    def model(self) -> str:
        """The name of the model."""
        return self._core.model

    @property
    def reason(self) -> str:
        """How it ended: stop, zeno, error, interrupted, terminated."""
        return self._core.reason

    @property
    def end(self) -> float:
        """When it ended."""
        return self._core.end_t

    @property
    def warnings(self) -> list[str]:
        return self._core.warnings

    @property
    def statistics(self) -> dict[str, Any]:
        """Steps, events, evaluations, seconds."""
        return self._core.statistics

    @property
    def energy(self) -> dict[str, Any]:
        """Of a bond graph: where energy went."""
        return self._core.energy

    @property
    def sliding(self) -> list[tuple[str, float, float]]:
        """Blocks that were held between their sides: name, from, to."""
        return self._core.sliding

    @property
    def proved(self) -> dict[str, Any] | None:
        """What `certify` has proved."""
        return self._core.proved

    def impulses(self, signal: str) -> list[Impulse]:
        """The impulses of a signal.

        >>> import deltaflow
        >>> run = deltaflow.loads("[blocks]\\nu = { type = 'impulse', at = 1, size = 3 }").run()
        >>> run.impulses("u")
        [Impulse(t=1.0, coefficients=(3.0,))]
        """
        if signal not in self._numbers:
            raise KeyError(_unknown(signal, self.signals))
        return [
            Impulse(event.t, event.jumps[signal].impulses)
            for event in self.events
            if event.committed and signal in event.jumps and any(event.jumps[signal].impulses)
        ]

    def final(self, signal: str) -> float:
        """The last sample of a signal."""
        return float(self[signal][-1])

    def to_pandas(self) -> "pandas.DataFrame":
        """Samples as a table: a row a time, a column a signal."""
        import pandas

        return pandas.DataFrame(dict(self), index=pandas.Index(self.t, name="t"))

    def to_xarray(self) -> "xarray.Dataset":
        """Samples as a data set over t."""
        import xarray

        return xarray.Dataset({name: ("t", self[name]) for name in self}, coords={"t": self.t})

    def to_json(self) -> str:
        """The trace, as `deltaflow run --json` writes it."""
        return _core.run_text(self._core, "json", [])

    def to_csv(self) -> str:
        """The trace, as `deltaflow run --csv` writes it."""
        return _core.run_csv(self._core)

    def table(self) -> str:
        """One row a mode of hyperdense time."""
        return _core.run_table(self._core)

    def summary(self) -> str:
        """Events, impulses, and how it ended."""
        return _core.run_text(self._core, "text", [])

    def plot(
        self, *signals: str | Sequence[str], ax: "matplotlib.axes.Axes | None" = None, **style: Any
    ) -> "Svg | matplotlib.axes.Axes":
        """The signals over time, jumps as jumps and impulses as arrows: a picture that a notebook shows, or,
        with `ax`, into axes of matplotlib. Several names in a list share a panel."""
        from . import picture

        if ax is None:
            return picture.of_run(self, signals)
        return picture.into_axes(self, signals, ax, **style)

    def phase(
        self, x: str, y: str, ax: "matplotlib.axes.Axes | None" = None, **style: Any
    ) -> "Svg | matplotlib.axes.Axes":
        """One signal against another; jumps are dotted."""
        from . import picture

        return picture.phase(self, x, y, ax, **style)

    def __repr__(self) -> str:
        return (
            f"<Run of {self.model!r}: {', '.join(self.signals[:6])}{', ...' if len(self) > 6 else ''}; "
            f"{len(self.t)} samples, {len(self.events)} events, {self.reason} at t = {self.end:g}>"
        )

    def _repr_svg_(self) -> str | None:
        return _core.run_text(self._core, "svg", []) if len(self) and len(self.t) else None

    def _repr_html_(self) -> str:
        import html

        return f"<pre>{html.escape(self.summary())}</pre>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        bundle: dict[str, Any] = {"text/plain": repr(self)}
        svg = self._repr_svg_()
        if svg is not None:
            bundle["image/svg+xml"] = svg
        else:
            bundle["text/html"] = self._repr_html_()
        return bundle

    def __reduce__(self) -> tuple[Any, ...]:
        return (_unpack, (self._core.pack(),))

    def _check(self) -> "Run":
        """Raises what ended the run by an error."""
        if self._core.failed and self.reason != "interrupted":
            kind, t, text = self._core.errors[0]
            raise RunError(text, kind, places_in(text), t, self)
        return self


def _unpack(state: bytes) -> Run:
    return Run(_core.Run.unpack(state))


def _unknown(name: object, known: Sequence[str]) -> str:
    import difflib

    near = difflib.get_close_matches(str(name), known, 1)
    hint = f'; did you mean "{near[0]}"?' if near else f"; there are {', '.join(known) or 'none'}"
    return f'there is no recorded signal "{name}"' + hint


__all__ = ["Event", "Events", "Germ", "Impulse", "OptionError", "Place", "Run"]
