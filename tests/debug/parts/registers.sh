# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# User processes whose vector registers must keep their contents. Some of them only
# count, some hash with each driver. On the same CPU other threads hash, and softirqs
# that interrupt them all open IPsec packets.

# shellcheck source=tests/consumers/net.sh
. net.sh
# shellcheck source=tests/consumers/ipsec.sh
. ipsec.sh

vector_drivers() { drivers | grep -E 'sse2|avx'; }

# widest: the vector driver with the highest priority
widest() {
	field priority >/tmp/priorities
	field driver | paste /tmp/priorities - | grep -E 'sse2|avx' | sort -n |
		tail -n 1 | cut -f 2
}

# late: delay packets a little, so that they leave from the softirq of a timer, which
# interrupts processes. Otherwise the sender's own system call would do all the work.
late() {
	/bin/tc -n left qdisc add dev wire root netem delay 1ms limit 10000 &&
		/bin/tc -n right qdisc add dev wire root netem delay 1ms limit 10000
}

# jumbo: packets of up to 9000 bytes. The code of AVX2 and SSE2 handles messages below 144
# and 1024 bytes in general registers.
jumbo() {
	ip -n left link set wire mtu 9000 && ip -n right link set wire mtu 9000
}

# endless_traffic: send from left to right until /tmp/enough exists. Succeeds if all data
# arrived as sent. Sender and receiver use vector registers, too: if these are not saved,
# data may be wrong, and the traffic goes on.
endless_traffic() {
	arrived=0
	while [ ! -e /tmp/enough ]; do
		transfer 1 || arrived=1
	done
	return $arrived
}

# esp_with MAC: make the kernel's AEAD from the driver MAC; IPsec then uses it
esp_with() {
	command hold "rfc7539esp(chacha20-generic,$1)" aead </dev/null
}

# esp_of DRIVER: let IPsec use that MAC, or chapoly-rfc7539esp, which seals with chapoly.ko. With a
# MAC the kernel's ChaCha20 must be portable, because its FPU sections would save registers on
# behalf of those of the MAC. chapoly.ko may need chacha-x86_64.ko, but has its own ChaCha20.
esp_of() {
	case $1 in
	chapoly-*)
		modprobe libchacha
		insmod /tmp/chacha-x86_64.ko
		load_packets && insmod /opt/poly1305_chapoly.ko
		;;
	*)
		find /lib/modules -name 'chacha-x86_64.ko' -exec mv {} /tmp \;
		esp_with "$1"
		;;
	esac
}

unload_packets() {
	rmmod_soon poly1305_chapoly && rmmod_soon chapoly && rmmod_soon poly1305
}

# crowd DRIVER: start packets with that MAC or AEAD, and threads that hash
crowd() {
	check "insmod poly1305.ko" load /opt/poly1305.ko
	check "an AEAD of $1" esp_of "$1"
	check "a tunnel between two namespaces" tunnel
	check "packets in it may be long" jumbo
	check "packets leave it late" late
	keys 1 2
	check "its left end" associate left 1 2
	check "its right end" associate right 1 2
	show "its driver is $1" carrier "$1"
	# Otherwise the first thread that hashes has it loaded, and busybox's modprobe
	# tells the next one that it is loaded before that is true.
	modprobe algif_hash 2>/dev/null
	rm -f /tmp/enough
	endless_traffic >/tmp/traffic 2>&1 &
	traffic=$!
	# shellcheck disable=SC2046
	begin_hammer 2 $(vector_drivers)
}

# kept DRIVER: registers keep their contents while packets are sealed and opened with it
kept() {
	crowd "$1"
	# shellcheck disable=SC2046
	show "registers of processes keep their contents" \
		registers $((FPU_CHECKS / 2)) 6 $(vector_drivers)
	touch /tmp/enough
	show "tags were right meanwhile" hammered
	show "data sent meanwhile arrived" wait "$traffic"
	echo "# $(carried right 1) packets arrived"
	check "more than 100 packets arrived" [ "$(carried right 1)" -gt 100 ]
	check "the tunnel is gone" no_tunnel
}

part_registers() {
	insmod /opt/poly1305.ko
	mac=$(widest)
	rmmod poly1305
	kept "$mac"
	check "rmmod poly1305" rmmod_soon poly1305
	kept chapoly-rfc7539esp
	check "rmmod poly1305_chapoly, chapoly and poly1305" unload_packets
}

# changed KIND: softirqs save nothing, and registers must report a change in a process of
# that KIND. On a busy machine few packets arrive while it counts, so it may need several
# attempts. The fault is on only during them: grep was seen to crash from it.
changed() {
	plant=/sys/module/poly1305/parameters/plant
	changed="\($1\): $(message fpu-softirq registers)"
	hashers=$(vector_drivers)
	: >/tmp/registers
	asked=0
	until grep -qE "$changed" /tmp/registers || [ "$asked" = 10 ]; do
		echo fpu-softirq >"$plant"
		# shellcheck disable=SC2086
		registers 100000000 6 $hashers >/tmp/registers
		echo none >"$plant"
		asked=$((asked + 1))
	done
	cat /tmp/registers
	grep -qE "$changed" /tmp/registers
}

# The same with modules that do not save registers. Processes that only count notice if
# softirqs save nothing; processes that hash notice if their own system calls save
# nothing. With this fault the guest is of no use for other tests.
part_unsaved() {
	insmod /opt/poly1305.ko
	macs=$(vector_drivers)
	rmmod poly1305
	for mac in $macs; do
		crowd "$mac"
		show "$mac in softirq saves nothing: counting processes see it" \
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
		show "$mac in a system call saves nothing: hashing processes see it" \
			grep -E "\($mac\): $(message fpu-process registers)" /tmp/registers
	done
}
