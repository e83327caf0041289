# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# Allocations that fail.

# may_fail ORDER: let allocations from slabs fail, and those of 2^ORDER pages or more.
# kmemleak carries on without memory.
may_fail() {
	for each in failslab fail_page_alloc; do
		echo N >"$debug/$each/ignore-gfp-wait" &&
			echo 0 >"$debug/$each/verbose" || return
	done
	echo "$1" >"$debug/fail_page_alloc/min-order"
}

# failing, not_failing: before and after tests in which allocations fail. If a module
# gets no memory, the kernel logs a call trace, so the console is off meanwhile.
failing() {
	check "debugfs" mounted
	check "faults may be injected" may_fail "${1:-0}"
	dmesg -c >/dev/null
	dmesg -n 1
}
not_failing() {
	check "the log has no splat" no_splats
	dmesg -c >/dev/null
	dmesg -n 7
}

# Messages allocate nothing in our modules. A transform of Poly1305-AES has a cipher.
part_sockets() {
	failing
	check "insmod all" load_all
	for name in "$(best)" 'poly1305(aes)'; do
		show "binding to $name: every allocation fails in turn" failnth bind "$name"
	done
	check "unloading" unload_all
	not_failing
}

# Allocations in a kernel thread, in which poly1305_aes_create() makes instances
part_probing() {
	failing
	check "insmod poly1305.ko" load /opt/poly1305.ko
	show "making poly1305(aes): every allocation fails in turn" \
		failnth probe /opt/poly1305_aes.ko 'poly1305(aes)' \
		poly1305_aes_create+
	check "rmmod poly1305" rmmod_soon poly1305
	not_failing
}

# Every allocation in init_module(), including the loader's. Single pages do not fail:
# the loader takes many of them for a module.
part_loading() {
	failing 1
	show "loading poly1305.ko: every allocation fails in turn" \
		failnth load /opt/poly1305.ko
	check "insmod poly1305.ko" load /opt/poly1305.ko
	show "loading poly1305_aes.ko: every allocation fails in turn" \
		failnth load /opt/poly1305_aes.ko
	check "insmod chapoly.ko" load_packets
	check "rmmod chapoly" rmmod chapoly
	show "loading chapoly.ko: every allocation fails in turn" \
		failnth load /opt/chapoly.ko
	check "insmod chapoly.ko" load_packets
	show "loading poly1305_chapoly.ko: every allocation fails in turn" \
		failnth load /opt/poly1305_chapoly.ko
	check "rmmod chapoly" rmmod chapoly
	check "rmmod poly1305" rmmod_soon poly1305
	check "insmod all" load_all
	check "unloading" unload_all
	not_failing
}
