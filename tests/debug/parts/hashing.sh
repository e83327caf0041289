# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# The modules at work: hashing, encrypting, loading and unloading.

# Switch the kernel's randomized tests on or off. They compare each new driver with
# poly1305-generic or rfc7539(chacha20-generic,poly1305-generic).
extra_tests() {
	echo "$1" >/sys/module/cryptomgr/parameters/noextratests
}

part_extra() {
	check "extra tests on" extra_tests N
	check "insmod all: extra tests of all drivers and AEADs" load_all
	check "those of the drivers passed" self_tested
	check "those of the AEADs passed" self_tested poly1305_chapoly
	# shellcheck disable=SC2086
	check "/proc/crypto has $expected" present $expected
	check "the kernel's AEAD on $(best): its extra tests pass" \
		request "rfc7539(chacha20-generic,$(best))" aead
	check "extra tests off" extra_tests Y
	check "unloading" unload_all
}

# Each driver, by several threads at once
part_threads() {
	check "insmod poly1305.ko" load /opt/poly1305.ko
	# shellcheck disable=SC2046
	relay "afalg_fuzz" afalg_fuzz -n 100 $(drivers)
	check "unloading" unload_all
}

# The in-kernel tests: guard pages, scatterlists, all contexts
part_in_kernel() {
	check "insmod all" load_all
	relay "poly1305_test.ko" in_kernel_test
	check "rmmod poly1305_test" rmmod poly1305_test
	check "unloading" unload_all
}

# Poly1305-AES and our AEADs
part_others() {
	check "insmod all" load_all
	relay "afalg_fuzz" afalg_fuzz -n 300 'poly1305(aes)' chapoly-rfc7539 chapoly-rfc7539esp
	check "unloading" unload_all
}

# The best driver and the portable one
part_afalg() {
	check "insmod poly1305.ko" load /opt/poly1305.ko
	relay "afalg_fuzz" afalg_fuzz -n 300 "$(best)" poly1305-portable
	check "unloading" unload_all
}

# The AVX-512 driver, where only Bochs has it
part_avx512() {
	check "insmod poly1305.ko zmm=0" load /opt/poly1305.ko zmm=0
	# shellcheck disable=SC2086
	check "/proc/crypto lacks poly1305-avx512" present ${expected% poly1305-avx512}
	check "rmmod poly1305" rmmod poly1305
	check "insmod poly1305.ko" load /opt/poly1305.ko
	# shellcheck disable=SC2086
	check "/proc/crypto has $expected" present $expected
	relay "afalg_fuzz" afalg_fuzz -n 50 poly1305-avx512
	# If drivers is given twice, the last value counts.
	relay "poly1305_test.ko" in_kernel_test drivers=poly1305-avx512
	check "rmmod poly1305_test" rmmod poly1305_test
	check "unloading" unload_all
}

# keep_hashing DRIVER: until /tmp/enough exists. The driver may be missing from time to time. Every
# second round has no tag to compare, and afalg_fuzz fails if none has.
keep_hashing() {
	while [ ! -e /tmp/enough ]; do
		afalg_fuzz -j 1 -n 20 "$1"
	done
}

come_and_go() {
	for _ in $(seq 10); do
		insmod /opt/poly1305.ko && rmmod_soon poly1305 && present &&
			load_all && unload_all || return
	done
}

# hashed: tags were right, and nothing was wrong but that a driver was missing
hashed() {
	grep -c '^ok' /tmp/hashed &&
		! grep '^#  ' /tmp/hashed | grep -vE 'cannot bind: No such file|in the round'
}

# Modules come and go while processes hash with all drivers.
part_cycles_under_load() {
	rm -f /tmp/enough
	echo 1 >/sys/kernel/rcu_expedited
	for driver in poly1305 $expected; do
		keep_hashing "$driver" >>/tmp/hashed 2>&1 &
	done
	check "insmod and rmmod under load" come_and_go
	touch /tmp/enough
	wait
	show "tags were right meanwhile" hashed
	echo 0 >/sys/kernel/rcu_expedited
}
