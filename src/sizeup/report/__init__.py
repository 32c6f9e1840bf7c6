"""Reports: stored games become tables beside the published ones, figures, and one page.

:func:`summarise` reads a store once; the other functions lay its numbers out, each as one string.
"""

from sizeup.report.latex import to_latex
from sizeup.report.markdown import to_markdown
from sizeup.report.page import to_html
from sizeup.report.summarise import summarise
from sizeup.report.summary import Summary
from sizeup.report.text import to_text
from sizeup.report.tidy import to_csv

__all__ = ["Summary", "summarise", "to_csv", "to_html", "to_latex", "to_markdown", "to_text"]
