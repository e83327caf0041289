# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh
#
# What the scripts that test inside a guest share, besides tests/tap.sh: questions about
# the modules.

# shellcheck source=tests/tap.sh
. tap.sh

# field NAME [MODULE]: that field of each entry in /proc/crypto that is poly1305's,
# or MODULE's
field() {
	awk -v RS= -F '\n' -v name="$1" -v module="${2:-poly1305}" '
	$0 ~ "\nmodule +: " module "(\n|$)" {
		for (i = 1; i <= NF; i++)
			if ($i ~ "^" name " +: ")
				print substr($i, index($i, ": ") + 2)
	}' /proc/crypto
}

drivers() { field driver | sort; }

# present DRIVER...: these, and no other of ours, are registered
present() {
	drivers >/tmp/have
	printf '%s\n' "$@" | sed '/^$/d' | sort | diff - /tmp/have
}

# self_tested [MODULE]: all that it has registered passed the kernel's tests
self_tested() { [ "$(field selftest "$@" | sort -u)" = passed ]; }

nameless() { ! grep "^name *: $1$" /proc/crypto; }

absent() { [ ! -e "/sys/module/$1" ]; }

# unused MODULE: wait until nobody uses it: from 6.12 on the kernel's own tests of
# new drivers may still run when insmod returns
unused() {
	tries=0
	while read -r users <"/sys/module/$1/refcnt"; do
		[ "$users" != 0 ] || return 0
		tries=$((tries + 1))
		[ "$tries" -lt 3000 ] || return
		usleep 10000
	done
}

# load FILE.ko PARAMETER...: insmod, until nobody uses the hash of the module. A file by
# another name than its module has is a poly1305.ko.
load() {
	insmod "$@" || return
	loaded=$(basename "$1" .ko)
	[ -e "/sys/module/$loaded" ] || loaded=poly1305
	unused "$loaded"
}

# load_packets: chapoly.ko. insmod loads nothing that a module depends on, and the kernel's
# ChaCha20 is in modules of several names, or built in.
load_packets() {
	for each in chacha-x86_64 chacha20 libchacha; do
		modprobe "$each" 2>/dev/null
	done
	insmod /opt/chapoly.ko
}

# refused_with ERROR COMMAND...: it fails and says ERROR
refused_with() {
	error=$1
	shift
	if "$@" >/tmp/refusal 2>&1; then return 1; fi
	cat /tmp/refusal
	grep -q "$error" /tmp/refusal
}

# message FAULT: the pattern by which a planted fault is found; its suite has laid its part of
# tests/mutants/manifest into the guest
message() {
	sed -n "s/^[^|]*|$1|[^|]*|//p" /mutants | grep . || echo "the manifest has no line for $1"
}

# best: our driver that the name poly1305 means
best() {
	field priority >/tmp/priorities
	field driver | paste /tmp/priorities - | sort -n | tail -n 1 | cut -f 2
}

# run_parts PART...: call part_PART for each, and exit with 0 if all points passed
run_parts() {
	for part; do
		began=$(cut -d . -f 1 /proc/uptime)
		"part_$part" || exit 2
		echo "# $part: $(($(cut -d . -f 1 /proc/uptime) - began)) s"
	done
	exit $all_passed
}
