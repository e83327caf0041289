# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash disable=SC2154
#
# The test of packaging/poly1305ctl in states that the guests of the suite package do not reach:
# with a root of its own, in which the modules are not where Debian has them, and a modprobe that
# fails.

export ctl=$top/build/check/ctl
ctl_modules=lib/modules/9.9-test/extra
ctl_live=sys/kernel/livepatch/poly1305_wireguard
ctl_efi=sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c

# put FILE LINE...: a file of that root
put() {
	mkdir -p "$ctl/root/${1%/*}"
	printf '%s\n' "${@:2}" >"$ctl/root/$1"
}

# signed_by NAME: version 1.0 of the modules is on the disk. modinfo reads such files.
signed_by() {
	local module
	for module in poly1305 poly1305_chapoly poly1305_wireguard poly1305_measure; do
		put "$ctl_modules/$module.ko.zst" 'version: 1.0' 'srcversion: S1.0' "signer: $1"
	done
}

# fresh: a kernel without our modules, and modules on the disk
fresh() {
	local name text
	rm -rf "$ctl"
	mkdir -p "$ctl/bin" "$ctl"/root/{usr/src/poly1305-1.0,proc/self/ns,sys/{module,firmware/efi}}
	put var/lib/dkms/poly1305/1.0/source ''
	put proc/crypto 'name : md5' 'driver : md5-generic' 'module : kernel'
	put etc/os-release 'ID=suse'
	put proc/1/mountinfo '21 1 8:1 / / rw - ext4 /dev/sda1 rw'
	put proc/self/mountinfo '54 40 8:1 / / rw - ext4 /dev/sda1 rw'
	put proc/self/status 'CapEff:	000001ffffffffff'
	put proc/cmdline 'ro quiet'
	ln -s 'pid:[4026531836]' "$ctl/root/proc/self/ns/pid"
	: >"$ctl/log"
	: >"$ctl/kmod"
	: >"$ctl/dpkg"
	: >"$ctl/apt"
	put dev/kmsg ''
	signed_by ''
	while read -r name text; do
		printf '#!/bin/sh\n%s\n' "$text" >"$ctl/bin/$name"
	done <<-'END'
		uname echo 9.9-test
		id echo 0
		dmesg cat "$ctl/log"
		modprobe [ "$1" != -c ] || exec cat "$ctl/kmod"; echo "$1" >>"$ctl/asked"; echo 'ERROR: could not insert: Key was rejected by service' >&2; exit 1
		rmmod grep -qsx 0 "$ctl/root/sys/module/$1/refcnt" && rm -r "$ctl/root/sys/module/$1"
		sleep rm -rf "$ctl/root/sys/kernel/livepatch"
		dpkg-query case $3 in *Want*) sed -n "s/^\(install\)ed $4 .*/\1/p" "$ctl/dpkg" ;; *) cat "$ctl/dpkg" ;; esac
		apt-cache grep -xF "$2" "$ctl/apt"
	END
	cat >"$ctl/bin/modinfo" <<-'END'
		#!/bin/sh
		case $1 in
		-k) ls "$ctl/root/lib/modules/$2"/*/"$4".ko* 2>/dev/null || echo "/lib/$4-alias.ko" ;;
		-F) sed -n "s/^$2: //p" "$3" ;;
		*) cat "$1" ;;
		esac
	END
	chmod +x "$ctl"/bin/*
}

# in_use: WireGuard is there, and all modules are loaded
in_use() {
	local module
	fresh
	mkdir -p "$ctl/root/sys/module/wireguard"
	put "$ctl_live/enabled" 1
	put "$ctl_live/transition" 0
	for module in poly1305 poly1305_chapoly poly1305_wireguard; do
		put "sys/module/$module/taint" OE
		put "sys/module/$module/refcnt" 0
		put "sys/module/$module/version" 1.0
		put "sys/module/$module/srcversion" S1.0
	done
	put proc/crypto 'name : poly1305' 'driver : poly1305-avx2' 'module : poly1305' \
		'priority : 400' 'selftest : passed' '' 'name : poly1305' \
		'driver : poly1305-sse2' 'module : poly1305' 'priority : 325' 'selftest : passed'
}

# ctl WHAT ARGUMENTS CODE PATTERN...: poly1305ctl ends with CODE; a line matches each PATTERN.
ctl() { check "poly1305ctl: $1" ctl_says "${@:2}"; }

ctl_says() {
	local arguments=$1 code=$2 status=0 pattern
	# shellcheck disable=SC2086
	POLY1305CTL_ROOT=$ctl/root PATH=$ctl/bin:$PATH "$top/packaging/poly1305ctl" $arguments \
		>"$ctl/said" 2>&1 || status=$?
	cat "$ctl/said"
	printf 'exit status %d, expected: %s\n' "$status" "$*"
	for pattern in "${@:3}"; do
		grep -qE -- "$pattern" "$ctl/said" || return
	done
	[ "$status" = "$code" ]
}

# busy_gateway: of Debian 13's kernel, with two CPUs, of which the first receives all. ten_seconds passes them.
busy_gateway() {
	put proc/softirqs '    NET_RX: 10 900'
	put proc/stat 'cpu  0 0 0 0 0 0 0 0 0 0' 'cpu0 5 0 20 100 0 0 300 0 0 0' 'cpu1 5 0 20 900 0 0 0 0 0 0'
	put proc/16/stat "16 (ksoftirqd/0) S 2 0 0 0 -1 69238848 0 0 0 0 0 500 0 0 20 0 1"
	put proc/17/stat "17 (kworker/1:1-wg-crypt-wg0) I 2 0 0 0 -1 69238848 0 0 0 0 0 300 0 0 20 0 1"
	put proc/18/stat "18 (sh) S 2 0 0 0 -1 69238848 0 0 0 0 0 300 0 0 20 0 1"
	put proc/version 'Linux version 6.12.117+deb13-cloud-amd64 (x@y) #1 SMP Debian 6.12.117-1 (2026-11-10)'
	put sys/class/net/wg0/uevent DEVTYPE=wireguard INTERFACE=wg0 IFINDEX=5
	put sys/class/net/wg0/threaded 0
	put sys/class/net/eth0/uevent INTERFACE=eth0 IFINDEX=2
	put sys/class/net/eth1/operstate down
	put sys/class/net/lo/operstate unknown
	put sys/devices/system/cpu/cpu0/cpufreq/scaling_governor powersave
	put sys/devices/system/cpu/cpu0/cpufreq/scaling_driver acpi-cpufreq
	cat >"$ctl/bin/ten_seconds" <<-'END'
		#!/bin/sh
		cd "$ctl/root/proc" && echo NET_RX: 110 920 >softirqs && sed -i 's/cpu0 5 0 20 100 0 0 300/cpu0 5 0 30 120 0 0 1270/;
			s/cpu1 5 0 20 900/cpu1 5 0 220 1700/' stat && sed -i 's/ 500 0 0 20/ 1460 0 0 20/' 16/stat &&
			sed -i 's/ 300 0 0 20/ 500 0 0 20/' 17/stat && sed -i 's/ 300 0 0 20/ 1300 0 0 20/' 18/stat
	END
	cat >"$ctl/bin/ethtool" <<-'END'
		#!/bin/sh
		[ "$2" = wg0 ] || printf '%s\n' 'generic-receive-offload: off' '	tx-udp-segmentation: off'
		printf '%s\n' 'generic-receive-offload: on' '	tx-udp-segmentation: off [fixed]'
	END
	chmod +x "$ctl"/bin/{ten_seconds,ethtool}
}

# lines_said N: the last command printed so many.
lines_said() { cat "$ctl/said" && [ "$(wc -l <"$ctl/said")" = "$1" ]; }

# nameless_report: the names of machines, addresses and arguments that the log, a signature and
# settings have are not in a report, and what is ours there is.
nameless_report() {
	local name=gw.example.net
	in_use
	signed_by "$name Secure Boot key"
	put etc/modprobe.d/mine.conf "# wireguard to $name" "install wireguard /bin/tell $name" \
		'blacklist poly1305_aes'
	printf '[    0.0] %s\n' "Command line: root=/dev/sda1 ip=$name fips=1" \
		"Unknown kernel command line parameters \"poly1305=$name\"" \
		"systemd[1]: Hostname set to <$name>, poly1305" \
		'poly1305: version 1.0' "livepatch: enabling patch 'poly1305_wireguard'" \
		'Module chapoly is blacklisted' >"$ctl/log"
	ctl_says report 0 '^   .* poly1305: version' "livepatch: .*'poly1305_wireguard'" \
		'Module chapoly is' 'blacklist poly1305_aes' 'install wireguard$' '^   signer: *\.\.\.' &&
		nameless || return
	# The rows of status
	rm -r "$ctl/root/sys/kernel"
	put run/poly1305/wireguard "Error running install command '/bin/tell $name' for module libchacha"
	ctl_says report 0 '^! WireGuard .* install command [.]{3} for module libchacha' &&
		nameless || return
	put etc/modprobe.d/$name.conf "install poly1305_wireguard /bin/tell $name" \
		"options dummy name=$name # not poly1305"
	echo "install poly1305_wireguard /bin/tell $name" >"$ctl/kmod"
	ctl_says report 0 '^  WireGuard  *stock code: install poly1305_wireguard [.]{3}$' \
		'/etc/modprobe.d: *install poly1305_wireguard$' && nameless
}

nameless() { ! grep -F "$name" "$ctl/said"; }

# stays_on MOUNT: where this is the root of the file system, "off" and "on" leave modules alone.
stays_on() {
	in_use
	put proc/self/mountinfo "$1"
	ctl_says off 0 '^poly1305: nothing is unloaded.* chroot' &&
		ctl_says on 0 '^poly1305: nothing is loaded.* chroot' &&
		grep -x 1 "$ctl/root/$ctl_live/enabled"
}

# has FILE LINE...: the file of that root has these lines, and comments
has() { grep -v '^#' "$ctl/root/$1" | diff - <(printf '%s\n' "${@:2}"); }

# kept_out REASON: nothing that is to load by itself is loaded, and that is why. The rows of both purposes
# give the reason, as "on" does.
kept_out() {
	rm -f "$ctl/asked"
	ctl_says apply 0 "^poly1305: WireGuard: .*$1" "^poly1305: IPsec: .*$1" &&
		ctl_says with-wireguard 0 && ctl_says status 1 "^  WireGuard .*$1" "^  IPsec .*$1" &&
		[ ! -e "$ctl/asked" ]
}

# settings: the switch that stays, for one and for both, and by hand
settings() {
	local keys=etc/default/poly1305 lines=etc/modprobe.d/poly1305-off.conf
	in_use
	ctl_says "off --permanent ipsec" 0 && has $keys ipsec=off &&
		grep -x 'poly1305: WireGuard: poly1305.ko; IPsec: stock .*; loaded: poly1305 poly1305_wireguard' \
			"$ctl/said" &&
		has $lines 'blacklist poly1305_chapoly' &&
		ctl_says status 0 '^  WireGuard *poly1305.ko' '^  IPsec *stock AEAD: ipsec=off' &&
		ctl_says "off --permanent" 0 && has $keys ipsec=off wireguard=off &&
		has $lines 'blacklist poly1305'{_wireguard,_chapoly,,_aes} &&
		ctl_says status 1 '^poly1305: stock code$' && kept_out '=off in /etc/default' &&
		ctl_says "on wireguard" 0 && has $keys ipsec=off wireguard=auto &&
		has $lines 'blacklist poly1305_chapoly' || return
	put $keys 'wireguard="no" # mine' 'ipsec=auto'
	ctl_says status 2 '^! settings *.*not in effect: poly1305ctl apply' &&
		ctl_says apply 0 'wireguard=no' && has $lines 'blacklist poly1305_wireguard' &&
		ctl_says on 0 && [ ! -e "$ctl/root/$lines" ] || return
	printf 'ipsec=off' >"$ctl/root/$keys"
	ctl_says "off --permanent wireguard" 0 && has $keys ipsec=off wireguard=off || return
	rm "$ctl/root/$lines"
	mkdir "$ctl/root/$lines"
	ctl_says "off --permanent" 3 "cannot write .*$lines" && ctl_says on 3 'cannot remove' || return
	rm -r "$ctl/root/$lines" "$ctl/root/$keys"
	mkdir "$ctl/root/$keys"
	ctl_says "off --permanent" 3 "cannot write .*$keys"
}

# by_umask MASK: with that of the caller, too, others can read what is written, and can write to it
# at no time. A link in its way is not followed.
by_umask() (
	local file files=(etc/default/poly1305 etc/modprobe.d/poly1305-off.conf run/poly1305/ipsec)
	in_use
	echo 4 >"$ctl/root/sys/module/poly1305_chapoly/refcnt"
	# shellcheck disable=SC2016
	printf '%s\n' '#!/bin/sh' 'stat -c "%a %n" "$1" >>"$ctl/moved"' 'exec /bin/mv "$@"' >"$ctl/bin/mv"
	chmod +x "$ctl/bin/mv"
	echo mine >"$ctl/victim"
	mkdir -p "$ctl/root/etc/default"
	ln -s "$ctl/victim" "$ctl/root/etc/default/poly1305.new"
	umask "$1"
	rm -rf "$ctl/root"/{etc/modprobe.d,run}
	ctl_says "off --permanent" 0 '^poly1305: poly1305_chapoly has 4 users' || return
	cat "$ctl/moved"
	[ "$(wc -l <"$ctl/moved")" = 3 ] && ! grep -v '^644 ' "$ctl/moved" &&
		echo mine | cmp - "$ctl/victim" || return
	for file in "${files[@]}"; do
		stat -c '%a %F %n' "$ctl/root/$file" | grep '^644 regular file' &&
			stat -c '%a %n' "$ctl/root/${file%/*}" || return
	done >"$ctl/modes"
	cat "$ctl/modes"
	[ "$(grep -c '^755 .*/\(modprobe.d\|poly1305\)$' "$ctl/modes")" = 2 ]
)

