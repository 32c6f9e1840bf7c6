"""What people expect of a project that they adopt is there, and says the same everywhere."""

import ast
import re
import shutil
import sys
import tomllib
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

import sizeup
from tools import bounds, smoke

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.stem)
def test_modules_that_a_page_names_are_there(page):
    """Sphinx leaves a name that leads nowhere as plain text."""
    named = re.findall(r"\{mod\}`~?(sizeup[\w.]*)`", page.read_text())
    assert [name for name in named if find_spec(name) is None] == []


@pytest.mark.parametrize(
    "name",
    [
        "CODE_OF_CONDUCT.md", "SECURITY.md", "RELEASING.md", "LICENSE", "CONTRIBUTING.md",
        ".github/PULL_REQUEST_TEMPLATE.md",
    ],
)  # fmt: skip
def test_it_is_there(name):
    assert (ROOT / name).read_text().strip()


@pytest.mark.parametrize(
    "name",
    [
        ".github/dependabot.yml", ".github/ISSUE_TEMPLATE/bug.yml",
        ".github/ISSUE_TEMPLATE/idea.yml", ".pre-commit-config.yaml", ".readthedocs.yaml",
        "CITATION.cff",
    ],
)  # fmt: skip
def test_it_can_be_read(name):
    assert yaml.safe_load((ROOT / name).read_text())


def test_the_citation_is_of_this_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["version"] == sizeup.__version__
    assert citation["license"] == PROJECT["license"]
    assert citation["keywords"] == PROJECT["keywords"]
    (paper,) = citation["references"]
    readme = " ".join((ROOT / "README.md").read_text().split())
    assert f"*{paper['title']}*" in readme
    assert all(one["family-names"] in readme for one in paper["authors"])


def test_every_python_that_is_named_is_tested():
    named = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert named == WORKFLOW["jobs"]["tests"]["strategy"]["matrix"]["python"]
    assert PROJECT["requires-python"] == f">={named[0]}"


def test_ci_runs_what_there_is():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    steps = [step for job in WORKFLOW["jobs"].values() for step in job["steps"]]
    ran = [step["run"] for step in steps if "run" in step]
    for command in ran:
        verb, *words = command.split()
        if verb == "make":
            assert set(words) <= targets
        for file in re.findall(r"tools/\w+\.py", command):
            assert (ROOT / file).is_file()
    assert {"make lint types rooms", "make docs", "make package"} <= set(ran)


def test_hashes_are_of_the_pinned_versions():
    def pins(name):
        lines = (ROOT / name).read_text().splitlines()
        pinned = (line.split()[0].partition("==") for line in lines if "==" in line)
        return {package.lower().replace("_", "-"): version for package, _, version in pinned}

    hashed = pins("constraints-hashes.txt")
    assert hashed == pins("constraints.txt")
    for line in (ROOT / "constraints-hashes.txt").read_text().splitlines()[1:]:
        assert re.fullmatch(r"[\w.-]+==[\w.+!-]+ --hash=sha256:[0-9a-f]{64}", line), line


def installed(extras):
    """Distributions that pip is asked for with these extras, in lower case."""
    for text in extras:
        name = re.match(r"[\w-]+", text)[0].lower().replace("_", "-")
        inner = re.findall(r"[\w-]+", text.partition("[")[2].partition("]")[0])
        own = [one for extra in inner for one in PROJECT["optional-dependencies"].get(extra, ())]
        yield from installed(own) if name == "sizeup" else [name]


def imported(file):
    """Packages that a test file imports before anything in it can be skipped."""
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.Import):
            yield from (one.name.partition(".")[0] for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module.partition(".")[0]
        elif "importorskip" in ast.unparse(node):
            return


@pytest.mark.slow
@pytest.mark.parametrize("which", ["lowest", "newest"])
def test_bounds_installs_what_the_tests_that_it_collects_import(which):
    wanted = [*PROJECT["dependencies"], f"sizeup[{','.join(bounds.EXTRAS)}]", *bounds.TESTERS]
    there = {"sizeup", "tests", "tools", "benchmarks", "docs", "examples", *sys.stdlib_module_names}
    known = {*installed(wanted)}
    homes = packages_distributions()
    left_out = [ROOT / folder for folder in bounds.LEFT_OUT[which]]
    for file in sorted((ROOT / "tests").rglob("*.py")):
        if any(folder in file.parents for folder in left_out):
            continue
        for name in {*imported(file)} - there:
            names = {one.lower().replace("_", "-") for one in homes[name]}
            assert names & known, f"{file.name} imports {name}"


def test_the_lowest_versions_are_those_of_the_project():
    lowest = list(bounds.lower_bounds())
    assert "typer==0.20" in lowest
    assert "pyarrow==15" in lowest
    assert not any("sizeup" in line for line in lowest)


@pytest.mark.parametrize("home", [None, "https://host.example/us/it/"])
def test_the_readme_finds_its_pictures_from_a_package_index(home, tmp_path):
    core = pytest.importorskip("hatchling.metadata.core")
    manager = pytest.importorskip("hatchling.plugin.manager")
    shutil.copytree(ROOT / "tools", tmp_path / "tools")
    (tmp_path / "src/sizeup").mkdir(parents=True)
    for name in ("README.md", "pyproject.toml", "LICENSE", "src/sizeup/__init__.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    if home is not None:
        with (tmp_path / "pyproject.toml").open("a") as file:
            file.write(f'[project.urls]\nRepository = "{home}"\n')
    packed = core.ProjectMetadata(str(tmp_path), manager.PluginManager()).core.readme
    readme = (ROOT / "README.md").read_text()
    assert "](docs/images/web_play.png)" in readme
    if home is None:
        assert packed == readme
        return
    places = re.findall(r"\]\(([^)]+)\)", packed)
    assert len(places) == len(re.findall(r"\]\(", readme))
    there = f"{home}(raw|blob)/v{sizeup.__version__}/(.+)"
    for place in places:
        assert (ROOT / re.fullmatch(there, place)[2]).exists()
    assert f"{home}raw/v{sizeup.__version__}/docs/images/wall_of_fire.svg" in places


def test_the_readme_is_of_one_page():
    assert len((ROOT / "README.md").read_text().split()) <= 700


def test_the_smoke_test_looks_for_files_that_there_are():
    assert all((ROOT / "src" / "sizeup" / name).is_file() for name in smoke.DATA)
