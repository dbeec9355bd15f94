# Each target installs what it needs and the machine lacks, into .cache.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

TOOLS := .cache/tools
export SAM := $(CURDIR)/$(TOOLS)/python/bin/sam
export SAM_CLI_TELEMETRY := 0
# Processor of the functions that are built and deployed. It is the template's parameter Architecture as well.
ARCHITECTURE ?= arm64

##@ On this machine

.PHONY: run
run: ## Serve everything at http://127.0.0.1:3000, data in .data (PORT, DATA_DIR)
	go build -o .cache/bin/frontdesk ./infra/local/frontdesk
	exec .cache/bin/frontdesk

.PHONY: play
play: ## As run, with stand-ins for the platforms: write as a customer on WhatsApp, SMS, e-mail … without an account (PORT, DATA_DIR)
	go run ./infra/play

.PHONY: dev
dev: ## As run, built and started anew at every change
	go run ./infra/dev

.PHONY: account
account: ## Make a workspace, print its key and sign-in link: make account NAME=acme PLAN=free [STACK=name], or a new link: LOGIN=<account_id>
	@if [ "$(STACK)" = sam-local ]; then set -a; . .cache/sam-local/env; fi; \
	go run ./infra/admin $(if $(LOGIN),login -account "$(LOGIN)",create -name "$(NAME)" -plan "$(or $(PLAN),free)") -stack "$(STACK)"

.PHONY: sam-local
sam-local: $(SAM) ## Serve the functions in containers at http://127.0.0.1:3001, by the SAM CLI over emulators (PORT)
	go build -o .cache/bin/sam-local ./infra/sam
	exec .cache/bin/sam-local

##@ Tests

# The race detector is written in C, the emulators run on Java: without a compiler or a Java the tests that can run do.
RACE := $(if $(shell command -v $$(go env CC)),-race)
EMULATORS := $(and $(shell command -v java),$(shell command -v mvn))

.PHONY: test
test: ## Run all tests
	$(if $(EMULATORS),,FRONTDESK_WITHOUT_EMULATORS=1) go test $(RACE) -shuffle=on ./...
	@$(if $(RACE),,echo "NOT TESTED: data races, which need a C compiler")
	@$(if $(EMULATORS),,echo "NOT TESTED: what runs against DynamoDB Local and ElasticMQ, which need java and mvn")
	@$(foreach runner,node python3,$(if $(shell command -v $(runner)),,echo "NOT TESTED: the receiver of webhooks that needs $(runner)";))

# What make test does with fewer rounds.
.PHONY: test-kills
test-kills: ## Kill the service, and the built workers, 50 times while the platforms of all channels post (INBOUND_KILLS)
	INBOUND_KILLS=$(or $(INBOUND_KILLS),50) go test -count=1 -v -timeout 30m -p 1 \
		-run 'TestKilledInbound|TestKilledWorkers' ./infra/local ./infra/sam

CHANNELS := $(CURDIR)/$(TOOLS)/channels

.PHONY: test-channels
test-channels: ## Have libraries of others judge what channels send and take: Twilio's, pywa, nodemailer, moto
	@$(MAKE) --no-print-directory $(CHANNELS)/python/installed || \
		echo "NOT TESTED: channels against twilio, pywa, moto and Python's email, which could not be installed"
	@$(MAKE) --no-print-directory $(CHANNELS)/node/installed || \
		echo "NOT TESTED: channels against nodemailer, mailparser and aws-ses-v2-local, which could not be installed"
	CHANNEL_TOOLS=$(CHANNELS) go test -count=1 -v ./infra/interop

.PHONY: test-widget
test-widget: $(TOOLS)/node/node_modules/.package-lock.json ## Chat through the widget in a browser (SCREENSHOT=file.png keeps a picture)
	@chromium=$$(infra/tools/chromium) || { echo "NOT TESTED: the chat widget, which needs Chromium"; exit; }; \
	go build -o .cache/bin/frontdesk ./infra/local/frontdesk; \
	CHROMIUM=$$chromium FRONTDESK=.cache/bin/frontdesk TOOLS=$(CURDIR)/$(TOOLS)/node node --test infra/browser/widget.test.mjs

.PHONY: test-console
test-console: $(TOOLS)/node/node_modules/.package-lock.json ## Use the dashboard in a browser (SCREENSHOTS=folder keeps pictures; TESTS=file for one)
	@chromium=$$(infra/tools/chromium) || { echo "NOT TESTED: the dashboard, which needs Chromium"; exit; }; \
	go build -o .cache/bin/frontdesk ./infra/local/frontdesk; go build -o .cache/bin/seed ./infra/browser/seed; \
	CHROMIUM=$$chromium FRONTDESK=.cache/bin/frontdesk SEED=.cache/bin/seed TOOLS=$(CURDIR)/$(TOOLS)/node node --test --test-concurrency=1 $(or $(TESTS),infra/browser/console.test.mjs infra/browser/analytics.test.mjs infra/browser/playbook.test.mjs infra/browser/agenda.test.mjs infra/browser/boxsettings.test.mjs infra/browser/keys.test.mjs infra/browser/contacts.test.mjs infra/browser/knowledge.test.mjs infra/browser/languages.test.mjs infra/browser/passkeys.test.mjs infra/browser/speed.test.mjs infra/browser/together.test.mjs)

