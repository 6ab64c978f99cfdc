# make run: install if needed and run the demo bot.   make test: install if needed and run everything that CI runs.
# make run BOT=shop runs another example.
# Needs Python 3.11 or later and make; everything else comes from package registries.

PYTHON ?= python3
PORT ?= 8080
HOST ?= 127.0.0.1
DATA ?= data
BOT ?= clinic
CONFORMANCE ?=

BIN := .venv/bin
FRONTEND := $(shell find frontend -path frontend/node_modules -prune -o -type f -print 2>/dev/null)

.PHONY: install run test lint frontend-test coverage bench crash conformance clean lock

install: .venv/installed .venv/frontend

.venv/created:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'Dialoom needs Python 3.11 or later; "$(PYTHON)" is older. Name another: make PYTHON=python3.12 $(MAKECMDGOALS)'; exit 1; }
	@$(PYTHON) -m venv .venv || { echo 'Python cannot make virtual environments here. On Debian and Ubuntu: apt-get install python3-venv'; exit 1; }
	@touch $@

.venv/installed: .venv/created requirements/dev.txt pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q src
	@touch $@

.venv/frontend: .venv/installed $(FRONTEND)
	$(BIN)/python hatch_build.py frontend
	@touch $@

# Tools that make clients of the interface's description, apart from all that the tests themselves need.
.venv/clients/installed: .venv/created tests/clients/requirements.txt
	$(BIN)/python -m venv .venv/clients
	.venv/clients/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r tests/clients/requirements.txt
	@touch $@

run: install
	@exec $(BIN)/python examples/clinic/demo.py examples/$(BOT) --host $(HOST) --port $(PORT) --data $(DATA)

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

frontend-test: install
	$(BIN)/python hatch_build.py npm run check
	$(BIN)/python hatch_build.py npm test

# The first two need one core each.
test: install .venv/clients/installed
	@$(MAKE) -j 2 lint frontend-test
	$(BIN)/python tests/browser.py
	$(BIN)/python hatch_build.py packages tests/identity
	$(BIN)/python hatch_build.py packages tests/webchat
	$(BIN)/python hatch_build.py packages tests/voice
	$(BIN)/python hatch_build.py packages tests/platform_types
	$(BIN)/python hatch_build.py packages tests/telegram_server
	$(BIN)/python hatch_build.py packages tests/frameworks
	$(BIN)/python hatch_build.py packages tests/clients
	$(BIN)/pytest -n 2 --dist worksteal

# Which lines no test runs. The tests take three times as long under it.
coverage: install
	$(BIN)/pytest -n 2 --dist worksteal --cov --cov-report=term:skip-covered

bench: install
	$(BIN)/python -m bench

# Hundreds of kills of each kind, about half an hour; the tests have a few. make crash KILLS=10 WHAT=power for less.
crash: install
	$(BIN)/python -m tests.crash $(if $(KILLS),--kills $(KILLS)) $(if $(WHAT),--what $(WHAT))
	$(BIN)/python -m tests.crash.sharing

conformance: install
	@test -n "$(CONFORMANCE)" || { echo 'Name the folder of the corpora: make conformance CONFORMANCE=folder'; exit 1; }
	$(BIN)/python -m tests.conformance $(CONFORMANCE)

lock: .venv/created
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-strip-extras --no-header --extra dev pyproject.toml --output-file requirements/dev.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-strip-extras --no-header --extra traces pyproject.toml --output-file requirements/run.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-strip-extras --no-header --constraint requirements/dev.txt requirements/build.in --output-file requirements/build.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-strip-extras --no-header tests/clients/requirements.in --output-file tests/clients/requirements.txt

clean:
	rm -rf .venv src/dialoom/widget/static frontend/node_modules tests/identity/node_modules tests/platform_types/node_modules tests/telegram_server/node_modules tests/frameworks/node_modules tests/frameworks/build tests/clients/node_modules frontend/npm/dist tests/voice/node_modules tests/webchat/node_modules bench/handlebars/node_modules dist .coverage