# knows NAME: the kernel has a key of that name
knows() { put proc/keys "1a I--- 1 perm 1f030000 0 0 asymmetri $1: 5e1f0a: X509.rsa 5e1f0a []"; }

# enrolls CERTIFICATE [FILE LINE]: with that line in that file of DKMS's settings or the system's,
# it is what "on" tells to enroll.
enrolls() {
	put "$1" ''
	[ $# = 1 ] || put "${@:2}"
	ctl "enroll $1" on 0 'only modules signed' "mokutil --import $ctl/root/$1 and restart"
}

# packages KERNEL EXPECTED [LINE...]: for this kernel, with these lines of dpkg-query, headers prints that.
packages() {
	printf '#!/bin/sh\necho %s\n' "$1" >"$ctl/bin/uname"
	printf '%s\n' "${@:3}" >"$ctl/dpkg"
	ctl_says headers 0 && [ "$(cat "$ctl/said")" = "$2" ]
}

# headers: the names that Debian, Ubuntu and Proxmox have for the metapackage of a kernel's headers
headers() {
	local kernel=6.12.118+deb13-cloud-amd64 pve=proxmox-kernel
	fresh
	packages $kernel "linux-headers-cloud-amd64 linux-headers-$kernel" &&
		packages 6.12.0-mine linux-headers-6.12.0-mine || return
	echo linux-headers-cloud-amd64=6.12.117-1 >"$ctl/apt"
	packages $kernel "linux-headers-cloud-amd64=6.12.117-1 linux-headers-$kernel" \
		"half-configured linux-image-$kernel 6.12.117-1 kmod, linux-base" &&
		packages $kernel "linux-headers-cloud-amd64=6.12.117-1 linux-headers-$kernel" \
			"installed linux-image-cloud-amd64 6.12.117-1 linux-image-$kernel (= 6.12.117-1)" &&
		packages $kernel "linux-headers-cloud-amd64 linux-headers-$kernel" \
			"installed linux-image-cloud-amd64 6.12.113-1 linux-image-$kernel (= 6.12.113-1)" ||
		return
	kernel=6.12.117+deb12-rt-amd64
	packages $kernel "linux-headers-6.12-rt-amd64 linux-headers-$kernel" \
		"installed linux-image-6.12-rt-amd64 6.12.117-1 linux-image-$kernel (= 6.12.117-1)" \
		'installed linux-image-amd64 6.1.192-2 linux-image-6.1.0-56-amd64 (= 6.1.192-2)' \
		'installed linux-image-rt-amd64 6.1.192-2 linux-image-6.1.0-56-rt-amd64 (= 6.1.192-2)' \
		'config-files linux-image-6.12-rt-mine 6.12.117-1 linux-image-6.12.117-rt-amd64' || return
	put etc/os-release VERSION_CODENAME=bookworm
	packages 6.12.43+deb12-amd64 'linux-headers-amd64/bookworm-backports linux-headers-6.12.43+deb12-amd64' \
		'installed linux-image-amd64 6.12.43-1~bpo12+1 linux-image-6.12.57+deb12-amd64' || return
	# Ubuntu
	packages 6.8.0-45-generic 'linux-headers-generic-hwe-22.04 linux-headers-6.8.0-45-generic' \
		'installed linux-image-generic 5.15.0.122.122 linux-image-5.15.0-122-generic, linux-firmware' \
		'installed linux-image-generic-hwe-22.04 6.8.0-45.45 linux-image-6.8.0-45-generic, thermald' &&
		packages 6.8.0-45-generic 'linux-headers-virtual linux-headers-6.8.0-45-generic' \
			'installed linux-image-virtual 6.8.0-45.45 linux-image-6.8.0-45-generic' &&
		packages 6.8.0-1016-aws 'linux-headers-aws linux-headers-6.8.0-1016-aws' \
			'installed linux-image-aws 6.8.0-1016.17 linux-image-6.8.0-1016-aws' || return
	# Proxmox: its default, another series, and releases up to 7
	packages 6.8.12-4-pve 'proxmox-default-headers proxmox-headers-6.8.12-4-pve' \
		"installed $pve-6.8 6.8.12-4 $pve-6.8.12-4-pve-signed | $pve-6.8.12-4-pve" \
		"installed proxmox-default-kernel 1.1.0 $pve-6.8" &&
		packages 6.11.0-2-pve 'proxmox-headers-6.11 proxmox-headers-6.11.0-2-pve' \
			"installed $pve-6.11 6.11.0-2 $pve-6.11.0-2-pve-signed | $pve-6.11.0-2-pve" \
			"installed $pve-6.8 6.8.12-4 $pve-6.8.12-4-pve-signed | $pve-6.8.12-4-pve" \
			"installed proxmox-default-kernel 1.1.0 $pve-6.8" &&
		packages 5.15.158-2-pve 'pve-headers-5.15 pve-headers-5.15.158-2-pve' \
			'installed pve-kernel-5.15 7.4-15 pve-kernel-5.15.158-2-pve'
}

# warns ARGUMENTS TEXT: poly1305ctl prints this, and writes it into the kernel's log, in one line.
warns() {
	: >"$ctl/root/dev/kmsg"
	ctl_says "$1" 0 "^poly1305: $2" && grep -E "^<4>poly1305: $2" "$ctl/root/dev/kmsg" &&
		[ "$(wc -l <"$ctl/root/dev/kmsg")" = 1 ]
}

# quiet_about ARGUMENTS...: poly1305ctl writes nothing into the kernel's log, and does not talk of stock code.
quiet_about() {
	local arguments
	: >"$ctl/root/dev/kmsg"
	for arguments; do
		ctl_says "$arguments" 0 && ! grep . "$ctl/root/dev/kmsg" &&
			! grep 'stock code' "$ctl/said" || return
	done
}

# next_kernel: what is said of one that has come
next_kernel() {
	local meta='linux-image-amd64 1 linux-image-9.9-amd64'
	fresh
	quiet_about with-kernel || return
	put boot/vmlinuz-9.9-test ''
	quiet_about with-kernel "with-kernel 9.9-test" || return
	put boot/vmlinuz-9.10-test ''
	rm -r "$ctl/root/var/lib/dkms"
	ctl_says with-kernel 0 'linux-headers-9.10-test && dkms install poly1305/1.0 -k 9.10-test$' || return
	put var/lib/dkms/poly1305/1.0/source ''
	warns with-kernel '9.10-test will start on stock code.*: apt install linux-headers-9.10-test$' &&
		warns "with-kernel 9.10-test" '9.10-test will start' || return
	ctl_says "off --permanent" 0 && quiet_about with-kernel && ctl_says on 0 || return
	put proc/self/mountinfo '54 40 8:1 /image / rw - ext4 /dev/sda1 rw'
	: >"$ctl/root/dev/kmsg"
	ctl_says with-kernel 0 'will start' && ! grep . "$ctl/root/dev/kmsg" || return
	put lib/modules/9.10-test/build/include/x ''
	ctl_says with-kernel 0 'dkms install poly1305/1.0 -k 9.10-test$' || return
	put lib/modules/9.10-test/updates/poly1305.ko ''
	quiet_about with-kernel || return
	put boot/vmlinuz-9.10-amd64 ''
	put lib/modules/9.10-amd64/updates/poly1305.ko ''
	echo "installed $meta" >"$ctl/dpkg"
	ctl_says "with-kernel 9.10-amd64" 0 'nothing brings their headers: apt install linux-headers-amd64$' ||
		return
	echo 'installed linux-headers-amd64 1 linux-headers-9.9-amd64' >>"$ctl/dpkg"
	quiet_about "with-kernel 9.10-amd64"
}

# stock_code: what the kernel's log gets when WireGuard or the stock AEAD has been loaded
stock_code() {
	fresh
	mkdir -p "$ctl/root/sys/module/wireguard"
	warns with-wireguard 'WireGuard runs on stock code: .*Key was rejected.*: poly1305ctl on$' &&
		warns with-ipsec '.*IPsec.* runs on stock code: .*Key was rejected.*: poly1305ctl on$' || return
	put proc/sys/crypto/fips_enabled 1
	warns with-wireguard '.* stock code: .*FIPS mode$' || return
	ctl_says status 3 '^! FIPS ' '^ *WireGuard  *stock code$' && ! grep "ctl on'" "$ctl/said" || return
	in_use
	quiet_about with-wireguard with-ipsec || return
	put sys/module/poly1305_chapoly/version 0.9
	warns with-ipsec '.* stock code: another version.*: poly1305ctl status$' || return
	fresh
	rm "$ctl/root/$ctl_modules"/poly1305_*
	quiet_about with-wireguard with-ipsec || return
	rm "$ctl/root/$ctl_modules"/poly1305.*
	warns with-wireguard 'WireGuard .*: there are no modules for 9.9-test: apt install linux-headers-9.9-test$' &&
		warns with-ipsec '.*IPsec .*: there are no modules for 9.9-test: apt install' &&
		ctl_says 'off --permanent ipsec' 0 && quiet_about with-ipsec &&
		ctl_says 'off --permanent' 0 && quiet_about with-wireguard
}

ctl_samples() {
	local mask
	check "poly1305ctl: headers" headers
	check "poly1305ctl: a kernel has come" next_kernel
	check "poly1305ctl: stock code is in use" stock_code
	fresh
	put proc/sys/kernel/modules_disabled 1
	ctl "kernel.modules_disabled" status 3 '^! modules  *kernel.modules_disabled' \
		'^  package  *1[.]0$' '^  Secure Boot  *unknown; .*no sig'
	rm -r "$ctl/root/$ctl_modules"/* "$ctl/root/sys/firmware"
	ctl "no modules for this kernel, and no EFI" status 5 '^poly1305: there are no modules' \
		'^! on disk  *no modules for 9.9-test: .*linux-headers-9.9-test' '^  Secure Boot  *off;'
	put lib/modules/9.9-test/build/include/x ''
	ctl "headers are there" on 0 'dkms install poly1305/1.0 -k 9.9-test'
	check "poly1305ctl: settings" settings
	for mask in 000 027 077; do
		check "poly1305ctl: umask $mask" by_umask "$mask"
	done
	fresh
	mkdir -p "$ctl/root/sys/module/wireguard"
	put proc/cmdline 'ro module_blacklist=zram,poly1305 quiet'
	check "poly1305ctl: module_blacklist=" kept_out module_blacklist=poly1305
	put proc/cmdline 'ro module_blacklist=poly1305_other'
	echo 'blacklist chapoly' >"$ctl/kmod"
	check "poly1305ctl: a line in modprobe.d" kept_out 'blacklist chapoly'

	in_use
	ctl "a report of all in use" report 0 '^```$' '^poly1305: in use and current$' \
		"^  on disk  *1.0, in $ctl/root/$ctl_modules$" \
		'^  loaded  *poly1305_wireguard 1[.]0$' '^  driver  *poly1305-avx2$' \
		'^  self-tests  *all 2 ' '^  WireGuard  *poly1305.ko, ' \
		'^  IPsec  *poly1305.ko .*refcnt 0$' '^== system' '^   Linux|^   9.9' \
		'^  AF_ALG  *refuses poly1305 ' \
		'^   poly1305 poly1305 poly1305-avx2 400 ' '^== kernel log'
	put proc/cpuinfo 'flags : fpu avx512ifma'
	put sys/module/poly1305/parameters/zmm 0
	ctl "a kernel that prefers 256 bits" status 0 '^  driver  *poly1305-avx2; 512-bit .*zmm'
	put proc/sys/crypto/af_alg_restrict 0
	ctl "AF_ALG, which somebody has opened" status 0 '^  AF_ALG  *open'
	put proc/sys/crypto/af_alg_restrict 2
	ctl "AF_ALG, which somebody has closed" status 0 '^  AF_ALG  *closed'
	echo '[1.0] poly1305: self-test of poly1305-sse2 failed: length, 3 bytes' >"$ctl/log"
	ctl "a driver failed with another version" status 0 '^  self-tests  *all 2 '
	echo '[1.0] poly1305: self-test of poly1305-avx512 failed: error -12 at 3' >>"$ctl/log"
	ctl "a driver failed its self-test" status 3 '^! self-tests  *failed: poly1305-avx512;'

	check "poly1305ctl: a report names no machine" nameless_report
	check "poly1305ctl: a chroot" stays_on '54 40 8:1 /image / rw - ext4 /dev/sda1 rw'
	check "poly1305ctl: a chroot that is no mount" stays_on '55 40 0:5 / /proc rw - proc proc rw'
	in_use
	ln -sf 'pid:[4026532200]' "$ctl/root/proc/self/ns/pid"
	rm -r "$ctl/root/$ctl_modules"
	ctl "a container" on 0 'nothing is loaded.* container'
	put sys/module/module/parameters/sig_enforce Y
	ctl "what it can see" status 0 '^  here  *a chroot' '^  on disk  *no modules for 9.9-test$' \
		'^  loaded  *poly1305 1.0$' '^  WireGuard  *poly1305.ko'
	in_use
	put proc/self/status 'CapEff:	000001fffffeffff'
	ctl "no CAP_SYS_MODULE" on 0 'CAP_SYS_MODULE'
	rm -r "$ctl/root/sys"
	ctl "no /sys" status 6 'no /sys'

	in_use
	rm -r "$ctl/root/sys/kernel"
	ctl "the live patch is off" status 1 '^poly1305: stock code, at least' '^  WireGuard  *stock code: .*is off'
	put run/poly1305/wireguard 'No such device'
	ctl "the live patch failed" status 3 '^! WireGuard  *stock code: No such device; .*log'
	put sys/module/poly1305_chapoly/refcnt 4
	ctl "an SA is up" off 0 \
		'^poly1305: WireGuard: stock code; IPsec: poly1305.ko; loaded: poly1305_chapoly$' \
		'has 4 users; [0-9]* IPsec' 'new SAs use it, too.*rmmod'
	ctl "and after that" status 1 '^  IPsec  *poly1305.ko, although off, until its 4 users'
	mv "$ctl/root/sys/module/poly1305_chapoly" "$ctl/"
	ctl "no SA is up" off 0 \
		'^poly1305: WireGuard: stock code; IPsec: stock AEAD; loaded: none of ours$'
	mv "$ctl/poly1305_chapoly" "$ctl/root/sys/module/"
	ctl "a new one has loaded it again" status 1 '^  IPsec  *poly1305.ko for new SAs; refcnt 4$'
	fresh
	ctl "IPsec after a restart" status 1 '^  IPsec  *poly1305.ko will be loaded with the next SA$'
	put proc/crypto 'name : rfc7539esp(chacha20,poly1305)' 'driver : stock' 'module : kernel'
	ctl "a stock SA is up" status 1 '^  IPsec  *stock AEAD, which is in use; .poly1305ctl on'
	printf '#!/bin/sh\necho 1000\n' >"$ctl/bin/id"
	ctl "off as a user" off 6 'root'

	in_use
	ctl "measure: the module is refused" measure 3 'only modules signed with a key'
	put proc/cpuinfo 'model name : QEMU Virtual CPU'
	put sys/module/poly1305_measure/parameters/results 'tsc_khz 2000000' 'rounds 9' 'stock theirs' \
		'process seal 64 500 510 1000 1010' 'softirq open 1420 2000 2020 3000 3030'
	ctl "measure" measure 0 '^TSC cycles .*9 rounds; stock is theirs$' \
		'^process seal    64 bytes     1000      500     2[.]00      2[.]0 Gbit/s$' \
		'^softirq open  1420 bytes .* 1[.]50     11[.]4 Gbit' 'emulated: these figures mean nothing'
	ctl "measure --json" 'measure --json' 0 '"cpu": "QEMU Virtual CPU"' \
		'"operation": "open", "bytes": 1420, "ours": 2000, "ours_median": 2020, "stock": 3000'
	busy_gateway
	# shellcheck disable=SC2016
	printf '%s\n' '#!/bin/sh' '[ "$1" = record ] || exec cat "$ctl/profile"' 'ten_seconds' >"$ctl/bin/perf"
	chmod +x "$ctl/bin/perf"
	printf '%s\n' '50.00%  [kernel.kallsyms]  [k] pv_native_safe_halt' \
		'15.00%  [poly1305_x86_64]  [k] poly1305_blocks_avx2' '15.00%  nginx  [.] chacha20' \
		'15.00%  [kernel.kallsyms]  [k] memcpy' ' 3.00%  [chapoly]  [k] chapoly_seal' \
		' 1.00%  [kernel.kallsyms]  [k] chapoly_avx2_strides' ' 0.50%  /proc/kcore  [k] chacha20_avx512' \
		' 0.50%  [kernel.kallsyms]  [k] poly1305_packet_avx512' >"$ctl/profile"
	ctl "advise" advise 0 'had 40%: stock code 30%, poly1305.ko 10%$' \
		'1.50 times as fast .* are 1.17 times as many' '^poly1305: CPU 0 had 83%' \
		'^poly1305: ksoftirqd/0 had 96% of a CPU, and 1 of 2 CPUs' \
		'^poly1305: wg0: no threaded NAPI in Linux 6.12.117: 6.16' \
		'^poly1305: eth0: GRO is off' '^poly1305: eth0: UDP segmentation offload is off' \
		'^poly1305: the governor of the clock is powersave'
	check "poly1305ctl: advise says no more" lines_said 8
	busy_gateway
	put proc/version 'Linux version 6.1.0-39-amd64 (x@y) #1 SMP Debian 6.1.148-1 (2025-08-26)'
	ctl "advise: threaded NAPI with a defect" advise 0 'wg0: never switch threaded NAPI on in Linux 6.1.148'
	busy_gateway
	put proc/version 'Linux version 7.2.13-cloud-amd64 (x@y) #1 SMP Debian 7.2.13-1 (2026-11-20)'
	ctl "advise: threaded NAPI off" advise 0 'wg0: threaded NAPI is off: 1 in .*/wg0/threaded'
	put sys/class/net/wg0/threaded 1
	put sys/devices/system/cpu/cpu0/cpufreq/scaling_driver intel_pstate
	printf '%s\n' '#!/bin/sh' 'echo No permission; exit 1' >"$ctl/bin/perf"
	printf '%s\n' '#!/bin/sh' 'exit 1' >"$ctl/bin/ethtool"
	ctl "advise without permission" advise 6 'perf does not work here: No permission'
	check "poly1305ctl: a tuned gateway" lines_said 1
	put proc/self/status 'CapEff:	000001fffffeffff'
	ctl "measure without CAP_SYS_MODULE" measure 6 'nothing is measured.*CAP_SYS_MODULE'

	fresh
	signed_by 'Our key'
	put sys/module/module/parameters/sig_enforce Y
	put "$ctl_efi" $'\6\1\1\1\1'
	knows 'Not Our key2'
	ctl "a key that the kernel does not know" status 3 \
		'^! Secure Boot  *on; the key of "Our key" is not enrolled$' '^  IPsec  *stock AEAD$'
	knows 'Our key'
	ctl "a key that it knows" status 1 '^  Secure Boot  *on; modules are signed by "Our key"$'
	put sys/module/module/parameters/sig_enforce N
	put sys/kernel/security/lockdown 'none [integrity] confidentiality'
	knows 'another'
	ctl "a locked kernel" status 3 '^! Secure Boot .* not enrolled$'

	put var/lib/shim-signed/mok/MOK.der ''
	enrolls var/lib/dkms/mok.pub
	enrolls var/lib/shim-signed/mok/MOK.der etc/os-release 'ID=ubuntu'
	# shellcheck disable=SC2016
	enrolls var/lib/dkms/moved/9.9-test.der etc/dkms/framework.conf.d/mine.conf \
		'names=(moved); [[ $kernelver != 9.* ]] || mok_certificate=$dkms_tree/$names/$kernelver.der'
	ctl "wrong arguments" "on off" 4 'wrong arguments'
	ctl "help" --help 0 '^poly1305ctl off'
}
