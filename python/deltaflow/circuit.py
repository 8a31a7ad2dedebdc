"""Two-poles of the table [circuit], by their names in model files; first the places that they stand between."""

from __future__ import annotations

from typing import Any, Callable

from .diagram import Pole, catalogue, maker

__all__: list[str] = []


def _entries() -> list[dict[str, Any]]:
    return [e for e in catalogue()["poles"] if e["table"] == "circuit"]


def __getattr__(name: str) -> Callable[..., Pole]:
    entry = next((e for e in _entries() if e["type"] == name), None)
    if entry is None:
        raise AttributeError(f"there is no two-pole {name!r} in [circuit]; `deltaflow blocks` lists them")
    return maker(entry, lambda type, arguments: Pole("circuit", type, arguments))


def __dir__() -> list[str]:
    return sorted(e["type"] for e in _entries())
