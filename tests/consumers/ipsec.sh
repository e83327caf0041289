# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2016
#
# For parts about IPsec, after net.sh: veth joins left and right, and an ESP tunnel
# with ChaCha20-Poly1305 joins their addresses.

# Called by name through check
# shellcheck disable=SC2317

aead='rfc7539esp(chacha20,poly1305)'

# policy NAMESPACE DIRECTION FROM TO WIRE_FROM WIRE_TO
policy() {
	ip -n "$1" xfrm policy add dir "$2" src "$3/32" dst "$4/32" \
		tmpl src "$5" dst "$6" proto esp reqid 1 mode tunnel
}

# tunnel: everything but the keys
tunnel() {
	wire &&
		ip -n left route add "$there" via "$right_wire" src "$here" &&
		ip -n right route add "$here" via "$left_wire" src "$there" &&
		policy left out "$here" "$there" "$left_wire" "$right_wire" &&
		policy right in "$here" "$there" "$left_wire" "$right_wire" &&
		policy right out "$there" "$here" "$right_wire" "$left_wire" &&
		policy left in "$there" "$here" "$right_wire" "$left_wire"
}

no_tunnel() {
	ip -n left xfrm state flush && ip -n right xfrm state flush &&
		ip -n left link del wire && no_namespaces
}

# route SPI: source and destination of its packets; those to the left have even SPIs
route() {
	if [ $(($1 % 2)) = 0 ]; then
		echo "src $right_wire dst $left_wire"
	else
		echo "src $left_wire dst $right_wire"
	fi
}

# keys SPI...: make a key for each security association
keys() {
	for spi; do
		head -c 36 /dev/urandom | hexdump -v -e '1/1 "%02x"' \
			>"/tmp/key-$spi"
	done
}

# stock_driver NAME: the AEAD that has the name before ours is loaded, which the kernel
# makes on request
stock_driver() {
	awk -v RS= -F '\n' -v name="name         : $1" '
		$1 == name { sub(/.*: /, "", $2); print $2; exit }' /proc/crypto
}

# associate NAMESPACE SPI...: add security associations at one end
associate() {
	namespace=$1
	shift
	for spi; do
		# shellcheck disable=SC2046
		ip -n "$namespace" xfrm state add $(route "$spi") proto esp \
			spi "$spi" reqid 1 mode tunnel replay-window 32 \
			aead "$aead" "0x$(cat "/tmp/key-$spi")" 128 || return
	done
}

# dissociate NAMESPACE SPI
dissociate() {
	# shellcheck disable=SC2046
	ip -n "$1" xfrm state delete $(route "$2") proto esp spi "$2"
}

# carried NAMESPACE SPI: number of packets that the security association has carried
carried() {
	# shellcheck disable=SC2046
	ip -n "$1" -s xfrm state get $(route "$2") proto esp spi "$2" |
		sed -n 's/.*, \([0-9]*\)(packets).*/\1/p' | tail -n 1
}

# refusals NAMESPACE: refused packets, as counted in /proc/net/xfrm_stat
refusals() {
	ip netns exec "$1" awk '$1 ~ /^XfrmIn/ { print $1, $2 }' \
		/proc/net/xfrm_stat
}

# refused BEFORE AFTER: "COUNTER N" for each counter that changed
refused() {
	awk 'NR == FNR { before[$1] = $2; next }
		$2 != before[$1] { print $1, $2 - before[$1] }' "$1" "$2" | sort
}

# replace: replace security associations 1 and 2 with 3 and 4 at both ends, in an
# order that never leaves a packet at an end without its key
replace() {
	keys 3 4
	associate right 3 && associate left 4 &&
		associate left 3 && associate right 4 &&
		dissociate left 1 && dissociate right 2 && sleep 1 &&
		dissociate right 1 && dissociate left 2
}

# carrier DRIVER: security associations use that driver, or a template built on it
carrier() {
	awk -v RS= -F '\n' -v name="name         : $aead" -v driver="$1" '
		$1 == name {
			print $2 "; " $5
			sub(/.*: /, "", $2)
			sub(/.*: /, "", $5)
			if (($2 == driver || index($2, "," driver ")")) && $5 > 1)
				good = 1
		}
		END { exit !good }' /proc/crypto
}

