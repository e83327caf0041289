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
lies 0 1 0 printf '1..1\nnot ok 1 - a\n'
excused 0 2 0 printf '1..2\nnot ok 1 - a # SKIP\nnot ok 2 - a # \124ODO\n'
skips 1 0 1 printf '1..2\nok 1 - a\nok 2 - b # SKIP no such device\n'
absent 0 0 1 printf '1..0 # SKIP no emulator\n'
absurd 0 1 0 printf '1..0 # SKIP no emulator\n'; exit 1
nothing 0 1 0 printf '1..0\n'
silent 0 1 0 exit 0
planless 1 1 0 printf 'ok 1 - a\n'
short 1 1 0 printf '1..3\nok 1 - a\n'
status 1 1 0 printf '1..1\nok 1 - a\n'; exit 3
killed 1 1 0 printf '1..1\nok 1 - a\n'; kill -KILL $$
hangs 1 1 0 printf '1..1\nok 1 - a\n'; sleep 1000
bail 1 1 0 printf 'ok 1 - a\nBail out! b\n1..2\n'
vm-none 0 0 1 printf '1..0 # SKIP no kernel\n'
good 1 0 0 printf '1..1\nok 1 - a\n'
END
}

run_check() {
	"$top/tools/check" --suites "$samples/suites" --logs "$samples/logs" --limit 10 "$@" 2>&1 |
		tee "$samples/out"
}

# counted: the last run counted all samples as the list says. The sums have one failure more: no
# kernel was booted.
counted() {
	diff <(sample_list | awk '
		{ print $1, $2, $3, $4; passed += $2; failed += $3; skipped += $4 }
		END { print passed " passed, " failed + 1 " failed, " skipped " skipped" }' |
		sort) \
		<(sed -nE 's/^ +([0-9]+) +([0-9]+) +([0-9]+) +[0-9]+  (.*)/\4 \1 \2 \3/p; /^[0-9]+ passed/p' \
			"$samples/out" | sort)
}

# remarks: of one suite. Lines of another that runs beside it may stand between them.
remarks() {
	grep '^   fails: ' "$samples/out" | grep -A 2 '# before' | grep -A 1 'not ok 2 - b' | grep after
}

begun_late() { CHECK_UNTIL=1 run_check good | grep 'no time is left'; }

# again: when one of the suites that failed is fixed, --failed runs them all, and only those that
# fail still stay in the list for the next time.
again() {
	cp -p "$samples/suites/good" "$samples/suites/lies"
	run_check --failed
	grep -x fails "$samples/logs/open" && ! grep -xE 'good|lies' "$samples/logs/open"
}

check_samples() {
	local name commands names=()

	rm -rf "$samples"
	mkdir -p "$samples/suites"
	while read -r name _ _ _ commands; do
		names+=("$name")
		printf '#!/bin/bash\n%s\n' "$commands" >"$samples/suites/$name"
	done < <(sample_list)
	chmod +x "$samples"/suites/*

	fails "check: with failures" 'no kernel was booted' run_check "${names[@]}"
	check "check: it counts what breaks rules" counted
	check "check: remarks of what failed are printed" remarks
	check "check: --failed runs again what has failed" again
	check "check: a run without failures succeeds" run_check good
	check "check: a suite that would end too late is not begun" begun_late
	fails "check: nothing has passed" 'nothing has passed' run_check absent
	fails "check: an unknown suite" 'no suite "unknown"' run_check good unknown
}
