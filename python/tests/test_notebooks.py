"""Notebooks run, and show what they say that they show. With DELTAFLOW_REFRESH=1 they are brought up to date."""

import base64
import io
import os
import pathlib
import re

import numpy
import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

FOLDER = pathlib.Path("docs/notebooks")
BOOKS = sorted(FOLDER.glob("*.ipynb"))
COMPARED = ("text/plain", "text/latex", "text/markdown", "image/svg+xml", "image/png")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")


def essence(kind, text):
    """Words, formulas and numbers as they are; of a picture its words, and where its lines are."""
    if kind == "image/svg+xml":
        words = re.findall(r"<(?:title|text)[^>]*>(.*?)<", text, re.DOTALL)
        lines = re.findall(r'\s(?:d|points)="(.*?)"', text, re.DOTALL)
        return words, numpy.array([float(x) for line in lines for x in NUMBER.findall(line)])
    if kind == "image/png":
        image = pytest.importorskip("matplotlib.image").imread(io.BytesIO(base64.b64decode(text)))
        return image.shape, image.mean(axis=2)
    return re.sub(r"<Svg, \d+ characters", "<Svg", text), numpy.zeros(0)


def is_same(new, old):
    """Lines may be off by a pixel; a drawing of matplotlib by what another version of its fonts makes of it."""
    if [kind for kind, _ in new] != [kind for kind, _ in old]:
        return False
    for (kind, (words, numbers)), (_, (old_words, old_numbers)) in zip(new, old):
        if words != old_words or numbers.shape != old_numbers.shape:
            return False
        off = numpy.abs(numbers - old_numbers)
        if kind == "image/png" and off.mean() > 0.02 or kind != "image/png" and (off > 1).any():
            return False
    return True


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
            before = found.pop()[1][0] if found and found[-1][0] == output.name else ""
            found.append((output.name, essence(output.name, before + output.text)))
            continue
        assert output.output_type != "error", output.get("evalue")
        kinds = ["image/png"] if "image/png" in output.data else COMPARED
        found += [(kind, essence(kind, output.data[kind])) for kind in kinds if kind in output.data]
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
        assert is_same(shown(new), shown(old)), new.source


def test_a_curve_that_is_another_one_is_noticed():
    old = '<svg><text x="1">y</text><path d="M 0 10 L 5 20.5"/></svg>'
    kind = "image/svg+xml"
    assert is_same([(kind, essence(kind, old))], [(kind, essence(kind, old.replace("20.5", "20.9")))])
    for new in (old.replace("20.5", "25"), old.replace(">y<", ">v<"), old.replace("L 5 20.5", "")):
        assert not is_same([(kind, essence(kind, new))], [(kind, essence(kind, old))])


def test_there_are_notebooks():
    assert len(BOOKS) >= 6
