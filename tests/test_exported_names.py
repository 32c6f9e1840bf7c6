"""The public names, pinned: adding or removing one is a decision, not an accident."""

import importlib
import inspect

import pytest

NAMES = {
    "sizeup": ["__version__"],
    "sizeup.errors": [
        "IllegalAction",
        "InconsistentBeliefs",
        "InfeasibleType",
        "InvalidGame",
        "InvalidInput",
        "SizeupError",
        "UndefinedPosterior",
    ],
    "sizeup.capability": [
        "TIE_TOLERANCE",
        "Adversarial",
        "Beliefs",
        "Constant",
        "Disagreement",
        "Drift",
        "Exact",
        "Noise",
        "NoisyStates",
        "NoisyValues",
        "Solved",
        "SolvedGame",
        "Stochastic",
        "Temperature",
        "Tempered",
        "TypeSet",
        "TypeStructure",
        "UpdateRule",
        "adversarial_bound",
        "assemble",
        "assignments",
        "best_actions",
        "differences",
        "disagreement",
        "distance",
        "hypotheses",
        "look_ahead",
        "paper_d",
        "phi",
        "public_beliefs",
        "q_phi",
        "simulate",
        "smallest_d",
        "stack",
        "stochastic_bound",
        "union_bound",
    ],
    "sizeup.agents": [
        "STRATEGIES",
        "Agent",
        "AgentConfig",
        "Choice",
        "ExactEngine",
        "Observation",
        "SearchEngine",
        "read_agent",
    ],
    "sizeup.bench": ["Row", "rows"],
    "sizeup.play": ["Move", "Record", "Seen", "Table", "play", "set_table"],
    "sizeup.play.animation": ["animate"],
    "sizeup.play.show": [
        "HumanPlayer",
        "MatchView",
        "Quit",
        "belief_bars",
        "replay",
        "sentence",
        "view_of",
        "with_person",
    ],
    "sizeup.play.toys": ["TOYS", "Cell", "ToyTeam", "run_toy"],
    "sizeup.search": ["Cancel", "SearchOptions", "SearchResult", "Searcher"],
    "sizeup.search.explain": [
        "explain",
        "principal_variation",
        "root_table",
        "tree_json",
        "tree_svg",
        "tree_text",
    ],
    "sizeup.jit": [
        "bind",
        "fingerprint",
        "injected",
        "inner",
        "is_jitted",
        "jit",
        "jit_is_off",
        "plain",
    ],
    "sizeup.games.contract": [
        "CHANCE",
        "GAMES",
        "NO_ACTION",
        "TERMINAL",
        "GameInfo",
        "View",
        "load_game",
    ],
    "sizeup.games.notation": [
        "action_from_text",
        "action_text",
        "state_from_text",
        "state_text",
    ],
    "sizeup.games.check": ["CheckReport", "check_game"],
    "sizeup.games.seats": ["Params", "State", "seat"],
    "sizeup.games.drawing": ["Picture", "draw_svg", "draw_text"],
    "sizeup.games.pdn": [
        "PdnError",
        "PdnGame",
        "move_from_text",
        "move_to_text",
        "read_pdn",
        "state_from_fen",
        "state_to_fen",
        "write_pdn",
    ],
    "sizeup.planning": [
        "CHANCE",
        "TERMINAL",
        "Episode",
        "Leaf",
        "Move",
        "Place",
        "Plan",
        "Planner",
        "SmallGame",
        "TabularGame",
        "corridors",
        "observe_action",
        "play_episode",
        "random_game",
        "tabulate",
    ],
}


@pytest.mark.parametrize("module", NAMES)
def test_exported_names_are_these_and_documented(module):
    room = importlib.import_module(module)
    assert list(room.__all__) == NAMES[module]
    for name in room.__all__:
        value = getattr(room, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert inspect.getdoc(value), f"{module}.{name} has no docstring"
        if module in ("sizeup.capability", "sizeup.planning") and inspect.isroutine(value):
            assert ">>>" in inspect.getdoc(value), f"{module}.{name} has no example"
