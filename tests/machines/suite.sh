# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash disable=SC2154,SC2034
#
# What the suites that boot guests share: files that are laid over a guest's root, and guests, two at a
# time.

# shellcheck source=tests/machines/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# shellcheck source=tests/tap.sh
. "$top/tests/tap.sh"

# make_client: the programs of tools/kcapi_test. Suites that run side by side share them,
# and one must not take what another is still linking.
make_client() {
	flock "$top/build/kcapi_test.lock" \
		make -C "$top/tools/kcapi_test" -j "$(nproc)"
}

# got STATUS WHAT WHY: return STATUS. If it is not 0, WHAT is skipped, because the mirror does not give
# what it needs (75), or fails.
got() {
	case $1 in
	0) ;;
	"$unavailable") skip "$2" "Debian's mirror does not give it: $3" ;;
	*) result 1 "$2: $3" ;;
	esac
	return "$1"
}

# kernel_for WHAT NAME: use_kernel, which sets name, dir, root and tree, and get the kernel, whose release
# goes to $release. If that fails, WHAT is skipped or fails.
kernel_for() {
	local status=0
	use_kernel "$2"
	release=$("$machines/kernel" "$2") || status=$?
	got $status "$1" "no kernel $2, see ${dir#"$top"/}"
}

# begin_tree TREE: begin a directory to lay over a guest's root
begin_tree() {
	rm -rf "$1"
	mkdir -p "$1"/{bin,opt,parts,run}
	cp "$machines/guest" "$top/tests/tap.sh" "$1/bin/"
}

# all_modules DIR TREE: those built in DIR go to TREE's opt
all_modules() {
	find "$1" -path "$1/install" -prune -o -name '*.ko' -exec cp -t "$2/opt" {} +
}

# drivers_on CPU: those that must be there, on a CPU model or on this machine ("host")
drivers_on() {
	local flags driver needs flag
	if [ "$1" = host ]; then
		flags=$(grep -m 1 '^flags' /proc/cpuinfo)
	else
		flags=$(grep "^model $1[[:space:]]" "$machines/drivers") || return
	fi
	grep '^poly1305-' "$machines/drivers" | while read -r driver needs; do
		for flag in $needs; do
			grep -qw "$flag" <<<"$flags" || continue 2
		done
		echo "$driver"
	done | paste -s -d ' '
}

# beside COMMAND...: run it beside the script as soon as only one other does
beside() {
	while [ "$(jobs -pr | wc -l)" -ge 2 ]; do
		wait -n || true
	done
	{
		"$@" &
		wait $! || echo "$?" >>"$results/failed"
	} &
}

# with_where WHERE: of what a guest says, each point ("ok - what", "not ok - what") with WHERE and the
# remarks before it in one write, so that those of two guests do not mix
with_where() {
	local line remarks=
	while IFS= read -r line; do
		case $line in
		"ok - "* | "not ok - "*)
			printf '%s%s [%s]\n' "$remarks" "$line" "$1"
			remarks=
			;;
		*) remarks+="# ${line#\# }"$'\n' ;;
		esac
	done
	printf %s "$remarks"
}

# boots NAME WHERE ARGUMENT...: what guest does, below
boots() {
	local name=$1 where=$2 said=$results/boot-$1.log
	local expected=0 what="ran to its end, its kernel in order" points status wrong=0
	shift 2
	[[ $name != *-planted ]] ||
		expected=complained what="ran to its end, and its kernel complained"
	for points in "$results/points-$name"{,-again,-last}; do
		[[ $points = *-"$name" ]] ||
			echo "# guest $name: booted again, for it died of the emulator [$where]"
		"$machines/boot" -l "$results/console-$name.log" "$@" 2>>"$said" </dev/null |
			with_where "$where" | tee "$points"
		status=${PIPESTATUS[0]}
		[ "$status" = 124 ] || break
	done
	[ "$expected" != 0 ] || ! grep -q '^not ok' "$points" || expected=1
	[ "$status" != 125 ] || ! grep -q ' complained: ' "$said" || status=complained
	[ "$status" = "$expected" ] || wrong=1
	result "$wrong" "guest $name: $what [$where]" "$said"
}

# guest NAME WHERE ARGUMENT...: boot a guest beside the script, with these arguments for
# tests/machines/boot, and print its points. The last one says that it ran to its end, and that its
# kernel complained of nothing, or, in a guest KERNEL-planted, of something. If it died of the emulator
# (status 124), it is booted again, at most twice.
guest() { beside boots "$@"; }
