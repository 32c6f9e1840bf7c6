"""Baselines of the field, as agents in files: the rest of the literature beside our own agents.

``plastic:8@2,4,8`` is an agent wherever ``ca:8`` is one. Each module holds one idea, names its
paper, says what was simplified, and has a class that keeps the protocol of
:mod:`sizeup.agents.plugin`, offered as ``Agent`` like that of any plug-in. The numbers of a paper
are attributes of that class: for other ones, derive from it in a file of your own.

>>> from sizeup import check_agent
>>> check_agent("boltzmann:2", games=1).moves > 0
True
"""
