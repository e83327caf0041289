# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash disable=SC2034
#
# What the scripts in tests/machines/vm share. A Debian release's files live under
# build/vm/SUITE: root/ is a small Debian of that release, with its newest cloud
# kernel, the headers and the compiler that go with it.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)

# Where root's own tools are, whoever runs this.
PATH=$PATH:/usr/sbin:/sbin

# A make above us must not reach into the ones below.
unset MAKEFLAGS MFLAGS MAKELEVEL

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
die() { say "$*"; exit 1; }

# use_suite NAME: sets the paths of that release.
use_suite() {
	case $1 in
	bullseye | bookworm | trixie | sid) ;;
	*) die "no such suite: '$1' (bullseye bookworm trixie sid)" ;;
	esac
	suite=$1
	dir=$top/build/vm/$suite
	root=$dir/root
	mkdir -p "$dir"
}

# in_root ROOT DIR COMMAND...: run COMMAND in that Debian, with DIR (if not
# empty) seen there as /mnt. The mounts live in a namespace of their own, so they
# are gone however this ends, kill -9 included.
in_root() {
	local where=$1 bind=$2
	shift 2
	# shellcheck disable=SC2016
	env LC_ALL=C.UTF-8 HOME=/root DEBIAN_FRONTEND=noninteractive INITRD=No \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		unshare --mount --pid --fork --kill-child --mount-proc="$where/proc" \
		sh -c 'root=$1 bind=$2; shift 2
			[ -z "$bind" ] || mount --bind "$bind" "$root/mnt" || exit
			exec chroot "$root" "$@"' sh "$where" "$bind" "$@"
}
