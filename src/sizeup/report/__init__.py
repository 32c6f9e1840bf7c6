"""Reports: stored games become tables beside the published ones, figures, and one page.

:func:`summarise` reads a store once; the other functions lay its numbers out, each as one string.
"""

from sizeup.callable_module import make_callable
from sizeup.report.formats import to_csv, to_latex, to_markdown, to_text
from sizeup.report.page import to_html
from sizeup.report.summarise import report, summarise
from sizeup.report.summary import Summary

__all__ = ["Summary", "summarise", "to_csv", "to_html", "to_latex", "to_markdown", "to_text"]

make_callable(__name__, report)
