"""Elements and junctions of bond graphs: `I(value, momentum=...)`, `R`, `Se`, `zero()`, `one()`, ...

>>> from deltaflow import Diagram
>>> from deltaflow.bonds import C, I, one
>>> d = Diagram("Oscillator")
>>> d.mass, d.spring, d.v = I(2, momentum=1), C(0.5), one()
>>> d.v >> d.mass; d.v >> d.spring
mass
spring
>>> round(d.run(record=["total.energy"]).final("total.energy"), 12)
0.25
"""

from __future__ import annotations

from typing import Any, Callable

from .diagram import Automaton, Element, automaton, catalogue, maker, transition

__all__ = ["Automaton", "automaton", "one", "transition", "zero"]


def zero(**arguments: Any) -> Element:
    """A 0-junction: common effort. With `automaton` (and `off`) it is controlled."""
    return Element("0", arguments)


def one(**arguments: Any) -> Element:
    """A 1-junction: common flow. With `automaton` (and `off`) it is controlled."""
    return Element("1", arguments)


def __getattr__(name: str) -> Callable[..., Element]:
    entry = next((e for e in catalogue()["elements"] if e["type"] == name), None)
    if entry is None:
        raise AttributeError(f"there is no element {name!r}; `deltaflow blocks` lists them")
    return maker(entry, Element)


def __dir__() -> list[str]:
    return sorted([*__all__, *(e["type"] for e in catalogue()["elements"] if e["type"].isidentifier())])
