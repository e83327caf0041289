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
plain 0 1 0 printf '1..1\nok 1 - a\n'
vm-none 0 0 1 printf '1..0 # SKIP no kernel\n'
good 1 0 0 printf '1..1\nok 1 - a\n'
END
}

run_check() {
	"$top/tools/check" --suites "$samples/suites" --logs "$samples/logs" --limit 10 "$@"
}

# ends STATUS TEXT ARGUMENT...: tools/check ends with STATUS, and says TEXT
ends() {
	local wanted=$1 text=$2 status=0
	shift 2
	run_check "$@" >"$samples/out" 2>&1 || status=$?
	cat "$samples/out"
	printf 'exit status %d\n' "$status"
	[ "$status" = "$wanted" ] && grep -qF -- "$text" "$samples/out"
}

# counted: the last run counted all samples as the list says. The sums have one failure more: no
# kernel was booted.
counted() {
	diff <(sample_list | awk '
		{ print $1, $2, $3, $4; passed += $2; failed += $3; skipped += $4 }
		END { print passed " passed, " failed + 1 " failed, " skipped " skipped" }
		' | sort) \
		<(awk '
		/^ +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+  / { print $5, $1, $2, $3 }
		/^[0-9]+ passed, / { print }' "$samples/out" | sort)
}

remarks() { grep -A 2 'fails: # before' "$samples/out" | grep -A 1 'not ok 2 - b' | grep after; }

# again: when one of the suites that failed is fixed, --failed runs them all, and only those that
# fail still stay in the list for the next time.
again() {
	cp -p "$samples/suites/good" "$samples/suites/lies"
	run_check --failed
	grep -x fails "$samples/logs/open" && ! grep -xE 'good|lies' "$samples/logs/open"
}

begun_late() { CHECK_UNTIL=1 ends 0 'no time is left' good; }

# interrupted: a signal to tools/check reaches a process in a group of its own. It is SIGTERM, which
# has the same trap as SIGINT: a shell that runs in the background cannot trap that.
interrupted() {
	local pid status=0 child=''
	cat >"$samples/suites/sleeper" <<-'END'
		#!/bin/bash
		timeout 1000 sleep 1000 &
		echo $! >"${0%/*}/../child"
		wait
	END
	chmod +x "$samples/suites/sleeper"
	set -m
	"$top/tools/check" --suites "$samples/suites" --logs "$samples/logs" sleeper &
	pid=$!
	set +m
	for _ in {1..300}; do
		sleep 0.1
		read -r child <"$samples/child" && break
	done 2>/dev/null
	kill -0 "$child" || return
	kill -TERM -- "-$pid"
	wait "$pid" || status=$?
	[ "$status" = 130 ] && ! kill -0 "$child" 2>/dev/null
}

check_samples() {
	local name commands names=()

	rm -rf "$samples"
	mkdir -p "$samples/suites"
	while read -r name _ _ _ commands; do
		names+=("$name")
		printf '#!/bin/bash\n%s\n' "$commands" >"$samples/suites/$name"
		chmod +x "$samples/suites/$name"
	done < <(sample_list)
	chmod -x "$samples/suites/plain"

	check "check: a run with failures has failed" ends 1 'no kernel was booted' "${names[@]}"
	check "check: it counts what breaks rules" counted
	check "check: remarks of what failed are printed" remarks
	check "check: --failed runs again what has failed" again
	check "check: a run without failures succeeds" ends 0 '1 passed, 0 failed, 0 skipped' good
	check "check: a run in which nothing passes has failed" \
		ends 1 '0 passed, 1 failed, 1 skipped' absent
	check "check: a suite that would end too late is not begun" begun_late
	check "check: an unknown suite is refused" ends 2 'no suite "unknown"' good unknown
	check "check: a signal ends the suite and what it started" interrupted
}
