"""Games and moves of checkers as PDN texts (Portable Draughts Notation, GameType 21).

Moves are text in :func:`move_to_text` and back in :func:`move_from_text`; whole games in
:func:`write_pdn` and :func:`read_pdn`. Data sets hold games one a line in another notation, which
:func:`read_game_lines` reads.

Results are written first player first. Black moves first in English draughts, so ``1-0`` is a win
for black and ``0-1`` a win for white, as in CheckerBoard's databases of English games. Beware of
texts by programs that copy chess and put white first: nothing in a PDN text tells the two apart.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from sizeup.errors import InvalidInput
from sizeup.games import checkers
from sizeup.games.checkers.notation import (
    PdnError,
    Span,
    move_from_text,
    move_to_text,
    read_move,
    read_position,
    shown,
    state_from_fen,
    state_to_fen,
)
from sizeup.games.checkers.rules import CheckersState
from sizeup.games.contract import view_here

__all__ = [
    "PdnError", "PdnGame", "is_game_lines", "move_from_text", "move_to_text", "read_game_lines",
    "read_pdn", "state_from_fen", "state_to_fen", "write_pdn",
]  # fmt: skip

_RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
_POINTS = {  # results as draughts counts them, two points a game, and as some texts write a draw
    "2-0": "1-0", "0-2": "0-1", "1-1": "1/2-1/2", "0-0": "*",
    "1/2": "1/2-1/2", "\N{VULGAR FRACTION ONE HALF}-\N{VULGAR FRACTION ONE HALF}": "1/2-1/2",
}  # fmt: skip
_FIRST_TAGS = ("Event", "Site", "Date", "Round", "Black", "White")
_OWN_TAGS = ("Result", "GameType", "SetUp", "FEN")  # said by the game's fields, not by its tags
_TAG_NAME = r"[A-Za-z0-9_+\#=:-]++"
_VARIANTS = {  # what PDN numbers as game types
    "0": "chess", "1": "Chinese chess", "20": "international draughts", "22": "Italian draughts",
    "23": "American pool checkers", "24": "Spanish draughts", "25": "Russian draughts",
    "26": "Brazilian draughts", "27": "Canadian draughts", "28": "Portuguese draughts",
    "29": "Czech draughts", "30": "Turkish draughts", "31": "Thai draughts",
    "40": "Frisian draughts", "41": "Spantsiretti draughts",
}  # fmt: skip
_UNKNOWN = ("", "?")  # PDN's words for an unknown value
_READS = "Sizeup reads 21, English draughts (checkers)"
_FAR_SQUARE = re.compile("3[3-9]|[4-9][0-9]")
_NUMBER = re.compile(r"[0-9]++\.++")
_MARKS = re.compile(r"[!?]++")

# Everything is possessive (++): a text that fails must not be tried again in other ways.
_TOKEN = re.compile(
    rf"""
    (?P<skipped> \s++ | (?<![^\r\n])%[^\r\n]*+ | ;[^\r\n]*+ | \$[0-9]++ )
    | (?P<comment> \{{ [^}}]*+ \}} )
    | (?P<tag> \[ \s*+ (?P<name>{_TAG_NAME}) \s*+
               " (?P<value> (?: [^"\\\r\n] | \\[^\r\n] )*+ ) " \s*+ \] )
    | (?P<open> \( )
    | (?P<close> \) )
    | (?P<word> [^\s{{}}()\[\];$]++ )
    """,
    re.VERBOSE,
)
_BROKEN = {
    "{": "this comment is not closed; expected } after it",
    "}": "there is no comment to close; expected { before }",
    "[": 'this is no tag; expected one like [Event "a name"], on one line, a quote in it as \\"',
    "]": "there is no tag to close; expected [ before ]",
    "$": "a mark without a number; expected one like $1",
}


@dataclass(frozen=True)
class PdnGame:
    """A game as PDN holds it.

    Parameters
    ----------
    tags
        Pairs of name and value, without ``Result``, ``GameType``, ``SetUp`` and ``FEN``: the other
        fields say these. They are put in the usual order (event, site, date, round, black, white,
        then all others).
    start
        Position the game starts from.
    actions
        The moves made.
    result
        ``1-0`` if black won, ``0-1`` if white won, ``1/2-1/2``, or ``*`` for a game without result.
    comments
        One for each move, empty where there is nothing to say; or none at all. Braces in them
        become parentheses, since PDN cannot quote them, and white space becomes single spaces.

    Examples
    --------
    >>> game = read_pdn("1. 11-15 {Old Faithful} 23-19 1/2-1/2")[0]
    >>> len(game.actions), game.result, game.comments
    (2, '1/2-1/2', ('Old Faithful', ''))
    """

    tags: tuple[tuple[str, str], ...]
    start: CheckersState
    actions: tuple[int, ...]
    result: str = "*"
    comments: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name, value in self.tags:
            _require_tag(name, value)
        twice = [name for name, n in Counter(name for name, _ in self.tags).items() if n > 1]
        if twice:
            raise InvalidInput(f"tags are given twice: {', '.join(twice)}; expected each once")
        if self.result not in _RESULTS:
            raise InvalidInput(f"the result is {self.result!r}; expected one of {_RESULTS}")
        if len(self.comments) not in (0, len(self.actions)):
            raise InvalidInput(
                f"there are {len(self.comments)} comments on {len(self.actions)} moves; expected "
                "one for each, or none"
            )
        quoted = (comment.replace("{", "(").replace("}", ")") for comment in self.comments)
        comments = tuple(" ".join(comment.split()) for comment in quoted)
        tags = sorted(self.tags, key=lambda tag: (*_FIRST_TAGS, tag[0]).index(tag[0]))
        object.__setattr__(self, "tags", tuple(tags))
        object.__setattr__(self, "comments", comments if any(comments) else ())


def _require_tag(name: str, value: str) -> None:
    if name in _OWN_TAGS:
        raise InvalidInput(f"the tag {name} is written from the game's own fields; leave it out")
    if not re.fullmatch(_TAG_NAME, name):
        raise InvalidInput(f"{name!r} is no name of a tag; expected letters, digits and _")
    if "\r" in value or "\n" in value:
        raise InvalidInput(f"the tag {name} is {shown(value)}; expected a value on one line")


def write_pdn(game: PdnGame) -> str:
    r"""Write a game: its tags, an empty line, its moves in lines of at most 80 characters.

    >>> game = read_pdn('[White "me"] [Event "friendly"] 1. 11-15 23-19 2. 8-11')[0]
    >>> print(write_pdn(game), end="")
    [Event "friendly"]
    [White "me"]
    [Result "*"]
    [GameType "21"]
    <BLANKLINE>
    1. 11-15 23-19 2. 8-11 *
    """
    tags = "".join(
        '[{} "{}"]\n'.format(name, value.replace("\\", "\\\\").replace('"', '\\"'))
        for name, value in _all_tags(game)
    )
    words = " ".join([*_move_text(game), game.result])
    lines = textwrap.fill(words, width=80, break_long_words=False, break_on_hyphens=False)
    return f"{tags}\n{lines}\n"


def _all_tags(game: PdnGame) -> list[tuple[str, str]]:
    first = [tag for tag in game.tags if tag[0] in _FIRST_TAGS]
    own = [("Result", game.result), ("GameType", "21")]
    if game.start != view_here(checkers).start():
        own += [("SetUp", "1"), ("FEN", state_to_fen(game.start))]
    return [*first, *own, *game.tags[len(first) :]]


def _move_text(game: PdnGame) -> Iterator[str]:
    """Move numbers, moves and comments; black's move opens each number."""
    state = game.start
    comments = game.comments or ("",) * len(game.actions)
    for ply, (action, comment) in enumerate(zip(game.actions, comments, strict=True)):
        number = (ply + game.start.side) // 2 + 1
        if state.side == 0:
            yield f"{number}."
        elif ply == 0:
            yield f"{number}..."
        yield move_to_text(state, action)
        if comment:
            yield f"{{{comment}}}"
        state, _ = view_here(checkers).apply(state, action)


