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

# namespaces: make both, with their addresses on lo
namespaces() {
	for each in "left $here" "right $there"; do
		ip netns add "${each% *}" &&
			ip -n "${each% *}" link set lo up &&
			ip -n "${each% *}" address add "${each#* }/32" dev lo ||
			return
	done
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
	ip netns del left && ip netns del right
}

# begin_transfer MIB: from left to right, in the background
begin_transfer() {
	in_right traffic receive 5001 >/tmp/received 2>&1 &
	receiver=$!
	in_left traffic send "$there" 5001 "$1" >/tmp/sent 2>&1 &
	sender=$!
}

# end_transfer: the transfer ends, and the right end receives the bytes sent
end_transfer() {
	wait "$sender" && wait "$receiver"
	status=$?
	cat /tmp/sent /tmp/received
	[ "$status" = 0 ] && cmp /tmp/sent /tmp/received
}

transfer() {
	begin_transfer "$1"
	end_transfer
}

# transfer_back MIB: from right to left
transfer_back() {
	in_left traffic receive 5001 >/tmp/received 2>&1 &
	receiver=$!
	in_right traffic send "$here" 5001 "$1" >/tmp/sent 2>&1 &
	sender=$!
	end_transfer
}

# no_port: number of datagrams that came to the right for a closed port
no_port() {
	in_right awk '/^Udp: [0-9]/ { print $3 }' /proc/net/snmp
}

# forge_at_right PROTOCOL COUNT: put COUNT of each kind that forge knows on the wire to the right.
# What was sent goes to /tmp/forged. Captured packets must not have arrived: they are sent to
# an unused address.
forge_at_right() {
	mac=$(in_right cat /sys/class/net/wire/address)
	ip -n left neighbour replace "$right_wire" dev wire nud permanent lladdr 02:00:00:00:00:01
	in_left forge "$1" wire "$mac" "$there" "$2" >/tmp/forged
	status=$?
	ip -n left neighbour replace "$right_wire" dev wire nud permanent lladdr "$mac"
	cat /tmp/forged
	return "$status"
}

# watch MODULE PATTERN: start recording the contexts in which its functions with such
# names run
tracing=/sys/kernel/tracing
watch() {
	grep -q " $tracing " /proc/mounts ||
		mount -t tracefs tracefs "$tracing" || return
	echo 0 >"$tracing/tracing_on"
	echo 20000 >"$tracing/buffer_size_kb"
	echo "$2:mod:$1" >"$tracing/set_ftrace_filter" &&
		echo function >"$tracing/current_tracer" &&
		echo >"$tracing/trace" && echo 1 >"$tracing/tracing_on"
}

# watched: stop, and print the number of calls from each kind of context
watched() {
	echo 0 >"$tracing/tracing_on"
	awk '/^#/ { next }
		match($0, / \[[0-9]+\] [^ ]+ /) {
			flags = substr($0, RSTART, RLENGTH)
			sub(/.*\] /, "", flags)
			calls[substr(flags, 3, 1)]++
		}
		END {
			print "softirq", calls["s"] + 0
			print "hardirq", calls["h"] + calls["H"] + calls["Z"] + 0
			print "process", calls["."] + 0
		}' "$tracing/trace"
	echo nop >"$tracing/current_tracer"
	echo >"$tracing/set_ftrace_filter"
}
