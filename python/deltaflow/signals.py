"""Signals and operators: expressions that are written in Python and read by the engine."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Callable, Protocol, Union

import numpy

if TYPE_CHECKING:
    from .diagram import Block

Place = tuple[str, int]
Number = Union[int, float, Fraction]
Operand = Union["Signal", int, float, Fraction, str]

_package = os.path.dirname(os.path.abspath(__file__))


def python_place() -> Place:
    """The line of Python outside of this package that is being carried out."""
    frame: Any = sys._getframe(1)
    while frame is not None and os.path.dirname(os.path.abspath(frame.f_code.co_filename)) == _package:
        frame = frame.f_back
    return (frame.f_code.co_filename, frame.f_lineno) if frame is not None else ("<python>", 1)


class Names(Protocol):
    """Who knows how blocks are called."""

    def name_of(self, block: "Block") -> str: ...


# How tightly operators bind; a function, a name and a positive number bind most.
_or, _and, _not, _compare, _add, _multiply, _negate, _power, _atom = range(9)


class Signal:
    """What a wire carries. Operators and functions of numpy make expressions of signals.

    >>> x, v = Name("x"), Name("v")
    >>> -(x + 2) * v ** 2 / 3
    -(x + 2)*v^2/3
    >>> numpy.sin(x) >= 0.5
    sin(x) >= 0.5
    """

    __array_priority__ = 1000
    binding: int = _atom

    def text(self, names: Names | None = None) -> str:
        """The signal in an expression."""
        raise NotImplementedError

    def parts(self) -> Sequence["Signal"]:
        """What it is made of."""
        return ()

    def __repr__(self) -> str:
        return self.text()

    def __add__(self, other: Operand) -> "Signal":
        return Operation("{} + {}", _add, self, other)

    def __radd__(self, other: Operand) -> "Signal":
        return Operation("{} + {}", _add, other, self)

    def __sub__(self, other: Operand) -> "Signal":
        return Operation("{} - {}", _add, self, other)

    def __rsub__(self, other: Operand) -> "Signal":
        return Operation("{} - {}", _add, other, self)

    def __mul__(self, other: Operand) -> "Signal":
        return Operation("{}*{}", _multiply, self, other)

    def __rmul__(self, other: Operand) -> "Signal":
        return Operation("{}*{}", _multiply, other, self)

    def __truediv__(self, other: Operand) -> "Signal":
        return Operation("{}/{}", _multiply, self, other)

    def __rtruediv__(self, other: Operand) -> "Signal":
        return Operation("{}/{}", _multiply, other, self)

    def __pow__(self, other: Operand) -> "Signal":
        return Operation("{}^{}", _power, self, other)

    def __rpow__(self, other: Operand) -> "Signal":
        return Operation("{}^{}", _power, other, self)

    def __mod__(self, other: Operand) -> "Signal":
        return Call("mod", self, other)

    def __neg__(self) -> "Signal":
        return Operation("-{}", _negate, self)

    def __pos__(self) -> "Signal":
        return self

    def __abs__(self) -> "Signal":
        return Call("abs", self)

    def __lt__(self, other: Operand) -> "Signal":
        return Operation("{} < {}", _compare, self, other)

    def __le__(self, other: Operand) -> "Signal":
        return Operation("{} <= {}", _compare, self, other)

    def __gt__(self, other: Operand) -> "Signal":
        return Operation("{} > {}", _compare, self, other)

    def __ge__(self, other: Operand) -> "Signal":
        return Operation("{} >= {}", _compare, self, other)

    def __and__(self, other: Operand) -> "Signal":
        return Operation("{} and {}", _and, self, other)

    def __rand__(self, other: Operand) -> "Signal":
        return Operation("{} and {}", _and, other, self)

    def __or__(self, other: Operand) -> "Signal":
        return Operation("{} or {}", _or, self, other)

    def __ror__(self, other: Operand) -> "Signal":
        return Operation("{} or {}", _or, other, self)

    def __invert__(self) -> "Signal":
        return Operation("not {}", _not, self)

    def __bool__(self) -> bool:
        raise TypeError(
            f"{self!r} is a signal: it has no truth value before the model runs; use if_(condition, a, b), and & | ~ "
            "instead of and, or, not"
        )

    def __float__(self) -> float:
        raise TypeError(f"{self!r} is a signal: it has no value before the model runs")

    def __iter__(self) -> Iterator[Any]:
        raise TypeError(f"{self!r} is a signal, not a list")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **more: Any) -> "Signal":
        make = _ufuncs.get(ufunc.__name__)
        if method != "__call__" or more or make is None:
            raise TypeError(f"numpy.{ufunc.__name__} has no meaning for signals")
        return make(*(x.item() if isinstance(x, numpy.generic) else x for x in inputs))


def as_signal(x: Operand) -> Signal:
    """Numbers and texts as signals."""
    if isinstance(x, Signal):
        return x
    if isinstance(x, str):
        return Text(x)
    if isinstance(x, bool) or not isinstance(x, (int, float, Fraction, numpy.integer, numpy.floating)):
        raise TypeError(f"{x!r} is neither a signal nor a number")
    return Constant(x if isinstance(x, (int, Fraction)) else int(x) if isinstance(x, numpy.integer) else float(x))


class Constant(Signal):
    """A number in an expression."""

    def __init__(self, number: Number):
        self.number = number
        self.binding = _negate if number < 0 else _multiply if isinstance(number, Fraction) else _atom

    def text(self, names: Names | None = None) -> str:
        return str(self.number) if isinstance(self.number, (int, Fraction)) else repr(self.number)


class Text(Signal):
    """An expression as the engine reads it."""

    binding = _or

    def __init__(self, expression: str):
        self.expression = expression
        if expression.replace("_", "").replace(".", "").isalnum():
            self.binding = _atom

    def text(self, names: Names | None = None) -> str:
        return self.expression


class Name(Signal):
    """What a name stands for: a block, a parameter, `x.flow` of an element, `many[3]` of an array."""

    def __init__(self, name: str):
        self._name = name

    def text(self, names: Names | None = None) -> str:
        return self._name

    def __getattr__(self, part: str) -> "Name":
        if part.startswith("_"):
            raise AttributeError(part)
        return type(self)(f"{self._name}.{part}")

    def __getitem__(self, index: "int | str") -> "Name":
        return type(self)(f"{self._name}[{index}]")

    def __rshift__(self, other: "Name") -> Any:
        raise TypeError("bonds are drawn inside of a diagram: d.a >> d.b")


class Operation(Signal):
    """An operator between signals, with parentheses where they are needed."""

    def __init__(self, form: str, binding: int, *operands: Operand):
        self._form = form
        self.binding = binding
        self._operands = [as_signal(x) for x in operands]

    def parts(self) -> Sequence[Signal]:
        return self._operands

    def text(self, names: Names | None = None) -> str:
        return self._form.format(*(self._inside(i, names) for i in range(len(self._operands))))

    def _inside(self, i: int, names: Names | None) -> str:
        x = self._operands[i]
        if self.binding == _negate:
            fits = x.binding >= _multiply and x.binding != _negate
        elif self.binding in (_power, _not, _compare):
            fits = x.binding > self.binding
        elif i == 1 and self.binding in (_add, _multiply):  # what is grouped stays so, to the last bit
            fits = x.binding > self.binding and x.binding != _negate
        else:
            fits = x.binding >= self.binding
        return x.text(names) if fits else f"({x.text(names)})"


class Call(Signal):
    """A function of signals."""

    def __init__(self, function: str, *arguments: Operand):
        self._function = function
        self._arguments = [as_signal(x) for x in arguments]

    def parts(self) -> Sequence[Signal]:
        return self._arguments

    def text(self, names: Names | None = None) -> str:
        return f"{self._function}({', '.join(x.text(names) for x in self._arguments)})"


class Later(Signal):
    """A signal that is told what it is later: for loops without a diagram's names.

    >>> v = signal()
    >>> a = -2 * v
    >>> v.define(Name("w"))
    >>> a
    -2*w
    """

    def __init__(self) -> None:
        self.target: Signal | None = None

    def define(self, target: Operand) -> None:
        if self.target is not None:
            raise ValueError("this signal is defined already")
        self.target = as_signal(target)

    def parts(self) -> Sequence[Signal]:
        return () if self.target is None else (self.target,)

    def text(self, names: Names | None = None) -> str:
        if self.target is None:
            return "undefined"
        inside = self.target.text(names)
        return inside if self.target.binding == _atom else f"({inside})"


def signal() -> Later:
    """A signal that is told later what it is, by `define`."""
    return Later()


def if_(condition: Operand, then: Operand, otherwise: Operand) -> Signal:
    """One signal where a condition holds, else another.

    >>> if_(Name("x") > 0, 1, -1)
    if(x > 0, 1, -1)
    """
    return Call("if", condition, then, otherwise)


def der(x: Operand) -> Signal:
    """The derivative."""
    return Call("der", x)


def eq(a: Operand, b: Operand) -> Signal:
    """Are they equal? (== asks Python whether two things are the same.)"""
    return Operation("{} == {}", _compare, a, b)


def impulse_of(x: Operand) -> Signal:
    """In guards: the coefficient of delta on a signal."""
    return Call("impulse", x)


def _call(name: str) -> Callable[..., Signal]:
    return lambda *arguments: Call(name, *arguments)


def _signal(x: Signal) -> Signal:
    return x


t = Name("t")
pi = Name("pi")

_ufuncs: dict[str, Callable[..., Signal]] = {
    "add": lambda a, b: _signal(as_signal(a) + b),
    "subtract": lambda a, b: _signal(as_signal(a) - b),
    "multiply": lambda a, b: _signal(as_signal(a) * b),
    "divide": lambda a, b: _signal(as_signal(a) / b),
    "true_divide": lambda a, b: _signal(as_signal(a) / b),
    "power": lambda a, b: _signal(as_signal(a) ** b),
    "float_power": lambda a, b: _signal(as_signal(a) ** b),
    "negative": lambda a: -as_signal(a),
    "less": lambda a, b: _signal(as_signal(a) < b),
    "less_equal": lambda a, b: _signal(as_signal(a) <= b),
    "greater": lambda a, b: _signal(as_signal(a) > b),
    "greater_equal": lambda a, b: _signal(as_signal(a) >= b),
    "absolute": _call("abs"),
    "fabs": _call("abs"),
    "square": lambda a: _signal(as_signal(a) ** 2),
    "arctan2": _call("atan2"),
    "arcsin": _call("asin"),
    "arccos": _call("acos"),
    "arctan": _call("atan"),
    "minimum": _call("min"),
    "maximum": _call("max"),
    "remainder": _call("mod"),
    "mod": _call("mod"),
    "rint": _call("round"),
    **{
        name: _call(name)
        for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt", "sign", "floor", "ceil")
    },
}