def read_pdn(text: str, watch: Callable[[float], None] | None = None) -> list[PdnGame]:
    r"""Read all games of a text.

    Comments in braces are kept with the move before them; other comments, variations, numeric
    marks and ``%`` lines are skipped, and move numbers are not checked. A game ends with its result
    or where the next game's tags begin; without either a result or a ``Result`` tag it is ``*``.
    Results may also be in points: ``2-0``, ``1-1``, ``0-2``. Whatever cannot be read is a
    :class:`PdnError` that says where. ``watch`` is told after each game how much of the text has
    been read, a share of 1.

    >>> games = read_pdn('[Event "one"]\n1. 11-15 (1. 9-13 22-18) 23-19 *\n\n1.9-14 22x18 0-1')
    >>> [(dict(game.tags), len(game.actions), game.result) for game in games]
    [({'Event': 'one'}, 2, '*'), ({}, 2, '0-1')]
    """
    games: list[PdnGame] = []
    reader = _Reader()
    for token in _main_line(Span.of(text).source.removeprefix("\ufeff")):
        before = len(games)
        if token.kind == "tag" and reader.actions:  # of the next game
            games.append(reader.game())
            reader = _Reader()
        if token.kind == "result":
            games.append(reader.game(token.where))
            reader = _Reader()
        else:
            reader.take(token)
        if watch is not None and len(games) > before:
            watch(token.where.end / len(text))
    return [*games, reader.game()] if reader.actions or reader.names else games


