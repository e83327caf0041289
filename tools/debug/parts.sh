# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# Parts for tools/vm/guest in debugging kernels, beside its own. "look" comes first
# and last: between the two nothing may leak.

debug=/sys/kernel/debug

mounted() {
	[ -e "$debug/kmemleak" ] || [ -e "$debug/kcsan" ] ||
		mount -t debugfs debugfs "$debug"
}

load_all() {
	load /opt/poly1305.ko && insmod /opt/poly1305_aes.ko &&
		insmod /opt/poly1305_chapoly.ko
}

# rmmod_soon MODULE: as soon as nobody uses it
rmmod_soon() {
	tries=0
	until rmmod "$1" 2>/tmp/rmmod; do
		tries=$((tries + 1))
		[ "$tries" -lt 3000 ] || {
			cat /tmp/rmmod
			return 1
		}
		usleep 10000
	done
}

unload_all() {
	rmmod_soon poly1305_chapoly && rmmod_soon poly1305_aes &&
		rmmod_soon poly1305 && present
}

# leaks: what kmemleak has found; an object must be some seconds old to count
leaks() {
	sleep 6
	echo scan >"$debug/kmemleak"
	sleep 1
	echo scan >"$debug/kmemleak"
	cat "$debug/kmemleak"
}
no_leaks() { leaks | tee /tmp/leaks; [ ! -s /tmp/leaks ]; }

part_look() {
	check "debugfs" mounted
	if [ -e /tmp/looked ]; then
		check "kmemleak: nothing has leaked" no_leaks
	else
		leaks >/tmp/looked
		echo clear >"$debug/kmemleak"
	fi
}

# The kernel's randomized tests of whatever is registered, against its own
# poly1305-generic and rfc7539(chacha20-generic,poly1305-generic)
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
	check "insmod poly1305_chapoly.ko: extra tests of its AEADs" \
		insmod /opt/poly1305_chapoly.ko
	show "they passed" aeads_tested
	check "the kernel's AEAD on $(best): its extra tests pass" \
		command hold "rfc7539(chacha20-generic,$(best))" aead
	check "extra tests off" extra_tests Y
	check "unloading" unload_all
}

# IPsec in small, with our MAC in the kernel's AEAD and then with our AEAD
part_ipsec() {
	# shellcheck source=tools/consumers/net.sh
	. net.sh
	# shellcheck source=tools/consumers/ipsec.sh
	. ipsec.sh
	check "insmod poly1305.ko" load /opt/poly1305.ko
	tunnelled "$(best)"
	check "insmod poly1305_aes.ko" insmod /opt/poly1305_aes.ko
	check "insmod poly1305_chapoly.ko" insmod /opt/poly1305_chapoly.ko
	tunnelled chapoly-rfc7539esp
	check "unloading" unload_all
}

# tunnelled DRIVER: traffic through a tunnel whose AEAD is that, or made of it
tunnelled() {
	check "$1: a tunnel between two namespaces" tunnel
	keys 1 2
	check "$1: its left end" associate left 1 2
	check "$1: its right end" associate right 1 2
	show "$1: the AEAD is of it" carrier "$1"
	check "$1: 100 echoes" echoes
	show "$1: 1 MiB arrives as it was sent" transfer 1
	check "$1: the tunnel is gone" no_tunnel
}

# Allocations that fail

splats() {
	dmesg | awk '/BUG:|WARNING:|Oops|KASAN|INFO: |rcu.*stall|general protection/' |
		tee /tmp/splats
	[ -s /tmp/splats ]
}
no_splats() { ! splats; }

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

hammered() {
	kill "$hammer" && wait "$hammer"
	status=$?
	cat /tmp/hammer
	[ "$status" = 0 ]
}

# User processes whose vector registers must stay as they are: some only count, some
# hash with each driver; on the same CPU others hash, and IPsec decrypts in softirq.

# endless_traffic: from left to right, until /tmp/enough is there
endless_traffic() {
	while [ ! -e /tmp/enough ]; do
		transfer 1 || return
	done
}

