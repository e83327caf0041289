# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# Allocations that fail.

# Single pages do not fail: the loader takes one after the other for a module, and
# nothing of ours asks for any. kmemleak does without what it does not get.
may_fail() {
	for each in failslab fail_page_alloc; do
		echo N >"$debug/$each/ignore-gfp-wait" &&
			echo 0 >"$debug/$each/verbose" || return
	done
}

# failing, not_failing: around what lets allocations fail. That memory for a module is
# missing is said with a call trace, so nothing goes to the console meanwhile.
failing() {
	check "debugfs" mounted
	check "faults may be injected" may_fail
	dmesg -c >/dev/null
	dmesg -n 1
}
not_failing() {
	check "the log has no splat" no_splats
	dmesg -c >/dev/null
	dmesg -n 7
}

part_sockets() {
	failing
	check "insmod all" load_all
	show "hash: every allocation fails in turn" failnth hash "$(best)"
	show "Poly1305-AES: every allocation fails in turn" \
		failnth hash 'poly1305(aes)' 32
	show "AEAD: every allocation fails in turn" \
		failnth aead chapoly-rfc7539 32
	check "unloading" unload_all
	not_failing
}

# Every allocation in init_module(), the loader's own among them
part_loading() {
	failing
	show "loading poly1305.ko: every allocation fails in turn" \
		failnth load /opt/poly1305.ko
	check "insmod poly1305.ko" load /opt/poly1305.ko
	show "loading poly1305_aes.ko: every allocation fails in turn" \
		failnth load /opt/poly1305_aes.ko
	show "loading poly1305_chapoly.ko: every allocation fails in turn" \
		failnth load /opt/poly1305_chapoly.ko
	check "rmmod poly1305" rmmod_soon poly1305
	check "insmod all" load_all
	check "unloading" unload_all
	not_failing
}
