# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash disable=SC2034
#
# What the scripts in tests/machines share. README.md lists the kernels.

# shellcheck source=tools/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../tools/lib.sh"
machines=$top/tests/machines

# Root's own tools, whoever runs this
PATH=$PATH:/usr/sbin:/sbin

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

# What make needs for kcfi, to build it and its modules with clang 19
clang=LLVM=-19

# The key that the firmware of boot -s knows, public and for tests, of Debian's package ovmf
secure_key=/usr/share/ovmf/PkKek-1-snakeoil

# private_key FILE: its private half, without the password
private_key() { openssl rsa -in "$secure_key.key" -passin pass:snakeoil -out "$1"; }

# use_kernel NAME: set the paths of that kernel. dir has all that is made for it. root is
# a small Debian, where its modules are built; User-Mode Linux has none, and its modules
# are built here, against its source in tree.
use_kernel() {
	name=$1 dir=$top/build/vm/$1 root='' tree=''
	case $name in
	bullseye | bookworm | trixie | sid | next) root=$dir/root ;;
	bullseye-old | bookworm-old | trixie-old) root=$top/build/vm/${1%-old}/root ;;
	cbmc | emulator) root=$top/build/vm/trixie/root ;;
	rt | kasan | kcfi | bochs) root=$top/build/vm/bookworm/root ;;
	uml) dir=$top/build/uml tree=$dir/linux ;;
	*) die "no such kernel: '$name' (bullseye bookworm trixie, each also with -old, sid next rt kasan kcfi bochs cbmc emulator uml)" ;;
	esac
	mkdir -p "$dir"
}

# in_root DIR COMMAND...: run COMMAND in the Debian at root, where DIR (if not empty) is /mnt.
in_root() { enter "$root" "${1:+mount --bind $1 $root/mnt}" "${@:2}"; }

# from_mirror COMMAND...: run that, which calls apt, in the Debian at root, which is locked meanwhile,
# and print its output if it fails. The return status is $unavailable if the mirror lacks something or
# does not answer.
unavailable=75
not_given='^E: (Failed to fetch|Unable to (fetch|locate)|Couldn.t find|Can.t find|Version .* was not found)'
not_given+='|has no installation candidate'
from_mirror() {
	local said
	said=$( (flock 7 && in_root "" "$@") 2>&1 7>"$root.lock") && return
	echo "$said"
	# A full disk is this machine's own.
	! grep -q 'No space left' <<<"$said" && grep -qE "$not_given" <<<"$said" || return 1
	return "$unavailable"
}
