# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# The faults "debug" and "type" of tests/mutants, each of which must be found by the kernel, kmemleak or
# registers. Afterwards the guest cannot be used for anything else.

plant() { echo "$1" >/sys/module/poly1305/parameters/plant; }

# found FAULT COMMAND...: run COMMAND with the fault; it or the log must tell of it.
found() {
	fault=$1
	shift
	dmesg -c >/dev/null
	plant "$fault"
	"$@" >/tmp/found 2>&1
	plant none
	dmesg >>/tmp/found
	show "$fault is found: $*" grep -m 1 -E "$(message "$fault")" /tmp/found
}

hash_portable() { afalg_fuzz -j 1 -n 20 poly1305-portable; }
hash_and_leak() { hash_portable; leaks; }

part_planted() {
	check "insmod poly1305.ko with faults" load /opt/poly1305.ko plant=none
	case $(uname -r) in
	*-kasan)
		part_look
		found overread hash_portable
		found leak hash_and_leak
		insert chapoly poly1305_chapoly
		found import afalg_fuzz -n 2000 poly1305-portable
		found forged afalg_fuzz -n 2000 chapoly-rfc7539
		found whole afalg_fuzz -n 2000 chapoly-rfc7539
		;;
	*-kcfi)
		# Few of a round's messages are whole and long enough.
		found type afalg_fuzz -j 1 -n 500 poly1305-avx2
		;;
	*-rt-*)
		# A kernel without debugging, in which locks do not disable preemption
		found schedule afalg_fuzz -n 100 poly1305-avx2
		;;
	*)
		# A process that hashes notices that its own system calls save nothing, one
		# that only counts that softirqs save nothing.
		for driver in $(vector_drivers); do
			found fpu-process registers 100000000 2 "$driver"
		done
		check "unloading" unload_all
		# In Bochs packets are so few that the programs that send them end or hang before
		# a process that counts notices.
		case $(uname -r) in *-bochs) return ;; esac
		for driver in $(vector_drivers); do
			begin_packets "$(aead_on "$driver")"
			# Programs that send lose their registers, too, and may end or hang.
			while [ ! -e /tmp/enough ]; do
				echoes
			done >/dev/null 2>&1 &
			found fpu-softirq registers 1000000000 3
			touch /tmp/enough
			killall -q -KILL wget cmp ping
			kill -KILL "$transfers" $!
			end_packets
			check "unloading" unload_all
		done
		;;
	esac
}
