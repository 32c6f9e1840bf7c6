import subprocess
import sys
from importlib.metadata import version

import pytest
from typer.testing import CliRunner

import sizeup
from sizeup.cli import app, main


def test_version():
    result = CliRunner().invoke(app, ["--version"])
    assert (result.exit_code, result.output) == (0, f"sizeup {sizeup.__version__}\n")
    assert version("sizeup") == sizeup.__version__


def test_help_and_no_arguments_say_what_this_is():
    asked, bare = (CliRunner().invoke(app, arguments) for arguments in (["--help"], []))
    assert asked.exit_code == 0
    for output in (asked.output, bare.output):
        assert "size up their teammates" in output


def test_an_unknown_option_is_one_clear_error(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["sizeup", "--nope"])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    error = capsys.readouterr().err
    assert "No such option: --nope" in error
    assert "Traceback" not in error


def test_the_command_starts_without_heavy_imports():
    """What makes a command slow to start is what it imports: hold it to a list, not a clock."""
    code = "import sys, sizeup.cli; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert not {"numpy", "scipy", "numba", "matplotlib", "sizeup.capability"} & set(loaded)
