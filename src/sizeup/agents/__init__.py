"""Agents that size each other up: ten strategies, and your own, behind one small protocol."""

from sizeup.agents.agent import Agent
from sizeup.agents.config import PRESETS, STRATEGIES, AgentConfig, read_agent
from sizeup.agents.engine import ExactEngine, SearchEngine
from sizeup.agents.plugin import PluginAgent, Seat, check_agent
from sizeup.agents.protocol import Choice, Observation, Outsider, Player, Seated

__all__ = [
    "PRESETS",
    "STRATEGIES",
    "Agent",
    "AgentConfig",
    "Choice",
    "ExactEngine",
    "Observation",
    "Outsider",
    "Player",
    "PluginAgent",
    "SearchEngine",
    "Seat",
    "Seated",
    "check_agent",
    "read_agent",
]
