"""The search: progressive, depth-bounded, capability-aware, for any game of the contract."""

from sizeup.search.options import SearchOptions
from sizeup.search.result import SearchResult
from sizeup.search.searcher import Cancel, Searcher

__all__ = ["Cancel", "SearchOptions", "SearchResult", "Searcher"]
