# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2317
#
# The kernel's own test of kernel TLS, tools/testing/selftests/net/tls.c; and a relay that changes
# records while they are opened. Kernel TLS requests ChaCha20-Poly1305 by a name that is an alias of
# poly1305_chapoly.ko.

part_tls() {
	if [ ! -e /bin/tls ]; then
		skip "tls.c" "no source of Linux in sid, or it does not build here"
		return
	fi
	must "our modules are where modprobe finds them" cp /opt/poly1305.ko /opt/chapoly.ko \
		/opt/poly1305_chapoly.ko "/lib/modules/$(uname -r)/"
	must "depmod" /bin/depmod
	check "none of ours is loaded" absent poly1305
	relay "tls" tls -v 12_chacha -v 13_chacha -f tls_err
	check "they were loaded" [ -e /sys/module/poly1305_chapoly ]
	check "stock code was not" absent chacha20poly1305
	check "they are not used any more" unused poly1305_chapoly
	remove poly1305_chapoly chapoly poly1305
	mkdir -p /etc/modprobe.d
	printf 'install %s /bin/false\n' poly1305_chapoly poly1305 >/etc/modprobe.d/stock.conf
	relay "tls, with ours kept out by modprobe.d" tls -v 13_chacha -f tls_err
	check "ours were not loaded" absent poly1305
}

# It needs two CPUs at once.
part_tls_relay() {
	modprobe tls
	ip link set lo up
	insert poly1305 chapoly poly1305_chapoly
	show "a relay changes records: what is opened is genuine" tamper 2000
	check "nobody uses poly1305_chapoly" unused poly1305_chapoly
	remove poly1305_chapoly chapoly poly1305
}
