# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash disable=SC2154
#
# The test of tools/check: it must count each of these suites as the right-hand side
# says, and print what a person must see. Uses point() of the style suite.

samples=$top/build/check/samples

# sample NAME TOTALS TEXT COMMANDS: a suite of these commands, which must end with these totals,
# and of which the output must hold TEXT
sample() {
	names+=("$1")
	totals+=("$2")
	texts+=("$3")
	printf '#!/bin/bash\n# suite: a sample\n%s\n' "$4" >"$samples/suites/$1"
	chmod +x "$samples/suites/$1"
}

run_check() { "$top/tools/check" --suites "$samples/suites" --logs "$samples/logs" "$@"; }

# counted N: did $out count sample N as it should?
counted() {
	local passed failed skipped name=${names[$1]}

	read -r passed failed skipped <<<"${totals[$1]}"
	sum=($((sum[0] + passed)) $((sum[1] + failed)) $((sum[2] + skipped)))
	# Two suites run side by side: their lines come mixed.
	grep -qE "^ +$passed +$failed +$skipped +[0-9]+  $name\$" <<<"$out" &&
		[[ $(grep "^   $name: " <<<"$out") == *"${texts[$1]}"* ]]
	point $? "check: the sample $name counts as ${totals[$1]}" "$out"
}

