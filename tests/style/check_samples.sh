# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash disable=SC2154
#
# The test of tools/check: it must count each of these suites as the right-hand
# side says. Uses point() of the style suite.

samples=$top/build/check/samples

# sample NAME TOTALS WHAT: the suite on stdin must end with these totals.
sample() {
	local name=$1 totals=$2 out status=0 want=0 limit=60
	# shellcheck disable=SC2086
	set -- "$3" $totals
	totals="$2 passed, $3 failed, $4 skipped"
	[ "$3" = 0 ] || want=1
	{
		printf '#!/bin/bash\n# suite: a sample\n'
		cat
	} >"$samples/suites/$name"
	chmod +x "$samples/suites/$name"
	[ "$name" != hangs ] || limit=1
	out=$(check --limit $limit "$name" 2>&1) || status=$?
	[ "${out##*$'\n'}" = "$totals" ] && [ "$status" = "$want" ] &&
		holds "$name" "$out"
	point $? "check: $1" "exit status $status, expected $totals, got:" "$out"
}

check() { "$top/tools/check" --suites "$samples/suites" --logs "$samples/logs" "$@"; }

# holds NAME OUTPUT: what a person must find in it besides the totals.
holds() {
	case $1 in
	fails) [[ $2 == *'# before'*'not ok 2 - b'*'# after'* ]] ;;
	nested) [[ $2 == *'   not ok 1 - inner'*'not ok 1 - outer'* ]] ;;
	skips) [[ $2 == *'# SKIP no such device'* ]] ;;
	absent) [[ $2 == *'# SKIP no emulator'* ]] ;;
	planless) [[ $2 == *'died without a plan'* ]] ;;
	killed) [[ $2 == *'killed by signal 9'* ]] ;;
	hangs) [[ $2 == *'still running after 1 seconds'* ]] ;;
	esac
}

check_samples() {
	local out status

	rm -rf "$samples"
	mkdir -p "$samples/suites"

	sample good "2 0 0" "a good suite passes" <<-'END'
		printf '1..2\nok 1 - a\nok 2 - b\n'
	END
	sample late "2 0 0" "a plan at the end and no numbers are fine" <<-'END'
		printf 'KTAP version 1\nok - a\nok - b\n1..2\n'
	END
	sample fails "2 1 0" "a failing point counts and is shown" <<-'END'
		printf '1..3\nok 1 - a\n# before\nnot ok 2 - b\n# after\nok 3 - c\n'
		exit 1
	END
	sample nested "0 1 0" "nested points are shown but not counted" <<-'END'
		printf '1..1\n    not ok 1 - inner\n    ok 2 - x\nnot ok 1 - outer\n'
		exit 1
	END
	sample lies "0 1 0" "a failing point counts with exit status 0" <<-'END'
		printf '1..1\nnot ok 1 - a\n'
	END
	sample todo "0 1 0" "an excused failure is a failure" <<-'END'
		printf '1..1\nnot ok 1 - a # SKIP\n'
	END
	sample skips "1 0 1" "a skipped point is counted and its reason shown" <<-'END'
		printf '1..2\nok 1 - a\nok 2 - b # SKIP no such device\n'
	END
	sample absent "0 0 1" "a suite that cannot run is skipped" <<-'END'
		printf '1..0 # SKIP no emulator\n'
	END
	sample absurd "0 1 0" "a skipped suite that fails is a failure" <<-'END'
		printf '1..0 # SKIP no emulator\n'
		exit 1
	END
	sample nothing "0 1 0" "a suite without tests fails" <<-'END'
		printf '1..0\n'
	END
	sample silent "0 1 0" "a suite without output fails" <<-'END'
		exit 0
	END
	sample planless "1 1 0" "a suite that dies before its plan fails" <<-'END'
		printf 'ok 1 - a\n'
		exit 1
	END
	sample short "1 1 0" "fewer points than planned fail" <<-'END'
		printf '1..3\nok 1 - a\n'
	END
	sample long "2 1 0" "more points than planned fail" <<-'END'
		printf '1..1\nok 1 - a\nok 2 - b\n'
	END
	sample status "1 1 0" "an unexplained exit status fails" <<-'END'
		printf '1..1\nok 1 - a\n'
		exit 3
	END
	sample killed "1 1 0" "a killed suite fails" <<-'END'
		printf '1..1\nok 1 - a\n'
		kill -KILL $$
	END
	sample order "2 1 0" "a repeated point fails" <<-'END'
		printf '1..2\nok 1 - a\nok 1 - b\n'
	END
	sample twice "2 1 0" "two plans fail" <<-'END'
		printf '1..2\nok 1 - a\nok 2 - b\n1..2\n'
	END
	sample bail "0 1 0" "bailing out fails" <<-'END'
		printf '1..0 # SKIP a\nBail out! b\n'
	END
	sample hangs "1 1 0" "a suite that hangs is ended and fails" <<-'END'
		printf '1..1\nok 1 - a\n'
		sleep 1000
	END

	status=0
	out=$(check good fails absent 2>&1) || status=$?
	[ "$status" = 1 ] && [ "${out##*$'\n'}" = "4 passed, 1 failed, 1 skipped" ]
	point $? "check: totals are over all suites" "$out"

	status=0
	out=$(check good no-such-suite 2>&1) || status=$?
	[ "$status" = 2 ] && [[ $out == 'check: no suite "no-such-suite"'* ]] &&
		[ "$(wc -l <<<"$out")" = 1 ]
	point $? "check: an unknown suite is one line and exit status 2" "$out"

	chmod -x "$samples/suites/good"
	out=$(check good 2>&1)
	[ "${out##*$'\n'}" = "0 passed, 1 failed, 0 skipped" ]
	point $? "check: a suite that is not executable fails" "$out"

	out=$(check list)
	[ "$(wc -l <<<"$out")" = "$(find "$samples/suites" -type f | wc -l)" ] &&
		[[ $out == *'fails '*'a sample'* ]]
	point $? "check: list names the suites" "$out"

	interrupted
	point $? "check: an interrupt ends the suite and what it started"
}

# interrupted: does Ctrl-C reach a grandchild?
interrupted() {
	local pid status=0 child=
	cat >"$samples/suites/sleeper" <<-'END'
		#!/bin/bash
		# suite: a sample
		timeout 1000 sleep 1000 &	# in a group of its own
		echo $! >"${0%/*}/../child"
		wait
	END
	chmod +x "$samples/suites/sleeper"
	rm -f "$samples/child"
	# Job control, as a terminal has it: without it SIGINT is ignored.
	set -m
	check sleeper >/dev/null 2>&1 &
	pid=$!
	set +m
	for _ in {1..50}; do
		sleep 0.1
		read -r child <"$samples/child" && break
	done 2>/dev/null
	[ -n "$child" ] && kill -0 "$child" || return
	kill -INT -- "-$pid"
	wait "$pid" || status=$?
	[ "$status" = 130 ] && ! kill -0 "$child" 2>/dev/null
}
