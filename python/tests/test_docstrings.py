"""Examples in docstrings are true."""

import doctest
import importlib
import pkgutil

import pytest

import deltaflow

MODULES = ["deltaflow"] + [f"deltaflow.{m.name}" for m in pkgutil.iter_modules(deltaflow.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_are_true(name):
    module = importlib.import_module(name)
    assert doctest.testmod(module, optionflags=doctest.ELLIPSIS).failed == 0
