# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2154,SC2317
#
# Parts of the guests that have what the packages have installed, for tests/machines/guest.

# shellcheck source=tests/consumers/net.sh
. net.sh
# shellcheck source=tests/consumers/wg.sh
. wg.sh

# The kernel calls modprobe, too. busybox's does not read all of modprobe.d.
echo /bin/modprobe >/proc/sys/kernel/modprobe
depmod -a

# ctl CODE ARGUMENTS PATTERN...: poly1305ctl ends with CODE, and a line matches each pattern.
ctl() {
	code=0
	# shellcheck disable=SC2086
	/usr/sbin/poly1305ctl $2 >/tmp/ctl 2>&1 || code=$?
	cat /tmp/ctl
	[ "$code" = "$1" ] || return
	shift 2
	for pattern; do
		grep -qE -- "$pattern" /tmp/ctl || return
	done
}

ours_absent() {
	# One that is missing must not end the search.
	! cat /sys/module/poly1305*/taint /sys/module/chapoly/taint 2>/dev/null | grep O
}

# all_out: poly1305ctl off unloads all of ours, and says in a line what runs
all_out() {
	ctl 0 off '^poly1305: WireGuard: (stock code|not loaded); IPsec: stock AEAD; loaded: none' &&
		[ "$(wc -l </tmp/ctl)" = 1 ] && ours_absent
}

# stays_stock: WireGuard stays loaded, on stock code
stays_stock() { [ -e /sys/module/wireguard ] && [ ! -e "$live" ]; }

# another_version: the modules in /next and those installed change places
another_version() {
	folder=$(dirname "$(modinfo -n poly1305)")
	mv "$folder" /before && mv /next "$folder" && mv /before /next && depmod -a
}

# begin_data: through a tunnel of the kernel's own WireGuard
begin_data() {
	must "modprobe wireguard" modprobe wireguard
	must "a tunnel between two namespaces" tunnel
	begin_transfer
	sleep 2
}

end_data() {
	check "all data arrive as they were sent" end_transfer
	check "the tunnel is gone" no_tunnel
}

# in_use WHAT: what installing does for the running kernel
in_use() {
	show "$1" ctl 0 apply '^poly1305: loaded: .*poly1305_chapoly.*best' \
		'IPsec: poly1305.ko for new' 'WireGuard: (poly1305.ko|changing over to poly1305.ko)'
	show "WireGuard runs on the live patch" in_place "$live"
	show "status says that all is in use" ctl 0 status '^poly1305: in use and current' \
		'^  self-tests  *all [3-9] ' '^  WireGuard  *poly1305.ko'
	echo 1 >"$parameters/count"
	show "and its packets take our way" some_ours sleep 2
}

part_package() {
	show "status says that code is stock" ctl 1 status '^poly1305: stock code'
	begin_data
	in_use "installing loads"
	check "the package's sample fits the installed modules" insmod /sealpair.ko
	check "rmmod sealpair" rmmod sealpair
	check "modprobe loads poly1305_aes" modprobe poly1305_aes
	unused poly1305_aes
	check "an upgrade takes the old modules out" all_out
	check "the new ones are installed" another_version
	in_use "and loads the new ones"
	check "removing unloads" all_out
	check "WireGuard stays, on stock code" stays_stock
	show "status says that this was on purpose" ctl 1 status \
		'^  WireGuard  *stock code: the live patch is off'
	# The switch that stays, for WireGuard alone
	check "off --permanent wireguard" ctl 0 "off --permanent wireguard"
	show "an upgrade leaves WireGuard alone" ctl 0 apply 'loaded: .*poly1305_chapoly' \
		'WireGuard: stock code: wireguard=off'
	check "WireGuard stays on stock code" stays_stock
	show "status says why" ctl 0 status '^  WireGuard  *stock code: wireguard=off'
	show "on wireguard" ctl 0 "on wireguard" 'WireGuard: (poly|changing)'
	check "unloading" all_out
	end_data
}

# asked: load what loads ours by itself: WireGuard, and an alias as the kernel does for IPsec
asked() {
	modprobe wireguard && [ -e /sys/module/wireguard ] &&
		modprobe -q 'crypto-rfc7539esp(chacha20,poly1305)'
}

# silent COMMAND...: it says nothing, and succeeds
silent() { "$@" >/tmp/silent 2>&1 && ! grep . /tmp/silent; }

# keeps_out LINES [MODULE...]: with these lines in modprobe.d, and what the kernel's command line has,
# these modules and no others of ours are loaded, and nothing complains.
keeps_out() {
	lines=$1
	shift
	all_out >/dev/null
	rmmod wireguard 2>/dev/null
	dmesg -c >/dev/null
	mkdir -p /etc/modprobe.d
	printf '%s' "$lines" | tr ';' '\n' >/etc/modprobe.d/mine.conf
	silent asked && /usr/sbin/poly1305ctl apply && ! dmesg | grep 'Unknown symbol' || return
	rm /etc/modprobe.d/mine.conf
	loaded=$(cd /sys/module && grep -l O poly1305*/taint chapoly/taint 2>/dev/null | cut -d / -f 1 |
		sort | paste -s -d ' ' -)
	echo "loaded: $loaded"
	[ "$loaded" = "$*" ]
}

