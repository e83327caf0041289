# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# The kernel with KCSAN, which is off until watch_races turns it on. A thread that sets a
# watchpoint waits for others to touch it. The default of 80 us is too short where two
# virtual CPUs share a real one.

watch_races() {
	echo 500 >/sys/module/kcsan/parameters/udelay_task &&
		echo "$1" >"$debug/kcsan"
}
races() {
	awk -F ': ' '/^(data_races|races_unknown_origin): / { n += $2 }
		END { print n + 0 }' "$debug/kcsan"
}
watchpoints() { sed -n 's/^setup_watchpoints: //p' "$debug/kcsan"; }

# KCSAN watches the parts between part_watch and part_no_race.
part_watch() {
	check "debugfs" mounted
	check "2 CPUs" cpus 2
	check "KCSAN on" watch_races on
}

# Watch one access in thousands, not in hundreds: the other tests have few threads, and
# their own reference arithmetic is slow.
part_watch_less() {
	check "KCSAN watches less" watch_one_in 4000
}
watch_one_in() { echo "$1" >/sys/module/kcsan/parameters/skip_watch; }

part_races() {
	check "insmod all" load_all
	show "4 threads hash for 20 s" hammer_for 20
	relay "afalg_test" afalg_test -d "$(best)" threads
	check "unloading" unload_all
}

part_no_race() {
	check "KCSAN off" watch_races off
	echo "# $(watchpoints) accesses watched"
	check "KCSAN watched accesses" [ "$(watchpoints)" -gt 1000 ]
	check "KCSAN has seen no race" [ "$(races)" = 0 ]
}
