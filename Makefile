SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

# How long each fuzz target runs.
FUZZTIME ?= 60s
# More flags for both test runs, for example TESTFLAGS='-run Gate -count 1'.
TESTFLAGS ?=

STEP := .ci/step
SUMMARY := bin/summary.txt

help: ## list the targets
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{ printf "  make %-8s %s\n", $$1, $$2 }'

test: start lint unit race contract summary ## the test command: static checks, all tests, race detector, contract

lint: bin/.tools ## gofmt, go vet, staticcheck, actionlint
	@$(STEP) "gofmt" .ci/gofmt
	@$(STEP) "go vet" go vet ./...
	@$(STEP) "staticcheck" bin/staticcheck ./...
	@$(STEP) "actionlint" bin/actionlint -shellcheck= -pyflakes= .github/workflows/*.yml docs/examples/*.yml
	@$(STEP) "go vet, tools" go -C tools vet ./...

unit: bin/.tools ## all tests, conformance included
	@$(STEP) "go test, tools" go -C tools test ./...
	@$(STEP) "go test" bin/testsum -o $(SUMMARY) $(TESTFLAGS) ./...

# Short mode: the conformance run is single-threaded work on much data, and has
# been done by "unit"; the race detector would only make it ten times slower.
race: bin/.tools ## all tests but the long ones, under the race detector
	@$(STEP) "go test -race -short" bin/testsum -o $(SUMMARY) -race -short $(TESTFLAGS) ./...

# Skips, with the reason, where npm cannot fetch; SWEEPBOT_CONTRACT=1 insists.
contract: bin/.tools ## sandbox, client and readers against what GitHub publishes
	@$(STEP) "go vet, internal/contract" go -C internal/contract vet ./...
	@cd internal/contract && ../../$(STEP) "contract" ../../bin/testsum -o ../../$(SUMMARY) -count 1 ./...

act: ## the sweep workflows under act, on the sample
	@$(STEP) "go vet, tools/act" go -C tools/act vet ./...
	@$(STEP) "act" go -C tools/act test -count 1 ./...

fuzz: ## every fuzz target for FUZZTIME (default 60s)
	@$(STEP) "fuzz" .ci/fuzz $(FUZZTIME)

bench: ## every benchmark, with allocations
	go test -run '^$$' -bench . -benchmem ./...

cover: ## statement coverage by package
	go test -short -coverprofile=bin/cover.out ./...
	go tool cover -func=bin/cover.out | tail -n 1

build: ## the static binary bin/sweepbot
	CGO_ENABLED=0 go build -trimpath -o bin/ ./cmd/sweepbot

fmt: ## format all Go files
	gofmt -w .

clean: ## remove what was built
	rm -rf bin dist

start:
	@mkdir -p bin
	@rm -f $(SUMMARY)

summary:
	@echo
	@echo "== summary"
	@cat $(SUMMARY)

bin/.tools: tools/go.mod tools/go.sum $(wildcard tools/testsum/*.go)
	@$(STEP) "build tools" go -C tools build -buildvcs=false -o ../bin/ tool ./testsum
	@touch $@

.PHONY: help test lint unit race contract act fuzz bench cover build fmt clean start summary