ipsec='chapoly poly1305 poly1305_chapoly'

# lines: those of docs/security.md that keep modules out
part_lines() {
	# shellcheck disable=SC2086
	{
		check "modprobe.blacklist= keeps WireGuard stock" keeps_out '' $ipsec
		check "and 'blacklist' IPsec, too" keeps_out 'blacklist poly1305_chapoly;'
		check "so do the lines for all" keeps_out \
			'blacklist poly1305;blacklist poly1305_aes;blacklist poly1305_chapoly;'
		check "and 'install'" keeps_out 'install poly1305_wireguard /bin/true;' $ipsec
	}
	check "status says so" ctl 0 status '^  WireGuard .*blacklist poly1305_wireguard' \
		'^  IPsec  *poly1305.ko for new SAs'
}

# crashed: the way back from a boot that crashes, which the README has
part_crashed() {
	# shellcheck source=tests/consumers/ipsec.sh
	. ipsec.sh
	check "modprobe wireguard says nothing" silent modprobe wireguard
	begin_tunnel "ESP" left right
	check "module_blacklist=poly1305 keeps all out" ours_absent
	check "status says so" ctl 1 status '^  WireGuard  *stock code: module_blacklist=poly1305$' \
		'^  IPsec  *stock AEAD: module_blacklist=poly1305$'
	check "WireGuard is there" stays_stock
	check "echoes pass" echoes
}

# secure_boot: the firmware, and so the kernel, knows the key that DKMS has signed with
part_secure_boot() {
	mount -t securityfs security /sys/kernel/security
	check "Secure Boot has locked the kernel down" \
		grep -F '[integrity]' /sys/kernel/security/lockdown
	begin_data
	in_use "modules are there for this kernel"
	show "status says with whose key" ctl 0 status '^  Secure Boot .* modules are signed by "'
	end_data
	check "our modules are in, with their signature" \
		[ "$(cat /sys/module/poly1305/taint)" = O ]
}

