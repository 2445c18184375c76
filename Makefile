# SPDX-License-Identifier: GPL-3.0-or-later
# The front door: Meson and Ninja do the work. A target first installs the few Debian packages it
# lacks, listing them (tools/need); NO_INSTALL=1 makes it only list them.
BUILD ?= build
PREFIX ?= /usr/local
DEMO ?= tests/fixtures/d3d9/lambert_ps.d3d9

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD) --quiet

$(BUILD)/build.ninja:
	@tools/need build
	@meson setup $(BUILD) --prefix $(PREFIX) >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }
	@rm -f $(BUILD).log

demo: all
	@echo "$(BUILD)/iridia info $(DEMO)"
	@$(BUILD)/iridia info $(DEMO)
	@echo
	@echo "$(BUILD)/iridia wgsl $(DEMO)"
	@$(BUILD)/iridia wgsl $(DEMO)

# A build folder that is older than an installed package has not seen it.
test:
	@said=$$(tools/need test) && if [ -n "$$said" ] && [ -e $(BUILD)/build.ninja ]; then \
		meson setup --reconfigure $(BUILD) >/dev/null; fi
	@$(MAKE) --no-print-directory all
	@tests/run $(BUILD)

install: all
	@meson configure $(BUILD) -Dprefix=$(abspath $(PREFIX))
	@ninja -C $(BUILD) --quiet
	@meson install -C $(BUILD) --no-rebuild

amalgamate:
	@tools/amalgamate $(BUILD)/amalgamated

format:
	@tools/format

clean:
	@rm -rf $(BUILD)

.PHONY: all demo test install amalgamate format clean
