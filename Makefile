# Everything from a fresh clone: `make demo` and `make test` do their own set-up, once.
# Needs Linux, make and Python >= 3.11; choose another one with PYTHON=python3.12.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.DEFAULT_GOAL := help
.PHONY: help demo test quick nimble lint types rooms unit browser web docs package figures pictures bench gpu format lock lowest newest clean

help: ## show this list
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /make \1\t/' | expand -t 16

$(VENV)/created:
	@$(PYTHON) -c 'import sys; v = sys.version_info; sys.exit(v < (3, 11) and f"Sizeup needs Python 3.11 or newer, {sys.executable} is {v.major}.{v.minor}: try make PYTHON=python3.12 ...")'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/installed: $(VENV)/created pyproject.toml constraints.txt
	@echo "installing Sizeup and what it needs into $(VENV): a minute or two"
	$(PIP) --editable .
	@touch $@

$(VENV)/developed: $(VENV)/installed
	$(PIP) --editable '.[dev]'
	@touch $@

demo: $(VENV)/installed ## four teams at the wall of fire, and what an aware partner makes of it
	@$(BIN)/python examples/wall_of_fire.py

test: lint types rooms unit docs ## every check: what CI runs

quick: $(VENV)/developed ## the inner loop: lint, types, rooms, and the tests that take a moment
	@$(MAKE) --no-print-directory --jobs 2 --output-sync lint types rooms nimble

nimble: $(VENV)/developed
	$(BIN)/python -m pytest tests --quiet --numprocesses 2 -m 'not slow' \
		-o addopts='--import-mode=importlib --strict-markers'

lint: $(VENV)/developed ## style and formatting (ruff)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/developed ## static types (mypy, strict)
	$(BIN)/mypy

rooms: $(VENV)/developed ## which room may import which (import-linter)
	$(BIN)/lint-imports

$(VENV)/browsed: $(VENV)/developed tools/install_browser.sh web/package-lock.json
	PYTHON=$(BIN)/python tools/install_browser.sh
	@touch $@

browser: $(VENV)/browsed ## what the tests of the web app's page need: Chromium, and tools from npm

web: ## build the web app's page into the package (needs Node.js; users of the package do not)
	@command -v npm >/dev/null || { echo "make web needs Node.js 20.19 or newer with npm: https://nodejs.org" >&2; exit 1; }
	npm ci --prefix web --no-fund --no-audit
	npm run build --prefix web

unit: $(VENV)/developed $(VENV)/browsed ## tests, doctests and coverage
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal --cov --cov-report=
	$(BIN)/coverage report
	$(BIN)/coverage report --include='*/capability/*,*/planning/*,*/search/*' --fail-under=100

# One page after the other: kernels of two pages that start at the same time may choose the same ports.
docs: $(VENV)/developed ## build the documentation; every page's code is executed
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going docs docs/_build/html
	$(BIN)/python tools/notebooks.py check
	@echo "documentation: docs/_build/html/index.html"

package: $(VENV)/developed ## build wheel and source archive, try the wheel in an empty environment
	$(BIN)/python tools/package.py

figures: $(VENV)/developed ## draw the README's pictures again
	$(BIN)/python docs/figures.py

pictures: $(VENV)/developed $(VENV)/browsed ## take the pictures of the web app again
	$(BIN)/python -m tools.web_pictures

bench: $(VENV)/developed ## every benchmark, with ratios
	@for file in benchmarks/bench_*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done
	@echo "== sizeup bench"; $(BIN)/sizeup bench

gpu: $(VENV)/developed ## on a machine with a GPU: that it finds the same, and how fast
	$(BIN)/python benchmarks/gpu.py searches same faults speed growth games --save docs/results/gpu.md

format: $(VENV)/developed ## format the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock: ## pin the newest versions that work together into constraints.txt, and their hashes
	rm -rf build/lock
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet --upgrade '.[dev]'
	build/lock/bin/python -m pip freeze --exclude sizeup > constraints.txt
	build/lock/bin/python tools/lock.py

lowest: ## the quick tests with the lowest versions that pyproject.toml allows
	$(PYTHON) tools/bounds.py lowest

newest: ## the quick tests with the newest versions there are
	$(PYTHON) tools/bounds.py newest

clean: ## remove the virtual environment and everything built
	rm -rf $(VENV) build dist docs/_build .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
