"""Runs in fractions: each signal as polynomials between events, and impulses at them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Union

import numpy

from . import _core
from .errors import Error, ModelError, RunError, places_in

if TYPE_CHECKING:
    from .model import Model


@dataclass(frozen=True)
class Surd:
    """a + b sqrt(d), exactly.

    >>> Surd(Fraction(1), Fraction(1, 2), 5)
    1 + 1/2 sqrt(5)
    >>> float(Surd(Fraction(1, 2), Fraction(1, 2), 5))
    1.618033988749895
    """

    a: Fraction
    b: Fraction
    d: int

    def __float__(self) -> float:
        return float(self.a) + float(self.b) * math.sqrt(self.d)

    def __repr__(self) -> str:
        root = f"sqrt({self.d})" if abs(self.b) == 1 else f"{abs(self.b)} sqrt({self.d})"
        if not self.a:
            return ("-" if self.b < 0 else "") + root
        return f"{self.a} {'-' if self.b < 0 else '+'} {root}"


Exactly = Union[Fraction, Surd]

_surd = re.compile(
    r"(?:(?P<a>-?\d+(?:/\d+)?)(?: (?P<sign>[+-]) |$))?(?:(?P<minus>-)?(?:(?P<b>\d+(?:/\d+)?) )?sqrt\((?P<d>\d+)\))?$"
)


def number(text: str) -> Exactly:
    """A number as the engine writes it.

    >>> number("36/25"), number("-26 + 27/25 sqrt(545)"), number("-sqrt(2)")
    (Fraction(36, 25), -26 + 27/25 sqrt(545), -sqrt(2))
    """
    match = _surd.match(text)
    if match is None:
        raise ValueError(f"{text!r} is no exact number")
    a = Fraction(match["a"] or 0)
    if match["d"] is None:
        return a
    minus = match["sign"] == "-" or match["minus"] is not None
    b = Fraction(match["b"] or 1)
    return Surd(a, -b if minus else b, int(match["d"]))


def _sympy(x: Exactly) -> Any:
    import sympy

    if isinstance(x, Fraction):
        return sympy.Rational(x.numerator, x.denominator)
    return _sympy(x.a) + _sympy(x.b) * sympy.sqrt(x.d)


@dataclass(frozen=True)
class Piece:
    """A polynomial of t, from one time to another: `coefficients[k]` is that of t^k."""

    start: Exactly
    end: Exactly
    coefficients: tuple[Exactly, ...]
    text: str

    def __call__(self, t: Any) -> Any:
        """Its value at a time, or at an array of them."""
        value = 0.0 * t
        for c in reversed(self.coefficients):
            value = value * t + float(c)
        return value

    def sympy(self, t: Any = None) -> Any:
        """The polynomial as an expression of sympy's."""
        import sympy

        t = sympy.Symbol("t") if t is None else t
        return sum((_sympy(c) * t**k for k, c in enumerate(self.coefficients)), sympy.Integer(0))

    def __repr__(self) -> str:
        return f"{self.text}   for {self.start} <= t < {self.end}"


@dataclass(frozen=True)
class ExactImpulse:
    """Impulses at one time: `coefficients[i]` is that of the i-th derivative of delta."""

    at: Exactly
    epsilon: int
    coefficients: tuple[Exactly, ...]
    text: str

    def __repr__(self) -> str:
        return f"{self.text}   at t = {self.at}"


