# A menu. `make` alone prints it.
#
# Everything that is downloaded or built stays in ignored folders of this tree: .venv/, .tools/, build/, target/.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

export ROOT := $(CURDIR)
# A CI shell often starts without the folders that the installers of Rust and Go put into a login shell's PATH.
export PATH := $(CURDIR)/.venv/bin:$(PATH):$(HOME)/.cargo/bin:/usr/local/go/bin
export CARGO_TERM_PROGRESS_WHEN := never
export PYTHON ?= python3

VENV := .venv/ready
PARTS := tools/run_parts.sh
# What cargo builds in target/: the same choice everywhere, or features differ and dependencies are built anew.
WITHOUT_ADAPTER := --workspace --exclude hurray-conformance --exclude hurray-adapter
C_FILES := '*.c' '*.cpp' '*.hpp' 'hurray-ffi/tests/c/*.h' 'hurray-ffi/benches/*.h' 'bindings/go/*.h'

# The parts of `make test`, in order. Each is a target of its own.
TEST_PARTS := lib test-rust test-fuzz test-c test-cpp test-python test-go test-node test-julia test-conformance test-docs \
	test-install test-parity

.PHONY: help setup lib wheel demo demo-stream test test-rust test-fuzz test-c test-cpp test-python test-go test-node test-julia test-docs \
	check format header snapshot bench sanitize fuzz install test-install test-parity clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' Makefile

# ---------------------------------------------------------------- set-up

setup: ## install what the tests need: Debian packages (as root), the Python environment, Julia
	@tools/apt.sh
	@$(MAKE) --no-print-directory $(VENV)
	@tools/julia.sh || [ $$? = 3 ]

$(VENV): tools/requirements.txt tools/venv.sh
	@tools/venv.sh

lib: ## the release library, laid out in build/ (lib, include, pkg-config)
	@tools/lib.sh

# ---------------------------------------------------------------- the main job and the tests

demo: setup wheel ## the main job, on real weights, then a tour through all languages; DEMO_MODEL=minilm takes a larger model
	python demo/demo.py
	python demo/tour.py

demo-stream: setup wheel ## real weights from process to process over a Unix socket
	python demo/stream.py

test: setup ## every test
	@rm -rf build/tests
	@$(PARTS) $(TEST_PARTS)

test-rust: $(VENV) ## the library and the Rust client
	cargo test $(WITHOUT_ADAPTER) --locked

test-fuzz: ## each fuzz target for 20 seconds
	@tools/fuzz.sh 20

test-c: ## the header from C and as C++, under sanitizers; two copies in one process
	cargo test --quiet --locked -p hurray-ffi --test c --test copies --no-fail-fast -- --nocapture

test-cpp: lib ## the C++ header
	@$(MAKE) --no-print-directory -C bindings/cpp -j2 test

test-python: wheel ## the Python package
	python -m pytest -q --junitxml=build/tests/python.xml bindings/python/tests

test-go: lib ## the Go package
	@bindings/go/test.sh

test-node: lib ## the Node package
	@bindings/node/test.sh

test-julia: lib $(VENV) ## the Julia package
	@bindings/julia/test/run.sh

wheel: lib $(VENV) ## the Python wheel, in build/wheels and installed into .venv
	python bindings/python/build.py --install

test-docs: wheel ## the examples of README and docs, compiled and run
	python -m pytest -q tools

test-install: lib $(VENV) ## programs outside this tree, against an installed library
	tools/test_install.sh

test-parity: $(VENV) ## each entry of the parity table rests on what the parts before have run
	python conformance/parity.py --ran

# ---------------------------------------------------------------- gates

check: $(VENV) ## format, lints, drift gates
	@$(PARTS) check-rust check-drift check-python check-go check-node check-c check-tree

.PHONY: check-rust check-drift check-python check-go check-node check-c check-tree
check-rust:
	cargo fmt --all --check
	cargo fmt --manifest-path hurray-ffi/fuzz/Cargo.toml --check
	cargo fmt --manifest-path bindings/julia/test/host/Cargo.toml --check
	cargo metadata --format-version 1 --locked --manifest-path hurray-ffi/fuzz/Cargo.toml >/dev/null
	cargo clippy --workspace --all-targets --locked --quiet -- -D warnings

