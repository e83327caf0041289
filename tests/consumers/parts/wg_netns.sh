# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# The kernel's own test of WireGuard, tools/testing/selftests/wireguard/netns.sh, with stock
# WireGuard and with poly1305_wireguard.ko.

# netns: what it prints goes to the console. It sleeps by reading its standard input.
netns() {
	: >/tmp/netns
	mkfifo /tmp/nothing
	tail -f /tmp/netns >/dev/console &
	netns=0
	bash /bin/netns.sh <>/tmp/nothing >/tmp/netns 2>&1 || netns=$?
	kill $!
	rm /tmp/nothing
	[ "$netns" = 0 ] || tail -n 20 /tmp/netns
	return "$netns"
}

part_wg_netns() {
	# shellcheck source=tests/consumers/wg.sh
	. wg.sh
	if [ ! -e /bin/netns.sh ]; then
		skip "netns.sh" "the mirror does not give the source of Linux in sid"
		return
	fi
	ln -s /proc/self/fd /dev/fd
	ln -s iptables-legacy /bin/iptables
	for module in wireguard dummy veth nf_conntrack iptable_filter iptable_mangle \
		iptable_nat xt_length xt_mark xt_nat; do
		must "modprobe $module" modprobe "$module"
	done
	insert poly1305 chapoly
	check "stock: netns.sh" netns
	must "switched on" switch_on
	show "netns.sh" some_ours netns
	check "switched off" switch_off "$live"
	remove poly1305_wireguard
}
