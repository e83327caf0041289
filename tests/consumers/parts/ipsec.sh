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

# refusals: number of packets with a wrong tag that came to this namespace
refusals() { awk '$1 == "XfrmInStateProtoError"' /proc/net/xfrm_stat; }

# pages_stay: packets made of the pages of a file are refused, and leave the file as it is
pages_stay() {
	keys 5
	head -c 32768 /dev/urandom >/tmp/pages
	cp /tmp/pages /tmp/pages-then
	chmod 644 /tmp/pages
	ip link set lo up &&
		ip xfrm state add src 127.0.0.1 dst 127.0.0.1 proto esp spi 5 mode transport \
			encap espinudp 4500 4500 0.0.0.0 aead "$aead" "0x$(cat /tmp/key-5)" 128 &&
		grows "XfrmInStateProtoError 10" refusals spliced /tmp/pages 5 &&
		ip xfrm state flush &&
		cmp /tmp/pages /tmp/pages-then
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
	check "forged packets leave the pages of a sender as they are" pages_stay
	remove poly1305_chapoly chapoly poly1305
	tunnelled "stock again" "$stock_esp"
}
