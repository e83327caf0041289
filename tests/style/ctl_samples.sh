# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash disable=SC2154
#
# The test of packaging/poly1305ctl in states that the guests of the suite package do not reach:
# with a root of its own, in which the modules are not where Debian has them, and a modprobe that
# fails.

ctl=$top/build/check/ctl
ctl_sys=$ctl/root/sys
ctl_etc=$ctl/root/etc
ctl_live=$ctl_sys/kernel/livepatch/poly1305_wireguard
secure_boot=$ctl_sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c

# program NAME TEXT: on the PATH of poly1305ctl
program() {
	printf '#!/bin/sh\n%s\n' "$2" >"$ctl/bin/$1"
	chmod +x "$ctl/bin/$1"
}

# on_disk SIGNER: version 1.0 of the modules, in the folder extra. modinfo reads such files.
on_disk() {
	local module
	for module in poly1305 poly1305_chapoly poly1305_wireguard; do
		printf '%s\n' 'version: 1.0' 'srcversion: S1.0' "signer: $1" \
			>"$ctl/root/lib/modules/9.9-test/extra/$module.ko.zst"
	done
}

# fresh: a kernel without our modules, and modules on the disk
fresh() {
	rm -rf "$ctl"
	mkdir -p "$ctl"/{bin,root/{usr/src/poly1305-1.0,lib/modules/9.9-test/extra}} \
		"$ctl/root/proc/sys"/{crypto,kernel} "$ctl_etc/dkms/framework.conf.d" \
		"$ctl_sys"/{module/module/parameters,kernel/security} "${secure_boot%/*}"
	printf 'name : md5\ndriver : md5-generic\nmodule : kernel\n' >"$ctl/root/proc/crypto"
	echo 'ID=suse' >"$ctl_etc/os-release"
	: >"$ctl/root/proc/keys"
	: >"$ctl/log"
	on_disk ''
	program uname 'echo 9.9-test'
	program id 'echo 0'
	program ischroot 'exit 1'
	program dmesg "cat $ctl/log"
	program modprobe "echo 'ERROR: could not insert: Key was rejected by service' >&2; exit 1"
	# shellcheck disable=SC2016
	program modinfo 'case $1 in
		-k) ls "${0%/bin/*}"/root/lib/modules/9.9-test/*/"$4".ko* 2>/dev/null ||
			echo "/lib/modules/9.9-test/kernel/$4-by-alias.ko" ;;
		-F) sed -n "s/^$2: //p" "$3" ;;
		*) cat "$1" ;;
		esac'
}

# in_use: WireGuard is there, and all modules are loaded
in_use() {
	local module driver
	fresh
	mkdir -p "$ctl_sys/module/wireguard" "$ctl_live"
	echo 1 >"$ctl_live/enabled"
	echo 0 >"$ctl_live/transition"
	for module in poly1305 poly1305_chapoly poly1305_wireguard; do
		mkdir "$ctl_sys/module/$module"
		echo OE >"$ctl_sys/module/$module/taint"
		echo 0 >"$ctl_sys/module/$module/refcnt"
		echo 1.0 >"$ctl_sys/module/$module/version"
		echo S1.0 >"$ctl_sys/module/$module/srcversion"
	done
	for driver in 'portable 120' 'avx2 400' 'sse2 325'; do
		printf '\nname : poly1305\ndriver : poly1305-%s\nmodule : poly1305\n' "${driver% *}"
		printf 'priority : %d\nselftest : passed\n' "${driver#* }"
	done >>"$ctl/root/proc/crypto"
}

# ctl WHAT ARGUMENTS CODE PATTERN...: poly1305ctl ends with CODE; a line matches each PATTERN.
ctl() {
	check "poly1305ctl: $1" ctl_says "${@:2}"
}

ctl_says() {
	local arguments=$1 code=$2 status=0 pattern
	shift 2
	# shellcheck disable=SC2086
	POLY1305CTL_ROOT=$ctl/root PATH=$ctl/bin:$PATH "$top/packaging/poly1305ctl" $arguments \
		>"$ctl/said" 2>&1 || status=$?
	cat "$ctl/said"
	for pattern; do
		grep -qE -- "$pattern" "$ctl/said" || {
			printf 'no line matches %s\n' "$pattern"
			return 1
		}
	done
	[ "$status" = "$code" ] || {
		printf 'exit status %d, not %d\n' "$status" "$code"
		return 1
	}
}

# enrolls WHAT CERTIFICATE: with these settings, it is what "on" tells to enroll
enrolls() {
	mkdir -p "${2%/*}"
	touch "$2"
	ctl "$1" on 0 'only modules signed' "mokutil --import $2 and restart"
}

# knows NAME: the kernel has a key of that name
knows() {
	echo "1a I------ 1 perm 1f030000 0 0 asymmetri $1: 5e1f0a: X509.rsa 5e1f0a []" \
		>"$ctl/root/proc/keys"
}

ctl_samples() {
	local ubuntu=$ctl/root/var/lib/shim-signed/mok/MOK.der

	fresh
	ctl "stock code" status 1 '^poly1305: stock code$' '^  package  *1[.]0$' \
		"^  on disk  *1.0, in $ctl/root/lib/modules/9.9-test/extra$" \
		'^  WireGuard  *not loaded' '^  FIPS  *off' '^  Secure Boot  *unknown; .*no sig'
	echo 1 >"$ctl/root/proc/sys/kernel/modules_disabled"
	ctl "kernel.modules_disabled" status 3 '^! modules  *kernel.modules_disabled'
	rm -r "$ctl"/root/lib/modules/9.9-test/extra/* "$ctl_sys/firmware/efi"
	ctl "no modules for this kernel, and no EFI" status 1 \
		'^  on disk  *no modules for 9.9-test$' '^  Secure Boot  *off;'

	in_use
	ctl "a report of all in use" report 0 '^```$' '^poly1305: in use and current$' \
		'^  loaded  *poly1305_wireguard 1[.]0$' '^  driver  *poly1305-avx2$' \
		'^  self-tests  *all 3 ' '^  WireGuard  *poly1305.ko, ' \
		'^  IPsec  *poly1305.ko .*refcnt 0$' '^== system' '^   Linux|^   9.9' \
		'^   poly1305 poly1305 poly1305-avx2 400 ' '^== kernel log'
	echo 1 >"$ctl_live/transition"
	ctl "WireGuard changes over" status 2 '^! WireGuard  *changing over to poly1305.ko$'
	echo 0 >"$ctl_live/transition"
	rm -r "$ctl_sys/module/poly1305_chapoly"
	ctl "IPsec's AEAD is not loaded" status 0 '^  IPsec  *stock AEAD, '
	sed -i 's/passed/unknown/' "$ctl/root/proc/crypto"
	ctl "self-tests go on" status 2 '^! self-tests  *0 of 3 '
	sed -i 's/unknown/passed/' "$ctl/root/proc/crypto"
	echo '[1.0] poly1305: self-test of poly1305-sse2 failed: length, 3 bytes' >"$ctl/log"
	ctl "a driver failed with another version" status 0 '^  self-tests  *all 3 '
	echo '[1.0] poly1305: self-test of poly1305-avx512 failed: error -12 at 3' >>"$ctl/log"
	ctl "a driver failed its self-test" status 3 '^! self-tests  *failed: poly1305-avx512;'

	fresh
	on_disk 'Our key'
	printf '\6\0\0\0\1' >"$secure_boot"
	echo Y >"$ctl_sys/module/module/parameters/sig_enforce"
	echo '[none] integrity confidentiality' >"$ctl_sys/kernel/security/lockdown"
	knows 'Not Our key2'
	ctl "a key that the kernel does not know" status 3 \
		'^! Secure Boot  *on; the key of "Our key" is not enrolled$'
	knows 'Our key'
	printf '\6\0\0\0\0' >"$secure_boot"
	ctl "a key that it knows" status 1 '^  Secure Boot  *off; modules are signed by "Our key"$'
	echo 'none [integrity] confidentiality' >"$ctl_sys/kernel/security/lockdown"
	echo N >"$ctl_sys/module/module/parameters/sig_enforce"
	knows 'another'
	ctl "a locked kernel" status 3 '^! Secure Boot .* not enrolled$'

	mkdir -p "${ubuntu%/*}"
	touch "$ubuntu"
	enrolls "Ubuntu's certificate elsewhere" "$ctl/root/var/lib/dkms/mok.pub"
	echo 'ID=ubuntu' >"$ctl_etc/os-release"
	enrolls "Ubuntu's certificate" "$ubuntu"
	# shellcheck disable=SC2016
	echo 'mok_certificate="$dkms_tree/moved/$kernelver.der"' >"$ctl_etc/dkms/framework.conf"
	enrolls "that of framework.conf" "$ctl/root/var/lib/dkms/moved/9.9-test.der"
	echo "mok_certificate=$ctl/there/mok.der" >"$ctl_etc/dkms/framework.conf.d/mine.conf"
	enrolls "that of framework.conf.d" "$ctl/there/mok.der"
	ctl "wrong arguments" "on off" 4 'usage: poly1305ctl'
	ctl "no arguments" "" 4 'usage: poly1305ctl'
}
