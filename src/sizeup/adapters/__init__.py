"""Adapters: what other libraries have, brought to the table, and our games brought to theirs.

- :mod:`sizeup.adapters.open_spiel_game`: OpenSpiel's games as games of ours
- :mod:`sizeup.adapters.open_spiel_bots`: OpenSpiel's bots as players
- :mod:`sizeup.adapters.open_spiel_bot`: agents of ours as a bot in OpenSpiel
- :mod:`sizeup.adapters.pettingzoo_env`: every game as a PettingZoo environment
- :mod:`sizeup.adapters.gymnasium_env`: one seat of a game as a Gymnasium environment
- :mod:`sizeup.adapters.policies`: agents of ours in their loops, their policies in our matches
- :mod:`sizeup.adapters.observations`: what learners are shown, and how moves are numbered
"""
