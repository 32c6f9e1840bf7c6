"""Agents that size each other up: seven strategies and some controls behind one small interface."""

from sizeup.agents.agent import Agent, Observation
from sizeup.agents.config import STRATEGIES, AgentConfig, read_agent
from sizeup.agents.engine import Choice, ExactEngine, SearchEngine

__all__ = [
    "STRATEGIES",
    "Agent",
    "AgentConfig",
    "Choice",
    "ExactEngine",
    "Observation",
    "SearchEngine",
    "read_agent",
]