part_registers() {
	# shellcheck source=tools/consumers/net.sh
	. net.sh
	# shellcheck source=tools/consumers/ipsec.sh
	. ipsec.sh
	# Its sections would save registers for ours.
	find /lib/modules -name 'chacha-x86_64.ko' -exec rm {} +
	check "insmod poly1305.ko" load /opt/poly1305.ko
	check "a tunnel between two namespaces" tunnel
	keys 1 2
	check "its ends" associate left 1 2
	check "both of them" associate right 1 2
	show "its MAC is $(best)" carrier "$(best)"
	[ -z "${PLANT:-}" ] || echo "$PLANT" >/sys/module/poly1305/parameters/plant
	endless_traffic >/tmp/traffic 2>&1 &
	traffic=$!
	vector=$(drivers | grep -E 'sse2|avx')
	# shellcheck disable=SC2086
	hammer 2 $vector >/tmp/hammer 2>&1 &
	hammer=$!
	# shellcheck disable=SC2086
	show "registers of processes keep what they hold" \
		registers "$FPU_CHECKS" 4 $vector
	touch /tmp/enough
	show "tags were right meanwhile" hammered
	show "what was sent meanwhile arrived" wait "$traffic"
	echo "# $(carried right 1) packets arrived"
	check "some did" [ "$(carried right 1)" -gt 100 ]
	check "the tunnel is gone" no_tunnel
	check "rmmod poly1305" rmmod_soon poly1305
}

# Faults, of tools/debug/planted.sed: each must be said in the log. The guest's kernel
# is of no use afterwards.

plant() { echo "$1" >/sys/module/poly1305/parameters/plant; }
hashing() { afalg_test -d poly1305-portable vectors; }

# found FAULT PATTERN COMMAND...: while COMMAND runs with that fault, the log says so
found() {
	fault=$1 pattern=$2
	shift 2
	dmesg -c >/dev/null
	plant "$fault"
	"$@" >/tmp/said 2>&1
	plant none
	show "$fault is found" said_in_log "$pattern"
}
said_in_log() {
	dmesg | sed 's/^\[[^]]*\] //' | grep -m 1 -E "$1"
}

part_planted() {
	check "debugfs" mounted
	leaks >/dev/null
	echo clear >"$debug/kmemleak"
	check "insmod poly1305.ko with faults" load /opt/poly1305.ko plant=none
	plant none
	check "none is found before it is named" no_splats
	found sleep 'BUG: sleeping function called from invalid context' \
		afalg_test -d poly1305-avx2 lengths
	found overread 'BUG: KASAN: slab-out-of-bounds in .*poly1305' hashing
	plant leak
	hashing >/dev/null
	plant none
	leaks >/tmp/leaks
	show "leak is found" grep -m 1 ' shash_init+.*poly1305' /tmp/leaks
	check "rmmod poly1305" rmmod_soon poly1305

	check "tag: its self-test and the kernel's vectors do not find it" \
		load /opt/poly1305.ko plant=tag
	check "tag: all drivers passed" self_tested
	check "rmmod poly1305" rmmod_soon poly1305
	extra_tests N
	dmesg -c >/dev/null
	load /opt/poly1305.ko plant=tag
	extra_tests Y
	show "tag is found by the extra tests" said_in_log \
		'alg: self-tests for poly1305 using poly1305-avx2 .*failed'
	check "tag: the driver cannot be used" refused_with 'poly1305-avx2' \
		hold poly1305-avx2
	check "rmmod poly1305" rmmod_soon poly1305

}

# The kernel that watches for races. Unless told to, it does not watch.

watch_races() { echo "$1" >"$debug/kcsan"; }
races() {
	awk -F ': ' '/^(data_races|races_unknown_origin): / { n += $2 }
		END { print n + 0 }' "$debug/kcsan"
}
watchpoints() { sed -n 's/^setup_watchpoints: //p' "$debug/kcsan"; }

# hammer_for SECONDS: by four threads, with all drivers and the AEAD's MAC
hammer_for() {
	# shellcheck disable=SC2046
	hammer 4 poly1305 $(drivers) >/tmp/hammer 2>&1 &
	hammer=$!
	sleep "$1"
	hammered
}

part_races() {
	check "debugfs" mounted
	check "KCSAN on" watch_races on
	check "insmod all" load_all
	show "4 threads hash for 20 s" hammer_for 20
	relay "afalg_test" afalg_test -d "$(best)" "threads_*"
	check "unloading" unload_all
	check "KCSAN off" watch_races off
	echo "# $(watchpoints) accesses watched"
	check "KCSAN watched accesses" [ "$(watchpoints)" -gt 1000 ]
	check "KCSAN has seen no race" [ "$(races)" = 0 ]
}
