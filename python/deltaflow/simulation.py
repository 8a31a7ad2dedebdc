"""A run that is held in one's hands: stepped, looked at, fed, saved and gone on with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from . import _core
from .errors import Error, RunError
from .model import Model, as_model
from .run import Germ, Run

if TYPE_CHECKING:
    from .diagram import Diagram


class Simulation:
    """A run that goes as far as it is told. Options are those of `Model.run`.

    >>> import deltaflow
    >>> puck = deltaflow.loads('''
    ... [blocks]
    ... hit = { type = "input" }
    ... v   = { type = "integrator", in = "hit - v" }
    ... ''')
    >>> sim = Simulation(puck)
    >>> sim.advance_to(1)
    >>> sim.strike("hit", [3])
    >>> sim.germ("v")
    0 -> 3
    >>> sim.advance_to(2)
    >>> round(sim.value("v"), 6)
    1.103638
    """

    def __init__(self, model: "Model | Diagram", **options: Any):
        model = as_model(model, "simulation")
        record = options.pop("record", None)
        keep = options.pop("keep", True)
        for name in options:
            if name not in model.options:
                raise TypeError(f"there is no option {name!r}; there are {', '.join(model.options)}")
        prepared, given = model._prepared({k: v for k, v in options.items() if v is not None}, record)
        self._model = prepared
        self._core: _core.Simulation = self._tell(_core.Simulation.of, prepared._core, given)
        if keep:
            self._core.keep()

    def _tell(self, f: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return f(*arguments)
        except Error as error:
            if isinstance(error, RunError) and hasattr(self, "_core"):
                error.run = self.run
            raise self._model._translated(error) from None

    def advance_to(self, t: float) -> None:
        """Goes on to t, what happens there included."""
        self._tell(self._core.advance_to, t)

    def step(self) -> bool:
        """To the end of the next step of any part of the model; false at the end of the run."""
        return bool(self._tell(self._core.step))

    def value(self, signal: str) -> float:
        """A signal now, after everything that happens at this time."""
        return self._core.value(signal)

    def germ(self, signal: str) -> Germ:
        """A signal with what happened at this time: both sides, and all impulses."""
        left, right, impulses = self._core.germ(signal)
        return Germ(left, right, tuple(impulses))

    def set(self, input: str, value: float) -> None:
        """Another value of a block of type `input`, from now on."""
        self._core.set(input, value)

    def strike(self, input: str, impulses: Sequence[float]) -> None:
        """An impulse into a block of type `input`, now: [c0, c1] is c0 delta + c1 delta'."""
        self._core.strike(input, impulses)

    def observe(self, sink: Callable[[Run], object]) -> None:
        """Calls `sink` with parts of the run, as soon as they are certain. What it raises ends the run."""
        if not callable(sink):
            raise TypeError(f"a sink is called with parts of a run; {sink!r} cannot be called")
        self._core.observe(lambda part: sink(Run(part)))

    def save(self) -> bytes:
        """Where it stands, all of it."""
        return self._core.save()

    def restore(self, state: bytes) -> None:
        """Goes back, or on, to where a simulation of the same model and options stood."""
        self._core.restore(state)

    def finish(self) -> Run:
        """It goes no further; what it was."""
        self._core.finish()
        return self.run

    def close(self) -> None:
        """Gives back what it holds. Whatever is asked of it later is a ValueError."""
        self._core.close()

    @property
    def run(self) -> Run:
        """What has become certain so far."""
        return Run(self._core.so_far())

    @property
    def time(self) -> float:
        return self._core.time

    @property
    def has_ended(self) -> bool:
        return self._core.has_ended

    @property
    def reason(self) -> str | None:
        """How it ended, if it has."""
        return self._core.reason

    @property
    def next_event(self) -> float:
        """When something happens next, as far as is known."""
        return self._core.next_event

    @property
    def signals(self) -> list[str]:
        """What `value` and `germ` can be asked for."""
        return self._core.signals

    @property
    def inputs(self) -> list[str]:
        return self._core.inputs

    @property
    def closed(self) -> bool:
        return self._core.closed

    def __enter__(self) -> "Simulation":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        if self.closed:
            return f"<Simulation of {self._model.name!r}, closed>"
        ended = f", ended: {self.reason}" if self.has_ended else ""
        return f"<Simulation of {self._model.name!r} at t = {self.time:g}{ended}>"

    def __reduce__(self) -> Any:
        raise TypeError("a simulation is not pickled; save() gives its state, restore() takes it")
