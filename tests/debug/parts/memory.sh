# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# Allocations that fail. The parts come after "look".

failslab=$debug/failslab

# failing ORDER, not_failing: before and after tests in which allocations fail, those from slabs
# and those of 2^ORDER pages or more. If a module gets no memory, the kernel logs a call
# trace, so the console is off meanwhile.
failing() {
	for each in "$failslab" "$debug/fail_page_alloc"; do
		echo N >"$each/ignore-gfp-wait"
		echo 0 >"$each/verbose"
	done
	echo "$1" >"$debug/fail_page_alloc/min-order"
	dmesg -n 1
	dmesg -c >/tmp/log
}
not_failing() {
	check "unloading" unload_all
	check "the log has no splat" no_splats
	dmesg -n 7
}

# keep_log: while allocations fail, the log is soon longer than the kernel keeps it.
keep_log() { dmesg -c >>/tmp/log; }

# no_splats: but for a warning of the kernel's own: if cryptomgr has no memory to begin the test
# of a new algorithm, crypto_wait_for_test() warns.
no_splats() {
	keep_log
	! grep -E 'BUG:|WARNING:|Oops|KASAN|INFO: |general protection' /tmp/log |
		grep -v crypto_wait_for_test
}

# in_turn load FILE, in_turn bind NAME
in_turn() {
	show "$1 $2: allocations fail in turn" failnth "$@"
	keep_log
}

# Messages allocate nothing in our modules. A transform of Poly1305-AES has a cipher.
part_sockets() {
	failing 0
	check "insmod all" load_all
	in_turn bind "$(best)"
	in_turn bind 'poly1305(aes)'
	not_failing
}

# Every allocation from a slab in init_module() but the loader's first 200. Pages do not fail. Loads
# differ by a few allocations, so that a run may miss one and meet another twice.
part_loading() {
	failing 20
	check "insmod all, with what they need of the kernel's" load_all
	check "and unload them" unload_all
	for module in poly1305 poly1305_aes chapoly poly1305_chapoly; do
		in_turn load "/opt/$module.ko"
		check "insmod $module.ko" insmod "/opt/$module.ko"
	done
	not_failing
}

# request_aes: make poly1305(aes) from its template
request_aes() { request 'poly1305(aes)'; }

# An instance that could not be tested stays so until the module goes.
request_again() {
	request_aes 2>/dev/null ||
		{ rmmod_soon poly1305_aes && insmod /opt/poly1305_aes.ko && request_aes; }
}

# probe: let one allocation fail while the instance is made: the first one, then the one that
# exceeds 512 bytes, 1024 and so on, until all succeed. Those in poly1305_aes_create() are
# not smaller. Each time the instance can be made afterwards.
probe() {
	bytes=0 left=0
	while [ "$left" = 0 ]; do
		echo "$bytes bytes" >/dev/console
		insmod /opt/poly1305_aes.ko || return
		echo "$bytes" >"$failslab/space"
		echo 1 >"$failslab/times"
		request_aes 2>/dev/null
		read -r left <"$failslab/times"
		echo 0 >"$failslab/times"
		keep_log
		request_again && rmmod_soon poly1305_aes || return
		bytes=$((bytes + 512))
	done
	echo "up to $bytes bytes; so many lines of the log name poly1305_aes_create():"
	grep -c ' poly1305_aes_create+' /tmp/log
}

# One kernel thread makes the instance, and another tests it. Both inherit make-it-fail from
# kthreadd, process 2, which starts them. fail-nth is not inherited, so failslab's "space"
# chooses the allocation, by the bytes allocated before it.
part_probing() {
	failing 0
	insert poly1305
	echo 0 >"$failslab/times"
	echo Y >"$failslab/task-filter"
	echo 2 >"$failslab/verbose"
	echo 0 >"$failslab/verbose_ratelimit_interval_ms"
	echo 100 >"$failslab/probability"
	echo 1 >/proc/2/make-it-fail
	show "allocations fail, some of them in poly1305_aes_create()" probe
	echo 0 >/proc/2/make-it-fail
	echo 0 >"$failslab/probability"
	not_failing
}
