"""Adapters: other libraries' games and bots here, our games and agents there.

- :mod:`sizeup.adapters.open_spiel_game`: OpenSpiel's games as games of ours
- :mod:`sizeup.adapters.open_spiel_bots`: OpenSpiel's bots as players
- :mod:`sizeup.adapters.open_spiel_bot`: our agents as a bot in OpenSpiel
- :mod:`sizeup.adapters.pettingzoo_env`: every game as a PettingZoo environment
- :mod:`sizeup.adapters.gymnasium_env`: one seat of a game as a Gymnasium environment
- :mod:`sizeup.adapters.policies`: our agents in their loops, their policies in our matches
- :mod:`sizeup.adapters.observations`: what learners observe, and how moves are numbered

Each of them follows a :class:`~sizeup.play.match.Match`: the same seeds play the same moves, with
the same beliefs, as :func:`sizeup.play`.
"""
