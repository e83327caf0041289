# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# WireGuard after what small.sh shows: the live patch under load, beside other live
# patches and installed, where it comes with WireGuard. And where it cannot or must not
# work, WireGuard is as it was.

other=/sys/kernel/livepatch/wireguard_other

# stays_stock: a tunnel is made, carries echoes of stock WireGuard, and goes
stays_stock() { stock && tunnel && echoes && no_tunnel && stock; }

# Another live patch of the same functions, below ours and then in its place
part_wg_others() {
	insert poly1305 chapoly
	must "a tunnel between two namespaces" tunnel
	must "another live patch" insmod /opt/wireguard_other.ko
	check "it is in place" in_place "$other"
	check "ours above it" switch_on
	show "packets take our way" all_ours echoes
	check "the other one goes first" switch_off "$other"
	remove wireguard_other
	show "packets still take our way" all_ours echoes
	must "a live patch that replaces all others" insmod /opt/wireguard_other.ko replace=1
	check "it is in place" in_place "$other"
	check "ours is switched off" [ ! -e "$live" ]
	check "rmmod poly1305_wireguard below it" rmmod poly1305_wireguard
	check "echoes pass" echoes
	check "the other one goes" switch_off "$other"
	check "rmmod wireguard_other again" rmmod wireguard_other
	check "the tunnel is gone" no_tunnel
	remove chapoly poly1305
}

part_wg_installed() {
	cp -r /opt/install/lib/modules /lib/
	mkdir -p /etc/modprobe.d
	cp /opt/poly1305-softdep.conf /etc/modprobe.d/
	# Some kernels have their modules compressed.
	updates=$(dirname "$(find /lib/modules -name 'poly1305_wireguard.ko*')")
	modprobe -r wireguard

	mv "$updates"/poly1305.ko* /tmp/
	must "depmod" depmod "$(uname -r)"
	check "without poly1305.ko: a tunnel, stock" stays_stock
	check "and what poly1305_wireguard.ko stands on was tried" in_log \
		'chapoly: Unknown symbol poly1305_mac'
	mv /tmp/poly1305.ko* "$updates/"
	check "modprobe -r wireguard, without ours" modprobe -r wireguard

	must "depmod, with poly1305.ko" depmod "$(uname -r)"
	must "a tunnel, which loads wireguard and ours" tunnel
	check "ours is in place" in_place "$live"
	check "count=1, at any time" sh -c "echo 1 >$parameters/count"
	show "packets take our way" all_ours echoes
	check "the tunnel is gone" no_tunnel
	check "modprobe -r wireguard" modprobe -r wireguard
	check "has removed it" absent wireguard
	check "and ours before it" stock
	remove chapoly poly1305
	rm /etc/modprobe.d/poly1305-softdep.conf
}

part_wg_stock() {
	must "modprobe wireguard alone" modprobe wireguard
	insert poly1305 chapoly
	dmesg -c >/dev/null
	check "with a fault, insmod gives EBADMSG" refused_with 'Bad message' \
		insmod /opt/fault_wireguard.ko fault=1
	show "and dmesg says why" in_log 'self-test of .* failed: sealing is wrong, .* bytes'
	check "packets=1 is refused" refused_with 'not permitted' \
		insmod /opt/poly1305_wireguard.ko packets=1
	check "with a fault: a tunnel, stock" stays_stock
}
