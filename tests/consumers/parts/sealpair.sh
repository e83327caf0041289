# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# The sample driver: frames between seal0 in left and seal1 in right cross sealed from
# wire0 to wire1. One test pings, one forges.

key() { head -c 32 /dev/urandom | hexdump -v -e '1/1 "%02x"'; }

# tell NAMESPACE DEVICE TX RX PEER LOWER: the only keys that the device gets
tell() { ip netns exec "$1" sh -c "echo $3 $4 $5 $6 >/sys/class/net/$2/keys"; }

# agree [PEER]: new keys at both ends; the left one sends to that address, or to all
agree() {
	a=$(key) b=$(key) all=ff:ff:ff:ff:ff:ff
	tell left seal0 "$a" "$b" "${1:-$all}" wire0 && tell right seal1 "$b" "$a" "$all" wire1
}

# sealed_end NAMESPACE DEVICE MAC ADDRESS OTHER-MAC OTHER-ADDRESS FROM TO: one end, up, but without
# keys. It knows its neighbour: an unexpected frame would disturb counting.
sealed_end() {
	ip -n "$1" link add "$2" address "$3" type sealpair &&
		ip -n "$1" link set "$2" up && ip -n "$1" address add "$4/24" dev "$2" &&
		ip -n "$1" neigh add "$6" lladdr "$5" dev "$2" &&
		ip -n "$1" route add "$8" dev "$2" via "$6" src "$7"
}

# pair: a new device at both ends
pair() {
	ip -n left link del seal0 2>/dev/null
	ip -n right link del seal1 2>/dev/null
	sealed_end left seal0 02:00:00:00:01:00 10.2.0.1 02:00:00:00:01:01 10.2.0.2 "$here" "$there" &&
		sealed_end right seal1 02:00:00:00:01:01 10.2.0.2 02:00:00:00:01:00 10.2.0.1 "$there" "$here"
}

# wires: what the frames go through
wires() {
	# Debugging kernels have no IPv6.
	for each in left right; do
		[ ! -e /proc/sys/net/ipv6 ] ||
			ip netns exec "$each" sysctl -qw net.ipv6.conf.default.disable_ipv6=1 || return
	done
	ip -n left link add wire0 type veth peer name wire1 netns right &&
		ip -n left link set wire0 up && ip -n right link set wire1 up
}

one_ping() { in_left ping -c 1 -W 2 "$there"; }

seal_arrivals() {
	for each in rx_packets rx_errors rx_dropped; do
		echo "$each $(in_right cat "/sys/class/net/seal1/statistics/$each")"
	done
}

# seal_forgeries COUNT: so many forged frames of each kind are refused, each for its reason
seal_forgeries() {
	pair && agree 02:00:00:00:00:09 || return	# nobody: captured frames must not arrive
	grows "rx_packets $1 rx_errors $((7 * $1)) rx_dropped $1" \
		seal_arrivals in_left forge wire0 "$(in_right cat /sys/class/net/wire1/address)" \
		"$there" "$1" version:14:4 zeros:18:4 number:22:8 text:30:300 tag:-16:16 \
		cut:-4:0 stump:40:0
}

part_sealpair() {
	insert poly1305 chapoly sealpair
	must "two namespaces" namespaces
	must "wires between them" wires
	must "a pair of devices" pair
	check "no echo passes without keys" refused_with '100% packet loss' one_ping
	must "keys for both ends" agree
	check "pings of 1 to 600 bytes" pings 600 13
	check "a second pair of keys is refused" refused_with 'nvalid argument' agree
	check "1 MiB through TCP" transfer 1
	must "a new pair of devices, which gets one key for both directions" pair
	check "it is refused" refused_with 'nvalid argument' tell left seal0 "$a" "$a" "$all" wire0
	show "forged frames are refused, counter by counter" seal_forgeries 100
	check "nothing holds what is below" ip -n right link del wire1
	remove sealpair chapoly poly1305
	check "no namespaces" no_namespaces
}