.PHONY: check
check: $(TOOLS)/go/staticcheck $(SAM) ## Look for what a reviewer should not have to
	@unformatted=$$(gofmt -l $$(find . -name '*.go' -not -path './.*')); [ -z "$$unformatted" ] || { echo "not gofmt'ed: $$unformatted"; exit 1; }
	go mod tidy -diff
	go vet ./...
	$(TOOLS)/go/staticcheck ./...
	infra/tools/vulncheck $(TOOLS)/go/govulncheck
	$(SAM) validate --lint --region us-east-1

.PHONY: check-openapi
check-openapi: $(SAM) $(TOOLS)/node/node_modules/.package-lock.json ## Have others judge the API's description
	$(TOOLS)/python/bin/openapi-spec-validator functions/openapi/openapi.json
	REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true \
		$(TOOLS)/node/node_modules/.bin/redocly lint --config infra/tools/redocly.yaml functions/openapi/openapi.json

.PHONY: check-console
check-console: $(TOOLS)/node/node_modules/.package-lock.json ## Check the types of the dashboard's scripts
	$(TOOLS)/node/node_modules/.bin/tsc -p functions/console

CLIENTS := .cache/clients

.PHONY: test-clients
test-clients: $(TOOLS)/go/staticcheck $(TOOLS)/node/node_modules/.package-lock.json ## Use the API by clients that are made from its description
	rm -rf $(CLIENTS)
	mkdir -p $(CLIENTS)
	cp -r infra/clients/go infra/clients/typescript $(CLIENTS)
	mkdir $(CLIENTS)/go/client
	$(TOOLS)/go/oapi-codegen -generate types,client -package client -o $(CLIENTS)/go/client/client.go functions/openapi/openapi.json
	go -C $(CLIENTS)/go vet ./...
	ln -s $(CURDIR)/$(TOOLS)/node/node_modules $(CLIENTS)/typescript/node_modules
	$(TOOLS)/node/node_modules/.bin/openapi-typescript functions/openapi/openapi.json -o $(CLIENTS)/typescript/api.d.ts
	$(TOOLS)/node/node_modules/.bin/tsc -p $(CLIENTS)/typescript
	go build -o .cache/bin/serve ./infra/serve
	.cache/bin/serve go -C $(CLIENTS)/go test -count=1 ./...
	.cache/bin/serve node --test $(CLIENTS)/typescript/out

# Most of what Schemathesis tries is the same each time; what remains of the time goes to random requests.
FUZZ_SECONDS ?= 150

.PHONY: fuzz
fuzz: $(SAM) ## Play hostile visitors, and have Schemathesis make up requests (FUZZ_SECONDS)
	go build -o .cache/bin/serve ./infra/serve
	go build -o .cache/bin/hostile ./infra/hostile
	.cache/bin/serve .cache/bin/hostile
	@$(TOOLS)/python/bin/pip install --quiet --disable-pip-version-check --requirement infra/tools/requirements-fuzz.txt || \
		{ echo "NOT TESTED: requests that Schemathesis makes up, since it could not be installed"; exit; }; \
	HYPOTHESIS_STORAGE_DIRECTORY=.cache/hypothesis .cache/bin/serve $(TOOLS)/python/bin/schemathesis --config-file infra/tools/schemathesis.toml \
		run functions/openapi/openapi.json --max-time $(FUZZ_SECONDS) --no-color

.PHONY: contract-sam
contract-sam: $(SAM) ## Run the contract tests against the functions in containers
	go build -o .cache/bin/sam-local ./infra/sam
	.cache/bin/sam-local go test -count=1 -v -timeout 30m ./infra/contract

MINISTACK := $(CURDIR)/$(TOOLS)/ministack/bin/ministack

.PHONY: test-deploy
test-deploy: $(SAM) $(MINISTACK) ## Deploy to an emulator of AWS as the README says, use, update and delete the stack
	MINISTACK=$(MINISTACK) go test -count=1 -v -timeout 60m ./infra/deploy/emulated

.PHONY: bench
bench: ## Measure cold starts, requests, chat, deliveries, inbound messages and what each costs (PARTS=chat)
	go run ./infra/bench $(PARTS)

.PHONY: costs
costs: ## Print what a month on AWS costs (VISITS, CONVERSATIONS, MESSAGES, DELIVERIES, PEOPLE, MONTHS)
	@go run ./infra/bill $(foreach name,VISITS CONVERSATIONS MESSAGES DELIVERIES PEOPLE MONTHS,\
		$(if $($(name)),-$(shell echo $(name) | tr A-Z a-z) $($(name))))

