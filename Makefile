# The verbs of the project. `make demo` and `make test` are all a newcomer needs.
PYTHON ?= python3
VENV   ?= .venv
BIN     = $(VENV)/bin
N      ?= 1

.PHONY: setup demo peers test short check laws update bench figures clean

# Each stamp holds what was installed, so that a second `make` does nothing.
$(VENV)/.run: requirements/run.txt requirements/build.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/run.txt -r requirements/build.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q src
	@touch $@

$(VENV)/.test: $(VENV)/.run requirements/test.txt requirements/pg.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/test.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/pg.txt || \
	  echo 'psycopg cannot be installed; the tests of PostgreSQL will be skipped'
	@touch $@

$(VENV)/.check: $(VENV)/.test requirements/check.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements/check.txt
	@touch $@

setup: $(VENV)/.run

# In a copy, so that the example stays as it is.
demo: setup
	@rm -rf $(VENV)/demo && mkdir -p $(VENV)/demo && cp -R examples/control $(VENV)/demo/
	@cd $(VENV)/demo/control && PATH="$(CURDIR)/$(BIN):$$PATH" && \
	for words in 'init' 'nodes' "explain 'web1:Class[Ntp].servers'" \
	    "blame 'web1:File[/etc/ntp.conf].content'" 'check'; do \
	  echo "$$ headwater $$words"; eval "headwater $$words" || exit 1; echo; \
	done
	@echo '$$ headwater compile web1 | head -n 20'
	@cd $(VENV)/demo/control && "$(CURDIR)/$(BIN)/headwater" compile web1 | head -n 20
	@echo
	@echo '$$ headwater explain examples/firewall.sf testServer.public'
	@$(BIN)/headwater explain examples/firewall.sf testServer.public

# Peers are real programs to compare with; where they cannot be installed their tests skip.
peers:
	@sh tests/peers/install.sh

test: $(VENV)/.test peers
	$(BIN)/python -m pytest -n auto

# For further versions of Python: make PYTHON=python3.13 VENV=.venv-3.13 short
short: $(VENV)/.test
	$(BIN)/python -m pytest -n auto tests/test_cases.py tests/test_transcripts.py tests/house

check: $(VENV)/.check
	$(BIN)/ruff check src tests bench
	$(BIN)/ruff format --check src tests bench
	$(BIN)/mypy
	$(BIN)/lint-imports

laws: $(VENV)/.test peers
	HEADWATER_LAWS=long HEADWATER_LAWS_SCALE=$(N) $(BIN)/python -m pytest -n auto tests/laws tests/peers tests/fuzz

update: $(VENV)/.test
	HEADWATER_UPDATE=1 $(BIN)/python -m pytest -n 0 tests/test_cases.py tests/test_transcripts.py tests/house tests/laws/test_mupuppet_coverage.py

# What the scripts share is no script, and one that writes is not asked for by `bench`.
bench: $(VENV)/.test
	@for b in $(filter-out bench/given.py bench/warm_puppet.py bench/page.py, $(wildcard bench/*.py)); do echo "== $$b"; $(BIN)/python $$b || exit 1; done

# Nothing else should run on the machine meanwhile.
figures: $(VENV)/.test
	$(BIN)/python bench/page.py

clean:
	rm -rf $(VENV) .venv-* .pytest_cache .mypy_cache .ruff_cache .hypothesis
