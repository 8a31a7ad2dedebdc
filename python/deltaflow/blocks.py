"""Blocks and functions, by the names that they have in model files: `integrator(x, initial=1)`, `pre(v)`, `sin(x)`.

>>> from deltaflow.blocks import crossing, pre, integrator
>>> pre(integrator("a"))
pre(integrator(...))
"""

from __future__ import annotations

from typing import Any, Callable

from .diagram import Block, automaton, catalogue, maker, transition
from .signals import Call, Signal, der, eq, if_, impulse_of, pi, signal, t

__all__ = ["automaton", "der", "eq", "if_", "impulse_of", "pi", "signal", "t", "transition"]


def __getattr__(name: str) -> Callable[..., Any]:
    found = catalogue()
    word = name.rstrip("_") if name != "_" else name
    entry = next((e for e in found["blocks"] if e["type"] == word), None)
    is_function = word in found["functions"] and word not in ("if", "impulse")
    if entry is None and not is_function or name.startswith("_"):
        raise AttributeError(f"there is no block type and no function {name!r}; `deltaflow blocks` lists them")
    write = maker(entry, Block) if entry is not None else None

    def call(*arguments: Any, **named: Any) -> Signal:
        is_list = write is not None and len(arguments) == 1 and isinstance(arguments[0], (list, tuple))
        if is_function and not named and not is_list:
            return Call(word, *arguments)
        assert write is not None
        made: Signal = write(*arguments, **named)
        return made

    if write is None or is_function:
        call.__name__ = word
        call.__doc__ = entry["about"] if entry else f"{word}(...)"
        if write is None:
            return lambda *arguments: Call(word, *arguments)
        return call
    return write


def __dir__() -> list[str]:
    found = catalogue()
    return sorted({*__all__, *(e["type"] for e in found["blocks"]), *found["functions"]} - {"if"})
