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

# The ends that run on this kernel
ends="left right"

# new_keys: one for each end, which keeps it; the public half is here
new_keys() {
	for each in left right; do
		"in_$each" sh -c "umask 077; wg genkey >/tmp/$each" &&
			"in_$each" sh -c "wg pubkey </tmp/$each" >"/tmp/$each.pub" || return
	done
}

# configure END PEER WIRE FROM TO: the interface there, with that peer. At this end FROM is
# its own address, TO the peer's.
configure() {
	"in_$1" wg set tunnel listen-port 51820 private-key "/tmp/$1" \
		peer "$(cat "/tmp/$2.pub")" allowed-ips "$5/32" endpoint "$3:51820" &&
		"in_$1" ip link set tunnel mtu 1420 up &&
		"in_$1" ip route replace "$5" dev tunnel src "$4"
}

configure_left() { configure left right "$right_wire" "$here" "$there"; }
configure_right() { configure right left "$left_wire" "$there" "$here"; }

# tunnel: with the kernel's WireGuard at both ends
tunnel() {
	wire && new_keys && in_left ip link add tunnel type wireguard && configure_left &&
		in_right ip link add tunnel type wireguard && configure_right
}

no_tunnel() {
	ip -n left link del tunnel && ip -n right link del tunnel &&
		ip -n left link del wire && no_namespaces
}

# interfaces: what would change if one were made again
interfaces() {
	for each in left right; do
		"in_$each" ip -o link show tunnel | sed 's/:.*//' || return
		"in_$each" wg show tunnel peers &&
			"in_$each" wg show tunnel listen-port || return
	done
}

# same_interfaces: they are those whose description is in /tmp/interfaces
same_interfaces() { interfaces | diff /tmp/interfaces -; }

# mtu TUNNEL WIRE
mtu() {
	for each in left right; do
		"in_$each" ip link set wire mtu "$2" &&
			"in_$each" ip link set tunnel mtu "$1" || return
	done
}

# library, no_library: what poly1305_wireguard.ko stands on
library() { load /opt/poly1305.ko && load_packets; }
no_library() { rmmod chapoly && rmmod poly1305; }

# in_pieces: sealed packets that are too long for the wire arrive in fragments, which
# are opened where they lie
in_pieces() {
	pieces=$(ours pieces)
	all_ours pings && pieces=$(($(ours pieces) - pieces)) &&
		echo "$pieces in pieces" && [ "$pieces" -gt 300 ]
}

# ours WAY...: number of packets that took these ways
ours() {
	awk -v ways=" $* " 'index(ways, " " $1 " ") { n += $2 } END { print n + 0 }' \
		"$parameters/packets"
}
all_ways="whole pieces"

# carried: number of packets that passed the interfaces at these ends
carried() {
	for each in $ends; do
		"in_$each" cat /sys/class/net/tunnel/statistics/rx_packets \
			/sys/class/net/tunnel/statistics/tx_packets 2>/dev/null
	done | awk '{ n += $1 } END { print n + 0 }'
}

# all_ours COMMAND...: what it sends takes our way. The few packets that are ours and
# not the interface's are those that keep peers alive, and of handshakes.
all_ours() {
	our=$(ours "$all_ways") all=$(carried)
	"$@" || return
	all=$(($(carried) - all)) our=$(($(ours "$all_ways") - our))
	echo "$all packets passed the interfaces, $our took our way"
	[ "$all" -gt 0 ] && [ "$our" -ge "$all" ] && [ "$our" -le $((all + 30)) ]
}

# some_ours COMMAND...: some of what passes meanwhile takes our way, and of what is on
# its way at the beginning and the end nothing is said
some_ours() {
	our=$(ours "$all_ways")
	"$@" && our=$(($(ours "$all_ways") - our)) && echo "$our packets" &&
		[ "$our" -gt 100 ]
}

# none_ours COMMAND...: what it sends does not
none_ours() {
	our=$(ours "$all_ways")
	"$@" && [ "$(ours "$all_ways")" = "$our" ]
}

# pings: an echo of every 61st size from 1 to 20000 bytes
pings() { in_left traffic ping "$there" 20000 61; }

echoes() { in_left traffic ping "$there" 50; }

# changed_over FILE CONTENT: wait until the file has that, or is gone if that is nothing.
# 6.12 once needed 54 s.
patience=300
changed_over() {
	for _ in $(seq $((5 * patience))); do
		if [ "$(cat "$1" 2>/dev/null)" = "$2" ]; then
			echo "after $(($(cut -d . -f 1 /proc/uptime) - changing)) s"
			return
		fi
		[ ! -e "$1" ] && [ -n "$2" ] && return 1
		usleep 200000
	done
	echo "not within $patience s; tasks that remain:"
	grep -l 1 /proc/*/task/*/patch_state 2>/dev/null
	return 1
}

begin_change() { changing=$(cut -d . -f 1 /proc/uptime); }

# in_place PATCH: it is enabled, and its change is over. The library is a module or part of
# the kernel. 5.10 has no file "patched".
in_place() {
	[ -e "$1" ] && changed_over "$1/transition" 0 &&
		[ "$(cat "$1/enabled")" = 1 ] &&
		{ [ -e "$1/libchacha20poly1305" ] || [ -e "$1/vmlinux" ]; } &&
		[ "$(cat "$1"/*/patched 2>/dev/null || echo 1)" = 1 ]
}

# switch_on: with the module
switch_on() {
	begin_change
	insmod /opt/poly1305_wireguard.ko count=1 && in_place "$live"
}

# switch_off PATCH: the module stays
switch_off() {
	begin_change
	echo 0 >"$1/enabled" && changed_over "$1/enabled" ''
}

# stock: nothing of ours is in place
stock() {
	absent poly1305_wireguard && [ -z "$(ls /sys/kernel/livepatch)" ]
}

# said PATTERN: the log has it
said() { dmesg | grep -E "$1"; }

# forgeries COUNT: put COUNT of each kind that forge knows on the wire to the right.
# Our count must show how many were refused, and only genuine ones may arrive. WireGuard
# itself refuses a type or an index that it does not know, a packet without room for a
# tag, and a number that was there before. It counts none of these.
forgeries() {
	refused=$(ours refused) arrived=$(no_port)
	forge_at_right wireguard "$1" || return
	# Workers open them.
	for _ in $(seq 50); do
		[ $(($(ours refused) - refused)) -lt $((4 * $1)) ] ||
			[ $(($(no_port) - arrived)) -lt "$1" ] || break
		usleep 200000
	done
	sleep 1
	refused=$(($(ours refused) - refused)) arrived=$(($(no_port) - arrived))
	echo "refused $refused of $((4 * $1)), arrived $arrived of $1"
	[ "$refused" = $((4 * $1)) ] && [ "$arrived" = "$1" ]
}

# still_sending: the transfer has not ended
still_sending() { kill -0 "$sender"; }

# under_load: the patch comes, goes and comes while data pass, for as long as that takes
under_load() {
	interfaces >/tmp/interfaces
	begin_transfer 100000
	sleep 2
	show "under load: switched on" switch_on
	show "under load: packets take our way" some_ours sleep 2
	show "under load: switched off" switch_off "$live"
	check "under load: packets no longer take our way" none_ours sleep 2
	check "under load: rmmod" rmmod poly1305_wireguard
	show "under load: switched on again" switch_on
	show "under load: packets take our way again" some_ours sleep 2
	check "all that while data passed" still_sending
	killall -USR1 traffic
	show "they arrive as they were sent" end_transfer
	check "the interfaces are the same" same_interfaces
}
