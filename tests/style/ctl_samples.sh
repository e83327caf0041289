# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash disable=SC2154
#
# The test of packaging/poly1305ctl, with a root of its own, in which the modules are not
# where Debian has them, and with programs that load and unload files there. Uses point()
# of the style suite. The suite package has the same in guests, with real ones.

ctl=$top/build/check/ctl
ctl_sys=$ctl/root/sys
ctl_dkms=$ctl/root/etc/dkms
ctl_live=$ctl_sys/kernel/livepatch/poly1305_wireguard
efi=$ctl_sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c

# program NAME: on the PATH of poly1305ctl; its text is on stdin, after names for paths
program() {
	{
		printf '#!/bin/sh\nctl=%s sys=%s\n' "$ctl" "$ctl_sys"
		cat
	} >"$ctl/bin/$1"
	chmod +x "$ctl/bin/$1"
}

# on_disk VERSION [NAME...]: these modules, of a kernel that keeps them in extra
on_disk() {
	local version=$1 module
	shift
	for module; do
		printf '%s\n' "version: $version" "srcversion: S$version" "signer: $ctl_signer" \
			>"$ctl/root/lib/modules/9.9-test/extra/$module.ko.zst"
	done
}

# fresh: a kernel without our modules, and modules on the disk
fresh() {
	ctl_signer=''
	rm -rf "$ctl"
	mkdir -p "$ctl"/{bin,root/{usr/src/poly1305-1.0,lib/modules/9.9-test/extra,etc/dkms/framework.conf.d}} \
		"$ctl_sys/module/module/parameters" "$ctl/root/proc/sys"/{crypto,kernel} \
		"$ctl_sys/kernel/security" "${efi%/*}"
	printf 'name : md5\ndriver : md5-generic\nmodule : kernel\n' >"$ctl/root/proc/crypto"
	printf 'ID=suse\n' >"$ctl/root/etc/os-release"
	: >"$ctl/root/proc/keys"
	on_disk 1.0 poly1305 poly1305_chapoly poly1305_wireguard
	program uname <<<'echo 9.9-test'
	program id <<<'echo 0'
	program ischroot <<<'exit 1'
	program sleep <<<''
	program dmesg <<-'END'
		cat "$ctl/log" 2>/dev/null
	END
	program modinfo <<-'END'
		case $1 in
		-k) ls "$ctl/root/lib/modules/$2"/*/"$4".ko* 2>/dev/null ||
			echo "/lib/modules/9.9-test/kernel/$4-by-alias.ko" ;;
		-F) sed -n "s/^$2: //p" "$3" ;;
		*) cat "$1" ;;
		esac
	END
	program modprobe <<-'END'
		[ "$1" != -n ] || { cat "$ctl/install-line"; exit; }
		[ ! -e "$ctl/refusal" ] || { cat "$ctl/refusal" >&2; exit 1; }
		[ "$1" != poly1305_chapoly ] || "$0" poly1305
		mkdir -p "$sys/module/$1"
		echo OE >"$sys/module/$1/taint"
		echo 0 >"$sys/module/$1/refcnt"
		for field in version srcversion; do
			modinfo -F "$field" "$ctl"/root/lib/modules/9.9-test/*/"$1".ko* >"$sys/module/$1/$field"
		done
		case $1 in
		poly1305)
			entry='\nname : poly1305\ndriver : %s\nmodule : poly1305\npriority : %s\nselftest : passed\n'
			printf "$entry" poly1305-portable 120 poly1305-avx2 400 poly1305-sse2 325 \
				>>"$ctl/root/proc/crypto" ;;
		poly1305_wireguard)
			mkdir -p "$sys/kernel/livepatch/$1"
			echo 1 >"$sys/kernel/livepatch/$1/enabled"
			echo 0 >"$sys/kernel/livepatch/$1/transition" ;;
		esac
	END
	program rmmod <<-'END'
		[ "$(cat "$sys/module/$1/refcnt")" = 0 ] || exit 1
		[ "$(cat "$sys/kernel/livepatch/$1/enabled" 2>/dev/null)" != 1 ] || exit 1
		rm -r "$sys/module/$1"
	END
}

