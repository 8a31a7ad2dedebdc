"""Models that are written in Python: blocks, elements and two-poles by name, printed as the TOML that they are."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, Callable, Union

from . import _core
from .errors import Error, ModelError, Place as ErrorPlace, SourceMap
from .model import Model
from .run import Run
from .signals import Constant, Name, Operand, Place, Signal, as_signal, python_place
from .toml import Path, Writer

Definition = Union[Signal, "Part", "Diagram", int, float, Fraction, str]


@lru_cache(None)
def catalogue() -> dict[str, Any]:
    """What models can be written with: blocks, elements, poles, functions."""
    found: dict[str, Any] = json.loads(_core.catalogue())
    return found


class Part:
    """A line of a model that is no expression: a type with its inputs and parameters."""

    table = "blocks"

    def __init__(self, type: "str | Diagram", arguments: Mapping[str, Any]):
        self.type = type
        self.arguments = dict(arguments)
        self.place = python_place()
        self.owner: Diagram | None = None
        self.name: str | None = None

    def _parts(self) -> Iterator[Signal]:
        for value in self.arguments.values():
            yield from _signals_in(value)

    def written(self, names: "_Build") -> dict[str, Any]:
        type_name = self.type if isinstance(self.type, str) else names.diagram(self.type)
        return {"type": type_name, **{k: names.value(v) for k, v in self.arguments.items()}}


class Block(Signal, Part):
    """A block, which is also the signal that comes out of it."""

    def __init__(self, type: "str | Diagram", arguments: Mapping[str, Any]):
        Part.__init__(self, type, arguments)

    def parts(self) -> Sequence[Signal]:
        return tuple(self._parts())

    def text(self, names: Any = None) -> str:
        if names is not None:
            return str(names.name_of(self))
        return self.name or f"{self.type if isinstance(self.type, str) else self.type.title}(...)"

    def __getattr__(self, part: str) -> "Signal":
        if part.startswith("_") or part in ("owner", "name", "place", "type", "arguments"):
            raise AttributeError(part)
        return Output(self, "." + part)

    def __getitem__(self, index: int) -> "Signal":
        return Output(self, f"[{index}]")


class Output(Signal):
    """One of several signals that come out of a block."""

    def __init__(self, block: Block, what: str):
        self._block = block
        self._what = what

    def parts(self) -> Sequence[Signal]:
        return (self._block,)

    def text(self, names: Any = None) -> str:
        return self._block.text(names) + self._what

    def __getattr__(self, part: str) -> "Signal":
        if part.startswith("_"):
            raise AttributeError(part)
        return Output(self._block, f"{self._what}.{part}")


class Element(Part):
    """An element of a bond graph, or a junction."""

    table = "elements"


class Pole(Part):
    """A two-pole of a circuit or of mechanics."""

    def __init__(self, table: str, type: str, arguments: Mapping[str, Any]):
        super().__init__(type, arguments)
        self.table = table


class Automaton(Part):
    """States, and what leads from one to the other."""

    table = "automata"

    def written(self, names: "_Build") -> dict[str, Any]:
        return {k: names.value(v) for k, v in self.arguments.items()}


def automaton(
    states: "Mapping[str, str] | Iterable[str]",
    transitions: Iterable[Mapping[str, Any]],
    initial: str | None = None,
    values: Mapping[str, Any] | None = None,
) -> Automaton:
    """An automaton: states by name, `"on"` or `"off"`, and transitions.

    >>> touch = automaton({"apart": "off", "together": "on"}, [
    ...     transition("apart", "together", when=Name("x") >= 0),
    ...     transition("together", "apart", when="x < 0"),
    ... ])
    """
    named = dict(states) if isinstance(states, Mapping) else {s: "on" for s in states}
    arguments: dict[str, Any] = {"initial": initial or next(iter(named)), "states": named}
    arguments["transitions"] = list(transitions)
    if values is not None:
        arguments["values"] = dict(values)
    return Automaton("automaton", arguments)


def transition(source: str, target: str, when: Operand | None = None, **more: Any) -> dict[str, Any]:
    """A transition of an automaton; `after`, `once` and `set` as in a file."""
    found: dict[str, Any] = {"from": source, "to": target}
    if when is not None:
        found["when"] = when
    found.update(more)
    return found


def _signals_in(value: Any) -> Iterator[Signal]:
    if isinstance(value, Signal):
        yield value
    elif isinstance(value, Mapping):
        for v in value.values():
            yield from _signals_in(v)
    elif isinstance(value, (list, tuple)):
        for v in value:
            yield from _signals_in(v)


def maker(entry: Mapping[str, Any], make: Callable[[str, dict[str, Any]], Any]) -> Callable[..., Any]:
    """A function that writes a type of the catalogue: inputs first, then parameters, or both by name."""
    ports = entry["inputs"]
    names = [p["name"] for p in ports] + [p["name"] for p in entry["parameters"]]
    known = {*names, "count", "guess", "secondary", "automaton", "off", "law", "displacement", "momentum", "join"}

    def write(*given: Any, **named: Any) -> Any:
        arguments: dict[str, Any] = {}
        if ports and ports[0]["many"]:
            if len(given) == 1 and isinstance(given[0], (list, tuple)):
                given = tuple(given[0])
            if given:
                arguments[ports[0]["name"]] = list(given)
        elif len(given) > len(names):
            raise TypeError(f"{entry['type']}() takes {', '.join(names) or 'nothing'}; {len(given)} were given")
        else:
            arguments.update(zip(names, given))
        for name, value in named.items():
            key = name.rstrip("_") if name.rstrip("_") in known else name
            if key in arguments:
                raise TypeError(f"{entry['type']}() got {key!r} twice")
            arguments[key] = value
        return make(entry["type"], arguments)

    write.__name__ = entry["type"]
    lines = [f"{p['name']}: {p['about'] or 'a number'}" + (f" (default {p['default']})" if p["default"] else "")
             for p in entry["parameters"]]
    write.__doc__ = "\n".join([entry["about"], "", entry["rule"], *lines])
    return write


class _Reference(Name):
    """A name in a diagram: a signal, and an end of bonds."""

    _diagram: "Diagram"

    def _in(self, diagram: "Diagram") -> "_Reference":
        object.__setattr__(self, "_diagram", diagram)
        return self

    def __getattr__(self, part: str) -> "_Reference":
        if part.startswith("_"):
            raise AttributeError(part)
        return _Reference(f"{self._name}.{part}")._in(self._diagram)

    def __setattr__(self, part: str, value: Any) -> None:
        if not part.startswith("_"):
            raise AttributeError(f"{self._name}.{part} can only be read; what a block is given stands in its call")
        super().__setattr__(part, value)

    def __getitem__(self, index: "int | str") -> "_Reference":
        return _Reference(f"{self._name}[{index}]")._in(self._diagram)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        raise TypeError(f"{self._name} is a signal of the diagram; what models can do, d.model().{self._name}() does")

    def __rshift__(self, other: Name) -> "_Reference":
        if not isinstance(other, _Reference) or other._diagram is not self._diagram:
            raise TypeError(f"a bond leads from {self!r} to an element of the same diagram, not to {other!r}")
        self._diagram.bond(self._name, other._name)
        return other


class Diagram:
    """A model in the making. What is assigned to its attributes are its blocks, and its attributes are signals,
    also before they are assigned; what is assigned again is changed:

    >>> from deltaflow.blocks import crossing, integrator, pre
    >>> d = Diagram("Bouncing ball", g=9.81, e=0.8)
    >>> d.F = -(1 + d.e) * pre(d.v) * crossing(d.y, "falling")
    >>> d.v = integrator(d.F - d.g)
    >>> d.y = integrator(d.v, initial=10)
    >>> print(d.toml())
    name = "Bouncing ball"
    <BLANKLINE>
    [parameters]
    g = 9.81
    e = 0.8
    <BLANKLINE>
    [blocks]
    F         = "-(1 + e)*pre(v)*crossing1"
    crossing1 = { type = "crossing", in = "y", direction = "falling" }
    v         = { type = "integrator", in = "F - g" }
    y         = { type = "integrator", in = "v", initial = 10 }
    <BLANKLINE>
    [simulation]
    record = ["F", "v", "y"]
    <BLANKLINE>
    >>> d.run(stop=2).events[0].jumps["v"]
    -14.0071 -> 11.2057

    With `inputs` and `outputs` it is a type for blocks of other diagrams: `d.left = oscillator(force=d.push, k=4)`.
    Names that are methods are reached by `d["run"]`.
    """

    def __init__(
        self,
        title: str = "model",
        /,
        about: str = "",
        inputs: Iterable[str] = (),
        outputs: Iterable[str] = (),
        **parameters: Any,
    ):
        put = self.__dict__.update
        put(title=title, about=about, _inputs=list(inputs), _outputs=list(outputs), _simulation={})
        put(_parameters={}, _definitions={}, _bonds={}, _places={}, _place=python_place())
        for name, value in parameters.items():
            self.parameter(name, value)

    def parameter(self, name: str, value: Any) -> Signal:
        """A number with a name, or an expression of others."""
        self._places[("parameters", name)] = python_place()
        self._parameters[name] = value
        return self._name(name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return self[name]

    def __getitem__(self, name: str) -> Any:
        return self._name(name)

    def _name(self, name: str) -> _Reference:
        return _Reference(name)._in(self)

    def __setattr__(self, name: str, value: Definition) -> None:
        if name.startswith("_") or hasattr(type(self), name):
            raise AttributeError(f"{name} is a word of diagrams; write d[{name!r}] = ...")
        self[name] = value

    def __setitem__(self, name: str, value: Definition) -> None:
        if isinstance(value, _Reference) and value._diagram is self and name == value._name:
            return  # d.a >>= ...
        if name in self._parameters:
            self.parameter(name, value)
            return
        old = self._definitions.pop(name, None)
        if isinstance(old, Part):
            old.owner = old.name = None
        if isinstance(value, Part) and value.owner is None:
            value.owner, value.name = self, name
        elif isinstance(value, Part) and not isinstance(value, Signal):
            raise ModelError(f"{name}: it is {value.name} already", "model", [_here(name, python_place())])
        else:
            value = as_signal(value)  # type: ignore[arg-type]
        self._places[("blocks", name)] = python_place()
        self._definitions[name] = value

    def add(self, **definitions: Definition) -> "Diagram":
        """Several blocks at once: `d.add(y=y, v=v)`."""
        for name, value in definitions.items():
            self[name] = value
        return self

    def bond(self, source: "str | Name", target: "str | Name", name: str | None = None) -> Name:
        """A bond, its half arrow from one element to another; `d.a >> d.b` is the same with a name by number."""
        name = name or f"b{len(self._bonds) + 1}"
        self._bonds[name] = f"{source} -> {target}"
        self._places[("bonds", name)] = python_place()
        return self._name(name)

    def record(self, *signals: "str | Signal") -> "Diagram":
        """What a run records, instead of every block that has a name."""
        self._simulation["record"] = [*self._simulation.get("record", []), *(str(s) for s in signals)]
        return self

    def simulation(self, **options: Any) -> "Diagram":
        """The table [simulation]: stop, method, every, ..."""
        self._simulation.update(options)
        return self

    def model(self, **options: Any) -> Model:
        """The model that it is now."""
        text, map = _Build(self, options).finished()
        try:
            return Model(_core.Model.parse(text, map.name, [], []), map)
        except Error as error:
            raise map.translate(error) from None

    def run(self, **options: Any) -> Run:
        """Runs the model that it is now; options are those of `Model.run`."""
        return self.model().run(**options)

    def toml(self) -> str:
        """The file that it is now."""
        return _Build(self, {}).finished()[0]

    def __call__(self, **arguments: Any) -> Block:
        """A block of this type, for another diagram."""
        if not self._inputs and not self._outputs:
            raise TypeError(f"the diagram {self.title!r} has neither inputs nor outputs")
        return Block(self, arguments)

    def __repr__(self) -> str:
        return f"<Diagram {self.title!r}: {', '.join([*self._parameters, *self._definitions])}>"

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._parameters, *self._definitions]

    def _repr_svg_(self) -> str | None:
        return self.model()._repr_svg_()


def _here(message: str, place: Place) -> ErrorPlace:
    return ErrorPlace(place[0], place[1], 1, message)


class _Build:
    """One diagram put into tables, with names for what has none."""

    def __init__(self, diagram: Diagram, options: Mapping[str, Any], types: "dict[str, Diagram] | None" = None):
        self._diagram = diagram
        self._types = {} if types is None else types
        self._is_model = types is None
        self.places: dict[Path, Place] = {}
        self._names: dict[int, str] = {}
        self._taken = {*diagram._definitions, *diagram._parameters, *diagram._bonds, *diagram._inputs}
        self._tables: dict[str, dict[str, Any]] = {"blocks": {}}
        self._helpers: list[str] = []
        for name, value in diagram._definitions.items():
            self._define(name, value, diagram._places[("blocks", name)])
        self._options = {**diagram._simulation, **{k: self.value(v) for k, v in options.items()}}

    def name_of(self, block: Block) -> str:
        if block.owner is self._diagram and block.name:
            return block.name
        if block.owner is not None:
            text = f"{block.name} is a block of another diagram, {block.owner.title!r}"
            raise ModelError(text, "model", [_here(text, block.place)])
        return self._names[id(block)]

    def _name_helpers(self, x: Signal) -> None:
        """Blocks without a name that a definition reads get one, and stand behind it."""
        work, seen = [x], set()
        while work:
            part = work.pop()
            if id(part) in seen:
                continue
            seen.add(id(part))
            self._refuse_stranger(part)
            if isinstance(part, Block) and part.owner is None and id(part) not in self._names:
                word = part.type if isinstance(part.type, str) else part.type.title.replace(" ", "_")
                number = 1
                while f"{word}{number}" in self._taken:
                    number += 1
                name = self._names[id(part)] = f"{word}{number}"
                self._taken.add(name)
                self._helpers.append(name)
                self._pending.append((name, part))
            if not (isinstance(part, Block) and part.owner is not None):
                work.extend(part.parts())

    def _refuse_stranger(self, part: Signal) -> None:
        owner = part.__dict__.get("_diagram", self._diagram)
        if isinstance(part, _Reference) and owner is not self._diagram:
            text = f"{part._name} is a name of another diagram, {owner.title!r}"
            raise ModelError(text, "model", [_here(text, self._place)])

    def _define(self, name: str, value: Any, place: Place) -> None:
        self._place = place
        self._pending: list[tuple[str, Any]] = []
        for part in value._parts() if isinstance(value, Part) else (value,):
            self._name_helpers(part)
        pending = self._pending
        self._write(name, value, place)
        for helper, block in pending:
            self._write(helper, block, block.place)

    def _write(self, name: str, value: Any, place: Place) -> None:
        own = isinstance(value, Part) and (value.name == name or self._names.get(id(value)) == name)
        table = value.table if own else "blocks"
        written = value.written(self) if own else value.text(self)
        self._tables.setdefault(table, {})[name] = written
        self.places[(table, name)] = place

    def value(self, x: Any) -> Any:
        if isinstance(x, Signal):
            return x.number if isinstance(x, Constant) else x.text(self)
        if isinstance(x, Mapping):
            return {k: self.value(v) for k, v in x.items()}
        if isinstance(x, (list, tuple)):
            return [self.value(v) for v in x]
        return x

    def diagram(self, type: Diagram) -> str:
        name: str = type.title.replace(" ", "_")
        if self._types.setdefault(name, type) is not type:
            raise ModelError(f"two diagrams are called {name!r}", "model", [_here(name, type._place)])
        return name

    def tables(self) -> dict[str, Any]:
        """Everything but what only a model has."""
        d = self._diagram
        found: dict[str, Any] = {}
        if d._parameters:
            found["parameters"] = {k: self.value(v) for k, v in d._parameters.items()}
        for table in ("blocks", "elements", "circuit", "mechanics"):
            if self._tables.get(table):
                found[table] = self._tables[table]
        if d._bonds:
            found["bonds"] = d._bonds
        if self._tables.get("automata"):
            found["automata"] = self._tables["automata"]
        self.places.update({k: v for k, v in d._places.items() if k[0] in ("parameters", "bonds")})
        return found

    def _types_written(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        done: set[str] = set()
        while len(done) < len(self._types):
            for name, type in list(self._types.items()):
                if name in done:
                    continue
                done.add(name)
                inside = _Build(type, {}, self._types)
                found[name] = {"inputs": type._inputs, "outputs": type._outputs, **inside.tables()}
                self.places.update({("diagrams", name, *k): v for k, v in inside.places.items()})
        return found

    def finished(self) -> tuple[str, SourceMap]:
        """The text, and which line of Python each of its lines comes from."""
        d = self._diagram
        document: dict[str, Any] = {"name": d.title}
        if d.about:
            document["about"] = d.about
        tables = self.tables()
        diagrams = self._types_written()
        if diagrams:
            document["diagrams"] = diagrams
        document.update(tables)
        options = dict(self._options)
        named = [n for n in self._tables["blocks"] if n not in self._helpers]
        if self._helpers and "record" not in options and named:
            options["record"] = named
        if options:
            document["simulation"] = options
        writer = Writer()
        writer.table(document)
        map = SourceMap(f"<{d.title}>", {})
        for path, line in writer.line_of.items():
            place = self.places.get(path) or self.places.get(path[:4]) or self.places.get(path[:2])
            map.lines[line] = place or d._place
        return writer.text(), map