@dataclass(frozen=True)
class ExactSignal:
    """A signal in closed form."""

    name: str
    pieces: tuple[Piece, ...]
    impulses: tuple[ExactImpulse, ...]

    def __call__(self, t: Any) -> Any:
        """Its value at a time, or at an array of them; the right limit where it jumps."""
        times = numpy.asarray(t, dtype=float)
        starts = [float(piece.start) for piece in self.pieces]
        if not starts or times.size and (times.min() < starts[0] or times.max() > float(self.pieces[-1].end)):
            raise ValueError(f"{self.name} is not known at t = {t}")
        number = numpy.searchsorted(starts, times, side="right") - 1
        values = [self.pieces[n](x) for n, x in zip(number.ravel(), times.ravel())]
        return numpy.reshape(values, times.shape) if times.ndim else float(values[0])

    def sympy(self, t: Any = None) -> Any:
        """As an expression of sympy's: Piecewise, and DiracDelta for impulses.

        >>> import deltaflow
        >>> ramp = deltaflow.loads("[blocks]\\nx = { type = 'ramp', at = 1 }\\n[simulation]\\nstop = 2")
        >>> ramp.exact()["x"].sympy()
        Piecewise((0, t < 1), (t - 1, t <= 2))
        """
        import sympy

        t = sympy.Symbol("t", real=True) if t is None else t
        whole: Any = sympy.Integer(0)
        if len(self.pieces) == 1:
            whole = self.pieces[0].sympy(t)
        elif self.pieces:
            ends = [t < _sympy(p.end) for p in self.pieces[:-1]] + [t <= _sympy(self.pieces[-1].end)]
            whole = sympy.Piecewise(*((p.sympy(t), end) for p, end in zip(self.pieces, ends)))
        for impulse in self.impulses:
            for order, c in enumerate(impulse.coefficients):
                whole += _sympy(c) * sympy.DiracDelta(t - _sympy(impulse.at), order)
        return whole

    def __repr__(self) -> str:
        rows = [repr(p) for p in self.pieces] + [repr(i) for i in self.impulses]
        return f"{self.name}(t) = " + f"\n{' ' * (len(self.name) + 6)}".join(rows)


class Exact(Mapping[str, ExactSignal]):
    """A run in fractions; `exact["y"]` is a signal in closed form.

    >>> import deltaflow
    >>> fall = deltaflow.loads('''
    ... [blocks]
    ... v = { type = "integrator", in = "-10" }
    ... y = { type = "integrator", in = "v", initial = 5 }
    ... [simulation]
    ... stop = 1
    ... ''').exact()
    >>> fall["y"].pieces[0].coefficients
    (Fraction(5, 1), Fraction(0, 1), Fraction(-5, 1))
    """

    def __init__(self, model: "Model"):
        try:
            text, errors = _core.exact(model._core, "json")
        except Error as error:
            raise model._translated(error) from None
        self._model = model
        all = json.loads(text)
        self.reason: str = all["end"]["reason"]
        self.end: Exactly = number(all["end"]["t"]["exact"])
        self._signals = {signal["name"]: _signal(signal) for signal in all["signals"]}
        if errors:
            kind, t, words = errors[0]
            if kind == "model":
                raise ModelError(words, kind, places_in(words))
            raise RunError(words, kind, places_in(words), t)

    def __getitem__(self, signal: str) -> ExactSignal:
        return self._signals[signal]

    def __iter__(self) -> Iterator[str]:
        return iter(self._signals)

    def __len__(self) -> int:
        return len(self._signals)

    def latex(self) -> str:
        """A document."""
        return _core.exact(self._model._core, "latex")[0]

    def _repr_latex_(self) -> str:
        lines = self.latex().split("\n")
        body = [line for line in lines if not line.startswith(("\\document", "\\use", "\\begin{doc", "\\end{doc"))]
        text = "\n".join(line for line in body if not line.startswith("\\section"))
        return text.replace("\\[", "$$").replace("\\]", "$$")

    def __repr__(self) -> str:
        return _core.exact(self._model._core, "text")[0].rstrip("\n")


def _numbers(all: list[dict[str, Any]]) -> tuple[Exactly, ...]:
    return tuple(number(x["exact"]) for x in all)


def _signal(all: dict[str, Any]) -> ExactSignal:
    return ExactSignal(
        all["name"],
        tuple(
            Piece(number(p["from"]["exact"]), number(p["to"]["exact"]), _numbers(p["coefficients"]), p["text"])
            for p in all["pieces"]
        ),
        tuple(
            ExactImpulse(number(i["at"]["exact"]), i["epsilon"], _numbers(i["coefficients"]), i["text"])
            for i in all["impulses"]
        ),
    )
