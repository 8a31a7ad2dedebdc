"""Listings in README files are true."""

import pathlib
import re

import pytest

LISTINGS = [
    (path, listing)
    for path in ("README.md", "python/README.md")
    for listing in re.findall(r"```python\n(.*?)```", pathlib.Path(path).read_text(), re.DOTALL)
]


@pytest.mark.parametrize("path, listing", LISTINGS)
def test_a_listing_runs(path, listing):
    names = {}
    exec("from deltaflow import *\nfrom deltaflow.blocks import crossing, integrator, pre\n" + listing, names)
    run = names.get("run") or names["ball"].run(stop=4)
    assert len(run.events) >= 2
    if "21.01071155387175" in listing:
        assert run.events[0].jumps["F"].impulses == (21.01071155387175,)
