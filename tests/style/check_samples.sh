# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash disable=SC2154
#
# The test of tools/check, with suites that break rules.

samples=$top/build/check/samples

# Each suite: its name, how many test cases tools/check must count as passed, failed and skipped,
# and its commands
sample_list() {
	cat <<'END'
late 2 0 0 printf 'KTAP version 1\nok - a\nok - b\n1..2\n'
fails 2 1 0 printf '1..3\nok 1 - a\n# before\nnot ok 2 - b\n# after\nok 3 - c\n'; exit 1
nested 0 1 0 printf '1..1\n    not ok 1 - inner\n    ok 2 - x\nnot ok 1 - outer\n'; exit 1
excused 0 2 0 printf '1..2\nnot ok 1 - a # SKIP\nnot ok 2 - a # \124ODO\n'
absent 0 0 1 printf '1..0 # SKIP no emulator\n'
nothing 0 1 0 printf '1..0\n'
short 1 1 0 printf '1..3\nok 1 - a\n'
status 1 1 0 printf '1..1\nok 1 - a\n'; exit 3
hangs 1 1 0 printf '1..1\nok 1 - a\n'; sleep 1000
bail 1 1 0 printf 'ok 1 - a\nBail out! b\n1..2\n'
vm-none 0 0 1 printf '1..0 # SKIP no kernel\n'
good 1 0 0 printf '1..1\nok 1 - a\n'
END
}

run_check() {
	"$top/tools/check" --suites "$samples/suites" --logs "$samples/logs" --limit 10 "$@" \
		>"$samples/out" 2>&1
}

# all_counted: tools/check fails, and has counted all samples as the list says. The sums have one
# failure more: no kernel was booted.
all_counted() {
	local names
	mapfile -t names < <(sample_list | cut -d ' ' -f 1)
	! run_check "${names[@]}" && diff <(sample_list | awk '
		{ print $1, $2, $3, $4; passed += $2; failed += $3; skipped += $4 }
		END { print passed " passed, " failed + 1 " failed, " skipped " skipped" }' |
		sort) \
		<(sed -nE 's/^ +([0-9]+) +([0-9]+) +([0-9]+) +[0-9]+  (.*)/\4 \1 \2 \3/p; /^[0-9]+ passed/p' \
			"$samples/out" | sort)
}

check_samples() {
	local name commands

	rm -rf "$samples"
	mkdir -p "$samples/suites"
	while read -r name _ _ _ commands; do
		printf '#!/bin/bash\n%s\n' "$commands" >"$samples/suites/$name"
	done < <(sample_list)
	chmod +x "$samples"/suites/*

	check "check: it counts what breaks rules" all_counted
	check "check: a run without failures succeeds" run_check good
	CHECK_UNTIL=1 check "check: no suite begins for which no time is left" run_check fails
}
