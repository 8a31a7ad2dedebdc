"""Block diagrams whose wires carry distributions: jumps, impulses and their derivatives, exactly.

>>> import deltaflow
>>> ball = deltaflow.load("diagrams/bouncing_ball.toml")
>>> run = ball.run(stop=2)
>>> run.events[0].jumps["F"].impulses
(25.212...,)
"""

from ._core import version as __version__
from .errors import Error, FileError, ModelError, OptionError, Place, RunError
from .model import Model, load, loads
from .run import Event, Events, Germ, Impulse, Run
from .simulation import Simulation

__all__ = [
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
    "__version__",
    "load",
    "loads",
]
