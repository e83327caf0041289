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

# traced 2, traced 0: put a call trace of each failing allocation in the log, or do not
traced() {
	for each in failslab fail_page_alloc; do
		echo 0 >"$debug/$each/verbose_ratelimit_interval_ms" &&
			echo "$1" >"$debug/$each/verbose" || return
	done
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

# Requests through netlink: for a device, its keys, and associations of IPsec
part_requests() {
	# shellcheck source=tests/consumers/net.sh
	. net.sh
	# shellcheck source=tests/consumers/ipsec.sh
	. ipsec.sh
	# shellcheck source=tests/consumers/parts/sealpair
	. sealpair.sh
	failing
	echo 1 >/sys/kernel/rcu_expedited
	check "insmod all" load_all
	check "insmod sealpair.ko" insmod /opt/sealpair.ko
	check "two namespaces" namespaces
	check "a pair between them" pair
	check "keys for both ends" agree
	ip link add wire2 type veth peer name wire3
	check "the log tells of each allocation that fails" traced 2
	show "ip link add type sealpair: every allocation fails in turn" \
		failsend request ' seal_dev_init+' \
		/bin/ip link add index 1305 link wire2 name seal2 type sealpair \
		-- /bin/ip link del seal2
	key C && key D
	show "sealkeys: every allocation fails in turn" in_left \
		failsend request '[sealpair]' \
		sealkeys seal0 /run/C /run/D -- sealkeys seal0 /run/A /run/B
	check "jumbo frames" small_jumbo
	show "frames in fragments: every allocation fails in turn" \
		drops_when_failing
	check "a ping after that" one_ping
	check "ip link del" no_pair
	check "ip link del of another one" ip link del wire2
	check "no namespaces" no_namespaces
	check "rmmod sealpair" rmmod sealpair
	associated chapoly-rfc7539esp
	check "rmmod poly1305_chapoly" rmmod_soon poly1305_chapoly
	check "an AEAD of $(best)" command hold "rfc7539esp(chacha20-generic,$(best))" aead
	associated "$(best)"
	check "rmmod poly1305_aes" rmmod_soon poly1305_aes
	check "rmmod poly1305" rmmod_soon poly1305
	echo 0 >/sys/kernel/rcu_expedited
	not_failing
}

# drops_when_failing: frames that cannot be copied are dropped and counted. One pass may
# miss the allocation of the copy; see failsend.
drops_when_failing() {
	before=$(drops left seal0 tx_refused)
	refused=0 passes=0
	while [ "$refused" = 0 ] && [ "$passes" -lt 10 ]; do
		in_left failsend datagram "$there" 5000 || return
		refused=$(($(drops left seal0 tx_refused) - before))
		passes=$((passes + 1))
	done
	echo "$refused frames refused"
	[ "$refused" -ge 1 ]
}

# associated DRIVER: security associations whose AEAD is DRIVER, or made from it
associated() {
	check "$1: a tunnel between two namespaces" tunnel
	keys 1
	check "$1: one association" associate left 1
	show "$1: the AEAD is of it" carrier "$1"
	check "$1: it is gone again" dissociate left 1
	# shellcheck disable=SC2046
	show "$1: ip xfrm state add: every allocation fails in turn" in_left \
		failsend request ' esp_init_state+' \
		/bin/ip xfrm state add $(route 1) proto esp spi 1 reqid 1 \
		mode tunnel replay-window 32 aead "$aead" "0x$(cat /tmp/key-1)" 128 \
		-- /bin/ip xfrm state delete $(route 1) proto esp spi 1
	check "$1: the tunnel is gone" no_tunnel
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
	show "loading poly1305_chapoly.ko: every allocation fails in turn" \
		failnth load /opt/poly1305_chapoly.ko
	check "rmmod poly1305" rmmod_soon poly1305
	check "insmod all" load_all
	check "unloading" unload_all
	not_failing
}
