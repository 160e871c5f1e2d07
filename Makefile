# Everything that is done with this package has one name here; `make help` lists them.
#
# run, test, lint and build need Swift and make, nothing else. manifest and bundle need python3 as it is (Debian:
# apt-get install python3; macOS: xcode-select --install); conformance and install-test make Python environments of their
# own below .build, for which Debian wants python3-venv. Nothing is written outside .build and the folder for temporary
# files, except where the list below says so.

SWIFT ?= swift
PYTHON ?= python3

# The flag finds an import of a target that Package.swift does not name; `make lint` compares with the stricter table.
CHECKED := --explicit-target-dependency-import-check error
XUNIT := .build/tests.xml
# How many times as long as in `make test`; 25 makes 10,000 kills and 10,000 edits of a program that takes no lock.
STRESS ?= 5
# How often 12 processes meet one stale lock.
ROUNDS ?= 200
# How many random merges are compared.
MERGES ?= 100000
# How long each fuzzer runs, in seconds, and all of them together in the short form.
FUZZ_SECONDS ?= 300
SMOKE_SECONDS ?= 60
# How many requests have to leave the memory as it was.
REQUESTS ?= 100000
# What runs under the thread sanitizer: all that brings the server's threads together.
RACES ?= EndToEndTests.(SubscriptionTests|TwoServersTests|HostQuirkTests|ConversationTests|SoakTests)
VENV := .build/conformance
ENVIRONMENTS := $(patsubst Tests/Clients/%.txt,$(VENV)/%/made,$(wildcard Tests/Clients/*.txt))

# On Linux the release is one file that needs no library of the machine, and has no symbol table.
ifeq ($(shell uname -s),Linux)
RELEASE := -Xswiftc -static-executable -Xlinker -s
else
# On macOS one that runs on both kinds of processor.
UNIVERSAL := --arch arm64 --arch x86_64
endif
# Where install puts things. DESTDIR is for who makes packages.
PREFIX ?= /usr/local
DESTDIR ?=
INSTALLED := $(DESTDIR)$(PREFIX)
COMPLETIONS := share/bash-completion/completions/get-bananas share/zsh/site-functions/_get-bananas \
  share/fish/vendor_completions.d/get-bananas.fish
BUNDLE := .build/bundle/get-bananas.mcpb

.DEFAULT_GOAL := help
.PHONY: help run test lint build stress conformance install uninstall manifest bundle install-test icon pictures clean need-python contention merge-model golden fuzz fuzz-smoke starve tsan leaks soak

help: ## list the targets
	@awk -F ' ## ' '/^[a-z-]+:.* ## / { sub(/:.*/, "", $$1); printf "make %-12s %s\n", $$1, $$2 }' Makefile

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

install: ## install the release (make build), its manual page and completions below PREFIX (/usr/local)
	@test -x .build/release/get-bananas || { echo "there is no release yet: make build" >&2; exit 1; }
	install -d $(addprefix "$(INSTALLED)"/,bin share/man/man1 $(dir $(COMPLETIONS)))
	install -m 755 .build/release/get-bananas "$(INSTALLED)/bin/get-bananas"
	@set -e; show() { .build/release/get-bananas $$1 >"$(INSTALLED)/$$2"; chmod 644 "$(INSTALLED)/$$2"; echo "$(INSTALLED)/$$2"; }; \
	  show man share/man/man1/get-bananas.1; \
	  show 'completion bash' $(word 1,$(COMPLETIONS)); \
	  show 'completion zsh' $(word 2,$(COMPLETIONS)); \
	  show 'completion fish' $(word 3,$(COMPLETIONS))

uninstall: ## remove what install has put below PREFIX; lists stay
	rm -f $(addprefix "$(INSTALLED)"/,bin/get-bananas share/man/man1/get-bananas.1 $(COMPLETIONS))

stress: build ## run the end-to-end tests on the release, STRESS=5 times as long
	@$(SWIFT) build --build-tests $(CHECKED)
	@GET_BANANAS_STRESS=$(STRESS) GET_BANANAS_EXECUTABLE=$(CURDIR)/.build/release/get-bananas \
	  $(SWIFT) test --skip-build --disable-xctest --filter EndToEndTests

contention: ## let 12 processes meet one stale lock, ROUNDS=200 times in each way of locking: never two holders
	@$(SWIFT) build --quiet --product lock-contender
	@for mode in both file names; do \
	  .build/debug/lock-contender stress $$mode $(ROUNDS) || exit 1; done
	@# The check must be able to fail: reading the pid, testing it and removing the lock by name is caught.
	@.build/debug/lock-contender stress naive $(ROUNDS) >/dev/null 2>&1; test $$? -eq 1 || \
	  { echo "the naive way of taking over was not caught: this check sees nothing"; exit 1; }; echo "naive: caught"

