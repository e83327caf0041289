# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# What the parts in debugging kernels share. "look" comes first and last: between the two
# nothing may leak.

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
