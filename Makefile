# `make` lists what can be made. Needs make and Python 3.11 to 3.13; no Docker, no Java.

PYTHON ?= python3
VENV ?= .venv
ARGS ?=
WORKERS ?= 2

bin := $(VENV)/bin
python := $(bin)/python
install := scripts/install $(python) $(python)

pytest := $(python) -m pytest --require-stores -n $(WORKERS) --dist loadfile --no-loadscope-reorder

.DEFAULT_GOAL := help
.PHONY: help demo serve test rltest test-adapters test-api lint format bench chaos docs wheel release-check clean

help: ## list the targets
	@grep -E '^[a-z-]+: .*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/make \1\t\2/' | expand -t 20

demo: $(VENV)/.installed-local ## start a local Neo4j, read a corpus of 1,890 passages, answer questions on it
	@$(bin)/tetragraph demo $(ARGS)

serve: $(VENV)/.installed-server ## read the corpus of the demo, and serve it with a page on http://127.0.0.1:8424
	@$(bin)/tetragraph demo
	@$(bin)/tetragraph serve $(ARGS)

test: $(VENV)/.installed-dev ## run every test; ARGS="tests/unit -k name" runs some; WORKERS=0 without other processes
	$(pytest) $(ARGS)

rltest: ## test the training of policies, in an environment of its own: PyTorch is 5 GB
	$(PYTHON) -m venv .venv-rl
	scripts/install .venv-rl/bin/python .venv-rl/bin/python --editable '.[rl]' hypothesis pytest
	.venv-rl/bin/python -m pytest tests/training

test-adapters: $(VENV)/.installed-dev ## test LangChain, LlamaIndex, neo4j-graphrag, Haystack, OpenAI Agents, each in its environment
	$(python) scripts/adapter_tests.py $(ARGS)

test-api: $(VENV)/.installed-dev ## test the API of the service against its OpenAPI document; ARGS=50 examples
	$(python) scripts/api_tests.py $(ARGS)

lint: $(VENV)/.installed-dev ## style, types, layers, spelling
	$(bin)/ruff check
	$(bin)/ruff format --check
	$(bin)/mypy
	$(bin)/lint-imports --no-cache
	$(bin)/codespell

format: $(VENV)/.installed-dev ## put the code into the form that `make lint` asks for
	$(bin)/ruff check --fix
	$(bin)/ruff format

bench: $(VENV)/.installed-dev ## measure, keep the figures and show them in README; ARGS="latency growth" measures some
	$(python) -m benchmarks $(ARGS)

docs: $(VENV)/.installed-dev ## write the documentation as a site to site/; a broken link fails
	NO_MKDOCS_2_WARNING=1 $(python) -m mkdocs build --strict --quiet
	@echo "site/index.html leads to this version"

chaos: $(VENV)/.installed-dev ## kill every command that changes a corpus at random moments; ARGS="--kills 20 --only sync"
	$(python) -m benchmarks.kill_commands $(ARGS)

wheel: | $(VENV)/.made ## build the wheel, and test it away from this folder
	scripts/check_wheel $(python) $(ARGS)

release-check: wheel ## all that a release needs: metadata, clean installs, the quick start, licences and bill of materials
	scripts/check_release $(python)

clean: ## remove what was made here; the data of local stores stay where they are
	rm -rf dist build site htmlcov .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage
	find app loaders adapters tests scripts -name __pycache__ -prune -exec rm -rf {} +
	rm -rf .venv-adapters .venv-api
	if [ -e $(VENV)/.made ]; then rm -rf $(VENV); fi

# A stamp is written when its step is complete, so an interrupted step runs again and a complete one never does.

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; (3, 11) <= sys.version_info < (3, 14) or sys.exit("tetragraph needs Python 3.11 to 3.13, $(PYTHON) is %d.%d; name another one: make PYTHON=python3.12" % sys.version_info[:2])'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.installed-local: pyproject.toml | $(VENV)/.made
	@echo "Installing tetragraph and its local stores into $(VENV): once, a few minutes"
	@$(install) --editable '.[local]'
	@touch $@

$(VENV)/.installed-server: pyproject.toml | $(VENV)/.made
	@echo "Installing tetragraph with its service into $(VENV): once, a few minutes"
	@$(install) --editable '.[local,docs,eval,server,mcp]'
	@touch $@ $(VENV)/.installed-local

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/.made
	@echo "Installing tetragraph and the tools of its developers into $(VENV): once, a few minutes"
	@$(install) --editable '.[local,analytics,docs,ocr,eval,multilingual,server,traces,mcp,ir-datasets,watch,ray,dev]'
	@touch $@ $(VENV)/.installed-local $(VENV)/.installed-server
