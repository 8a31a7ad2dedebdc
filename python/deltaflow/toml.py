"""Models as TOML: tables written in the order in which they are given."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

Path = tuple[str, ...]

# Tables that stand below a heading of their own, at the top or in a diagram; all others are written in one line.
_sections = ("parameters", "blocks", "elements", "bonds", "circuit", "mechanics", "simulation")


def _has_heading(path: Path) -> bool:
    if len(path) == 1:
        return True
    if path[0] == "automata":
        return len(path) == 2 or path[2:] == ("values",)
    if path[0] == "diagrams":
        rest = path[2:]
        return not rest or (rest != ("parameters",) and (rest[0] in _sections or _has_heading(rest)))
    return False


def key(name: str) -> str:
    """
    >>> key("left"), key("many[3].x")
    ('left', '"many[3].x"')
    """
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name, ensure_ascii=False)


def value(x: Any) -> str:
    """
    >>> value({"type": "integrator", "initial": 10, "in": "v"})
    '{ type = "integrator", initial = 10, in = "v" }'
    >>> value([0.5, Fraction(1, 3), True])
    '[0.5, "1/3", true]'
    """
    if isinstance(x, bool):
        return "true" if x else "false"
    if isinstance(x, Fraction):
        return json.dumps(str(x))
    if isinstance(x, str):
        return json.dumps(x, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(x, int):
        return str(x)
    if isinstance(x, float):
        return repr(x) if math.isfinite(x) else ("nan" if math.isnan(x) else "inf" if x > 0 else "-inf")
    if isinstance(x, Mapping):
        return "{ " + ", ".join(f"{key(k)} = {value(v)}" for k, v in x.items()) + " }" if x else "{}"
    if isinstance(x, Sequence):
        return "[" + ", ".join(value(v) for v in x) + "]"
    if hasattr(x, "tolist"):  # of numpy
        return value(x.tolist())
    raise TypeError(f"{x!r} has no place in a model")


class Writer:
    """Writes a document, and notes in which line each key stands."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.line_of: dict[Path, int] = {}

    def table(self, table: Mapping[str, Any], path: Path = ()) -> None:
        inside = {k: v for k, v in table.items() if isinstance(v, Mapping) and _has_heading((*path, k))}
        own = {k: v for k, v in table.items() if k not in inside}
        if path and (own or not inside):
            if self.lines:
                self.lines.append("")
            self.lines.append("[" + ".".join(key(part) for part in path) + "]")
            self.line_of[path] = len(self.lines)
        width = max((len(key(k)) for k in own), default=0) if len(own) > 1 else 0
        for k, v in own.items():
            self._entry(f"{key(k):<{min(width, 12)}} = ", v)
            self.line_of[(*path, k)] = len(self.lines) if not isinstance(v, list) else self._first
        for k, v in inside.items():
            self.table(v, (*path, k))

    def _entry(self, head: str, v: Any) -> None:
        self._first = len(self.lines) + 1
        whole = head + value(v)
        if len(whole) > 110 and isinstance(v, list) and v and isinstance(v[0], Mapping):
            self.lines += [head + "[", *(f"  {value(item)}," for item in v), "]"]
        else:
            self.lines.append(whole)

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def dumps(document: Mapping[str, Any]) -> str:
    """A document as text.

    >>> print(dumps({"name": "Fall", "blocks": {"v": {"type": "integrator", "in": "-g"}}}), end="")
    name = "Fall"
    <BLANKLINE>
    [blocks]
    v = { type = "integrator", in = "-g" }
    """
    writer = Writer()
    writer.table(document)
    return writer.text()


def _typed(text: str) -> Any:
    for make in (int, float):
        try:
            return make(text)
        except ValueError:
            pass
    return {"true": True, "false": False}.get(text, text)


def rewritten(text: str, sets: Sequence[tuple[str, str]], record: Sequence[str] | None) -> str:
    """A model's text with values that were given since; word by word if there are none."""
    if not sets and record is None:
        return text
    document = tomllib.loads(text)
    for name, given in sets:
        table, _, rest = name.partition(".")
        if table == "simulation" and rest:
            document.setdefault("simulation", {})[rest] = _typed(given)
        else:
            document.setdefault("parameters", {})[name] = _typed(given)
    if record is not None:
        document.setdefault("simulation", {})["record"] = list(record)
    return dumps(document)


def named(text: str, name: str) -> str:
    """The same with the name that a model without one has from its file.

    >>> print(named("[blocks]\\ny = 't'", "ramp"))
    name = "ramp"
    [blocks]
    y = 't'
    """
    if name == "model" or "name" in tomllib.loads(text):
        return text
    return f"name = {value(name)}\n{text}"
