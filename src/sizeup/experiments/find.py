"""Which experiment the games of a store are of: one that comes with Sizeup, or a file nearby."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

from sizeup.errors import InvalidInput
from sizeup.experiments.experiment import Experiment
from sizeup.experiments.fingerprint import config_parts
from sizeup.experiments.origin import Origin, canonical
from sizeup.experiments.spec import read_experiment, shipped

__all__ = ["find_experiment"]


def find_experiment(
    origins: Iterable[Origin], given: str | None = None, folders: Iterable[Path] = ()
) -> Experiment:
    """The experiment that games come from.

    Of several with the right name it is the one that plays what the games were played with, if
    there is such a one.

    Parameters
    ----------
    origins
        What the games come from.
    given
        A name or a TOML file, if somebody said which.
    folders
        Where to look for TOML files, beside the current one.

    Examples
    --------
    >>> from sizeup.experiments.plan import plan
    >>> find_experiment([plan(read_experiment("wall-of-fire")).origin]).name
    'wall-of-fire'
    """
    if given is not None:
        return read_experiment(given)
    known = list(origins)
    names = list(dict.fromkeys(origin.name for origin in known))
    if not names:
        raise InvalidInput("there are no games")
    if len(names) > 1:
        raise InvalidInput(f"there are games of {', '.join(names)}: say which with --experiment")
    found = _candidates(names[0], folders)
    played = {canonical(origin.config) for origin in known}
    fitting = (one for one in found if canonical(config_parts(one)) in played)
    return next(fitting, found[0])


def _candidates(name: str, folders: Iterable[Path]) -> list[Experiment]:
    """Experiments of this name; files that are wrong only matter if there is no other."""
    found: list[Experiment] = []
    missing = InvalidInput(
        f"there is no file of the experiment {name!r} here: say where it is with --experiment FILE"
    )
    for place in _places(name, folders):
        try:
            found.append(read_experiment(place))
        except InvalidInput as error:
            missing = error
    if not found:
        raise missing
    return found


def _places(name: str, folders: Iterable[Path]) -> Iterator[str | Path]:
    if name in shipped():
        yield name
    here = dict.fromkeys(folder.resolve() for folder in (Path(), *folders))
    for file in (file for folder in here for file in sorted(folder.glob("*.toml"))):
        if _name_in(file) == name:
            yield file


def _name_in(file: Path) -> object:
    """What a TOML file calls itself; None if it cannot be read."""
    try:
        return tomllib.loads(file.read_text(encoding="utf-8")).get("name")
    except (OSError, ValueError, RecursionError):
        return None
