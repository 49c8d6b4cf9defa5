# The verbs of daily work. `make` lists them.
#   make serve [HOST=127.0.0.1] [PORT=8000] [DEMO=0]   PYTHON=… names another interpreter to make .venv with.

PYTHON ?= python3
BIN := .venv/bin
STATE := $(or $(EVALBOARD_VAR),var)
DEMO_LOADED := $(STATE)/demo-loaded
TEMPLATES = find frontend results -name '*.html' -not -path '*/static/*'

.DEFAULT_GOAL := help
.PHONY: help serve test check lint fix bench audit venv live dev test-sqlite test-postgresql

help: ## list the verbs
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)$$/  make \1\t\2/p' Makefile | expand -t 14

serve: live ## install what is missing, then start web and workers (HOST=, PORT=, DEMO=0)
ifneq ($(DEMO),0)
	@test -e "$(DEMO_LOADED)" || { echo "Loading the demo (once; DEMO=0 skips it) …" \
	  && $(BIN)/python manage.py migrate --no-input --verbosity 0 \
	  && $(BIN)/python manage.py load_demo && touch "$(DEMO_LOADED)"; }
endif
	@exec $(BIN)/python manage.py serve $(if $(HOST),--host "$(HOST)") $(if $(PORT),--port "$(PORT)")

test: test-sqlite test-postgresql ## every test on SQLite, then those that use the database on PostgreSQL

check: lint test-sqlite ## everything that must hold: formats, lint, types, imports, settings, migrations, tests on SQLite

lint: dev audit ## the same without the tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(TEMPLATES) | xargs -r $(BIN)/djade --check --target-version 5.2
	$(TEMPLATES) | xargs -r $(BIN)/djlint --lint --quiet
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python manage.py check --deploy --fail-level WARNING
	$(BIN)/python manage.py makemigrations --check --dry-run

fix: dev ## put right what tools can: formats, imports, simple lint
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(TEMPLATES) | xargs -r $(BIN)/djade --target-version 5.2

audit: dev
	@$(BIN)/python -m tests.dependency_audit $(BIN)

bench: dev ## measure imports, memory, queries and pages
	$(BIN)/python -m benchmarks

test-sqlite: dev
	$(BIN)/python -m pytest -n auto

test-postgresql: dev
	@$(BIN)/python -m tests.with_postgresql $(BIN)/python -m pytest -n auto -m database

# Packages are installed when the pins differ from those installed last, not by dates: a checkout changes dates.
define install
	@cat requirements/base.txt $(2) | cmp -s - .venv/installed-$(1) || { \
	  echo "Installing the pinned packages of requirements/$(1).txt (about a minute) …"; \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/$(1).txt \
	  && cat requirements/base.txt $(2) > .venv/installed-$(1) \
	  || { echo "They could not be installed; pip says why above. Is the network there? Run make again to retry." >&2; exit 1; }; }
endef

live: venv
	$(call install,live,requirements/live.txt)

dev: venv
	$(call install,dev,requirements/live.txt requirements/dev.txt)

venv:
	@test -x $(BIN)/pip && $(BIN)/python -c "" 2>/dev/null || { \
	  command -v $(PYTHON) >/dev/null || { \
	    echo "There is no $(PYTHON). Install it first: sudo apt install python3 python3-venv" >&2; exit 1; }; \
	  $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	    echo "Evalboard needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V 2>&1). Name a newer one: make serve PYTHON=python3.12" >&2; exit 1; }; \
	  $(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	    echo "Python's venv module is missing. Install it: sudo apt install python3-venv" >&2; exit 1; }; \
	  echo "Making .venv …"; rm -rf .venv; $(PYTHON) -m venv .venv; }
