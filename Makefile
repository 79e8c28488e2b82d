# Everything that one does with this repository. `make help` lists it.

.DEFAULT_GOAL := help
.PHONY: help run test check fmt clippy doc deny audit bench fuzz

# The feed of `make run`: a zip or a folder; without it, the built-in city.
FEED ?=
# Where `make run` listens.
HTTP ?= 127.0.0.1:4000
# What `make bench` and `make fuzz` are given, such as `make bench ARGS=--quick` or `make fuzz ARGS="600 feed"`.
ARGS ?=

help: ## List what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo "  make run FEED=gtfs.zip HTTP=127.0.0.1:8080"
	@echo "  make bench ARGS=--quick"
	@echo "  make fuzz ARGS=\"600 feed\""

run: need ## Serve FEED (or a built-in city) as JSON at http://HTTP
	cargo run --release --locked --package linespeed -- serve $(if $(FEED),"$(FEED)") --http "$(HTTP)"

test: need ## Run all tests and print how many ran
	tools/test

check: fmt clippy test doc deny ## All that must be green before a change lands

fmt: need ## Hold the layout of the code against rustfmt
	cargo fmt --all --check
	cd fuzz && cargo fmt --check

clippy: need ## Lint, with warnings as errors
	cargo clippy --workspace --all-targets --locked -- -D warnings
	cd fuzz && cargo clippy --all-targets --locked -- -D warnings

doc: need ## Build the documentation, with warnings as errors
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --document-private-items --locked

deny: need ## Hold the dependencies against deny.toml: licences, sources, duplicates
	tools/need cargo-deny
	cargo deny --all-features --locked check bans licenses sources

audit: need ## Look for known holes in the dependencies (fetches the advisory database from GitHub)
	tools/need cargo-deny
	cargo deny check advisories

bench: need ## Measure against the goals, the slow twin and the floor (some minutes)
	cargo build --release --locked --package linespeed
	cargo run --release --locked --package bench -- all $(ARGS)

fuzz: need ## Fuzz each target for a minute (ARGS: seconds, targets)
	fuzz/run $(ARGS)

.PHONY: need
need:
	@tools/need cargo cc