# says CODE PATTERN... -- ARGUMENT...: poly1305ctl ends with CODE; a line of it matches
# each PATTERN
ctl_says() {
	local code=$1 patterns=() status=0 pattern
	shift
	while [ "$1" != -- ]; do
		patterns+=("$1")
		shift
	done
	shift
	out=$(POLY1305CTL_ROOT=$ctl/root PATH=$ctl/bin:$PATH "$top/packaging/poly1305ctl" "$@" 2>&1) ||
		status=$?
	[ "$status" = "$code" ] || {
		out+=$'\n'"exit status $status, not $code"
		return 1
	}
	for pattern in "${patterns[@]}"; do
		grep -qE -- "$pattern" <<<"$out" || {
			out+=$'\n'"no line matches $pattern"
			return 1
		}
	done
}

# ctl_case WHAT CODE PATTERN... -- ARGUMENT...
ctl_case() {
	local what=$1 out
	shift
	ctl_says "$@"
	point $? "poly1305ctl: $what" "$out"
}

# in_use: WireGuard is there, and then "on" has loaded all
in_use() {
	fresh
	mkdir "$ctl_sys/module/wireguard"
	ctl_case "$1" 0 'loaded: poly1305 poly1305_chapoly poly1305_wireguard; .* poly1305-avx2[.]$' \
		'new IPsec states use it .* and so does WireGuard' -- on
}

# signed_by NAME: the kernel wants signatures, and modules have one of NAME
signed_by() {
	fresh
	ctl_signer=$1
	on_disk 1.0 poly1305 poly1305_chapoly
	echo Y >"$ctl_sys/module/module/parameters/sig_enforce"
	echo "modprobe: ERROR: could not insert 'poly1305': Key was rejected by service" >"$ctl/refusal"
}

# enrolls CERTIFICATE WHAT: with these settings, it is what "on" tells to enroll
enrolls() {
	mkdir -p "$(dirname "$1")"
	touch "$1"
	ctl_case "$2" 0 'only modules signed' "mokutil --import $1 and restart" -- on
}

