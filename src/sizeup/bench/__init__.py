"""How fast this machine searches: ratios of things that are measured side by side in one run."""

from sizeup.bench.table import Row, rows

__all__ = ["Row", "rows"]