class _Token(NamedTuple):
    kind: str
    where: Span
    match: re.Match[str]


def _main_line(source: str) -> Iterator[_Token]:
    """Tokens that are not in a variation. Depth is a number here: no nesting is too deep."""
    opened: list[Span] = []  # the outermost one, if there is any
    depth = 0
    for token in _tokens(source):
        if token.kind == "open":
            opened = opened or [token.where]
            depth += 1
        elif token.kind == "close":
            if not depth:
                raise token.where.error("there is no variation to close; expected ( before )")
            depth -= 1
            opened = opened if depth else []
        elif not depth:
            yield token
        elif token.kind == "tag":
            raise token.where.error("a tag within a variation; expected ) before it")
    if opened:
        raise opened[0].error("this variation is not closed; expected ) after it")


def _tokens(source: str) -> Iterator[_Token]:
    at = 0
    while at < len(source):
        match = _TOKEN.match(source, at)
        if match is None:
            raise Span(source, at, at + 1).error(_BROKEN[source[at]])
        kind, where = match.lastgroup or "", Span(source, at, match.end())
        at = match.end()
        if kind == "word":
            yield from _word(where, match)
        elif kind != "skipped":
            yield _Token(kind, where, match)


def _word(where: Span, match: re.Match[str]) -> Iterator[_Token]:
    """A result or a move, without the move number that may be glued to it."""
    number = _NUMBER.match(where.text)
    where = where.cut(number.end() if number else 0, 0)
    if where.text in _RESULTS or where.text in _POINTS:
        yield _Token("result", where, match)
    elif where.text and not _MARKS.fullmatch(where.text):
        yield _Token("move", where, match)


class _Reader:
    """One game while it is read."""

    def __init__(self) -> None:
        self.start: CheckersState = view_here(checkers).start()
        self.state, self.result = self.start, "*"
        self.tags: list[tuple[str, str]] = []
        self.names: set[str] = set()
        self.actions: list[int] = []
        self.comments: list[list[str]] = []
        self.set_up: Span | None = None

    def take(self, token: _Token) -> None:
        if token.kind == "tag":
            self._tag(token.where, token.match)
        elif token.kind == "move":
            self._move(token.where)
        elif self.comments:
            self.comments[-1].append(token.where.cut(1, 1).text)

    def game(self, result: Span | None = None) -> PdnGame:
        """The game as it stands, with the result that closes it."""
        self._require_fen()
        comments = tuple(" ".join(comments) for comments in self.comments)
        tags, actions = tuple(self.tags), tuple(self.actions)
        return PdnGame(tags, self.start, actions, self._agreed(result), comments)

    def _tag(self, where: Span, match: re.Match[str]) -> None:
        name, value = match["name"], Span(where.source, *match.span("value"))
        if name in self.names:
            raise where.error(f"the tag {shown(name)} is given twice; expected each once in a game")
        self.names.add(name)
        if name in _OWN_TAGS:
            self._own_tag(name, value)
        else:
            self.tags.append((name, re.sub(r'\\(["\\])', r"\1", value.text)))

    def _own_tag(self, name: str, value: Span) -> None:
        if name == "FEN":
            self.start = self.state = read_position(value)
        elif name == "Result":
            self.result = _stated_result(value)
        elif name == "SetUp":
            self.set_up = value if value.text == "1" else None
        else:
            _require_checkers(value)

    def _move(self, where: Span) -> None:
        self._require_fen()
        try:
            action = read_move(self.state, where)
        except PdnError:
            if not _names_far_squares(where):
                raise
            raise where.error(
                f"{shown(where.text)} is not legal, and this game names squares above 32: is it "
                f"20, {_VARIANTS['20']}? {_READS}"
            ) from None
        self.state, _ = view_here(checkers).apply(self.state, action)
        self.actions.append(action)
        self.comments.append([])

    def _require_fen(self) -> None:
        if self.set_up and "FEN" not in self.names:
            raise self.set_up.error("SetUp is 1, but there is no tag FEN; expected both or neither")

    def _agreed(self, given: Span | None) -> str:
        """The result at the end, or that of the tag: ``*`` may stand for a mere end of game."""
        said = "*" if given is None else _POINTS.get(given.text, given.text)
        if given is None or said == "*":
            return self.result
        if self.result not in ("*", said):
            raise given.error(
                f"the result is {given.text}, but the tag Result says {self.result}; expected one"
            )
        return said


