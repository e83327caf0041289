# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# Parts for tests/machines/guest in debugging kernels, beside its own. "look" comes first
# and last: between the two nothing may leak.

debug=/sys/kernel/debug

mounted() {
	[ -e "$debug/kmemleak" ] || [ -e "$debug/kcsan" ] ||
		mount -t debugfs debugfs "$debug"
}

load_all() {
	load /opt/poly1305.ko && insmod /opt/poly1305_aes.ko && load_packets &&
		insmod /opt/poly1305_chapoly.ko
}

# rmmod_soon MODULE: unload it as soon as it has no users
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
	rmmod_soon poly1305_chapoly && rmmod_soon chapoly && rmmod_soon poly1305_aes &&
		rmmod_soon poly1305 && present
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

cpus() { [ "$(grep -c ^processor /proc/cpuinfo)" = "$1" ]; }

part_look() {
	check "debugfs" mounted
	check "2 CPUs" cpus 2
	if [ -e /tmp/looked ]; then
		check "kmemleak: nothing has leaked" no_leaks
	else
		leaks >/tmp/looked
		echo clear >"$debug/kmemleak"
	fi
}

splats() {
	dmesg | awk '/BUG:|WARNING:|Oops|KASAN|INFO: |general protection/' |
		tee /tmp/splats
	[ -s /tmp/splats ]
}
no_splats() { ! splats; }

# begin_hammer THREADS NAME...: start threads that hash, until hammered ends them
begin_hammer() {
	hammer "$@" >/tmp/hammer 2>&1 &
	hammer=$!
}

# hammered: end them; succeeds if they found nothing wrong
hammered() {
	kill "$hammer" && wait "$hammer"
	status=$?
	cat /tmp/hammer
	[ "$status" = 0 ]
}