.PHONY: soak
soak: ## Play 100,000 turns and as many deliveries, and look for what grows or gets lost; half an hour (TURNS)
	go run ./infra/bench soak

.PHONY: train-understanding
train-understanding: ## Learn to understand messages anew, after a change of the phrasings in shared/language
	go run ./infra/train

.PHONY: concepts
concepts: ## Write the tables of shared/concept anew, after a change of the concepts in shared/language
	go run ./infra/concepts

.PHONY: fit
fit: ## Fit how sure the built-in engine is of its answers, with XQuAD: make fit DATA=folder BUSINESSES=folder
	go run ./infra/fit -data "$(DATA)" -businesses "$(BUSINESSES)" -step rank
	go run ./infra/fit -data "$(DATA)" -businesses "$(BUSINESSES)" -step sure

.PHONY: eval
eval: ## Measure the understanding of messages, and with public data the answers: make eval DATA=folder
	go run ./infra/eval -data "$(DATA)"

##@ On AWS

.PHONY: build
build: $(SAM) ## Build the functions for Lambda
	go build ./...
	infra/sam/build $(ARCHITECTURE) .aws-sam/build

.PHONY: preflight
preflight: ## Check that the AWS account is ready for the stack, and change nothing (STACK, REGION)
	go run ./infra/deploy preflight

.PHONY: deploy
deploy: $(SAM) ## Deploy the stack: make deploy STACK=frontdesk REGION=eu-central-1 ALARM_EMAIL=… remembers what it is given
	go run ./infra/deploy
	@$(MAKE) --no-print-directory secrets-key

.PHONY: delete
delete: $(SAM) ## Delete the stack but not its table (STACK)
	go run ./infra/deploy delete

.PHONY: rollback
rollback: $(SAM) ## Deploy the release before with the settings of the stack, or another version: make rollback TO=v0.2.0 (STACK)
	@go run ./infra/deploy rollback

.PHONY: logs
logs: $(SAM) ## Follow the log of the functions: make logs FILTER=ERROR SINCE='1h ago' (STACK, FOLLOW=no)
	@go run ./infra/deploy logs

.PHONY: secrets-key
secrets-key: ## Make the key that the deployed stack seals credentials with, if it has none (STACK; FROM, whose key to take)
	@go run ./infra/admin secrets-key -stack "$(DEPLOYED)" -from "$(FROM)"

.PHONY: rotate-key
rotate-key: ## Replace the key of secrets, and seal all that is stored anew (STACK)
	@go run ./infra/admin rotate-key -stack "$(DEPLOYED)"

.PHONY: openai-key
openai-key: ## Store the key of the stack's language models, from OPENAI_API_KEY (STACK)
	@go run ./infra/admin openai-key -stack "$(DEPLOYED)"

# The stack that STACK names, or else the one that was deployed last.
DEPLOYED = $(or $(STACK),$(shell sed -n 's/^ *"last": "\(.*\)",*$$/\1/p' "$${DEPLOY_FILE:-.deploy.json}" 2>/dev/null))

##@ The rest

.PHONY: openapi
openapi: ## Write the API's description from the code
	go test ./infra/product -run TestOpenAPI -update

.PHONY: box
box: ## Make the chat box's script of its modules in functions/widget/box
	go run -C infra/tools ./bundle ../../functions/widget/box/main.js ../../functions/widget/dist/widget.js

.PHONY: console
console: ## Bundle the dashboard from functions/console/app into functions/console/dist
	go run -C infra/tools ./console

.PHONY: clean
clean: ## Remove what was built and installed, but no data
	rm -rf .cache .aws-sam

.PHONY: help
help:
	@awk 'BEGIN { FS = ":.*## " } /^##@/ { print "\n" substr($$0, 5) } /^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

$(SAM): infra/tools/requirements.txt
	python3 -m venv $(TOOLS)/python
	$(TOOLS)/python/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

$(MINISTACK): infra/tools/requirements-ministack.txt
	python3 -m venv $(TOOLS)/ministack
	$(TOOLS)/ministack/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

$(CHANNELS)/python/installed: infra/tools/requirements-channels.txt
	python3 -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

$(CHANNELS)/node/installed: infra/tools/channels/package.json infra/tools/channels/package-lock.json
	@mkdir -p $(@D)
	cp $^ $(@D)/
	cd $(@D) && npm ci --no-audit --no-fund
	@touch $@

$(TOOLS)/go/staticcheck: infra/tools/go.mod infra/tools/go.sum
	@mkdir -p $(@D)
	go build -C infra/tools -o $(CURDIR)/$(@D)/ tool
	@touch $@

$(TOOLS)/node/node_modules/.package-lock.json: infra/tools/package.json infra/tools/package-lock.json
	@mkdir -p $(TOOLS)/node
	cp infra/tools/package.json infra/tools/package-lock.json $(TOOLS)/node/
	cd $(TOOLS)/node && npm ci --no-audit --no-fund
	@touch $@
