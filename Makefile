# hermes needs Python 3.11 or newer and make; everything else is installed into .venv.

PYTHON ?= python3
VENV ?= .venv
# How many processes run the tests; `make test N=auto` takes one for each core.
N ?= 2
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: help demo test check bench

help: ## list the targets (the default)
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1	\2/p' Makefile

demo: $(VENV)/installed ## install hermes into .venv and run the documented session
	@$(BIN)/hermes run examples/documented.jsonl --kg olympics

test: $(VENV)/installed-dev ## run all tests that need no system package, and say what was skipped
	@$(BIN)/python -m pytest -n $(N) -rs

check: $(VENV)/installed-dev ## check format, style, types and layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/installed-dev ## run the benchmarks
	@$(BIN)/python -m benchmarks

# One stamp for each stage, so that a second run does nothing and a broken first one starts again.

$(VENV)/created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	    { echo "hermes needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 (tried: $(PYTHON))"; exit 1; }
	@$(PYTHON) -m venv --clear $(VENV)
	@touch $@

$(VENV)/installed: $(VENV)/created pyproject.toml
	@$(PIP) --editable .
	@touch $@

$(VENV)/installed-dev: $(VENV)/created pyproject.toml
	@$(PIP) --editable '.[dev]'
	@touch $(VENV)/installed $@