ctl_samples() {
	local dkms=$ctl/root/var/lib/dkms

	fresh
	ctl_case "stock code" 1 '^poly1305: stock code$' '^  package  *1[.]0$' \
		"^  on disk  *1.0, in $ctl/root/lib/modules/9.9-test/extra$" \
		'^  WireGuard  *not loaded' '^  FIPS  *off' '^  Secure Boot  *unknown; .*no sig' -- status
	rm -r "$ctl"/root/lib/modules/9.9-test/extra/* "$ctl_sys/firmware/efi"
	ctl_case "no modules for this kernel, and no EFI" 1 \
		'^  on disk  *no modules for 9.9-test$' '^  Secure Boot  *off;' -- status
	ctl_case "and what to install" 0 'there are no modules' 'linux-headers-9.9-test' -- on

	in_use "modules are found where modinfo finds them"
	ctl_case "in use and current" 0 '^poly1305: in use and current$' \
		'^  loaded  *poly1305_wireguard 1[.]0$' '^  driver  *poly1305-avx2$' \
		'^  self-tests  *all 3 ' '^  WireGuard  *poly1305.ko, ' '^  IPsec  *poly1305.ko .*refcnt 0$' -- status
	echo 1 >"$ctl_live/transition"
	ctl_case "WireGuard changes over" 2 '^! WireGuard  *changing over to poly1305.ko$' -- status
	rm -r "$ctl_live"
	ctl_case "WireGuard's patch is not in" 3 '^! WireGuard  *stock code: ' -- status
	echo 'install /bin/true' >"$ctl/install-line"
	ctl_case "WireGuard's patch is kept off" 0 '^  WireGuard  *stock code, because a line' -- status

	mv "$ctl_sys/module/poly1305_chapoly" "$ctl"
	ctl_case "IPsec's AEAD is not loaded" 0 '^  IPsec  *stock AEAD, ' -- status

	in_use "again"
	sed -i 's/passed/unknown/' "$ctl/root/proc/crypto"
	ctl_case "self-tests go on" 2 '^! self-tests  *0 of 3 ' -- status
	sed -i 's/unknown/passed/' "$ctl/root/proc/crypto"
	echo '[1.0] poly1305: self-test of poly1305-sse2 failed: length, 3 bytes' >"$ctl/log"
	ctl_case "a driver failed with another version" 0 '^  self-tests  *all 3 ' -- status
	echo '[1.0] poly1305: self-test of poly1305-avx512 failed: error -12 at 3' >>"$ctl/log"
	ctl_case "a driver failed its self-test" 3 '^! self-tests  *failed: poly1305-avx512;' -- status

	in_use "and again"
	echo 1 >"$ctl_sys/module/poly1305_chapoly/refcnt"
	echo 1 >"$ctl_sys/module/poly1305/refcnt"
	echo 0 >"$ctl_live/enabled"
	rm -r "$ctl_live"
	ctl_case "off, while IPsec holds the AEAD" 0 'still in use.*: poly1305 poly1305_chapoly$' -- off
	on_disk 1.1 poly1305 poly1305_chapoly poly1305_wireguard
	ctl_case "an upgrade meanwhile" 2 '^poly1305: loaded, but not current$' '^  on disk  *1[.]1,' \
		'^! loaded  *poly1305_chapoly 1[.]0: not the one on disk$' \
		'^! WireGuard  *stock code, until' -- status
	ctl_case "on says so" 0 'another version .*: poly1305 poly1305_chapoly[.]$' 'or restart' -- on
	[ ! -e "$ctl_sys/module/poly1305_wireguard" ]
	point $? "poly1305ctl: on loads nothing beside modules of another version"
	echo 0 | tee "$ctl_sys"/module/*/refcnt >/dev/null
	ctl_case "off, when IPsec is done with it" 0 '^$' -- off

	fresh
	echo 1 >"$ctl/root/proc/sys/crypto/fips_enabled"
	ctl_case "FIPS mode: on says so" 0 'nothing is loaded, .*FIPS mode' -- on
	[ ! -e "$ctl_sys/module/poly1305" ]
	point $? "poly1305ctl: FIPS mode: on does nothing else"
	ctl_case "FIPS mode" 3 '^poly1305: something was refused$' '^! FIPS  *on' -- status
	fresh
	echo 1 >"$ctl/root/proc/sys/kernel/modules_disabled"
	ctl_case "kernel.modules_disabled" 3 '^! modules  *kernel.modules_disabled' -- status

	signed_by ''
	printf '\6\0\0\0\1' >"$efi"
	ctl_case "no signature" 3 '^! Secure Boot  *on; .*these have none$' -- status
	signed_by 'Our key'
	echo '[none] integrity confidentiality' >"$ctl_sys/kernel/security/lockdown"
	printf '\6\0\0\0\0' >"$efi"
	echo '1a I------ 1 perm 1f030000 0 0 asymmetri Not Our key2: 5e1f0a: X509.rsa 5e1f0a []' \
		>"$ctl/root/proc/keys"
	ctl_case "a key that the kernel does not know" 3 \
		'^! Secure Boot  *off; the key of "Our key" is not enrolled$' -- status
	echo '1a I------ 1 perm 1f030000 0 0 asymmetri Our key: 5e1f0a: X509.rsa 5e1f0a []' \
		>"$ctl/root/proc/keys"
	ctl_case "a key that it knows" 1 '^  Secure Boot  *off; modules are signed by "Our key"$' -- status
	echo 'none [integrity] confidentiality' >"$ctl_sys/kernel/security/lockdown"
	: >"$ctl_sys/module/module/parameters/sig_enforce"
	: >"$ctl/root/proc/keys"
	ctl_case "a locked kernel" 3 '^! Secure Boot .* not enrolled$' -- status

	ctl_case "no certificate" 0 "DKMS has no key here [(]no $dkms/mok.pub[)]" -- on
	enrolls "$dkms/mok.pub" "DKMS's certificate"
	enrolls_ubuntu=$ctl/root/var/lib/shim-signed/mok/MOK.der
	mkdir -p "${enrolls_ubuntu%/*}" && touch "$enrolls_ubuntu"
	enrolls "$dkms/mok.pub" "that of Ubuntu, elsewhere"
	echo 'ID=ubuntu' >"$ctl/root/etc/os-release"
	enrolls "$enrolls_ubuntu" "that of Ubuntu"
	# shellcheck disable=SC2016
	echo 'mok_certificate="$dkms_tree/moved/$kernelver.der"' >"$ctl_dkms/framework.conf"
	enrolls "$dkms/moved/9.9-test.der" "that of framework.conf"
	echo "mok_certificate=$ctl/there/mok.der" >"$ctl_dkms/framework.conf.d/mine.conf"
	enrolls "$ctl/there/mok.der" "that of framework.conf.d"

	in_use "for a report"
	ctl_case "a report" 0 '^```$' '^poly1305: in use and current$' '^== system' \
		'^   Linux|^   9.9' '^   poly1305 poly1305 poly1305-avx2 400 ' '^== kernel log' -- report
	ctl_case "wrong arguments" 4 'usage: poly1305ctl' -- on off
	ctl_case "no arguments" 4 'usage: poly1305ctl' --
}
