# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2034,SC2154,SC2317
#
# Parts of the guests of the suite uml, for tests/machines/guest: poly1305_test.ko, and modules of two
# versions.

part_cases_eager() {
	insert eager poly1305_aes chapoly poly1305_chapoly
	relay "poly1305_test.ko" in_kernel_test
	remove poly1305_test poly1305_aes poly1305_chapoly chapoly poly1305
}

# misfits MODULE BENEATH: it is not loaded over another version of BENEATH, and says what to do
misfits() {
	dmesg -c >/dev/null
	check "insmod $1.ko over another version of $2.ko is refused" \
		refused_with 'xec format error\|nvalid module format' insmod "/opt/$1.ko"
	check "insmod $1.ko over another version of $2.ko: the log says what to do" \
		in_log "$1: not loaded: another version of $2.ko is in use; type"
}

part_other_version() {
	insert planted
	misfits poly1305_aes poly1305
	misfits chapoly poly1305
	must "insmod another version of chapoly.ko" insmod /opt/planted_chapoly.ko
	misfits poly1305_chapoly chapoly
	remove chapoly poly1305
}

# plant FAULT: run the cases on the library and on the driver that FAULT names. They fail.
plant() {
	printf %s "$1" >/sys/module/poly1305/parameters/fault
	dmesg -c >/dev/null
	! insmod /opt/poly1305_test.ko drivers="${1#*:}" || return
	dmesg | sed 's/^\[[^]]*\] //; s/^not ok [0-9]* - //' >/tmp/cases
	grep '^# Totals: ' /tmp/cases
}

# sees SUBJECT CASE...: each case failed on the subject
sees() {
	subject=$1 green=''
	shift
	for each; do
		grep -qFx "$each/$subject" /tmp/cases || green="$green $each"
	done
	[ -z "$green" ] || echo "these do not:$green"
	[ -z "$green" ]
}

# seen FAULT CASES LIBRARY_CASES: the cases that this fault in what they should reach must turn red, for
# the driver and, if it serves the library, for that
# shellcheck disable=SC2086
seen() {
	check "$1: the cases run" plant "$1"
	check "fault $1: each of its cases sees it" sees "${1#*:}" $2
	[ "${1#*:}" != "$(best)" ] || check "fault $1: the library's do" sees library $3
}

# SIMD code: where long messages go. Scalar code in place of that: where SIMD is forbidden
part_faults_seen() {
	long="lengths cuts pieces large overlap order contexts at_once"
	insert planted
	for driver in $(drivers | grep -v -e portable -e x86_64); do
		seen "simd:$driver" "$long export" "$long verify sg"
		seen "scalar:$driver" contexts contexts
	done
	remove poly1305
}
