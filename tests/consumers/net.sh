# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2016
#
# For parts that send packets: two network namespaces, "left" and "right", and the
# traffic between them. left reaches right at $there, and right reaches left at
# $here; each part makes the routes.

# Called by name through check
# shellcheck disable=SC2317

here=10.1.0.1
there=10.1.0.2
left_wire=10.0.0.1
right_wire=10.0.0.2

# Not the guest shell's own ip, which knows no namespaces.
ip() { /bin/ip "$@"; }

# in_left, in_right COMMAND...: run it in that namespace
in_left() { ip netns exec left "$@"; }
in_right() { ip netns exec right "$@"; }

# namespaces: make both, with their addresses on lo, and a server at the left with 1 MiB
namespaces() {
	for each in "left $here" "right $there"; do
		ip netns add "${each% *}" &&
			ip -n "${each% *}" link set lo up &&
			ip -n "${each% *}" address add "${each#* }/32" dev lo ||
			return
	done
	mkdir -p /tmp/served
	head -c 1048576 /dev/urandom >/tmp/served/data
	in_left httpd -p "$here:5001" -h /tmp/served
}

# wire: the namespaces, joined by veth
wire() {
	namespaces &&
		ip link add wire netns left type veth peer name wire netns right &&
		ip -n left address add "$left_wire/24" dev wire &&
		ip -n right address add "$right_wire/24" dev wire &&
		ip -n left link set wire up && ip -n right link set wire up
}

no_namespaces() {
	killall httpd
	ip netns del left && ip netns del right
}

# transfer MIB: from left to right, each MiB in a connection of its own, and compared
transfer() {
	for _ in $(seq "$1"); do
		in_right wget -q -O - "$here:5001/data" | cmp - /tmp/served/data || return
	done
}

# begin_transfer: the same until end_transfer, in the background. The kernel takes no live patch
# out before each of its threads has slept, and ksoftirqd sleeps only in the pauses.
begin_transfer() {
	rm -f /tmp/enough
	while [ ! -e /tmp/enough ]; do
		transfer 1 || exit
		usleep 50000
	done >/tmp/transfers 2>&1 &
	transfers=$!
}

# end_transfer: until now all data arrived as they were sent
end_transfer() {
	touch /tmp/enough
	wait "$transfers" || { cat /tmp/transfers && return 1; }
}

# pings MOST STEP: an echo of every STEP-th size from 1 to MOST bytes
pings() {
	in_left sh -c 'for size in $(seq 1 "$2" "$1"); do
			ping -q -c 1 -W 20 -s "$size" "$0" >/tmp/ping 2>&1 || exit
		done' "$there" "$@" || { cat /tmp/ping && return 1; }
}

echoes() { pings 400 13; }

# no_port: number of datagrams that came to the right for a closed port
no_port() { in_right awk '/^Udp: [0-9]/ { print $3 }' /proc/net/snmp; }

# grows EXPECTED COUNTERS COMMAND...: COMMAND makes the numbers that COUNTERS prints, in lines of
# "NAME NUMBER", grow by what EXPECTED says in the same form, in that order, at the latest after
# ten seconds: packets may still be on their way when it returns.
grows() {
	wanted=$1 counters=$2
	shift 2
	"$counters" >/tmp/before && "$@" || return
	for _ in $(seq 10); do
		sleep 1
		"$counters" >/tmp/after
		grown=$(paste -d ' ' /tmp/before /tmp/after |
			awk '$4 != $2 { print $1, $4 - $2 }' | paste -s -d ' ')
		[ "$grown" != "$wanted" ] || break
	done
	echo "$grown"
	[ "$grown" = "$wanted" ]
}

# forge_at_right COUNT KIND...: put forged packets on the wire to the right, as forge.c says.
# Captured packets must not have arrived: they are sent to an unused address.
forge_at_right() {
	mac=$(in_right cat /sys/class/net/wire/address)
	ip -n left neighbour replace "$right_wire" dev wire nud permanent lladdr 02:00:00:00:00:01
	in_left forge wire "$mac" "$there" "$@"
	forged=$?
	ip -n left neighbour replace "$right_wire" dev wire nud permanent lladdr "$mac"
	return "$forged"
}
