# Every target sets up what it needs: a virtual environment in .venv, renewed when pyproject.toml changes.

PYTHON ?=
PYTEST_ARGS ?= -n 2 --dist loadfile  # a file stays in one process, which compiles or loads each kernel once
GAME ?= rommels_panzers
CONFIG ?= configs/rommels_panzers/quickstart.toml

MAKEFLAGS += --no-print-directory
CANDIDATES = $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11 python)
SUITABLE = import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))
BIN = .venv/bin
PIP_INSTALL = $(BIN)/python -m pip install --quiet --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help train test mutants gates lint types bench balance venv install clean

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1	/p' Makefile

train: install ## train and evaluate an opponent for Rommel's Panzers (or CONFIG=file.toml)
	@$(BIN)/python -m agents.train $(CONFIG)

test: install ## run the tests (PYTEST_ARGS="-k movement" for some of them, in one process)
	@$(BIN)/desert-envs compile
	@$(BIN)/python -m pytest $(PYTEST_ARGS)

mutants: install ## break 100 conditions and numbers of the rules of GAME=rommels_panzers, and list what no test notices
	@$(BIN)/python -m tests.mutants $(GAME)

lint: install ## check style and format
	@$(BIN)/ruff check --output-format concise
	@$(BIN)/ruff format --check

types: install ## check types
	@$(BIN)/mypy

bench: .venv/.installed-bench ## measure speed beside other libraries
	@$(BIN)/python -m benchmarks.speed

gates: install ## the tests that every game passes, whole (the tests run a sample)
	@DESERT_ENVS_WHOLE=1 $(BIN)/python -m pytest tests/games/test_enough_to_see.py tests/games/test_nothing_too_much.py

balance: install ## the tables of balance of all games; fails where doing nothing wins
	@$(BIN)/python -m benchmarks.balance

venv: .venv/pyvenv.cfg ## an empty environment, to install a particular PyTorch first
	@:

install: .venv/.installed ## the environment with all that the targets above need
	@:

clean: ## delete the environment and caches, keep what was trained
	@rm -rf .venv .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist *.egg-info
	@find . -name __pycache__ -prune -exec rm -rf {} +

.venv/pyvenv.cfg:
	@for python in $(CANDIDATES); do \
	    if "$$python" -c '$(SUITABLE)' >/dev/null 2>&1; then exec "$$python" -m venv --clear .venv; fi; \
	done; \
	echo "No Python 3.11 or newer with venv among: $(CANDIDATES)." \
	    "Install one (Debian, Ubuntu: python3-venv too) or name it: make PYTHON=/path/to/python" >&2; \
	exit 1

.venv/.installed: pyproject.toml .venv/pyvenv.cfg
	@echo "Setting up .venv; the first time this downloads PyTorch and takes some minutes."
	@$(PIP_INSTALL) --editable '.[test,dev]'
	@touch $@

.venv/.installed-bench: .venv/.installed
	@echo "Adding the libraries to compare with."
	@$(PIP_INSTALL) --editable '.[bench]'
	@touch $@
