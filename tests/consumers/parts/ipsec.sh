# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# IPsec whose two ends have different code, and whose keys are replaced while data pass, after
# what small.sh shows.

# On kernels whose AEAD takes its MAC from the crypto API
mac_at_one_end() {
	must "modprobe poly1305-x86_64" modprobe poly1305-x86_64
	begin_tunnel "in-tree MAC" left
	show "/proc/crypto: made of poly1305-simd" carrier poly1305-simd
	insert poly1305
	must "poly1305.ko: the keys of the right end" associate right 1 2
	carries "in-tree MAC to poly1305.ko" "$(best)"
	under_load poly1305
	check "the tunnel is gone" no_tunnel
	remove poly1305
}

part_ipsec() {
	! has_mac || mac_at_one_end
	begin_tunnel "before poly1305_chapoly.ko is there" left
	stock_esp=$(stock_driver "$aead")
	insert poly1305 chapoly poly1305_chapoly
	must "now that it is: the keys of the right end" associate right 1 2
	carries "stock to poly1305_chapoly.ko" chapoly-rfc7539esp
	under_load poly1305_chapoly
	check "the tunnel is gone" no_tunnel
	remove poly1305_chapoly chapoly poly1305
	tunnelled "stock again" "$stock_esp"
}
