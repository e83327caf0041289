#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# tunnel_guest.sh ROUNDS, for the guest of bench/tunnel: a tunnel of WireGuard between two network
# namespaces, and a network behind the second one. Prints what poly1305_tunnel.ko measures there.

set -eu
# Not the guest shell's own ip, which knows no namespaces.
ip() { /bin/ip "$@"; }

mkdir -p /run/netns /var/run
umask 077
# A namespace begins with these. The sockets of a stream take a whole batch at once.
echo 4096 4194304 4194304 | tee /proc/sys/net/ipv4/tcp_rmem >/proc/sys/net/ipv4/tcp_wmem
processes=
for name in a b c; do
	ip netns add $name
	/bin/ip netns exec $name sh -c 'echo 0 >/proc/sys/net/ipv4/tcp_slow_start_after_idle
		echo 1 >/proc/sys/net/ipv4/ip_forward
		exec sleep 100000' &
	processes=$processes${processes:+,}$!
done
# In a kernel with the series of upstream/, libchacha20poly1305 is no module.
for name in ip_tunnel udp_tunnel libcurve25519 libchacha20poly1305 poly1305 chapoly; do
	[ ! -e "/opt/$name.ko" ] || insmod "/opt/$name.ko"
done
insmod /opt/poly1305_tunnel.ko "namespaces=$processes" "rounds=$1"
insmod /opt/wireguard.ko

ip -n a link add veth type veth peer name veth netns b
ip -n b link add lan type veth peer name lan netns c
for name in a b; do
	wg genkey >/tmp/$name.key
	wg pubkey </tmp/$name.key >/tmp/$name.pub
	ip -n $name link add wg0 mtu 1420 type wireguard
	ip netns exec $name wg set wg0 listen-port 51820 private-key /tmp/$name.key
done
ip netns exec a wg set wg0 peer "$(cat /tmp/b.pub)" endpoint 10.0.0.2:51820 \
	allowed-ips 192.168.1.2/32,10.1.0.0/24
ip netns exec b wg set wg0 peer "$(cat /tmp/a.pub)" endpoint 10.0.0.1:51820 \
	allowed-ips 192.168.1.1/32
while read -r name device address; do
	ip -n "$name" address add "$address/24" dev "$device"
	ip -n "$name" link set "$device" up
done <<-END
	a veth 10.0.0.1
	b veth 10.0.0.2
	a wg0 192.168.1.1
	b wg0 192.168.1.2
	b lan 10.1.0.1
	c lan 10.1.0.2
END
ip -n a route add 10.1.0.0/24 dev wg0
ip -n c route add default via 10.1.0.1
# Handshake and ARP
ip netns exec a ping -c 1 10.1.0.2 >&2
cat /sys/module/poly1305_tunnel/parameters/results
echo
