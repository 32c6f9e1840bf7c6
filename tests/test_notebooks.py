"""Notebooks are kept without outputs; the documentation's build runs them from top to bottom."""

import ast
from pathlib import Path

import nbformat
import pytest

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parents[1] / "docs"
NOTEBOOKS = sorted(DOCS.glob("notebooks/*.ipynb"))


def test_there_are_notebooks_and_the_front_page_lists_them():
    assert len(NOTEBOOKS) >= 3
    front = (DOCS / "index.md").read_text().splitlines()
    listed = {line for line in front if line.startswith("notebooks/")}
    assert listed == {f"notebooks/{path.stem}" for path in NOTEBOOKS}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_valid_and_has_no_outputs(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert notebook.metadata.kernelspec.name == "python3"
    assert notebook.cells[0].source.startswith("# ")
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(code) >= 5
    for cell in code:
        assert not cell.outputs
        assert cell.execution_count is None
        ast.parse(cell.source)  # plain Python: what runs here runs in any notebook


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_writes_nothing_beside_itself(path):
    written = [
        cell.source
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "code" and "write_text" in cell.source
    ]
    assert all("folder /" in source for source in written)
    assert not written or "folder = Path(tempfile.mkdtemp())" in path.read_text()
