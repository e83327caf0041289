# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# A tunnel of IPsec and one of WireGuard in a kernel that has no module: its library seals and opens the
# packets. A part of the suite upstream.

# shellcheck source=tests/consumers/net.sh
. net.sh

part_library_ipsec() {
	# shellcheck source=tests/consumers/ipsec.sh
	. ipsec.sh
	check "this kernel takes no module" [ ! -e /proc/modules ]
	tunnelled IPsec
	dissociate right 1
	keys 1
	check "IPsec: the right end gets another key" associate right 1
	check "IPsec: no echo passes with another key" refused_with '100% packet loss' echoes
	check "IPsec: the tunnel is gone" no_tunnel
}

# genuine: what a forged packet must not change. One with a wrong tag that WireGuard took would spend
# the number of the genuine one, which then would be refused as repeated.
genuine() { echo "Arrived $(no_port)"; }

part_library_wireguard() {
	# shellcheck source=tests/consumers/wg.sh
	. wg.sh
	must "WireGuard: a tunnel between two namespaces" tunnel
	check "WireGuard: echoes" echoes
	show "WireGuard: forged packets are refused" grows "Arrived 10" genuine \
		forge_at_right 10 type:42:1 index:46:4 counter:52:1 text:58:300 tag:-16:16
	check "WireGuard: 1 MiB arrives as it was sent" transfer 1
	check "WireGuard: the tunnel is gone" no_tunnel
}
