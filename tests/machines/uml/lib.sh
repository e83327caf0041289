# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash disable=SC2034
#
# What the scripts in tests/machines/uml share. All they make is in build/uml, and removing
# that directory is a clean start.

# shellcheck source=tools/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../../tools/lib.sh"
dir=$top/build/uml
tree=$dir/linux

# need TOOL...: die unless they are there.
need() {
	local tool
	for tool; do
		command -v "$tool" >/dev/null || die "$tool is missing: run tools/setup"
	done
}
