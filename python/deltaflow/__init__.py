"""Block diagrams whose wires carry distributions: jumps, impulses and their derivatives, exactly.

>>> import deltaflow
>>> ball = deltaflow.load("diagrams/bouncing_ball.toml")
>>> run = ball.run(stop=2)
>>> run.events[0].jumps["F"].impulses
(25.212...,)
"""

from typing import Any as _Any

from . import blocks, bonds, circuit, mechanics
from ._core import version as __version__
from .diagram import Diagram
from .errors import Error, FileError, ModelError, OptionError, Place, RunError
from .model import Model, load, loads
from .run import Event, Events, Germ, Impulse, Run
from .simulation import Simulation
from .sweep import Sweep, sweep

__all__ = [
    "Diagram",
    "Error",
    "Event",
    "Events",
    "FileError",
    "Germ",
    "Impulse",
    "Model",
    "ModelError",
    "OptionError",
    "Place",
    "Run",
    "RunError",
    "Simulation",
    "Sweep",
    "__version__",
    "blocks",
    "bonds",
    "circuit",
    "load",
    "loads",
    "mechanics",
    "sweep",
]


def __getattr__(name: str) -> _Any:
    """Blocks and functions stand here, too: `deltaflow.integrator`, `deltaflow.pre`."""
    return getattr(blocks, name)
