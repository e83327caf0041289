# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# What the parts in debugging kernels share, and those in which modules are loaded and used. "look"
# comes first and last: between the two nothing may leak.

debug=/sys/kernel/debug

load_all() {
	insmod /opt/poly1305.ko && insmod /opt/poly1305_aes.ko && load_packets &&
		insmod /opt/poly1305_chapoly.ko
}

# rmmod_soon MODULE: unload it as soon as nobody uses it
rmmod_soon() {
	until rmmod "$1" 2>/tmp/rmmod; do
		grep -q 'temporarily unavailable' /tmp/rmmod || {
			cat /tmp/rmmod
			return 1
		}
		usleep 10000
	done
}

# unload_all: those of our modules that are there
unload_all() {
	for module in poly1305_chapoly chapoly poly1305_aes poly1305; do
		absent "$module" || rmmod_soon "$module" || return
	done
	present
}

# leaks: the findings of kmemleak, which counts objects that are some seconds old
leaks() {
	sleep 6
	echo scan >"$debug/kmemleak"
	sleep 1
	echo scan >"$debug/kmemleak"
	cat "$debug/kmemleak"
}
no_leaks() { leaks | tee /tmp/leaks; [ ! -s /tmp/leaks ]; }

part_look() {
	if [ -e "$debug/kmemleak" ]; then
		check "kmemleak: nothing has leaked" no_leaks
	else
		check "debugfs" mount -t debugfs debugfs "$debug"
		leaks >/tmp/leaks
		echo clear >"$debug/kmemleak"
	fi
}

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

# The AVX-512 driver, where only Bochs has it
part_avx512() {
	check "insmod poly1305.ko zmm=0" load /opt/poly1305.ko zmm=0
	# shellcheck disable=SC2086
	check "/proc/crypto lacks poly1305-avx512" present ${expected% poly1305-avx512}
	remove poly1305
	insert poly1305
	# shellcheck disable=SC2086
	check "/proc/crypto has $expected" present $expected
	relay "afalg_fuzz" afalg_fuzz -n 50 poly1305-avx512
	# If drivers is given twice, the last value counts.
	relay "poly1305_test.ko" in_kernel_test drivers=poly1305-avx512
	remove poly1305_test
	check "unloading" unload_all
}

# keep_hashing: with each driver in turn, until /tmp/enough exists. A driver may be missing from time to
# time. Every second round has no tag to compare, and afalg_fuzz fails if none has. One process at a time:
# of several, one nearly always uses the module, and rmmod finds no moment to remove it.
keep_hashing() {
	while [ ! -e /tmp/enough ]; do
		for driver in poly1305 $expected; do
			afalg_fuzz -j 1 -n 20 "$driver"
		done
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
		! grep '^# ' /tmp/hashed | grep -vE '^# (seed|cannot bind: No such file|in the round)'
}

# Modules come and go while a process hashes.
part_cycles_under_load() {
	rm -f /tmp/enough
	echo 1 >/sys/kernel/rcu_expedited
	keep_hashing >/tmp/hashed 2>&1 &
	check "insmod and rmmod under load" come_and_go
	touch /tmp/enough
	wait
	show "tags were right meanwhile" hashed
	echo 0 >/sys/kernel/rcu_expedited
}
