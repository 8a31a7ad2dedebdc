"""What goes wrong, as exceptions with places."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Callable, Sequence

if TYPE_CHECKING:
    from .run import Run


@dataclass(frozen=True)
class Place:
    """Where a mistake is, and what it is. Lines and columns count from 1; line 0 is nowhere in particular.

    >>> str(Place("ball.toml", 3, 5, "there is no block type \\"prodct\\""))
    'ball.toml:3:5: there is no block type "prodct"'
    """

    file: str
    line: int
    column: int
    message: str = ""
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}:{self.column}: " if self.line else ""
        return where + self.message


# What the command line calls --set and --record are arguments here.
_ARGUMENTS = {"--set": "parameters", "--record": "record"}
_GIVEN = re.compile(r"^(--set|--record)(?=:)", re.MULTILINE)


def _given_here(place: Place) -> Place:
    return replace(place, file=_ARGUMENTS.get(place.file, place.file))


class Error(Exception):
    """Any mistake that Deltaflow reports. `kind` is one of option, model, undefined, no progress, file, not
    finite, assertion, interrupted; `places` says where."""

    kind: str
    places: list[Place]

    def __init__(self, text: str, kind: str = "model", places: Sequence[Place] = ()):
        text = _GIVEN.sub(lambda found: _ARGUMENTS[found[0]], text)
        super().__init__(text)
        self.text = text
        self.kind = kind
        self.places = [_given_here(place) for place in places]

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.text, self.kind, self.places))


class ModelError(Error):
    """A model is wrong, or what is asked of it.

    >>> import deltaflow
    >>> try:
    ...     deltaflow.loads("[blocks]\\nv = { type = 'integrtor', in = '1' }", name="wrong.toml")
    ... except deltaflow.ModelError as error:
    ...     print(error.places[0].line, error.places[0].message)
    2 there is no block type "integrtor"; did you mean "integrator"?
    """


class OptionError(ModelError, ValueError):
    """Something is asked for that does not exist or does not fit."""


class FileError(ModelError, OSError):
    """A file could not be read or written."""


class RunError(Error):
    """A run met something that cannot be gone on from. `t` is when, `run` what was simulated before it."""

    def __init__(
        self,
        text: str,
        kind: str = "undefined",
        places: Sequence[Place] = (),
        t: float | None = None,
        run: "Run | None" = None,
    ):
        super().__init__(text, kind, places)
        self.t = t
        self.run = run

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.text, self.kind, self.places, self.t, self.run))


@dataclass
class SourceMap:
    """Lines of a text that was written by Python, and the lines of Python that they come from."""

    name: str
    lines: dict[int, tuple[str, int]] = field(default_factory=dict)

    def find(self, line: int) -> tuple[str, int] | None:
        """The place in Python of the nearest line at or above `line` that has one."""
        known = [n for n in self.lines if n <= line]
        return self.lines[max(known)] if known else None

    def translate(self, error: Error) -> Error:
        """The same error with places in Python."""
        import linecache

        places = []
        for place in error.places:
            found = self.find(place.line) if place.file == self.name else None
            places.append(Place(found[0], found[1], 1, place.message, place.notes) if found else place)
        error.places = places
        text = []
        for place in places:
            text.append(str(place))
            source = linecache.getline(place.file, place.line).rstrip() if place.line else ""
            if source:
                text.append(f"{place.line:>5} | {source}")
            text.extend(f"      {note}" for note in place.notes)
        if text:
            error.text = "\n".join(text)
        return error


_in_text = re.compile(r"^(?P<file>[^\n:]+):(?P<line>\d+):(?P<column>\d+): (?P<message>.*)$", re.MULTILINE)


def places_in(text: str) -> list[Place]:
    """The places that a text names, with what it says below them.

    >>> places_in("a.toml:3:1: time stands still\\n    3 | x = 1\\n      = what to do: stop before\\n")[0].notes
    ('= what to do: stop before',)
    """
    found = list(_in_text.finditer(text))
    ends = [m.start() for m in found[1:]] + [len(text)]
    places = []
    for m, end in zip(found, ends):
        below = [line.strip() for line in text[m.end() : end].split("\n")]
        notes = tuple(line for line in below if line.startswith("="))
        places.append(Place(m["file"], int(m["line"]), int(m["column"]), m["message"], notes))
    return places


def from_core(
    kind: str, text: str, places: list[tuple[str, int, int, str, list[str]]], t: float | None
) -> Error:
    """What the engine throws."""
    found = [Place(file, line, column, message, tuple(notes)) for file, line, column, message, notes in places]
    if t is not None or kind in ("undefined", "no progress", "not finite", "assertion", "interrupted"):
        return RunError(text, kind, found or places_in(text), t)
    made: Callable[..., Error] = {"option": OptionError, "file": FileError}.get(kind, ModelError)
    return made(text, kind, found)
