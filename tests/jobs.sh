# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash disable=SC2154
#
# For suites in user space: tests/tap.sh, and test cases that run in parallel, one on each core.

# No set -e: a check that fails is a result here.
set -u -o pipefail
# shellcheck source=tools/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../tools/lib.sh"
# shellcheck source=tests/tap.sh
. "$top/tests/tap.sh"
cd "$top" || exit

# job WHAT COMMAND...: the test case passes if COMMAND succeeds; skip_job skips it. With a pattern
# in $only, test cases of other names do not run.
job() {
	# shellcheck disable=SC2053
	[[ $1 == ${only:-*} ]] || return 0
	while [ "$(jobs -pr | wc -l)" -ge "$(nproc)" ]; do
		wait -n
	done
	run_job "$@" &
}

# The test case is printed in one write. What COMMAND says is in its log.
run_job() {
	local what=$1 log=$results/${1//[^a-zA-Z0-9]/-}.log begin=$SECONDS status=0
	shift
	("$@") >"$log" 2>&1 </dev/null || status=$?
	printf '%s: %d s\n' "$what" $((SECONDS - begin)) >&2
	if [ "$status" = 77 ]; then
		say "$(skip "$what" "$(tail -n 1 "$log")")"
	else
		say "$(result "$status" "$what" "$log")"
	fi
}

# whole WHAT COMMAND...: a job that the short form leaves out
whole() { [ -n "${QUICK:-}" ] || job "$@"; }

skip_job() {
	say "$*"
	exit 77
}

# need_objects: skip a suite that cannot read object code here.
need_objects() {
	[ "$(uname -m)" = x86_64 ] || skip_all "the tools know x86-64 alone"
	needed objdump
	/usr/bin/python3 tests/proofs/loader.py 2>/dev/null ||
		skip_all "no python3-pyelftools or no iced-x86 here: run tools/setup"
}

# lines WHAT SCRIPT ARGUMENT...: each line "ok ..." or "not ok ..." of a script in Python is a point.
lines() {
	local what=$1 line
	shift
	while IFS= read -r line; do
		case $line in
		'ok '*) result 0 "$what: ${line#ok }" ;;
		'not ok '*) result 1 "$what: ${line#not ok }" ;;
		*) say "# ${line#\# }" ;;
		esac
	done < <(/usr/bin/python3 "$@" 2>&1 || echo "not ok it ends with status $?")
}

# build TREE OUT ARGUMENT...: make, in a folder of tests, without a warning
build() {
	mkdir -p "$2"
	make -s -C "$1" OUT="$2" "${@:3}" 2>&1 | tee "$2/make.log"
	[ "${PIPESTATUS[0]}" = 0 ] && [ ! -s "$2/make.log" ]
}

# plant TREE FAULT...: copy the sources and their tests to TREE, with these faults of tests/mutants.
plant() {
	rm -rf "$1"
	mkdir -p "$1/tests"
	cp -r ./*.[ch] Kbuild arch chapoly user "$1" && cp -r tests/{cases,reference,unit} "$1/tests" &&
		tests/mutants/planted.py apply "$@"
}
