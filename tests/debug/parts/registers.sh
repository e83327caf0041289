# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# User processes whose vector registers must stay as they are: some only count, some
# hash with each driver; on the same CPU others hash, and IPsec packets are opened in
# softirq on top of whoever runs.

# shellcheck source=tests/consumers/net.sh
. net.sh
# shellcheck source=tests/consumers/ipsec.sh
. ipsec.sh

vector_drivers() { drivers | grep -E 'sse2|avx'; }

# widest: the one of them with the highest priority
widest() {
	field priority >/tmp/priorities
	field driver | paste /tmp/priorities - | grep -E 'sse2|avx' | sort -n |
		tail -n 1 | cut -f 2
}

# late: what is sent leaves a little later, from the softirq of a timer, which
# interrupts processes; else the sender's own system call would do all the work
late() {
	/bin/tc -n left qdisc add dev wire root netem delay 1ms limit 10000 &&
		/bin/tc -n right qdisc add dev wire root netem delay 1ms limit 10000
}

# jumbo: packets of up to 9000 bytes; AVX2 code leaves what is shorter than 1792 to
# general registers
jumbo() {
	ip -n left link set wire mtu 9000 && ip -n right link set wire mtu 9000
}

# endless_traffic: from left to right, until /tmp/enough is there; whether all of it
# arrived as it was sent. Those who send and receive have registers, too: where these
# are not saved it may not, and goes on all the same.
endless_traffic() {
	arrived=0
	while [ ! -e /tmp/enough ]; do
		transfer 1 || arrived=1
	done
	return $arrived
}

# esp_with MAC: make the kernel's AEAD of it, which IPsec then takes
esp_with() {
	command hold "rfc7539esp(chacha20-generic,$1)" aead </dev/null
}

# crowd MAC: packets with that MAC, and threads that hash
crowd() {
	# Sections of its own would save registers for ours.
	find /lib/modules -name 'chacha-x86_64.ko' -exec rm {} +
	check "insmod poly1305.ko" load /opt/poly1305.ko
	check "an AEAD of $1" esp_with "$1"
	check "a tunnel between two namespaces" tunnel
	check "packets in it may be long" jumbo
	check "packets leave it late" late
	keys 1 2
	check "its left end" associate left 1 2
	check "its right end" associate right 1 2
	show "its MAC is $1" carrier "$1"
	# Else the first to hash have it loaded, and busybox's modprobe tells those who
	# come next that it is there before it is.
	modprobe algif_hash 2>/dev/null
	rm -f /tmp/enough
	endless_traffic >/tmp/traffic 2>&1 &
	traffic=$!
	# shellcheck disable=SC2046
	begin_hammer 2 $(vector_drivers)
}

part_registers() {
	show "a change of any register is seen" registers
	insmod /opt/poly1305.ko
	mac=$(widest)
	rmmod poly1305
	crowd "$mac"
	# shellcheck disable=SC2046
	show "registers of processes keep what they hold" \
		registers "$FPU_CHECKS" 6 $(vector_drivers)
	touch /tmp/enough
	show "tags were right meanwhile" hammered
	show "what was sent meanwhile arrived" wait "$traffic"
	echo "# $(carried right 1) packets arrived"
	check "some did" [ "$(carried right 1)" -gt 100 ]
	check "the tunnel is gone" no_tunnel
	check "rmmod poly1305" rmmod_soon poly1305
}

changed='[xyz]mm and mask registers changed'

# changed WHO: registers sees that WHO's have changed when softirqs save nothing. On a
# machine that is busy few packets arrive while it counts, and it may have to be asked
# again. The fault is there only meanwhile: grep was seen dying of it.
changed() {
	plant=/sys/module/poly1305/parameters/plant
	hashers=$(vector_drivers)
	: >/tmp/registers
	asked=0
	until grep -q "($1): $changed" /tmp/registers || [ "$asked" = 10 ]; do
		echo fpu-softirq >"$plant"
		# shellcheck disable=SC2086
		registers 100000000 6 $hashers >/tmp/registers
		echo none >"$plant"
		asked=$((asked + 1))
	done
	cat /tmp/registers
	grep -q "($1): $changed" /tmp/registers
}

# The same with modules that do not save registers: those who only count see it if
# softirqs do not, those who hash if their own calls do not. With what is wrong then
# nothing else is expected of this guest.
part_unsaved() {
	insmod /opt/poly1305.ko
	macs=$(vector_drivers)
	rmmod poly1305
	for mac in $macs; do
		crowd "$mac"
		show "$mac in softirq saves nothing: who counts sees it" \
			changed "no system call"
		touch /tmp/enough
		kill "$hammer"
		wait
		no_tunnel
		rmmod_soon poly1305
	done
	check "insmod poly1305.ko" load /opt/poly1305.ko plant=fpu-process
	for mac in $macs; do
		registers 100000000 2 "$mac" >/tmp/registers
		show "$mac in a system call saves nothing: who hashes sees it" \
			grep "($mac): $changed" /tmp/registers
	done
}
