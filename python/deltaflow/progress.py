"""A bar for runs that take long."""

from __future__ import annotations

import sys
from typing import Any, Callable, Union

Progress = Union[bool, None, Callable[[float], object]]


class Bar:
    """Shows how far a run is, by tqdm where it is installed, on standard error."""

    def __init__(self, title: str, always: bool):
        self._title = title
        self._wanted: bool | None = always or None
        self._bar: Any = None
        self._shown = False

    def __call__(self, fraction: float) -> None:
        if self._wanted is None:
            self._wanted = _somebody_looks()
        if not self._wanted:
            return
        if self._bar is None and not self._shown:
            self._bar = self._make()
        self._shown = True
        if self._bar is None:
            done = round(40 * fraction)
            sys.stderr.write(f"\r{self._title}: |{'#' * done}{'.' * (40 - done)}| {100 * fraction:3.0f} %")
            sys.stderr.flush()
        else:
            self._bar.update(max(0.0, 100 * fraction - self._bar.n))

    def _make(self) -> Any:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            return None
        return tqdm(total=100, desc=self._title, unit="%", leave=False, bar_format="{l_bar}{bar}| {elapsed}")

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._shown:
            sys.stderr.write("\r" + " " * (len(self._title) + 52) + "\r")
            sys.stderr.flush()


def _somebody_looks() -> bool:
    if "ipykernel" in sys.modules:
        return True
    return sys.stderr is not None and sys.stderr.isatty()


def bar_for(progress: Progress, title: str) -> Callable[[float], object] | None:
    """What to call with fractions: a bar if it is asked for, or if nothing is said and somebody looks."""
    if callable(progress):
        return progress
    return None if progress is False else Bar(title, bool(progress))


def close(progress: Callable[[float], object] | None) -> None:
    """Clears a bar of ours."""
    if isinstance(progress, Bar):
        progress.close()
