# The front door. Everything real is in CMakeLists.txt and CMakePresets.json.
.PHONY: all demo test test-long test-clang test-asan test-tsan test-baseline golden fuzz bench validate install \
        format format-check reference gallery pictures validation clean

SOURCES = $(shell git ls-files '*.c' '*.h' 2>/dev/null || find src cli include tests -name '*.[ch]')
PREFIX ?= /usr/local
PYTHON = /usr/bin/python3

all:
	@cmake --preset release >/dev/null
	@cmake --build --preset release

demo:
	@scripts/install.sh view
	@$(MAKE) --no-print-directory all
	@build/mote run scenes/cloth_on_sphere.json -o out/demo
	@build/mote render out/demo -o out/demo/cloth_on_sphere.png --quiet || true
	@echo
	@echo "The demo dropped a cloth on a ball. It left:"
	@echo "  out/demo/cloth_on_sphere.pvd   all frames; open it in ParaView"
	@echo "  out/demo/cloth_on_sphere.png   a picture of it"
	@echo "  out/demo/cloth_on_sphere.csv   energies and momenta over time"
	@echo "  out/demo/report.json           what the run did and how long it took"
	@echo "Next: build/mote plot out/demo     energies, momenta, contacts and more as SVG and PNG"
	@echo "      build/mote view out/demo     watch it; build/mote render out/demo -o film.mp4 makes a film"
	@echo "      build/mote run scenes/hanging_cloth.json --set bodies[0].model.k=30"
	@echo "      build/mote list              every method there is"
	@echo "      build/mote explain spring    what one of them does, and its parameters"
	@echo "      make test                    the tests"

# configure, build and test one preset: preset, packages, tests, targets, build folder; then what each test cost
define run_preset
	@scripts/install.sh $(2)
	@cmake --preset $(1) >/dev/null
	@cmake --build --preset $(1) --target $(or $(4),all tests)
	@rm -f $(5)/tests/cpu_seconds.txt
	@ctest --preset $(3)
	@$(5)/tests/cpu_seconds $(5)/tests/cpu_seconds.txt
endef

test:
	$(call run_preset,release,test,release,,build)

test-long:
	$(call run_preset,release,test,long,,build)

test-baseline:
	$(call run_preset,baseline,test,baseline,,build-baseline)

test-clang:
	$(call run_preset,clang,ci,clang,mote_program test_golden cpu_seconds,build-clang)

test-asan:
	$(call run_preset,asan,test,asan,mote_program sanitized_tests,build-asan)

test-tsan:
	$(call run_preset,tsan,test,tsan,thread_tests,build-tsan)

# prints the state hashes that differ from tests/golden/hashes.txt, old and new; WRITE=1 records the new
# ones, ONLY=name takes the scenes whose name contains it
golden:
	@scripts/install.sh test
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target test_golden
	@build/tests/test_golden tests/golden/hashes.txt $(if $(WRITE),--write) $(if $(ONLY),--only $(ONLY))

# Every target for FUZZ_SECONDS, with its dictionary if it has one; what it finds is left in out/fuzz. A scene that takes
# FUZZ_TIMEOUT is a loop without end: worlds have a megabyte and take two steps.
FUZZ_SECONDS ?= 60
FUZZ_TIMEOUT ?= 20
fuzz:
	@scripts/install.sh fuzz
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz
	@for name in $$(cat build-fuzz/tests/fuzzers.txt); do \
	    mkdir -p out/fuzz/$$name tests/fuzz/corpus/$$name tests/fuzz/found/$$name && \
	    build-fuzz/tests/fuzz_$$name $$(ls tests/fuzz/$$name.dict 2>/dev/null | sed s/^/-dict=/) \
	        -max_total_time=$(FUZZ_SECONDS) -timeout=$(FUZZ_TIMEOUT) -rss_limit_mb=2048 -print_final_stats=1 \
	        -artifact_prefix=out/fuzz/$$name- out/fuzz/$$name tests/fuzz/corpus/$$name tests/fuzz/found/$$name || exit 1; \
	done

bench: all
	@build/mote bench

validate: all
	@build/mote validate

install: all
	@cmake --install build --prefix $(PREFIX)

format:
	@clang-format -i $(SOURCES)

format-check:
	@scripts/install.sh ci
	@clang-format --dry-run -Werror $(SOURCES)

reference: all
	@$(PYTHON) tests/scripts/check_reference.py build/mote docs --write
	@$(PYTHON) tests/scripts/check_dictionary.py build/mote tests/fuzz/scene.dict --write

gallery: all
	@$(PYTHON) scripts/gallery.py build/mote scenes docs $(NAMES)

# the pictures of the tutorials and how-to pages; PAGES="fluid pour" draws only these
pictures: all
	@$(PYTHON) scripts/doc_pictures.py build/mote docs $(PAGES)

# docs/validation.md; CASES="solids/patch frame" measures only these
validation: all
	@for name in $(or $(CASES),""); do build/mote validate $$name --json; done | \
	    $(PYTHON) scripts/validation_page.py build/mote docs/validation.md

clean:
	@rm -rf build build-* out
