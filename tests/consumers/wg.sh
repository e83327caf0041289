# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2016
#
# For parts about WireGuard, after net.sh: veth joins left and right, and WireGuard
# interfaces named "tunnel" join their addresses.

# Called by name through check
# shellcheck disable=SC2317

live=/sys/kernel/livepatch/poly1305_wireguard
parameters=/sys/module/poly1305_wireguard/parameters
umask 077	# there are keys in /tmp

# Not the guest shell's own: these know softdeps.
depmod() { /bin/depmod "$@"; }
modprobe() { /bin/modprobe "$@"; }

# interface END PEER WIRE FROM TO: WireGuard there, with that peer. At this end FROM is
# its own address, TO the peer's.
interface() {
	"in_$1" ip link add tunnel type wireguard &&
		"in_$1" wg set tunnel listen-port 51820 private-key "/tmp/$1" \
			peer "$(wg pubkey <"/tmp/$2")" allowed-ips "$5/32" endpoint "$3:51820" &&
		"in_$1" ip link set tunnel mtu 1420 up &&
		"in_$1" ip route replace "$5" dev tunnel src "$4"
}

tunnel() {
	wg genkey >/tmp/left && wg genkey >/tmp/right && wire &&
		interface left right "$right_wire" "$here" "$there" &&
		interface right left "$left_wire" "$there" "$here"
}

no_tunnel() {
	ip -n left link del tunnel && ip -n right link del tunnel &&
		ip -n left link del wire && no_namespaces
}

# mtu BYTES: of the tunnel
mtu() { in_left ip link set tunnel mtu "$1" && in_right ip link set tunnel mtu "$1"; }

# ours WAY...: number of packets that took these ways
ours() {
	awk -v ways=" $* " 'index(ways, " " $1 " ") { n += $2 } END { print n + 0 }' \
		"$parameters/packets"
}

# carried: number of packets that passed the interfaces
carried() {
	for each in left right; do
		"in_$each" cat /sys/class/net/tunnel/statistics/rx_packets \
			/sys/class/net/tunnel/statistics/tx_packets
	done | awk '{ n += $1 } END { print n + 0 }'
}

# all_ours COMMAND...: what it sends takes our way. The few packets that are ours and
# not the interface's are those that keep peers alive, and of handshakes.
all_ours() {
	our=$(ours whole pieces) all=$(carried)
	"$@" || return
	all=$(($(carried) - all)) our=$(($(ours whole pieces) - our))
	echo "$all packets passed the interfaces, $our took our way"
	[ "$all" -gt 0 ] && [ "$our" -ge "$all" ] && [ "$our" -le $((all + 30)) ]
}

# some_ours COMMAND...: some of what passes meanwhile takes our way
some_ours() {
	our=$(ours whole pieces)
	"$@" && our=$(($(ours whole pieces) - our)) && echo "$our packets" &&
		[ "$our" -gt 100 ]
}

# called GOOD REFUSED: library_caller.ko, of which these take our way
called() {
	our=$(ours whole pieces) refused=$(ours refused)
	insmod /opt/library_caller.ko && rmmod library_caller &&
		our=$(($(ours whole pieces) - our)) refused=$(($(ours refused) - refused)) &&
		echo "$our packets, $refused refused" &&
		[ "$our" = "$1" ] && [ "$refused" = "$2" ]
}

# none_ours COMMAND...: what it sends does not
none_ours() {
	our=$(ours whole pieces)
	"$@" && [ "$(ours whole pieces)" = "$our" ]
}

# in_pieces: sealed packets that are too long for the wire arrive in fragments, which
# are opened where they lie
in_pieces() {
	pieces=$(ours pieces)
	mtu 8920 && all_ours pings 20000 331 && mtu 1420 &&
		pieces=$(($(ours pieces) - pieces)) &&
		echo "$pieces in pieces" && [ "$pieces" -gt 100 ]
}

# changed_over FILE CONTENT: wait until the file has that, or is gone if that is nothing.
# 6.12 once needed 54 s.
changed_over() {
	for _ in $(seq 1500); do
		[ "$(cat "$1" 2>/dev/null)" != "$2" ] || return 0
		usleep 200000
	done
	echo "tasks that remain:"
	grep -l 1 /proc/*/task/*/patch_state 2>/dev/null
	return 1
}

# in_place PATCH: it is enabled, and its change is over. The library is a module or part of
# the kernel. 5.10 has no file "patched".
in_place() {
	[ -e "$1" ] && changed_over "$1/transition" 0 &&
		[ "$(cat "$1/enabled")" = 1 ] &&
		{ [ -e "$1/libchacha20poly1305" ] || [ -e "$1/vmlinux" ]; } &&
		[ "$(cat "$1"/*/patched 2>/dev/null || echo 1)" = 1 ]
}

# switch_on: with the module
switch_on() { insmod /opt/poly1305_wireguard.ko count=1 && in_place "$live"; }

# switch_off PATCH: the module stays
switch_off() { echo 0 >"$1/enabled" && changed_over "$1/enabled" ''; }

# stock: nothing of ours is in place
stock() {
	absent poly1305_wireguard && [ -z "$(ls /sys/kernel/livepatch)" ]
}

# arrivals: packets that our code has refused, and datagrams that arrived at the right
arrivals() { echo "Refused $(ours refused)" && echo "Arrived $(no_port)"; }

# forgeries COUNT: so many forged packets of each kind are refused. WireGuard itself refuses an
# unknown type or index and a repeated number, and counts none of these.
forgeries() {
	grows "Refused $((3 * $1)) Arrived $1" arrivals \
		forge_at_right "$1" type:42:1 index:46:4 counter:52:1 text:58:300 tag:-16:16
}
