# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash disable=SC2154,SC2034
#
# What the suites that boot guests share, after tests/machines/lib.sh: files that
# are laid over a guest's root, and guests, two at a time.

# shellcheck source=tests/tap.sh
. "$top/tests/tap.sh"

# make_client: the programs of tools/kcapi_test. Suites that run side by side share them,
# and one must not take what another is still linking.
make_client() {
	flock "$top/build/kcapi_test.lock" \
		make -C "$top/tools/kcapi_test" -j "$(nproc)"
}

# needed TOOL...: end the suite here if this machine cannot run its guests.
needed() {
	local tool
	for tool in busybox make gcc "$@"; do
		command -v "$tool" >/dev/null ||
			skip_all "$tool is missing: run tools/setup"
	done
	[[ " $* " != *" debootstrap "* ]] || [ "$(id -u)" = 0 ] ||
		skip_all "needs root, to build with the tools of a Debian release"
}

# find_kernel NAME: its release goes to $release; or why there is none to $missing. The
# return status is 75 if the mirror does not give it, 1 if it could not be made.
find_kernel() {
	local status=0
	missing=
	release=$("$machines/kernel" "$1") || status=$?
	case $status in
	0) ;;
	75) missing="Debian's mirror does not give it" ;;
	*) missing="it could not be made" status=1 ;;
	esac
	[ -z "$missing" ] || missing="no kernel $1: $missing, see $(
		use_kernel "$1"
		echo "${dir#"$top"/}"
	)"
	return "$status"
}

# kernel_for WHAT NAME: use_kernel and find_kernel, which set name, dir, root, tree and release. If
# that fails, WHAT is skipped where the mirror does not give the kernel; else the suite fails.
kernel_for() {
	local status=0
	use_kernel "$2"
	find_kernel "$2" || status=$?
	case $status in
	0) ;;
	75) skip "$1" "$missing" ;;
	*) result 1 "$missing" ;;
	esac
	return $status
}

# any_kernel: the same with the first of Debian's kernels that the mirror gives
any_kernel() {
	local kernel status
	for kernel in trixie bookworm sid bullseye; do
		status=0
		kernel_for "all tests in $kernel's kernel" "$kernel" || status=$?
		[ $status = 75 ] || return $status
	done
	return 75
}

# lay TREE PROGRAM...: put programs into TREE's bin, with the libraries they need
# where they look for them.
lay() {
	local tree=$1 program library
	shift
	mkdir -p "$tree/bin"
	for program; do
		cp -L "$program" "$tree/bin/"
		for library in $(ldd "$program" 2>/dev/null | grep -o '/[^ ]*'); do
			mkdir -p "$tree${library%/*}"
			cp -L "$library" "$tree$library"
		done
	done
}

# begin_tree TREE: begin a directory to lay over a guest's root
begin_tree() {
	rm -rf "$1"
	mkdir -p "$1"/{bin,opt,parts,run}
	cp "$machines"/guest{,.sh} "$top/tests/tap.sh" "$1/bin/"
}

# all_modules DIR TREE: those built in DIR go to TREE's opt
all_modules() {
	find "$1" -path "$1/install" -prune -o -name '*.ko' -exec cp -t "$2/opt" {} +
}

# program DIR SOURCE...: compile a test program, named after its first source
program() {
	local to=$1
	shift
	mkdir -p "$to"
	gcc -std=gnu11 -O2 -Wall -Wextra -Werror -static -pthread "$@" \
		-o "$to/$(basename "$1" .c)"
}

# drivers_on CPU: those that must be there, on a CPU model or on this machine ("host")
drivers_on() {
	awk -v model="$1" -v flags="$(sed -n '/^flags/{s/.*://p;q}' /proc/cpuinfo)" '
	{ sub(/#.*/, ""); $1 = $1 }
	$1 == "model" && $2 == model { flags = $0; known = 1 }
	$1 == "model" || $1 == "" { next }
	{ driver[++n] = $0 }
	END {
		if (!known && model != "host")
			exit 1
		for (i = 1; i <= n; i++) {
			words = split(driver[i], word)
			there = 1
			for (j = 2; j <= words; j++)
				there = there && index(" " flags " ", " " word[j] " ")
			if (there)
				list = list (list ? " " : "") word[1]
		}
		print list
	}' "$machines/drivers"
}

# beside COMMAND...: run it beside the script as soon as only one other does
beside() {
	while [ "$(jobs -pr | wc -l)" -ge 2 ]; do
		wait -n || true
	done
	{
		trap 'kill "$child"' TERM
		"$@" &
		child=$!
		wait "$child" || echo "$?" >>"$results/failed"
	} &
}

# guest [-c] NAME WHERE ARGUMENT...: boot a guest beside the script, with these arguments
# for tests/machines/boot, and print its points. With -c its kernel must complain.
guest() {
	local option=()
	if [ "$1" = -c ]; then
		option=(-c)
		shift
	fi
	local name=$1 where=$2
	shift 2
	beside "$machines/points" "${option[@]}" "$results" "$name" "$where" \
		"$machines/boot" -l "$results/console-$name.log" "$@"
}