check_samples() {
	local out status names=() totals=() texts=() n sum

	rm -rf "$samples"
	mkdir -p "$samples/suites"

	sample good "2 0 0" '' "printf '1..2\nok 1 - a\nok 2 - b\n'"
	sample late "2 0 0" '' "printf 'KTAP version 1\nok - a\nok - b\n1..2\n'"
	sample fails "2 1 0" '   fails: # before
   fails: not ok 2 - b
   fails: # after' \
		"printf '1..3\nok 1 - a\n# before\nnot ok 2 - b\n# after\nok 3 - c\n'; exit 1"
	sample nested "0 1 0" 'nested:     not ok 1 - inner' \
		"printf '1..1\n    not ok 1 - inner\n    ok 2 - x\nnot ok 1 - outer\n'; exit 1"
	sample lies "0 1 0" 'lies: not ok 1 - a' "printf '1..1\nnot ok 1 - a\n'"
	sample excused "0 2 0" 'excused: not ok 1 - a # SKIP' \
		"printf '1..2\nnot ok 1 - a # SKIP\nnot ok 2 - a # \124ODO\n'"
	sample skips "1 0 1" '# SKIP no such device' \
		"printf '1..2\nok 1 - a\nok 2 - b # SKIP no such device\n'"
	sample absent "0 0 1" '# SKIP no emulator' "printf '1..0 # SKIP no emulator\n'"
	sample absurd "0 1 0" 'absurd: not ok - exit status 1' \
		"printf '1..0 # SKIP no emulator\n'; exit 1"
	sample nothing "0 1 0" 'nothing: not ok - ran no test' "printf '1..0\n'"
	sample silent "0 1 0" 'silent: not ok - ' 'exit 0'
	sample planless "1 1 0" 'planless: not ok - No plan found' "printf 'ok 1 - a\n'"
	sample short "1 1 0" 'short: not ok - Bad plan' "printf '1..3\nok 1 - a\n'"
	sample status "1 1 0" 'status: not ok - exit status 3' "printf '1..1\nok 1 - a\n'; exit 3"
	sample killed "1 1 0" 'killed: not ok - killed by signal 9' \
		"printf '1..1\nok 1 - a\n'; kill -KILL \$\$"
	sample bail "1 1 0" 'bail: not ok - Bail out! b' "printf 'ok 1 - a\nBail out! b\n1..2\n'"
	sample plain "0 1 0" '' "printf '1..1\nok 1 - a\n'"
	chmod -x "$samples/suites/plain"

	status=0
	out=$(run_check "${names[@]}" 2>&1) || status=$?
	sum=(0 0 0)
	for ((n = 0; n < ${#names[@]}; n++)); do
		counted "$n"
	done
	[ "$status" = 1 ] &&
		[ "${out##*$'\n'}" = "${sum[0]} passed, ${sum[1]} failed, ${sum[2]} skipped" ]
	point $? "check: totals are over all suites" "$out"

	# Those that have failed, one of which is mended
	printf '#!/bin/bash\nprintf "1..1\\nok 1\\n"\n' >"$samples/suites/lies"
	run_check --failed >/dev/null 2>&1
	out=$(paste -s -d ' ' "$samples/logs/open")
	[ "$out" = "whole fails nested excused absurd nothing silent planless short status killed bail plain" ]
	point $? "check: --failed runs again what has failed" "$out"
	run_check --failed good >/dev/null 2>&1
	point $((!$?)) "check: --failed takes no suite"

	# Alone, for on a machine that stalls the limit would end others, too
	sample hangs "1 1 0" 'hangs: not ok - no word for 1 seconds' \
		"printf '1..1\nok 1 - a\n'; sleep 1000"
	out=$(run_check --limit 1 hangs 2>&1)
	counted "$n"

	run_check good >/dev/null 2>&1
	point $? "check: the exit status is 0 when nothing fails"

	status=0
	out=$(run_check absent 2>&1) || status=$?
	[ "$status" = 1 ] && [ "${out##*$'\n'}" = "0 passed, 1 failed, 1 skipped" ]
	point $? "check: a run in which nothing passes has failed" "$out"

	# A suite that skips all, and no guest of any other
	sample vm-none "0 0 1" 'no kernel' "printf '1..0 # SKIP no kernel\n'"
	out=$(run_check good vm-none 2>&1)
	[ "${out##*$'\n'}" = "2 passed, 1 failed, 1 skipped" ]
	point $? "check: a run whose vm suites boot no kernel has failed" "$out"
	out=$(CHECK_UNTIL=1 run_check good vm-none 2>&1) &&
		[[ $out == *'good: 1..0 # SKIP no time is left'* ]]
	point $? "check: a suite that would end too late is not begun" "$out"

	status=0
	out=$(run_check good no-such-suite 2>&1) || status=$?
	[ "$status" = 2 ] && [[ $out == 'check: no suite "no-such-suite"'* ]] &&
		[ "$(wc -l <<<"$out")" = 1 ]
	point $? "check: an unknown suite is one line and exit status 2" "$out"

	: >"$samples/suites/good~"
	out=$(run_check list)
	[ "$(grep -c 'a sample$' <<<"$out")" = $((${#names[@]} - 1)) ] && [[ $out != *good~* ]]
	point $? "check: list names the suites, and no editor's copy" "$out"

	# shellcheck disable=SC2086
	for n in '--jobs x good' '--limit 1s good' '--all good' 'good~'; do
		out=$(run_check $n 2>&1) && break
		n=
	done
	[ -z "$n" ] && [ "$(wc -l <<<"$out")" = 1 ]
	point $? "check: refuses arguments that it cannot take" "$n" "$out"

	interrupted
	point $? "check: a signal ends the suite and what it started"
}

# interrupted: does a signal to check reach a grandchild? SIGTERM, which has the same
# trap as SIGINT: a shell that runs in the background cannot trap that.
interrupted() {
	local pid status=0 child='' began=''
	cat >"$samples/suites/sleeper" <<-'END'
		#!/bin/bash
		# suite: a sample
		timeout 1000 sleep 1000 &	# in a group of its own
		echo $! >"${0%/*}/../child"
		wait
	END
	chmod +x "$samples/suites/sleeper"
	rm -f "$samples/child"
	# A group of its own, as a terminal gives it
	set -m
	"$top/tools/check" --suites "$samples/suites" --logs "$samples/logs" sleeper \
		>/dev/null 2>&1 &
	pid=$!
	set +m
	for _ in {1..300}; do
		sleep 0.1
		read -r child <"$samples/child" && break
	done 2>/dev/null
	[ -n "$child" ] && kill -0 "$child" && began=yes
	kill -TERM -- "-$pid"
	wait "$pid" || status=$?
	[ -n "$began" ] && [ "$status" = 130 ] && ! kill -0 "$child" 2>/dev/null
}
