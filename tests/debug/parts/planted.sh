# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# The faults of tests/mutants/debug.patch, each of which the log must report. Afterwards
# the guest's kernel cannot be used for anything else.

plant() { echo "$1" >/sys/module/poly1305/parameters/plant; }
hashing() { afalg_test -d poly1305-portable vectors; }

# found FAULT COMMAND...: run COMMAND with the fault; the log must tell of it
found() {
	fault=$1
	shift
	dmesg -c >/dev/null
	plant "$fault"
	"$@" >/dev/null 2>&1
	plant none
	show "$fault is found" said_in_log "$(message "$fault" log)"
}
said_in_log() {
	dmesg | sed 's/^\[[^]]*\] //' | grep -m 1 -E "$1"
}

part_planted() {
	check "debugfs" mounted
	leaks >/dev/null
	echo clear >"$debug/kmemleak"
	check "insmod poly1305.ko with faults" load /opt/poly1305.ko plant=none
	plant none
	check "none is found before it is named" no_splats
	# locks comes first: lockdep gives up after the others.
	found locks hashing
	found cpu hashing
	found nested afalg_test -d poly1305-avx2 lengths
	found sleep afalg_test -d poly1305-avx2 lengths
	found overread hashing
	plant leak
	hashing >/dev/null
	plant none
	leaks >/tmp/leaks
	show "leak is found" grep -m 1 -E "$(message leak kmemleak)" /tmp/leaks
	check "rmmod poly1305" rmmod_soon poly1305

	check "tag: its self-test and the kernel's vectors do not find it" \
		load /opt/poly1305.ko plant=tag
	check "tag: all drivers passed" self_tested
	check "rmmod poly1305" rmmod_soon poly1305
	extra_tests N
	dmesg -c >/dev/null
	load /opt/poly1305.ko plant=tag
	extra_tests Y
	show "tag is found by the extra tests" said_in_log "$(message tag log)"
	check "tag: the driver cannot be used" refused_with 'poly1305-avx2' \
		hold poly1305-avx2
	check "rmmod poly1305" rmmod_soon poly1305
	check "insmod poly1305.ko" load /opt/poly1305.ko plant=tag
	show "tag is found by threads that hash" wrong_while_hashing
	check "rmmod poly1305" rmmod_soon poly1305

	failing
	show "silent is found when allocations fail" finds "$(message silent failnth)" \
		failnth load /opt/poly1305.ko plant=silent
	rmmod_soon poly1305
	load /opt/poly1305.ko plant=badmsg
	load_packets
	show "badmsg is found when allocations fail" finds "$(message badmsg failnth)" \
		failnth load /opt/poly1305_chapoly.ko
	check "rmmod chapoly" rmmod chapoly
	check "rmmod poly1305" rmmod_soon poly1305
}

wrong_while_hashing() {
	begin_hammer 2 poly1305-avx2
	sleep 5
	! hammered && grep -E "$(message tag hammer)" /tmp/hammer
}

# finds PATTERN COMMAND...: COMMAND fails, and its output matches PATTERN
finds() {
	pattern=$1
	shift
	! "$@" >/tmp/finds
	cat /tmp/finds
	grep -qE "$pattern" /tmp/finds
}

# In a kernel without debugging, in which locks do not disable preemption
part_planted_schedule() {
	check "insmod poly1305.ko with faults" load /opt/poly1305.ko plant=none
	check "none is found before it is named" no_splats
	found schedule afalg_test -d poly1305-avx2 lengths
}

part_planted_uninit() {
	check "insmod poly1305.ko with faults" load /opt/poly1305.ko plant=none
	check "there is the portable driver alone" present poly1305-portable
	check "none is found before it is named" no_splats
	found uninit afalg_test -d poly1305-portable lengths
}

part_planted_race() {
	check "debugfs" mounted
	check "KCSAN on" watch_races on
	check "insmod poly1305.ko with faults" load /opt/poly1305.ko plant=none
	check "none is found before it is named" no_splats
	found race hammer_for 20
	check "KCSAN off" watch_races off
	echo "# $(watchpoints) accesses watched, $(races) races"
}