check-drift: $(VENV)
	cargo test --quiet --locked -p hurray-ffi --test header
	cargo test --quiet --locked -p hurray-ffi --test gates
	cargo test --quiet --locked -p hurray-client --test declarations
	python bindings/julia/declarations.py --check
	bindings/cpp/tests/coverage.sh

check-python: $(VENV)
	ruff check .
	ruff format --check .
	mypy

check-go: lib
	@bindings/go/test.sh check

check-node:
	@bindings/node/test.sh check

check-c: $(VENV)
	git ls-files -z -- $(C_FILES) | xargs -0 -r clang-format --dry-run -Werror

check-tree: $(VENV)
	python tools/check_tree.py

format: $(VENV) ## put every file into the shape that `make check` wants
	cargo fmt --all
	cargo fmt --manifest-path hurray-ffi/fuzz/Cargo.toml
	cargo fmt --manifest-path bindings/julia/test/host/Cargo.toml
	ruff check --quiet --fix .
	ruff format --quiet .
	if command -v gofmt >/dev/null; then gofmt -w bindings/go demo/go; fi
	git ls-files -z --cached --others --exclude-standard -- $(C_FILES) | xargs -0 -r clang-format -i

header: $(VENV) ## regenerate hurray.h from the Rust sources, and the Rust and Julia declarations from it
	HURRAY_UPDATE=1 cargo test --quiet --locked -p hurray-ffi --test header
	HURRAY_UPDATE=1 cargo test --quiet --locked -p hurray-client --test declarations declarations_are
	python bindings/julia/declarations.py

snapshot: header ## extend the committed ABI snapshot by what is new
	HURRAY_UPDATE=1 cargo test --quiet --locked -p hurray-ffi --test gates committed

# ---------------------------------------------------------------- by hand

install: lib ## header, libraries, pkg-config and CMake packages, in PREFIX (default /usr/local) below DESTDIR
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' tools/install.sh

.PHONY: conformance test-conformance conformance-fixtures generate
# LANG is also the locale of the shell; only the one of the command line is meant.
ONLY := $(if $(filter command,$(firstword $(origin LANG))),$(LANG))
conformance: wheel conformance-fixtures ## one set of cases through every language; LANG=cpp,go and CASE=files/ choose
	cargo build --quiet --locked -p hurray-conformance --profile conformance --target-dir target/adapter
	CONFORMANCE_LANG='$(ONLY)' \
		target/adapter/conformance/conformance --format=terse $(CASE)
	$(if $(ONLY)$(CASE),,cargo build --quiet --locked $(WITHOUT_ADAPTER) --example published)
	$(if $(ONLY)$(CASE),,python -m pytest -q conformance/tests)
	$(if $(CASE),,python conformance/parity.py)

test-conformance: conformance ## the conformance suite, in every language

conformance-fixtures: $(VENV)
	cd conformance && python -m generate ../build/conformance/fixtures
	diff -r conformance/fixtures build/conformance/fixtures

generate: $(VENV) ## the fixtures of the conformance suite, from nothing
	cd conformance && python -m generate

bench: setup wheel ## the speed table
	@python tools/bench.py

sanitize: $(VENV) ## the tests under the address, undefined-behaviour and leak sanitizers, and under valgrind
	@$(PARTS) sanitize-c sanitize-cpp sanitize-rust

.PHONY: sanitize-c sanitize-cpp sanitize-rust
sanitize-c:
	HURRAY_C_UNDER=address cargo test --quiet --locked -p hurray-ffi --test c --test copies --no-fail-fast -- --nocapture
	HURRAY_C_UNDER=valgrind cargo test --quiet --locked -p hurray-ffi --test c -- --nocapture

sanitize-cpp: lib
	@$(MAKE) --no-print-directory -C bindings/cpp -j2 sanitize

sanitize-rust:
	@tools/sanitize_rust.sh

fuzz: ## the fuzz targets, SECONDS each (default 20)
	@tools/fuzz.sh $(or $(SECONDS),20)

clean: ## remove what was built; keep what was downloaded
	rm -rf build target
