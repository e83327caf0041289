# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# The kernel with KCSAN, which watches from part_watch to part_no_race. A thread that sets a
# watchpoint waits for others to touch it. The default of 80 us is too short where two
# virtual CPUs share a real one.

count() { sed -n "s/^$1: //p" "$debug/kcsan"; }

part_watch() {
	check "debugfs" mount -t debugfs debugfs "$debug"
	echo 500 >/sys/module/kcsan/parameters/udelay_task
	check "KCSAN on" sh -c "echo on >$debug/kcsan"
}

# Watch one access in thousands, not in hundreds: the other tests have few threads, and
# their own reference arithmetic is slow.
part_watch_less() { echo 4000 >/sys/module/kcsan/parameters/skip_watch; }

part_no_race() {
	check "KCSAN off" sh -c "echo off >$debug/kcsan"
	echo "# $(count setup_watchpoints) accesses watched"
	check "KCSAN watched accesses" [ "$(count setup_watchpoints)" -gt 1000 ]
	check "KCSAN has seen no race" \
		[ "$(count data_races) $(count races_unknown_origin)" = "0 0" ]
}
