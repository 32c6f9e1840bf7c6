"""Sphinx configuration: pages are MyST notebooks, executed at every build."""

import sys
from pathlib import Path

import sizeup

sys.path.insert(0, str(Path(__file__).parent))

project = "Sizeup"
author = "The Sizeup maintainers"
copyright = "The Sizeup maintainers"  # noqa: A001  Sphinx's own name for it
release = sizeup.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_build", "results"]  # which holds what pages are made of
html_theme = "furo"
html_title = f"Sizeup {release}"
html_static_path = ["_static"]
html_extra_path = ["results/pages"]  # a full report of each experiment, as report-NAME.html
html_css_files = ["tables.css"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 2

nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = True
nb_render_markdown_format = "myst"  # tables in what a cell shows

autodoc_typehints = "description"
autodoc_member_order = "bysource"
napoleon_use_rtype = False
nitpicky = False
