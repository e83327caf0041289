# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# A tunnel of IPsec and one of WireGuard, stock and then patched. These are the short form of the
# suite ipsec-tls, in the first kernel that Debian's mirror gives, and parts of guests of the
# debugging kernels.

# shellcheck source=tests/consumers/net.sh
. net.sh

# has_mac: this kernel's AEAD takes its MAC from the crypto API
has_mac() { case $(uname -r) in 5.* | 6.1.* | 6.12.*) ;; *) return 1 ;; esac; }

part_small_ipsec() {
	# shellcheck source=tests/consumers/ipsec.sh
	. ipsec.sh
	modprobe chacha20poly1305 2>/dev/null
	tunnelled stock
	check "stock: the tunnel is gone" no_tunnel
	insert poly1305
	if has_mac; then
		tunnelled "poly1305.ko" "$(best)"
		check "poly1305.ko: the tunnel is gone" no_tunnel
	fi
	insert chapoly poly1305_chapoly
	tunnelled poly1305_chapoly.ko chapoly-rfc7539esp
	dissociate right 1
	keys 1
	check "the right end gets another key" associate right 1
	check "no echo passes with another key" refused_with '100% packet loss' echoes
	check "the tunnel is gone" no_tunnel
	check "nobody uses poly1305_chapoly" unused poly1305_chapoly
	remove poly1305_chapoly chapoly poly1305
	check "nothing of them stays" absent poly1305_chapoly
}

part_small_wireguard() {
	# shellcheck source=tests/consumers/wg.sh
	. wg.sh
	modprobe wireguard 2>/dev/null
	insert poly1305 chapoly
	must "a WireGuard tunnel" tunnel
	check "stock: echoes" echoes
	show "insmod poly1305_wireguard.ko, and all tasks change over" switch_on
	show "echoes, all by poly1305_wireguard.ko" all_ours echoes
	show "forged packets are refused" forgeries 10
	show "1 MiB arrives as it was sent" all_ours transfer 1
	show "echoes of 1 to 20000 bytes, opened in pieces" in_pieces
	check "all 36 calls of a stranger are ours, 8 of them refused" called 36 8
	check "switched off" switch_off "$live"
	check "switched off: echoes pass and are not ours" none_ours echoes
	check "and no call of the stranger is" none_ours insmod /opt/library_caller.ko
	remove library_caller poly1305_wireguard
	check "nothing of it stays" stock
	check "the tunnel is gone" no_tunnel
	remove chapoly poly1305
}

# After small_wireguard, which reads wg.sh. In this file because debugging kernels run it, too.
part_wg_load() {
	insert poly1305 chapoly
	must "a tunnel between two namespaces" tunnel
	begin_transfer
	sleep 2
	check "under load: switched on" switch_on
	show "under load: packets take our way" some_ours sleep 2
	check "under load: switched off" switch_off "$live"
	check "under load: packets no longer take our way" none_ours sleep 2
	check "under load: rmmod" rmmod poly1305_wireguard
	check "under load: switched on again" switch_on
	show "under load: packets take our way again" some_ours sleep 2
	check "all data arrive as they were sent" end_transfer
	for module in poly1305_wireguard chapoly poly1305; do
		stays "$module" "while it is switched on"
	done
	check "count=0" sh -c "echo 0 >$parameters/count"
	check "and nothing counts" none_ours echoes
	check "switched off" switch_off "$live"
	remove poly1305_wireguard
	check "the tunnel is gone" no_tunnel
	remove chapoly poly1305
}
