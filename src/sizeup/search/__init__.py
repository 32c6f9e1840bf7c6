"""The search: progressive, depth-bounded, capability-aware, for any game of the contract."""

from sizeup.callable_module import make_callable
from sizeup.search.options import SearchOptions
from sizeup.search.result import SearchResult
from sizeup.search.searcher import Cancel, Searcher, search

__all__ = ["Cancel", "SearchOptions", "SearchResult", "Searcher"]

make_callable(__name__, search)
