# Everything that is done with this package has one name here; `make help` lists them.
#
# run, test, lint and build need Swift and make, nothing else. manifest and bundle need python3 as it is (Debian:
# apt-get install python3; macOS: xcode-select --install); conformance, view-test, install-test and bench make Python
# environments of their own below .build, for which Debian wants python3-venv; view-test also needs Debian's chromium, bench
# a C compiler (Debian: gcc). Nothing is written outside .build and the folder for temporary files, except where the list
# below says so.

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
# Of the simulation: how many worlds, from which on, in how many processes.
SEEDS ?= 100000
FIRST ?= 1
JOBS ?= $(shell getconf _NPROCESSORS_ONLN)
# How often two Syncthing nodes are cut apart and joined.
CUTS ?= 10
MINUTES ?= 10
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
# What the figures of `make bench` are made with; see Tests/Benchmarks/bench.py.
BENCH := .build/benchmarks
BENCH_SIZES ?=
COMPILER := $(firstword $(foreach name,cc clang gcc,$(shell command -v $(name))))
BUNDLE := .build/bundle/get-bananas.mcpb

.DEFAULT_GOAL := help
.PHONY: help run test lint build stress conformance view-test install uninstall manifest bundle install-test icon pictures \
  view-pictures clean need-python contention merge-model golden bench bench-page simulate growth syncthing-test household \
  fuzz fuzz-smoke starve tsan leaks soak

help: ## list the targets
	@awk -F ' ## ' '/^[a-z-]+:.* ## / { sub(/:.*/, "", $$1); printf "make %-13s %s\n", $$1, $$2 }' Makefile

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

stress: build ## kill, crowd and overwrite the release, STRESS=5 times as long as in make test
	@$(SWIFT) build --build-tests $(CHECKED)
	@GET_BANANAS_STRESS=$(STRESS) GET_BANANAS_EXECUTABLE=$(CURDIR)/.build/release/get-bananas \
	  $(SWIFT) test --skip-build --disable-xctest \
	  --filter 'EndToEndTests.(TwoServersTests|KillTests|KillStormTests|LockFreeWriterTests|FolderSyncTests)'

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

simulate: ## run SEEDS=100000 worlds of devices, servers and a sync service in virtual time; a failing one is shown
	@$(SWIFT) build --quiet -c release --product simulate
	@part=$$((($(SEEDS) + $(JOBS) - 1) / $(JOBS))); children=; status=0; \
	  for job in $$(seq 0 $$(($(JOBS) - 1))); do \
	    .build/release/simulate $$(($(FIRST) + job * part)) $$part & children="$$children $$!"; done; \
	  for child in $$children; do wait $$child || status=1; done; exit $$status

growth: need-python ## draw docs/growth.svg anew: how a list grows that an app reads back in
	@$(SWIFT) build --quiet -c release --product simulate
	@$(PYTHON) Tests/Simulate/curve.py .build/release/simulate docs/growth.svg

syncthing-test: need-python build ## cut two real Syncthing nodes apart and join them again, CUTS=10 times
	@$(SWIFT) build --quiet -c release --product sample-app
	@$(PYTHON) Tests/Syncthing/run.py .build/release/get-bananas .build/release/sample-app $(CUTS)

household: build ## two servers, an app and a person with an editor at one list, for MINUTES=10
	@$(SWIFT) build --build-tests $(CHECKED)
	@GET_BANANAS_MINUTES=$(MINUTES) GET_BANANAS_EXECUTABLE=$(CURDIR)/.build/release/get-bananas \
	  $(SWIFT) test --skip-build --disable-xctest --filter SampleAppTests

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

view-test: build $(VENV)/view/made ## try the list view in a browser, between a host of ours and the release (ONLY=word: some)
	@$(VENV)/view/bin/python Tests/View/view_test.py .build/release/get-bananas $(ONLY)

# The lists are complete, so nothing has to be resolved; that they fit together is checked afterwards.
define make-environment
	@rm -rf $(@D)
	@$(PYTHON) -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check --no-deps --no-compile --requirement $<
	@$(@D)/bin/pip check --disable-pip-version-check
	@touch $@
endef

$(VENV)/%/made: Tests/Clients/%.txt
	$(make-environment)

$(VENV)/%/made: Tests/View/%.txt
	$(make-environment)

$(BENCH)/%/made: Tests/Benchmarks/%.txt
	$(make-environment)

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

# Static linking of Foundation, which only json-bench has, is full of the linker's doubts; they are shown if it fails.
bench: build need-python $(BENCH)/driver $(BENCH)/floor $(BENCH)/bare $(if $(QUICK),,$(BENCH)/sdk/made) ## measure the release beside a floor and peers (QUICK=1, BENCH_SIZES=30,1000, ROUNDS=7, ONLY='get json')
	@$(SWIFT) build -c release --product json-bench $(CHECKED) $(RELEASE) >$(BENCH)/json-bench.log 2>&1 || \
	  { cat $(BENCH)/json-bench.log; exit 1; }
	@$(PYTHON) Tests/Benchmarks/bench.py $(if $(QUICK),--quick) $(if $(BENCH_SIZES),--sizes "$(BENCH_SIZES)") \
	  $(if $(filter command environment,$(origin ROUNDS)),--rounds $(ROUNDS)) $(if $(ONLY),--only $(ONLY))

bench-page: need-python ## write the figures of the last whole `make bench` into docs/benchmarks.md and draw docs/benchmarks.svg
	@$(PYTHON) Tests/Benchmarks/page.py

$(BENCH)/driver $(BENCH)/floor: $(BENCH)/%: Tests/Benchmarks/%.c
	@mkdir -p $(@D)
	$(COMPILER) -std=gnu11 -O2 -Wall -Wextra -Werror -o $@ $<

# The least that a Swift program can do, linked as the release is.
$(BENCH)/bare:
	@mkdir -p $(@D)
	@printf 'print("ready")\n' >$@.swift
	@$(SWIFT)c -O $(RELEASE:-Xswiftc=) $@.swift -o $@

view-pictures: build $(VENV)/view/made ## draw docs/list-view-….png anew (Debian: apt-get install chromium fonts-inter)
	@$(VENV)/view/bin/python Tests/View/pictures.py .build/release/get-bananas docs

clean: ## remove all that was built
	rm -rf .build
