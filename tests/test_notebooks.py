"""Notebooks are kept with their outputs; `make docs` runs them, and finds out which are old."""

import ast
import re
from pathlib import Path

import nbformat
import pytest

from tools import notebooks

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parents[1] / "docs"
NOTEBOOKS = sorted(DOCS.glob("notebooks/*.ipynb"))


def test_there_are_notebooks_and_the_front_page_lists_them():
    assert len(NOTEBOOKS) >= 3
    front = (DOCS / "index.md").read_text().splitlines()
    listed = {line for line in front if line.startswith("notebooks/")}
    assert listed == {f"notebooks/{path.stem}" for path in NOTEBOOKS}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_valid_and_was_run_from_top_to_bottom(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    assert notebook.cells[0].source.startswith("# ")
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(code) >= 5
    assert [cell.execution_count for cell in code] == [*range(1, len(code) + 1)]
    assert any(cell.outputs for cell in code)
    for cell in code:
        assert not any(map(notebooks.is_progress, cell.outputs))
        assert not re.search(r"/(tmp|home|root|work)/", str(cell.outputs))
        ast.parse(cell.source)  # plain Python: what runs here runs in any notebook


def test_what_a_notebook_shows_is_compared_cell_by_cell():
    def cells(*outputs):
        return notebooks.shown({"cells": [{"cell_type": "code", "outputs": outputs}]})

    def printed(text):
        return {"output_type": "stream", "name": "stdout", "text": text}

    def result(text):
        return {"output_type": "execute_result", "data": {"text/plain": [text]}}

    # The build adds what was printed in pieces to the first piece, and leaves the others.
    assert cells(printed("a\nb\n"), printed("b\n")) == cells(printed(["a\n", "b\n"]))
    assert cells(printed("a\nb\n")) != cells(printed("a\n"))
    assert cells(result("<Picture at 0x7f01>")) == cells(result("<Picture at 0x7f02>"))
    assert cells(printed("1")) != cells(printed("2"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_writes_nothing_beside_itself(path):
    written = [
        cell.source
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "code" and "write_text" in cell.source
    ]
    assert all("folder /" in source for source in written)
    assert not written or "folder = Path(tempfile.mkdtemp())" in path.read_text()
