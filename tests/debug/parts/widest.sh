# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# All drivers of a CPU with AVX-512, those with vector registers in particular.

part_widest() {
	check "insmod poly1305.ko" load /opt/poly1305.ko
	# shellcheck disable=SC2086
	check "/proc/crypto has $expected" present $expected
	check "/proc/crypto: self-tests passed" self_tested
	check "the best is the last of these" [ "$(best)" = "${expected##* }" ]
	for driver in $(drivers | grep avx); do
		for case in vectors clone splice threads; do
			relay "afalg_test $case" afalg_test -d "$driver" "$case"
		done
	done
	for driver in $(drivers | grep avx512); do
		# If drivers is given twice, the last value counts.
		relay "poly1305_test.ko" in_kernel_test drivers="$driver"
		check "rmmod poly1305_test" rmmod poly1305_test
	done
	check "rmmod poly1305" rmmod_soon poly1305
}
