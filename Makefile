# A thin front to the CMake presets (CMakePresets.json). `make` alone prints this help.
PRESET ?= release
BUILD := build/$(PRESET)
SOURCES = $(shell git ls-files '*.cpp' '*.hpp' 2>/dev/null)

.DEFAULT_GOAL := help
PREFIX ?= /usr/local
.PHONY: help dependencies build install uninstall package static wheel test test-peers test_packages test_selective demo bench record_counts test-extra format lint singles mutants fuzz clean

help:            ## what can be made
	@grep -hE '^[a-z_-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z_-]+):.*## */  make \1\t/' | expand -t 20
	@echo "  PRESET=debug|release|aarch64|clang|asan|tsan|fuzz chooses another build (now: $(PRESET))"

dependencies:    ## install missing Debian packages
	@scripts/install_dependencies.sh $(if $(filter clang fuzz,$(PRESET)),--developer) $(if $(filter aarch64,$(PRESET)),--aarch64)

build: dependencies ## build mo and its companions into build/<preset>/bin
	@cmake --preset $(PRESET)
	@cmake --build --preset $(PRESET)

install: build   ## install into PREFIX (now: /usr/local); DESTDIR as usual
	@cmake --install $(BUILD) --strip --prefix $(PREFIX)
	@packaging/manifest.sh write $(BUILD) "$(DESTDIR)" $(PREFIX)

uninstall:       ## remove what `make install` put into PREFIX
	@packaging/manifest.sh remove "$(DESTDIR)" $(PREFIX)

package: build   ## .deb packages into build/<preset>/packages
	@cd $(BUILD) && cpack -G DEB

wheel: dependencies ## a wheel and a source package into build/wheels, and try them in fresh environments of the oldest and the newest Python found
	@packaging/wheel/make.sh build/wheels
	@python3 packaging/test/wheel.py build/wheels

static: dependencies ## mo as one static file, and a tarball of it, into build/<preset>/packages
	@cmake --preset $(PRESET)
	@cmake --build --preset $(PRESET) --target mo_static mo_package_documents
	@packaging/tarball.sh $(BUILD)

test: build      ## build and run all tests
	@ctest --preset $(PRESET)

test-extra: build ## only the tests that need more than the others: hours, valgrind, a browser; each says why when it is skipped
	@ctest --preset $(PRESET) -L extra

test-peers: build ## judge everything by OpenVINO 2021.4 to the newest and ONNX Runtime (installs them into build/peers; about an hour; PEERS='--corpora models -v')
	@tests/peers/environments.py || true
	@tests/peers/peers.py $(BUILD)/bin $(PEERS)

test_selective: build ## record what a model uses, build mo with only that, and try it
	@cd $(BUILD) && ctest -C selective -R selective_build --output-on-failure

test_packages: build ## make the packages and try them: install, run, man page, completion, remove (in a chroot when it can be made)
	@$(MAKE) --no-print-directory package static
	@packaging/test/packages.sh $(BUILD)

demo: ## convert a small real model, run it, show what it sees
	@scripts/install_dependencies.sh --demo
	@cmake --preset demo
	@cmake --build --preset demo --target mo_run
	@scripts/demo.sh build/demo/bin

record_counts: build ## record anew what small conversions cost, in instructions (tests/counts/counts.txt)
	@python3 tests/counts/instruction_counts.py $(BUILD) --record

bench: build     ## measure speed and memory against the budgets
	@python3 benchmarks/run_benchmarks.py --bin $(BUILD)/bin
	@python3 benchmarks/executable_graph.py --bin $(BUILD)/bin --allow benchmarks/executable_graph.allow
	@python3 benchmarks/reference_engines.py --bin $(BUILD)/bin

format:          ## format all C++ files
	@scripts/install_dependencies.sh --developer
	@clang-format -i $(SOURCES)

lint: build      ## formatting, layering, error codes, English, clang-tidy
	@scripts/install_dependencies.sh --developer
	@clang-format --dry-run --Werror $(SOURCES)
	@python3 tests/lint/layering.py
	@python3 tests/lint/error_codes.py
	@python3 tests/lint/english.py
	@python3 tests/lint/doc_links.py
	@scripts/update_error_docs.py --check
	@run-clang-tidy -quiet -p $(BUILD) '^$(CURDIR)/(core|ops|frontends|phases|transformations|extensions|ir_emitter|driver|cli|plugins|tools|api)/.*\.cpp$$'

singles: build   ## compile every file by itself, outside of its batch
	@python3 tests/lint/singles.py $(BUILD) --all

mutants: dependencies ## which of the listed small errors do the tests miss?
	@python3 tests/mutants/run.py build/mutants

fuzz: ## fuzz TARGET=onnx, or each target, for TIME=60 seconds
	@scripts/install_dependencies.sh --developer
	@cmake --preset fuzz
	@cmake --build --preset fuzz --target mo mo_fuzz
	@scripts/fuzz.sh build/fuzz $(or $(TIME),60) $(TARGET)

clean:           ## remove all builds
	@rm -rf build
