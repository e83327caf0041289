# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# The modules at work: by themselves, under IPsec and under a driver.

# Switch the kernel's randomized tests on or off. They compare each new driver with
# poly1305-generic or rfc7539(chacha20-generic,poly1305-generic).
extra_tests() {
	echo "$1" >/sys/module/cryptomgr/parameters/noextratests
}

aeads_tested() {
	field selftest poly1305_chapoly | sort | uniq -c
	[ "$(field selftest poly1305_chapoly | sort -u)" = passed ]
}

part_extra() {
	check "extra tests on" extra_tests N
	began=$(cut -d . -f 1 /proc/uptime)
	check "insmod poly1305.ko: extra tests of its drivers" load /opt/poly1305.ko
	echo "# they took $(($(cut -d . -f 1 /proc/uptime) - began)) s"
	check "they passed" self_tested
	# shellcheck disable=SC2086
	check "/proc/crypto has $expected" present $expected
	check "insmod poly1305_aes.ko" insmod /opt/poly1305_aes.ko
	check "insmod chapoly.ko" load_packets
	check "insmod poly1305_chapoly.ko: extra tests of its AEADs" \
		insmod /opt/poly1305_chapoly.ko
	show "they passed" aeads_tested
	check "the kernel's AEAD on $(best): its extra tests pass" \
		command hold "rfc7539(chacha20-generic,$(best))" aead
	check "extra tests off" extra_tests Y
	check "unloading" unload_all
}

# A live patch of WireGuard that comes and goes, where the kernel has both
part_wireguard() {
	# shellcheck source=tests/consumers/wg.sh
	. wg.sh
	must "insmod poly1305.ko, chapoly.ko" library
	must "a WireGuard tunnel" tunnel
	# shellcheck disable=SC2119	# ipsec.sh has another function of this name
	under_load
	show "switched off at the end" switch_off "$live"
	check "rmmod poly1305_wireguard at the end" rmmod poly1305_wireguard
	check "the tunnel is gone" no_tunnel
	check "rmmod chapoly, poly1305" no_library
}

# hammer_for SECONDS: four threads, with each driver and with the name poly1305
hammer_for() {
	# shellcheck disable=SC2046
	begin_hammer 4 poly1305 $(drivers)
	sleep "$1"
	hammered
}

# All modules, each driver, several threads
part_threads() {
	check "insmod all" load_all
	for driver in $(drivers); do
		relay "afalg_test" afalg_test -d "$driver" vectors
	done
	show "4 threads hash for 10 s" hammer_for 10
	relay "afalg_test" afalg_test -d "$(best)" threads
	check "unloading" unload_all
}

# The in-kernel tests: guard pages, scatterlists, all contexts. Without the large
# cases, which take minutes in a kernel that watches each access.
part_in_kernel() {
	check "insmod all" load_all
	relay "poly1305_test.ko" in_kernel_test without=large
	check "rmmod poly1305_test" rmmod poly1305_test
	check "unloading" unload_all
}

# Poly1305-AES and our AEAD, against other implementations
part_others() {
	check "insmod all" load_all
	for module in chacha_generic poly1305_generic chacha20poly1305 des_generic cmac; do
		modprobe "$module" 2>/dev/null
	done
	relay "aes_test" aes_test -n 500 aes
	relay "aead_compare" aead_compare -n 100 \
		'rfc7539(chacha20-generic,poly1305-generic)' chapoly-rfc7539
	show "wrong sizes are refused" aead_errors chapoly-rfc7539
	show "wrong sizes are refused, ESP" aead_errors chapoly-rfc7539esp
	check "unloading" unload_all
}

# All cases of afalg_test, for the best driver and the portable one
part_afalg() {
	check "insmod poly1305.ko" load /opt/poly1305.ko
	for driver in "$(best)" poly1305-portable; do
		relay "afalg_test" afalg_test -d "$driver"
	done
	check "rmmod poly1305" rmmod_soon poly1305
}

# Loading and unloading while threads hash with all drivers
part_cycles_under_load() {
	check "insmod poly1305.ko" load /opt/poly1305.ko
	threads=$(drivers)
	check "rmmod poly1305" rmmod_soon poly1305
	dmesg -n 5
	echo 1 >/sys/kernel/rcu_expedited
	# shellcheck disable=SC2086
	show "insmod and rmmod $CYCLES times under load, and tags are right" \
		hammer 5 $threads poly1305 -- "$CYCLES" 5 \
		/opt/poly1305.ko /opt/poly1305_aes.ko /opt/chapoly.ko /opt/poly1305_chapoly.ko
	echo 0 >/sys/kernel/rcu_expedited
	dmesg -n 7
	check "nothing is registered" present
}

# The sample driver
part_sealpair_in_small() {
	# shellcheck source=tests/consumers/net.sh
	. net.sh
	# shellcheck source=tests/consumers/parts/sealpair
	. sealpair.sh
	part_sealpair
}
