# Every target is idempotent and says what it does. `make` alone lists them.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

CACHE := $(or $(DNSAPI_CACHE),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/dnsapi)
UV_VERSION := 0.13.9
OWN_UV := $(CACHE)/uv-$(UV_VERSION)/bin/uv
UV := $(or $(shell command -v uv 2>/dev/null),$(OWN_UV))
PYTHON3 ?= python3

BIN := .venv/bin
PY := $(BIN)/python
VENV := .venv/.synced

# Tests that take several seconds each by their nature (10,000 records, 20,000 requests): part of `test`, not of `check`.
LONG_TESTS := $(wildcard tests/route53_controller/zoneunit/test_budget.py \
  tests/route53_controller/zoneunit/test_faults.py tests/webhook/test_fuzz.py)
# The unit tests run as two processes, for two cores: the Route 53 controller's, and all others.
UNIT_FOLDERS := $(filter-out tests/apiserver tests/charts tests/fakes tests/faults,$(patsubst %/,%,$(sort $(wildcard tests/*/))))
GENERATORS := $(patsubst tools/%.py,tools.%,$(shell grep -l -e '--check' tools/*.py 2>/dev/null | grep -v -e __init__ -e generated))

COMMA := ,
say = @printf '\033[1m==> %s\033[0m\n' '$(1)'

.PHONY: help
help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z0-9-]+):.*## /\1\t/' | awk -F '\t' '{printf "  make %-13s %s\n", $$1, $$2}'

# ---- environment ----------------------------------------------------------------------------------------------------

.PHONY: env
env: $(VENV) ## the Python environment in .venv, as uv.lock says

$(OWN_UV):
	$(call say,uv $(UV_VERSION) into $(CACHE))
	@$(PYTHON3) -m venv "$(CACHE)/uv-$(UV_VERSION)" || { \
	  echo "error: cannot make a Python environment: Python 3.11 or newer with its venv module is needed" >&2; \
	  echo "       (on Debian and Ubuntu: apt-get install python3 python3-venv)" >&2; exit 1; }
	@"$(CACHE)/uv-$(UV_VERSION)/bin/pip" install --quiet --disable-pip-version-check "uv==$(UV_VERSION)"

$(VENV): pyproject.toml uv.lock | $(UV)
	$(call say,Python environment .venv)
	@"$(UV)" sync --frozen --all-extras --quiet
	@touch $(VENV)

# ---- the stack on this machine --------------------------------------------------------------------------------------

.PHONY: demo up down status binaries
demo: $(VENV) ## from nothing to records in Route 53 (emulated): the quickstart example; KEEP=1 leaves it running
	$(call say,demo: manifests in and records out)
	@$(PY) -m e2e.stack demo $(if $(KEEP),--keep)

up: $(VENV) ## the same stack without the example; .local/env says where everything is
	$(call say,local stack up)
	@$(PY) -m e2e.stack up

down: $(VENV) ## end what up or demo started, and nothing else
	$(call say,local stack down)
	@$(PY) -m e2e.stack down

status: $(VENV) ## what of the local stack runs
	@$(PY) -m e2e.stack status

binaries: $(VENV) ## find or build the control plane programs, helm and promtool, fetch the kinds of other projects
	$(call say,control plane programs$(COMMA) helm and promtool)
	@$(PY) -m e2e.controlplane binaries
	@$(PY) -m e2e.helm
	@$(PY) -m e2e.promtool
	@$(PY) -m e2e.foreign

# ---- checks ---------------------------------------------------------------------------------------------------------

.PHONY: test check lint types contracts drift unit unit-route53 unit-others long served apiserver charts e2e faults soak
test: check ## everything: check, long tests, API server tests, chart tests, the end-to-end suite, a short bad day
	@$(MAKE) --no-print-directory binaries
	@$(MAKE) --no-print-directory -j2 --output-sync=target long served
	@$(MAKE) --no-print-directory e2e
	@$(MAKE) --no-print-directory faults
	$(call say,everything passed)

check: $(VENV) ## the fast half: lint, types, import contracts, generated files, unit tests
	@$(MAKE) --no-print-directory lint contracts drift
	@$(MAKE) --no-print-directory -j2 --output-sync=target unit-route53 unit-others types

lint: $(VENV) ## ruff: rules and format
	$(call say,lint)
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .

types: $(VENV) ## mypy, strict
	$(call say,types)
	@$(BIN)/mypy

contracts: $(VENV) ## who may import whom (import-linter)
	$(call say,import contracts)
	@$(BIN)/lint-imports --no-logo

drift: $(VENV) ## generated files equal what the models say
	$(call say,generated files)
	@set -e; for generator in $(GENERATORS); do $(PY) -m $$generator --check; done

unit: $(VENV) ## tests that need no API server
	@$(MAKE) --no-print-directory -j2 --output-sync=target unit-route53 unit-others

unit-route53: $(VENV)
	$(call say,unit tests: the Route 53 controller)
	@$(BIN)/pytest -q $(addprefix --ignore=,$(LONG_TESTS)) tests/route53_controller

unit-others: $(VENV)
	$(call say,unit tests: all others)
	@$(BIN)/pytest -q $(addprefix --ignore=,$(LONG_TESTS)) $(filter-out tests/route53_controller,$(UNIT_FOLDERS))

long: $(VENV) ## unit tests that take long by their nature
	$(call say,long tests)
	@$(if $(LONG_TESTS),$(BIN)/pytest -q $(LONG_TESTS))

# Most of the time these wait for a server, so that something else can have the other processor.
served: $(VENV)
	@$(MAKE) --no-print-directory apiserver
	@$(MAKE) --no-print-directory charts

apiserver: $(VENV) ## tests against a real API server
	$(call say,API server tests)
	@$(BIN)/pytest -q tests/apiserver

charts: $(VENV) ## the charts render and the API server accepts them
	$(call say,chart tests)
	@$(BIN)/pytest -q tests/charts

e2e: $(VENV) ## the end-to-end suite on a fresh local stack of its own
	$(call say,end-to-end suite)
	@DNSAPI_AUDIT=1 $(PY) -m e2e.stack run --directory .local/e2e -- $(PY) -m pytest -q $(E2E_ARGS) e2e/suite
	$(call say,no secret in any log$(COMMA) each granted right used and none missing)
	@$(PY) -m e2e.leaks .local/e2e
	@$(if $(E2E_ARGS),echo "rights: only a run of the whole suite tells",$(PY) -m e2e.rights .local/e2e)

faults: $(VENV) ## services, API server, etcd and AWS misbehave for a minute; then all must be as desired
	$(call say,a short bad day)
	@$(BIN)/pytest -q tests/faults

MINUTES ?= 30
soak: $(VENV) ## the same for long: MINUTES=30, SEED=n plays a run again
	$(call say,bad days for $(MINUTES) minutes)
	@$(PY) -m e2e.soak --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

# ---- a real node, without Docker -------------------------------------------------------------------------------------

.PHONY: cluster e2e-cluster cluster-down cluster-clean
cluster: $(VENV) ## a cluster of one real node with images and charts (root; Debian packages, see e2e/cluster)
	$(call say,cluster of one node)
	@$(PY) -m e2e.cluster up
	@$(PY) -m e2e.cluster images
	@$(PY) -m e2e.cluster install

e2e-cluster: cluster ## the end-to-end suite on it, then an uninstall
	$(call say,end-to-end suite on the cluster)
	@$(PY) -m e2e.cluster suite
	@$(PY) -m e2e.cluster uninstall
	@$(PY) -m e2e.cluster down

cluster-down: $(VENV) ## end the cluster, and nothing else
	@$(PY) -m e2e.cluster down

cluster-clean: $(VENV) ## end the cluster and remove what it keeps on the disk (images: 2.4 GB)
	@$(PY) -m e2e.cluster clean

.PHONY: docs
docs: $(VENV) ## the documentation as a site, in site/
	$(call say,documentation)
	@NO_MKDOCS_2_WARNING=1 "$(UV)" run --frozen --group docs --quiet mkdocs build --strict --quiet

# ---- measuring ------------------------------------------------------------------------------------------------------

N ?= 10000
ZONES ?= 200
RECORDS ?= 100000

.PHONY: bench-zone bench-change bench-cluster bench-slices bench-webhook bench-plan bench-sources
bench-zone: $(VENV) ## one zone of N=10000 record sets: bulk, single changes, restart, rest; JSON lines
	@$(PY) -m benchmarks.zone --records $(N)

bench-change: $(VENV) ## what one change costs in zones of four sizes, and how that grows; JSON lines
	@$(PY) -m benchmarks.change

bench-slices: $(VENV) ## ledger objects of several sizes on a real API server; JSON lines
	@$(PY) -m benchmarks.slices

bench-cluster: $(VENV) ## a settled cluster of ZONES=200 and RECORDS=100000 when the controllers start; JSON lines
	@$(PY) -m benchmarks.cluster --zones $(ZONES) --records $(RECORDS)

bench-webhook: $(VENV) ## reviews a second, and memory with up to 100,000 claims; JSON lines
	@$(PY) -m benchmarks.webhook
	@$(PY) -m benchmarks.webhook_memory

bench-plan: $(VENV) ## planning one changed claim at three sizes of zone; JSON lines
	@$(PY) -m benchmarks.plan

bench-sources: $(VENV) ## 5,000 routes to record sets, without a server, then at a real one at three sizes; JSON lines
	@$(PY) -m benchmarks.sources
	@$(PY) -m benchmarks.sources --server

# ---- writing --------------------------------------------------------------------------------------------------------

.PHONY: fmt crds generate clean
fmt: $(VENV) ## format and mend what ruff can mend
	$(call say,format)
	@$(BIN)/ruff check --fix --quiet . || true
	@$(BIN)/ruff format .

crds: generate
generate: $(VENV) ## write the generated files (CRDs, reference, chart parts) anew
	$(call say,generated files)
	@set -e; for generator in $(GENERATORS); do $(PY) -m $$generator; done

clean: ## remove the environment, caches of tools and .local (after down)
	@if [ -x $(PY) ]; then $(PY) -m e2e.stack down; $(PY) -m e2e.stack down --directory .local/e2e; $(PY) -m e2e.stack down --directory .local/soak; fi
	rm -rf .venv .local .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis dist site
