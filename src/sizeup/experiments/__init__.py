"""Experiments: a plan of games as data, run on processes or a cluster, kept in a store."""
