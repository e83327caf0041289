#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# run_tests.sh DIR PROGRAM...: run the programs in DIR as kselftest would: prints TAP
# with one point for each program, and its output as comments. Exit status 4 of a
# program means that it skipped everything. Fails if a program fails.

set -u

dir=$1
shift
result=0
number=0

echo "TAP version 13"
echo "1..$#"
for program in "$@"; do
	number=$((number + 1))
	what="$number selftests: kcapi_test: $program"
	echo "# selftests: kcapi_test: $program"
	output=$("$dir/$program" 2>&1)
	status=$?
	printf '%s\n' "$output" | sed 's/^/# /'
	case $status in
	0) echo "ok $what" ;;
	4) echo "ok $what # SKIP" ;;
	*)
		echo "not ok $what # exit=$status"
		result=1
		;;
	esac
done
exit $result