# left_out: what DKMS installs in place of a module that does not compile
part_left_out() {
	folder=$(echo /lib/modules/*/updates/dkms)
	rm "$folder"/poly1305_wireguard.ko*
	cp /left_out/poly1305_wireguard.ko* "$folder/"
	check "depmod" depmod -a
	check "modprobe of a module that was left out is refused" \
		refused_with 'No such device' modprobe poly1305_wireguard
	show "the log says why" in_log 'poly1305_wireguard: not loaded: .* does not compile'
	show "on loads the others, and says so" ctl 0 on 'poly1305_chapoly' \
		'WireGuard: stock code: .*No such device'
	show "status points to the log" ctl 3 status '^! WireGuard  *stock code: .*log may say why'
	check "unloading" all_out
}

# ipsec: a module that a tunnel uses outlives removal and upgrade
part_ipsec() {
	# shellcheck source=tests/consumers/ipsec.sh
	. ipsec.sh
	show "on loads" ctl 0 on 'IPsec: poly1305.ko for new SAs'
	begin_tunnel "ESP" left right
	show "both ends use ours" carrier chapoly-rfc7539esp
	show "a module in use stays after the removal, which says who holds it" ctl 0 off \
		'IPsec: poly1305.ko; loaded: .*poly1305_chapoly' ' 4 IPsec SAs' 'rmmod poly1305_chapoly'
	show "status says that it was switched off" ctl 1 status \
		'^  IPsec  *poly1305.ko, although off, until'
	check "echoes pass after that" echoes
	check "another version is installed" another_version
	show "on says that this one runs on, and when the other will" ctl 0 on \
		'another version .* poly1305_chapoly[.]$' 'poly1305ctl on; or restart'
	check "it does not load the live patch" stays_stock
	show "status says so" ctl 2 status '^poly1305: loaded, but not current$' \
		'^! loaded  *poly1305_chapoly .*: not the one on disk' \
		'^! WireGuard  *stock code, until all'
	check "echoes pass after that, too" echoes
	check "the tunnel is gone" no_tunnel
	check "removing unloads" all_out
}

# association: IPsec asks for its AEAD, in a namespace of its own
association() {
	ip netns add other && ip -n other xfrm state add src "$left_wire" dst "$right_wire" proto esp \
		spi 1 reqid 1 mode tunnel aead 'rfc7539esp(chacha20,poly1305)' \
		"0x$(head -c 36 /dev/urandom | hexdump -v -e '1/1 "%02x"')" 128
}

# forgotten: WireGuard and the stock AEAD are no longer in the kernel, and its log is empty. An association
# that is deleted holds the AEAD for a while.
forgotten() {
	ip netns del other && rmmod wireguard &&
		for _ in $(seq 100); do
			rmmod chacha20poly1305 && break
			usleep 100000
		done && absent chacha20poly1305 && dmesg -c >/dev/null
}

# told TEXT: the log has this line once, or soon, as nobody waits for what writes it
told() {
	for _ in $(seq 600); do
		[ "$(dmesg | grep -c "poly1305: .* on stock code")" = 0 ] || break
		usleep 100000
	done
	dmesg | grep "poly1305: .* on stock code"
	[ "$(dmesg | grep -c "poly1305: .* on stock code: .*$1")" = 1 ] && dmesg -c >/dev/null
}

# untold: modprobe's commands say nothing when nobody waits for them, and the log has nothing
untold() {
	/usr/sbin/poly1305ctl with-ipsec && /usr/sbin/poly1305ctl with-wireguard &&
		! dmesg | grep 'stock code'
}

# updated: this kernel has come by apt, with the modules
part_updated() {
	begin_data
	show "the live patch comes with WireGuard" in_place "$live"
	check "so does the AEAD with an association" association
	show "and status says that all is in use" ctl 0 status '^  WireGuard  *poly1305.ko' \
		'^  IPsec  *poly1305.ko for new SAs; refcnt [1-9]'
	check "the log has no word of stock code" untold
	check "the association is gone" ip netns del other
	end_data
}

# stays_off: before this kernel came, it was "poly1305ctl off --permanent"
part_stays_off() {
	check "modprobe wireguard says nothing" silent modprobe wireguard
	check "an association is made" association
	check "the stock AEAD is there" [ -e /sys/module/chacha20poly1305 ]
	check "off --permanent outlives the update" ours_absent
	check "the log does not complain" untold
	show "status says why" ctl 1 status '^  WireGuard  *stock code: wireguard=off' \
		'^  IPsec  *stock AEAD: ipsec=off'
}

# bare: this kernel has come without its headers, and so without the modules
part_bare() {
	mv /lib/modules/*/updates /updates
	check "depmod" depmod -a
	remedy="apt install linux-headers-cloud-amd64 linux-headers-$(uname -r | sed 's/[+.]/[&]/g')$"
	show "on says what helps" ctl 0 on 'there are no modules for the running kernel' "$remedy"
	check "all is forgotten" forgotten
	check "modprobe wireguard says nothing" silent modprobe wireguard
	show "the log says why WireGuard is on stock code, and what helps" told "no modules for .*: $remedy"
	check "an association is made" association
	show "the log says the same of IPsec" told "no modules for .*: $remedy"
	show "status says so" ctl 5 status "^! on disk .*$remedy"
	check "all is forgotten again" forgotten
	mv /updates "$(echo /lib/modules/*)/"
	check "depmod with the modules" depmod -a
	echo 1 >/sys/module/module/parameters/sig_enforce
	check "with signatures enforced, modprobe wireguard says nothing" silent modprobe wireguard
	show "the log says why, and what helps" told '[Kk]ey .*: poly1305ctl on$'
}

part_signatures() {
	echo 1 >/sys/module/module/parameters/sig_enforce
	remedy='with openssl'
	[ ! -e /var/lib/dkms/mok.pub ] || remedy='mokutil --import /var/lib/dkms/mok.pub'
	show "on says that signatures are enforced, and what to do" \
		ctl 0 on 'signed with a key' "$remedy"
	check "nothing of ours is loaded" ours_absent
	show "status says so" ctl 3 status '^poly1305: something was refused$' \
		'^! Secure Boot .*(these have none|is not enrolled)$'
	check "the kernel's own modules are" modprobe cmac
}

not_in_log() { ! in_log "$1"; }

# fips: the kernel is in FIPS mode, where it panics if it does not know the signature of a
# module that registers an algorithm
part_fips() {
	must "the kernel is in FIPS mode" grep -x 1 /proc/sys/crypto/fips_enabled
	check "modprobe wireguard" modprobe wireguard
	show "on says that this is FIPS mode" ctl 0 on 'nothing is loaded, .*FIPS mode'
	show "and so does status" ctl 3 status '^! FIPS  *on'
	for file in /lib/modules/*/updates/dkms/*.ko*; do
		module=$(basename "${file%.ko*}")
		check "modprobe $module is refused" refused_with 'No such device' \
			modprobe "$module"
	done
	# Any user can have the kernel try to load them, as often as he likes.
	dmesg -c >/dev/null
	for algorithm in 'hash poly1305' 'aead rfc7539(chacha20,poly1305)' 'aead chapoly-rfc7539esp' \
		'hash poly1305(aes)'; do
		request "${algorithm#* }" "${algorithm%% *}" >/dev/null 2>&1
	done
	check "whatever users ask for, no module of ours logs that" not_in_log "not loaded"
	check "nothing of ours is loaded" ours_absent
}
