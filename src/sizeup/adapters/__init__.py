"""Adapters: what other libraries have, brought to the table.

- :mod:`sizeup.adapters.open_spiel_bots`: OpenSpiel's bots as players
"""
