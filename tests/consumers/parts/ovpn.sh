# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# The data channel of OpenVPN, ovpn.ko, which requests ChaCha20-Poly1305 by a name that is an alias of
# poly1305_chapoly.ko. The program of the kernel's own tests of ovpn sets it up. Those tests themselves
# need programs in Python.

another_key() { head -c 256 /dev/urandom | base64 -w 0 >/tmp/vpn-key; }

# vpn_key NAMESPACE DIRECTION SLOT NUMBER: /tmp/vpn-key, of which the other end has the other direction
vpn_key() { ip netns exec "$1" ovpn-cli new_key vpn 1 "$3" "$4" chachapoly "$2" /tmp/vpn-key; }

# vpn_end NAMESPACE DIRECTION ITS_WIRE WIRE ITS_ADDRESS ADDRESS
vpn_end() {
	ip netns exec "$1" ovpn-cli new_iface vpn P2P &&
		ip -n "$1" link set vpn up && ip -n "$1" route add "$5" dev vpn src "$6" &&
		ip netns exec "$1" ovpn-cli new_peer vpn 1 none 1194 "$3" 1194 >/dev/null &&
		vpn_key "$1" "$2" 1 1
}

vpn() {
	another_key
	wire && vpn_end left 0 "$right_wire" "$left_wire" "$there" "$here" &&
		vpn_end right 1 "$left_wire" "$right_wire" "$here" "$there"
}

new_keys() {
	another_key
	vpn_key right 1 2 2 && vpn_key left 0 2 2 &&
		in_left ovpn-cli swap_keys vpn 1 && in_right ovpn-cli swap_keys vpn 1
}

no_vpn() {
	killall ovpn-cli
	in_left ovpn-cli del_iface vpn && in_right ovpn-cli del_iface vpn && no_namespaces
}

part_ovpn() {
	# shellcheck source=tests/consumers/ipsec.sh
	. ipsec.sh
	aead='rfc7539(chacha20,poly1305)'
	if [ ! -e /bin/ovpn-cli ] || ! modprobe ovpn; then
		skip "ovpn" "no source of Linux in sid, or no ovpn.ko in this kernel"
		return
	fi
	insert poly1305 chapoly poly1305_chapoly
	must "a VPN between two namespaces" vpn
	show "its packets use our AEAD" carrier chapoly-rfc7539
	show "echoes of 1 to 1393 bytes" pings 1400 24
	check "4 MiB arrive as they were sent" transfer 4
	check "other keys" new_keys
	show "echoes with the new keys" echoes
	another_key
	check "the right end loses the key that is used" in_right ovpn-cli del_key vpn 1 1
	check "and gets another one in its place" vpn_key right 1 1 2
	check "no echo passes with another key" refused_with '100% packet loss' echoes
	stays poly1305_chapoly "under the VPN"
	check "the VPN is gone" no_vpn
	check "nobody uses poly1305_chapoly" unused poly1305_chapoly
	remove poly1305_chapoly chapoly poly1305
}
