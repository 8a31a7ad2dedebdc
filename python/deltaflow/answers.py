"""What a model answers when it is asked: checks, explanations, pictures, comparisons."""

from __future__ import annotations

import html
import json
import subprocess
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from . import _core
from .errors import Error, FileError, OptionError, RunError, places_in
from .picture import Svg

if TYPE_CHECKING:
    from .model import Model


def _pre(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>"


def _ask(model: "Model", question: Any, *arguments: Any) -> Any:
    try:
        return question(model._core, *arguments)
    except Error as error:
        raise model._translated(error) from None


def _text(model: "Model", answer: tuple[str, list[tuple[str, float, str]]]) -> str:
    text, errors = answer
    if errors and not text:
        kind, t, words = errors[0]
        raise model._translated(RunError(words, kind, places_in(words), t))
    return text


class Check:
    """What can be said of a model without running it.

    >>> import deltaflow
    >>> check = deltaflow.load("diagrams/bouncing_ball.toml").check()
    >>> check.signals
    {'y': 'C0', 'v': 'jump', 'F': 'delta'}
    >>> check.warnings
    []
    """

    def __init__(self, model: "Model"):
        all = json.loads(_ask(model, _core.check, "json"))
        self._text: str = _ask(model, _core.check, "text")
        self.blocks: int = all["blocks"]
        self.links: int = all["links"]
        self.loops: list[list[str]] = all["loops"]
        self.signals: dict[str, str] = all["signals"]
        self.warnings: list[dict[str, str]] = all["warnings"]
        self.json: dict[str, Any] = all

    def __repr__(self) -> str:
        return self._text.rstrip("\n")

    def _repr_html_(self) -> str:
        return _pre(self._text)


class Explanation:
    """An instant, worked step by step; in a notebook with its formulas."""

    def __init__(self, model: "Model", event: int, at: float | None, all: bool):
        if event < 1:
            raise OptionError(f"there is no event {event}: the first one is 1")
        self._ask: Callable[[str], str] = lambda form: _text(model, _ask(model, _core.explain, at, event, all, form))
        self.text: str = self._ask("text")

    def latex(self) -> str:
        """A part of a document, for amsmath."""
        return self._ask("latex")

    @property
    def json(self) -> dict[str, Any]:
        """The steps as data."""
        found: dict[str, Any] = json.loads(self._ask("json"))
        return found

    def __repr__(self) -> str:
        return self.text.rstrip("\n")

    def _repr_markdown_(self) -> str:
        from .markdown import from_latex

        return from_latex(self.latex())


class Comparison:
    """Symbolic against numeric impulses: a row a step and a kind of sum."""

    def __init__(self, model: "Model", steps: Sequence[float], signal: str):
        steps = [float(h) for h in steps]
        self._ask: Callable[[str], str] = lambda form: _text(model, _ask(model, _core.compare, steps, signal, form))
        all = json.loads(self._ask("json"))
        self.signal: str = all["signal"]
        self.rows: list[dict[str, Any]] = all["rows"]

    def plot(self) -> Svg:
        """Both runs over time, and the error against the step."""
        return Svg(self._ask("svg"))

    def to_pandas(self) -> Any:
        """The rows as a table."""
        import pandas

        return pandas.DataFrame(self.rows)

    def __repr__(self) -> str:
        return self._ask("text").rstrip("\n")

    def _repr_html_(self) -> str:
        return _pre(repr(self))


def _dot(graph: str) -> str:
    try:
        return subprocess.run(
            ["dot", "-Tjson0"], input=graph.encode(), capture_output=True, check=True, timeout=60
        ).stdout.decode()
    except FileNotFoundError:
        raise FileError(
            "a picture needs the program dot of Graphviz, which was not found (apt install graphviz); "
            "show().text and show().dot work without",
            "file",
        ) from None
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        raise FileError("dot could not draw this picture; draw less with most=N", "file") from None


class Scheme:
    """A model as boxes and lines: a picture in a notebook, a list elsewhere."""

    def __init__(self, model: "Model", flat: bool, primitives: bool, most: int, mode: str):
        self._ask: Callable[[str], str] = lambda form: str(
            _ask(model, _core.show, form, flat, primitives, most, mode, _dot)
        )
        self.text: str = self._ask("text")

    @property
    def dot(self) -> str:
        """For Graphviz."""
        return self._ask("dot")

    @property
    def svg(self) -> str:
        return self._ask("svg")

    def save(self, path: str) -> None:
        """Writes the picture as SVG."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def __repr__(self) -> str:
        return self.text.rstrip("\n")

    def _repr_svg_(self) -> str | None:
        try:
            return self.svg
        except FileError:
            return None

    def _repr_html_(self) -> str:
        return _pre(self.text)
