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
	found overread hashing
	plant leak
	hashing >/dev/null
	plant none
	leaks >/tmp/leaks
	show "leak is found" grep -m 1 -E "$(message leak kmemleak)" /tmp/leaks
	check "rmmod poly1305" rmmod_soon poly1305
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
