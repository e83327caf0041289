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

# replace: replace security associations 1 and 2 with 3 and 4 at both ends, in an
# order that never leaves a packet at an end without its key
replace() {
	keys 3 4
	associate right 3 && associate left 4 &&
		associate left 3 && associate right 4 &&
		dissociate left 1 && dissociate right 2 && sleep 1 &&
		dissociate right 1 && dissociate left 2
}

# carrier DRIVER: security associations, or other users of the AEAD, use that driver, or a template
# built on it
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

# all_sizes SPI: 61 echoes of 1 to 1381 bytes, each sealed by that association
all_sizes() {
	sealed=$(carried left "$1")
	pings 1400 23 || return
	sealed=$(($(carried left "$1") - sealed))
	echo "$sealed packets sealed"
	[ "$sealed" = 61 ]
}

# arrivals: packets that the right end has refused, by reason, and datagrams that arrived
arrivals() {
	in_right awk '/^XfrmIn/ { print $1, $2 }' /proc/net/xfrm_stat
	echo "Arrived $(no_port)"
}

# forgeries COUNT: so many forged packets of each kind are refused, each for its reason
forgeries() {
	grows "XfrmInNoStates $1 XfrmInStateProtoError $((4 * $1)) XfrmInStateSeqError $1 Arrived $1" \
		arrivals forge_at_right "$1" spi:34:1 sequence:39:1 iv:42:8 text:50:300 tag:-16:16
}

# under_load MODULE: keys are replaced while data pass, and MODULE cannot be unloaded
under_load() {
	begin_transfer
	sleep 1
	stays "$1" "under load"
	check "keys are replaced under load" replace
	check "data arrive on the new keys" transfer 1
	check "all data arrive as they were sent" end_transfer
	check "sealed with the new keys" [ "$(carried left 3)" -gt 100 ]
}

# begin_tunnel WHAT NAMESPACE...: a tunnel between two, and the keys of these ends
begin_tunnel() {
	must "$1: a tunnel between two namespaces" tunnel
	keys 1 2
	shift
	for each; do
		must "the keys of the $each end" associate "$each" 1 2
	done
}

# carries WHAT DRIVER: the AEAD of the tunnel is DRIVER, or made from it, and it works
carries() {
	show "$1: the AEAD is made of $2" carrier "$2"
	show "$1: echoes, all sealed" all_sizes 1
	show "$1: forged packets are refused" forgeries 20
	check "$1: 4 MiB arrive as they were sent" transfer 4
}

# tunnelled WHAT [DRIVER]: a tunnel with the same AEAD at both ends, and its traffic
tunnelled() {
	begin_tunnel "$1" left right
	carries "$1" "${2:-$(stock_driver "$aead")}"
}