def _require_checkers(value: Span) -> None:
    number = value.text.partition(",")[0].strip()
    if number != "21" and value.text not in _UNKNOWN:
        named = f"{number}, {_VARIANTS[number]}" if number in _VARIANTS else shown(value.text)
        raise value.error(f"this is game type {named}; {_READS}")


def _names_far_squares(where: Span) -> bool:
    """Whether a game names squares above 32 from here on."""
    try:
        for token in _main_line(where.source[where.start :]):
            if token.kind in ("tag", "result"):
                break
            squares = re.split("[-xX:]", token.where.text.rstrip("!?*"))
            far = any(_FAR_SQUARE.fullmatch(square) for square in squares)
            if token.kind == "move" and len(squares) > 1 and far:
                return True
    except PdnError:  # what is broken further on is not the matter here
        pass
    return False


def _stated_result(value: Span) -> str:
    if value.text in _UNKNOWN:
        return "*"
    said = _POINTS.get(value.text, value.text)
    if said not in _RESULTS:
        raise value.error(f"the result is {shown(value.text)}; expected one of {_RESULTS}")
    return said


_LINE_MOVE = r"[0-9]{1,2}(?:-[0-9]{1,2})+"
_GAME_LINE = re.compile(rf"\s*{_LINE_MOVE}(?: +{_LINE_MOVE})* *\t *(?:1-0|0-1|1/2-1/2|\*)\s*")


def is_game_lines(text: str) -> bool:
    r"""Whether the first lines of a text hold games one a line; others may be wrong.

    That is how data sets hold them: moves that name every square they stop at (``6-13-20``), a tab,
    the result. Squares are numbered from 0, in rows from the side that moves first, and each row
    from the other end than in PDN: square ``n`` is PDN's ``4 * (n // 4) + 4 - n % 4``.

    >>> is_game_lines("10-14 22-19\t1-0\n"), is_game_lines("1. 11-15 23-19 *")
    (True, False)
    """
    return any(_GAME_LINE.fullmatch(line) for line in text[:10_000].splitlines())


def read_game_lines(text: str, watch: Callable[[float], None] | None = None) -> list[PdnGame]:
    r"""Read games one a line, as :func:`is_game_lines` has them; an error names the line.

    ``watch`` is told after each line how much of the text has been read, a share of 1.

    >>> [game] = read_game_lines("10-14 22-19\t1/2-1/2")
    >>> len(game.actions), game.result
    (2, '1/2-1/2')
    >>> read_game_lines("10-14 22-19\t1/2-1/2\n10-14 22-29\t*")
    Traceback (most recent call last):
    ...
    sizeup.errors.InvalidInput: line 2, move 2: '22-29' is 22-31 in PDN's numbers, where '22-31' is
    not legal here; legal are 22-17, 23-18, 24-19, 21-17, 22-18, 23-19, 24-20
    """
    games, lines = [], text.splitlines()
    for number, line in enumerate(lines, 1):
        if line.strip():
            games.append(_game_of_line(line, number))
        if watch is not None:
            watch(number / len(lines))
    return games


def _game_of_line(line: str, number: int) -> PdnGame:
    if not _GAME_LINE.fullmatch(line):
        raise InvalidInput(
            f"line {number}: {shown(line)} is not a game; expected moves like 10-14 22-19, a tab, "
            "and 1-0, 0-1, 1/2-1/2 or *"
        )
    moves, result = line.split("\t")
    view = view_here(checkers)
    state, actions = view.start(), []
    for at, move in enumerate(moves.split(), 1):
        named = [4 * (int(n) // 4) + 4 - int(n) % 4 for n in move.split("-")]
        pdn = "-".join(map(str, named))
        try:
            actions.append(move_from_text(state, pdn))
        except PdnError as error:
            raise InvalidInput(
                f"line {number}, move {at}: {move!r} is {pdn} in PDN's numbers, where "
                f"{error.problem}"
            ) from None
        state, _ = view.apply(state, actions[-1])
    return PdnGame((), view.start(), tuple(actions), result.strip())
