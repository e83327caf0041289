# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154
#
# The assertions of suites and guests. Each prints a test case, a line of TAP without a
# number, after remarks that say why it failed:
#
#   check WHAT COMMAND...	it passes if COMMAND succeeds
#   show WHAT COMMAND...	check; what COMMAND said is printed in any case
#   must WHAT COMMAND...	check; if it fails, the guest or suite ends
#   relay WHAT COMMAND...	the test cases of a program that prints TAP itself, as they come
#
# A guest has no plan. A suite begins with "begin_suite NAME", ends with "finish", and keeps
# its test cases in $results/points.

results=
tap_said=/tmp/said
all_passed=0

tap() {
	echo "$*"
	[ -z "$results" ] || echo "$*" >>"$results/points"
}

# skip WHAT WHY
skip() { tap "ok - $1 # SKIP $2"; }

# result STATUS WHAT [FILE]: it passes if STATUS is 0; if not, the end of FILE says why.
result() {
	if [ "$1" = 0 ]; then
		tap "ok - $2"
	else
		all_passed=1
		[ ! -e "${3:-}" ] || tail -n 40 "$3" | cut -c 1-200 | sed 's/^/# /'
		tap "not ok - $2"
	fi
}

# Commands of test cases may set any variable but those that begin with tap_.
check() {
	tap_what=$1
	shift
	if "$@" >"$tap_said" 2>&1; then tap_status=0; else tap_status=$?; fi
	result "$tap_status" "$tap_what" "$tap_said"
}

show() {
	check "$@"
	[ "$tap_status" != 0 ] || sed 's/^/#   /' "$tap_said"
}

must() {
	check "$@"
	[ "$tap_status" = 0 ] || finish
}

# A last case says that the program ran as many cases as it planned, and succeeded.
relay() {
	tap_what=$1
	shift
	{ "$@" 2>&1; echo "relayed $?"; } | awk -v name="$tap_what" '
	/^#/ { print; next }
	/^(ok|not ok) [0-9]/ {
		points++
		sub(/ [0-9]+ *-* */, " - " name ": ")
		print
		fflush()
		next
	}
	/^1\.\.[0-9]/ { planned = substr($1, 4) + 0 }
	!/^relayed / { last = $0; next }
	{
		good = $2 == "0" && points > 0 && points == planned
		print (good ? "" : "# " last "\nnot ") "ok - " name ": " points + 0 " of " \
			planned + 0 " points, exit " $2
		exit !good
	}' || all_passed=1
}

# skip_all WHY: this machine cannot run the suite.
skip_all() {
	echo "1..0 # SKIP $*"
	exit 0
}

# needed COMMAND...: skip the suite that has not begun, or the job in it, unless they are there. For
# mmdebstrap it takes root.
needed() {
	for tap_command; do
		if ! command -v "$tap_command" >/dev/null; then
			tap_why="no $tap_command here: run tools/setup"
		elif [ "$tap_command" = mmdebstrap ] && [ "$(id -u)" != 0 ]; then
			tap_why="root is needed, to build in a Debian release"
		else
			continue
		fi
		[ -z "$results" ] || skip_job "$tap_why"
		skip_all "$tap_why"
	done
}

# begin_suite NAME: its logs, and no result of an earlier run, in $results. Each job of a suite is a
# process group of its own, and ends with it.
begin_suite() {
	results=$top/build/check/$1
	tap_said=$results/said
	rm -rf "$results"
	mkdir -p "$results"
	: >"$results/points"
	set -m
	trap 'jobs -p | sed s/^/-/ | xargs -r kill -- 2>/dev/null || true' EXIT
	trap 'exit 130' HUP INT TERM
}

# finish: wait for what runs beside a suite, print its plan, and end it, or a guest. What ran beside
# has left its test cases in points-NAME, and its exit status in "failed".
finish() {
	[ -n "$results" ] || exit "$all_passed"
	wait
	echo "1..$(cat "$results"/points* | grep -cE '^(not )?ok ')"
	[ ! -e "$results/failed" ] && ! grep -q '^not ok' "$results"/points*
	exit
}