# users MODULE LEAST: at least that many users hold it
users() {
	cat "/sys/module/$1/refcnt"
	[ "$(cat "/sys/module/$1/refcnt")" -ge "$2" ]
}

# all_sizes SPI: an echo of every size, each sealed by that association
all_sizes() {
	before=$(carried left "$1")
	in_left traffic ping "$there" 1400 || return
	echo "$(($(carried left "$1") - before)) packets sealed"
	[ $(($(carried left "$1") - before)) = 1400 ]
}

# echoes: 100 echoes
echoes() { in_left traffic ping "$there" 100; }

# in_softirq LEAST: watched functions ran at least so often in softirq, and in processes
in_softirq() {
	watched >/tmp/watched
	cat /tmp/watched
	awk -v least="$1" '$1 == "softirq" && $2 >= least { arrived = 1 }
		$1 == "process" && $2 > 0 { left = 1 }
		END { exit !(arrived && left) }' /tmp/watched
}

# forgeries COUNT: put COUNT of each kind that forge knows on the wire to the
# right, and compare the packets sent with the refusals there and their reasons.
forgeries() {
	refusals right >/tmp/refused-before
	no_port_before=$(no_port)
	forge_at_right esp "$1" || return
	refusals right >/tmp/refused-after

	# By kind: the number sent, and the counter that must show their refusal
	awk '$1 == "spi" { expected["XfrmInNoStates"] += $2; next }
		$1 == "replayed" { expected["XfrmInStateSeqError"] += $2; next }
		$1 != "genuine" { expected["XfrmInStateProtoError"] += $2 }
		END { for (c in expected) print c, expected[c] }' /tmp/forged |
		sort >/tmp/refused-expected
	refused /tmp/refused-before /tmp/refused-after |
		diff /tmp/refused-expected - || return
	cat /tmp/refused-expected
	arrived=$(($(no_port) - no_port_before))
	echo "$arrived genuine ones arrived"
	[ "$arrived" = "$1" ]
}

# packets_left COUNT: wait until that many more packets have left under the first key,
# or for ten seconds: a guest may be slow
packets_left() {
	last=$(($(carried left 1) + $1))
	for _ in $(seq 100); do
		[ "$(carried left 1)" -lt "$last" ] || return
		sleep 0.1
	done
}

# under_load MIB MODULE: that much data arrives while keys are replaced, and MODULE
# cannot be unloaded
under_load() {
	begin_transfer "$1"
	packets_left 100
	check "rmmod $2 is refused under load" refused_with \
		'Resource temporarily unavailable' rmmod "$2"
	check "keys are replaced under load" replace
	show "$1 MiB arrive as they were sent" end_transfer
	check "on the new keys" [ "$(carried left 3)" -gt 100 ]
	check "nobody uses the old ones" no_association 1 2
}

# no_association SPI...: neither end has any of these
no_association() {
	for spi; do
		[ -z "$(carried left "$spi" 2>/dev/null)" ] &&
			[ -z "$(carried right "$spi" 2>/dev/null)" ] || return
	done
}

# carries WHAT COUNT MIB: echoes of every size, COUNT packets forged of each kind, and data
carries() {
	show "$1: 1400 echoes, all sealed" all_sizes 1
	show "$1: forged packets are refused" forgeries "$2"
	show "$1: $3 MiB arrive as they were sent" transfer "$3"
}

# ends WHAT NAMESPACE...: keys for these
ends() {
	ends_of=$1
	shift
	for each; do
		must "$ends_of: the keys of the $each end" associate "$each" 1 2
	done
}

# tunnelled WHAT [DRIVER]: a tunnel whose AEAD is DRIVER, or made from it, and its traffic
tunnelled() {
	must "$1: a tunnel between two namespaces" tunnel
	keys 1 2
	ends "$1" left right
	driver=${2:-$(stock_driver "$aead")}
	show "$1: the AEAD is made of $driver" carrier "$driver"
	carries "$1" 20 1
}
