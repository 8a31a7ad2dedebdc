"""Notebooks run, and show what they say that they show. With DELTAFLOW_REFRESH=1 they are brought up to date."""

import os
import pathlib
import re

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

FOLDER = pathlib.Path("docs/notebooks")
BOOKS = sorted(FOLDER.glob("*.ipynb"))
# Numbers, formulas and words are compared; of pictures, that they are there and what they are called: how they are
# drawn has tests of its own.
COMPARED = ("text/plain", "text/latex", "text/markdown", "image/svg+xml")


def essence(kind, text):
    if kind == "image/svg+xml":
        return re.search(r"<(?:title|text)[^>]*>(.*?)<", text, re.DOTALL)[1]
    return re.sub(r"<Svg, \d+ characters", "<Svg", text)


def executed(book):
    client = nbclient.NotebookClient(book, timeout=120, kernel_name="python3", resources={"metadata": {"path": FOLDER}})
    client.execute()
    for cell in book.cells:
        cell.get("metadata", {}).pop("execution", None)
    return book


def shown(cell):
    found = []
    for output in cell.get("outputs", []):
        if output.output_type == "stream":
            if found and found[-1][0] == output.name:
                found[-1] = (output.name, found[-1][1] + output.text)
            else:
                found.append((output.name, output.text))
            continue
        assert output.output_type != "error", output.get("evalue")
        is_picture = "image/png" in output.data
        found += [(kind, essence(kind, output.data[kind])) for kind in COMPARED if kind in output.data and not is_picture]
        found += [("a picture", "")] * is_picture
    return found


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_says(path, monkeypatch):
    monkeypatch.delenv("MPLBACKEND", raising=False)  # pictures go into the notebook
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    stored = nbformat.read(path, as_version=4)
    fresh = executed(nbformat.read(path, as_version=4))
    if os.environ.get("DELTAFLOW_REFRESH"):
        nbformat.write(fresh, path)
        stored = fresh
    for old, new in zip(stored.cells, fresh.cells):
        assert shown(new) == shown(old), new.source


def test_there_are_notebooks():
    assert len(BOOKS) >= 6
