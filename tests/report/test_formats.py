"""Text, Markdown, LaTeX and CSV, held to files that were read by a person."""

import csv
import io
import tempfile
from pathlib import Path

import pytest

from sizeup.experiments.plan import plan
from sizeup.experiments.spec import read_experiment
from sizeup.report import to_csv, to_latex, to_markdown, to_text
from sizeup.report.numbers import NOTHING
from tests.report.made_up import (
    BELIEFS,
    PARTNERS,
    experiment,
    fill,
    finished,
    outcome,
    summary_of,
)

GOLDEN = Path(__file__).parent / "golden"
FORMATS = {"txt": to_text, "md": to_markdown, "tex": to_latex, "csv": to_csv}

HOSTILE = PARTNERS.replace("Two partners", "A|B_&_<b>50 %</b> $x$ `c` {d}").replace(
    '"Aware"', '"Aw|are\\n\\\\input{x} =1+1, \\"q\\""'
)


def some_games_with_beliefs_and_quarantine(folder):
    read = experiment(folder, PARTNERS + BELIEFS)
    jobs = list(plan(read, 5))

    def play(job):
        beliefs = {"0": {"1": [2.0, 1.0 + job.block / 4]}} if "aware" in job.cell else {}
        return (outcome(1 - job.slot, 1.0, {}, beliefs),)

    path = fill(folder / "games.db", [*jobs[:12], *jobs[13:15]], play, given_up=jobs[12:13])
    return summary_of(read, path)


def no_games(folder):
    read = experiment(folder, PARTNERS + BELIEFS)
    return summary_of(read, fill(folder / "games.db", []))


def one_team(folder):
    toy = read_experiment("wall-of-fire")
    path = fill(folder / "toy.db", plan(toy, 5), lambda job: (outcome(None, -2.0),))
    return summary_of(toy, path)


CASES = {
    "finished": finished,
    "partial": some_games_with_beliefs_and_quarantine,
    "nothing": no_games,
    "toy": one_team,
}


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("case", CASES)
def test_reports_are_those_that_were_looked_at(tmp_path, case, kind):
    assert FORMATS[kind](CASES[case](tmp_path)) == (GOLDEN / f"{case}.{kind}").read_text()


def test_a_row_that_leaves_cells_out_is_marked(tmp_path):
    read = experiment(tmp_path)
    written = to_text(summary_of(read, fill(tmp_path / "games.db", list(plan(read, 5))[:4])))
    (total,) = (line for line in written.splitlines() if line.startswith("total     Aware"))
    assert "100.0†" in total
    assert "† Cells without a complete seed block are left out." in written


def test_a_reward_that_is_not_known_yet(tmp_path):
    toy = read_experiment("wall-of-fire")
    written = to_markdown(summary_of(toy, fill(tmp_path / "toy.db", [])))
    unknown = " | ".join([NOTHING] * 6)
    assert f"| novice + novice | {unknown} | 0 | 0 | 5 |" in written


class TestHostileNames:
    @pytest.fixture
    def summary(self, tmp_path):
        read = experiment(tmp_path, HOSTILE)
        return summary_of(read, fill(tmp_path / "games.db", plan(read, 5)))

    def test_markdown(self, summary):
        written = to_markdown(summary)
        assert r"# A\|B\_&\_\<b\>50 %\</b\> $x$ \`c\` \{d\}" in written
        assert r"Aw\|are \\input\{x\} =1+1" in written
        tables = [line for line in written.splitlines() if line.startswith("|")]
        assert len({line.replace(r"\|", "").count("|") for line in tables[:3]}) == 1

    def test_markdown_with_arms_as_columns(self, tmp_path):
        read = experiment(tmp_path, HOSTILE + BELIEFS)
        beliefs = outcome(1, 1.0, {}, {"0": {"1": [2.0, 1.0]}})
        path = fill(tmp_path / "games.db", plan(read, 5), lambda job: (beliefs,))
        head = next(
            line
            for line in to_markdown(summary_of(read, path)).splitlines()
            if "| update |" in line
        )
        assert r"| Aw\|are \\input\{x\} =1+1" in head

    def test_latex(self, summary):
        written = to_latex(summary)
        assert r"Aw\textbar{}are \textbackslash{}input\{x\} =1+1" in written
        assert "% A|B_&_<b>50 %</b> $x$ `c` {d}\n" in written  # a comment, of one line

    def test_csv_comes_back_as_it_was(self, summary):
        rows = list(csv.DictReader(io.StringIO(to_csv(summary))))
        assert len(rows) == 8
        assert rows[0]["table"] == "Score by opponent"
        assert all(None not in row and None not in row.values() for row in rows)

    def test_text_has_no_stray_lines(self, summary):
        assert r'Aw|are \input{x} =1+1, "q"' in to_text(summary)


if __name__ == "__main__":  # write the golden files again; read the diff before it is committed
    for name, make in CASES.items():
        with tempfile.TemporaryDirectory() as place:
            summary = make(Path(place))
        for ending, write in FORMATS.items():
            (GOLDEN / f"{name}.{ending}").write_text(write(summary))