merge-model: need-python ## try the merge's model in Python, and compare it with the merge in Swift on MERGES=100000 random lists
	@$(SWIFT) build --quiet --product merge-probe
	@$(PYTHON) Tests/MergeModel/properties.py $$(($(MERGES) / 10))
	@$(PYTHON) Tests/MergeModel/compare.py $(MERGES) 1 .build/debug/merge-probe

fuzz: ## let libFuzzer look for inputs that break a promise, FUZZ_SECONDS=300 with each fuzzer (ONLY=name: one)
	@Tests/Fuzz/fuzz run $(FUZZ_SECONDS) $(ONLY)

fuzz-smoke: ## the same in SMOKE_SECONDS=60 together, after each fuzzer has found a planted mistake
	@Tests/Fuzz/fuzz smoke $(SMOKE_SECONDS)

starve: build ## send the release more than anybody could keep, and look at the most memory that it had
	@$(SWIFT) build --build-tests $(CHECKED)
	@GET_BANANAS_STARVE=1 GET_BANANAS_EXECUTABLE=$(CURDIR)/.build/release/get-bananas \
	  $(SWIFT) test --skip-build --disable-xctest --filter StarvedTests

tsan: ## run end-to-end tests on a server that the thread sanitizer watches
	@$(SWIFT) build --build-tests $(CHECKED)
	@Tests/Tools/tsan '$(RACES)'

leaks: build ## send the release REQUESTS=100000 requests: its memory stays what it was after a tenth of them
	@$(SWIFT) build --build-tests $(CHECKED)
	@GET_BANANAS_LEAKS=$(REQUESTS) GET_BANANAS_EXECUTABLE=$(CURDIR)/.build/release/get-bananas \
	  $(SWIFT) test --skip-build --disable-xctest --filter LeakTests

soak: MINUTES = 30
soak: build ## let a household live for MINUTES=30 on the release: nothing lost, nothing left, no descriptor and no memory more
	@$(SWIFT) build --build-tests $(CHECKED)
	@GET_BANANAS_SOAK_MINUTES=$(MINUTES) GET_BANANAS_EXECUTABLE=$(CURDIR)/.build/release/get-bananas \
	  $(SWIFT) test --skip-build --disable-xctest --filter SoakTests

conformance: build $(ENVIRONMENTS) ## let other people's clients and probes speak to the release (ONLY=word: some)
	@$(VENV)/probes/bin/python Tests/Clients/conformance .build/release/get-bananas $(VENV) $(ONLY)

# The lists are complete, so nothing has to be resolved; that they fit together is checked afterwards.
$(VENV)/%/made: Tests/Clients/%.txt
	@rm -rf $(@D)
	@$(PYTHON) -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check --no-deps --no-compile --requirement $<
	@$(@D)/bin/pip check --disable-pip-version-check
	@touch $@

# The command says what is missing rather than that a command was not found.
need-python:
	@command -v $(PYTHON) >/dev/null || { echo "this needs python3: apt-get install python3, or make PYTHON=… $(MAKECMDGOALS)" >&2; exit 1; }

manifest: need-python ## write the tools that the server serves into manifest.json
	@$(SWIFT) build --quiet --product get-bananas
	@$(PYTHON) Sources/bundle/bundle.py tools .build/debug/get-bananas

golden: ## write the expected texts of the tests anew, after a change that is meant; then read the difference
	@RENEW_GOLDEN=1 $(SWIFT) test --disable-xctest --filter 'DeclarationTests|TranscriptTests|BananaServerTests|ShoppingListTests'

bundle: need-python ## make what hosts install: .build/bundle/get-bananas.mcpb
	$(SWIFT) build -c release --product get-bananas $(CHECKED) $(RELEASE) $(UNIVERSAL)
	@$(PYTHON) Sources/bundle/bundle.py pack \
	  "$$($(SWIFT) build -c release --show-bin-path $(UNIVERSAL))/get-bananas" $(BUNDLE)

install-test: bundle $(VENV)/sdk2/made ## play a host: unpack the bundle, start it as its manifest says, stop it
	@$(VENV)/sdk2/bin/python Tests/Clients/install_test.py $(BUNDLE)

icon: ## draw docs/icon.png anew from docs/icon.svg, with rsvg-convert (Debian: apt-get install librsvg2-bin)
	@rsvg-convert --width 512 --height 512 --output docs/icon.png docs/icon.svg

pictures: need-python ## draw docs/session.svg anew: play a session and draw what the terminal shows
	@$(SWIFT) build --quiet --product get-bananas
	@$(PYTHON) Tests/Sessions/picture.py .build/debug/get-bananas docs/session.svg

clean: ## remove all that was built
	rm -rf .build
