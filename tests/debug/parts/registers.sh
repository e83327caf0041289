# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# User processes whose vector registers must keep their contents. Some of them only
# count, some hash with each driver. On the same CPU, softirqs that interrupt them all
# open IPsec packets.

# shellcheck source=tests/consumers/net.sh
. net.sh
# shellcheck source=tests/consumers/ipsec.sh
. ipsec.sh

# vector_drivers: those that this CPU has, in the order of their width
vector_drivers() { echo "$expected" | tr ' ' '\n' | grep -E 'sse2|avx'; }

# aead_on DRIVER: the kernel's AEAD on that MAC. Its ChaCha20 is portable, because otherwise its
# FPU sections would save registers on behalf of those of the MAC.
aead_on() { echo "rfc7539esp(chacha20-generic,$1)"; }

# late: delay packets a little, so that they leave from the softirq of a timer, which
# interrupts processes. Otherwise the sender's own system call would do all the work.
late() {
	/bin/tc -n left qdisc add dev wire root netem delay 1ms limit 10000 &&
		/bin/tc -n right qdisc add dev wire root netem delay 1ms limit 10000
}

# begin_packets AEAD, end_packets: packets are sealed and opened with it in between.
begin_packets() {
	insert poly1305
	case $1 in
	chapoly-*) insert chapoly poly1305_chapoly ;;
	*) check "$1 is made" request "$1" aead ;;
	esac
	begin_tunnel "$1" left right
	check "packets leave it late" late
	show "its driver is $1" carrier "$1"
	begin_transfer
}
end_packets() {
	status=0
	end_transfer || status=$?
	no_tunnel && return $status
}

# kept AEAD: registers keep their contents while packets are sealed and opened with it
kept() {
	begin_packets "$1"
	# shellcheck disable=SC2046
	show "registers of processes keep their contents" \
		registers $((FPU_CHECKS / 2)) 6 $(vector_drivers)
	echo "# $(carried right 1) packets arrived"
	check "more than 100 packets arrived" [ "$(carried right 1)" -gt 100 ]
	check "all data as sent" end_packets
	check "unloading" unload_all
}

part_registers() {
	# Otherwise the first process that hashes has it loaded, and busybox's modprobe
	# tells the next one that it is loaded before that is true.
	modprobe algif_hash 2>/dev/null
	kept "$(aead_on "$(vector_drivers | tail -n 1)")"
	kept chapoly-rfc7539esp
}
