# Two commands do all the set-up: `make demo` and `make test`.
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
.PHONY: help demo test check format bench slow vassal serve

help:
	@echo "make demo    build the sample module, judge the sample log, print the rulings"
	@echo "make test    run all tests        make check   ruff, mypy --strict, import-linter"
	@echo "make vassal  install and ask the real VASSAL engine (needs root for apt)"
	@echo "make serve   the web service on http://127.0.0.1:8800"
	@echo "make format | bench | slow"

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $@

demo: .venv/ready
	@$(BIN)/python -m service.demo

test: .venv/ready
	$(BIN)/coverage run -m pytest
	$(BIN)/coverage report

check: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/ready
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

slow: .venv/ready
	$(BIN)/python -m pytest -m slow

bench: .venv/ready
	$(BIN)/python -m bench

vassal: .venv/ready
	tests/vassal/oracle/install
	$(BIN)/python -m pytest -m engine

serve: .venv/ready
	$(BIN)/arbiter serve --port 8800
