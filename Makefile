# Everything that is done with this package has one name here; `make help` lists them.
#
# run, test, lint and build need Swift and make, nothing else. conformance makes a Python environment of its own below
# .build. Nothing is written outside .build and the folder for temporary files.

SWIFT ?= swift
PYTHON ?= python3

# The flag finds an import of a target that Package.swift does not name; `make lint` compares with the stricter table.
CHECKED := --explicit-target-dependency-import-check error
XUNIT := .build/tests.xml
# How many times as long as in `make test`; 25 makes 10,000 kills and 10,000 edits of a program that takes no lock.
STRESS ?= 5
VENV := .build/conformance

# On Linux the release is one file that needs no library of the machine, and has no symbol table.
ifeq ($(shell uname -s),Linux)
RELEASE := -Xswiftc -static-executable -Xlinker -s
endif

.DEFAULT_GOAL := help
.PHONY: help run test lint build stress conformance clean

help: ## list the targets
	@awk -F ' ## ' '/^[a-z]+:.* ## / { sub(/:.*/, "", $$1); printf "make %-12s %s\n", $$1, $$2 }' Makefile

run: ## build, play a recorded session to the server on a temporary list, and show the conversation
	@$(SWIFT) build --quiet --product get-bananas
	@Tests/Sessions/replay .build/debug/get-bananas

test: ## run every test; fails also when fewer ran than the floor in Tests/floor
	@$(SWIFT) build --build-tests $(CHECKED)
	@rm -f $(XUNIT)
	@status=0; $(SWIFT) test --skip-build --disable-xctest --xunit-output $(XUNIT) || status=$$?; \
	  Tests/Tools/test-floor $(XUNIT) || status=1; exit $$status

lint: ## check format, imports and house rules, each rule first tried on a bad sample
	@Tests/Tools/test-floor-selftest
	@Tests/Tools/lint

build: ## build the release at .build/release/get-bananas
	$(SWIFT) build -c release --product get-bananas $(CHECKED) $(RELEASE)

stress: build ## run the end-to-end tests on the release, STRESS=5 times as long
	@$(SWIFT) build --build-tests $(CHECKED)
	@GET_BANANAS_STRESS=$(STRESS) GET_BANANAS_EXECUTABLE=$(CURDIR)/.build/release/get-bananas \
	  $(SWIFT) test --skip-build --disable-xctest --filter EndToEndTests

conformance: build $(VENV)/made ## let the official Python client speak to the release
	@$(VENV)/bin/python Tests/Clients/official_client.py .build/release/get-bananas

$(VENV)/made: Tests/Clients/requirements.txt
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

clean: ## remove all that was built
	rm -rf .build
