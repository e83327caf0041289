# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash disable=SC2154
#
# For suites in user space, after begin_suite: test cases that run beside each other, one on each
# core. Each is a process group of its own, and ends with the suite.

end_jobs() {
	local pid
	for pid in $(jobs -p); do
		kill -- "-$pid" 2>/dev/null
	done
}

set -m
trap end_jobs EXIT

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

# need COMMAND...: skip the job unless they are there.
need() {
	local command
	for command; do
		command -v "$command" >/dev/null || skip_job "no $command here: run tools/setup"
	done
}

# build TREE OUT ARGUMENT...: make, in a folder of tests, without a warning
build() {
	mkdir -p "$2"
	make -s -C "$1" OUT="$2" "${@:3}" 2>&1 | tee "$2/make.log"
	[ "${PIPESTATUS[0]}" = 0 ] && [ ! -s "$2/make.log" ]
}

# plant TREE CHANGE: copy the sources and their tests to TREE, with that fault of tests/mutants.
plant() {
	rm -rf "$1"
	mkdir -p "$1/tests"
	cp -r ./*.[ch] arch user "$1" && cp -r tests/{cases,fuzz,reference,unit} "$1/tests" &&
		tests/mutants/apply "$1" "$2"
}
