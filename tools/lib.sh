# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash
#
# Functions that the commands in tools/ share: messages, jobs that show they are alive, and
# packages that a command needs, installed or only unpacked.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=$top/build/cache

# A calling make must not pass its flags to those called here.
unset MAKEFLAGS MFLAGS MAKELEVEL

say() { printf '%s\n' "$*"; }
die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# offer_help ARGUMENT...: with --help, print $usage and end.
offer_help() {
	[[ ${1:-} =~ ^(-h|--help)$ ]] || return 0
	# shellcheck disable=SC2154	# the command's
	say "$usage"
	exit 0
}

# need TOOL...: die unless all of them are installed.
need() {
	local tool
	for tool; do
		command -v "$tool" >/dev/null || die "$tool is missing: run tools/setup"
	done
}

# Neither make nor Kbuild can handle these.
[[ $top != *[[:space:]:]* ]] || die "the path of this folder has a space or a colon: $top"

# The table of suites; its second line names the columns.
table=$top/tests/suites.tsv

# cell SUITE N: the Nth cell of its row in the table
cell() { awk -F '\t' -v name="$1" -v n="$2" '$1 == name { print $n }' "$table"; }

# give_back: give what sudo made in somebody's checkout to its owner, except the systems in it.
# For the end of a command.
give_back() {
	[ -n "${SUDO_UID:-}" ] && [ "$(id -u)" = 0 ] || return 0
	find "$top/build" \( -path "$top/build/vm/*" -o -path "$top/build/fresh/*" \) \
		-type d -prune -o -exec chown -h --reference="$top" {} + 2>/dev/null || :
}

# A job is a command or function that runs in parallel with the script, one at a time. When it ends, so
# does everything that it started. An interrupt ends the job and then the script.
job=

# kin: find the processes that descend from the job or are in its group.
kin() {
	cat /proc/[0-9]*/stat 2>/dev/null | awk -v job="$job" '
	{
		pid = $1
		sub(/.*\) /, "")	# the name may hold anything
		if ($1 != "Z") {
			parent[pid] = $2
			group[pid] = $3
		}
	}
	END {
		found[job]
		do {
			more = 0
			for (pid in parent)
				if (!(pid in found) && (group[pid] == job || parent[pid] in found)) {
					found[pid]
					more = 1
				}
		} while (more)
		for (pid in found)
			if (pid in parent)
				print pid
	}'
}

end_job() {
	local kin

	[ -n "$job" ] || return 0
	mapfile -t kin < <(kin)
	[ ${#kin[@]} != 0 ] || return 0
	kill -TERM "${kin[@]}" 2>/dev/null || return 0
	for _ in {1..20}; do
		sleep 0.1
		kill -0 "${kin[@]}" 2>/dev/null || return 0
	done
	kill -KILL "${kin[@]}" 2>/dev/null || :
}
trap 'end_job; printf "\n%s: interrupted\n" "${0##*/}" >&2; exit 130' HUP INT TERM

# start OUT ERR COMMAND...: make COMMAND the job.
start() {
	local out=$1 err=$2
	shift 2
	: >"$out"
	: >"$err"
	set -m
	"$@" >>"$out" 2>>"$err" </dev/null &
	job=$!
	set +m
}

# watch PROGRESS SECONDS FILE...: wait for the job, and return its status. If it writes to none of the
# files for SECONDS, or writes more than 64 MiB, end it, and set silent. Call PROGRESS twice a minute.
watch() {
	local progress=$1 limit=$2 told=$SECONDS status=0
	shift 2
	silent=
	while kill -0 "$job" 2>/dev/null; do
		sleep 0.5
		if [ -n "$(find "$@" -size +64M)" ] ||
			[ -z "$(find "$@" -newermt "$limit seconds ago")" ]; then
			silent=yes
			break
		fi
		((SECONDS - told >= 30)) || continue
		told=$SECONDS
		"$progress"
	done
	# Processes that a finished job left running would disturb the next one.
	end_job
	wait "$job" 2>/dev/null || status=$?
	job=
	return $status
}

# step LOG WHAT COMMAND...: say WHAT, run COMMAND with its output in LOG, and report how long it has run.
# It is ended after an hour without output.
step() {
	local log=$1 begin=$SECONDS status=0
	say "$2"
	shift 2
	mkdir -p "${log%/*}"
	start "$log" "$log" "$@"
	watch tell_age 3600 "$log" || status=$?
	[ -z "$silent" ] || echo 'E: no word for an hour' >>"$log"
	return $status
}
tell_age() { printf '   %d:%02d\n' $(((SECONDS - begin) / 60)) $(((SECONDS - begin) % 60)); }

# attempt LOG WHAT COMMAND...: a step that must succeed; otherwise die.
attempt() {
	local log=$1 why

	step "$@" && return
	why=$(grep -E '^(E|ERROR|Error):? ' "$log" | tail -n 1 || :)
	die "failed${why:+ ($why)}; see ${log#"$top"/}"
}

# packages LIST...: print the names in these files, one a line, except those from PyPI.
packages() {
	sed 's/#.*//; /^pypi:/d' "$@" | tr -s ' \t' '\n' | sed '/^$/d' | sort -u
}

# need_packages LIST...: install packages that these files name and that are missing. Suites without
# their packages from PyPI are skipped.
need_packages() {
	need_debian "$@"
	need_pypi "$@" || [ "${0##*/}" = check ] ||
		die "PyPI does not answer; see build/setup/pypi.log"
}

# Without root, say how to install packages, and end. On systems other than Debian, where packages have
# other names, skip installing.
need_debian() {
	local list missing

	for list; do
		[ -f "$list" ] || die "no such list of packages: $list"
	done
	mapfile -t missing < <(comm -23 <(packages "$@") \
		<(dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null |
			sed -n 's/^installed //p' | sort -u))
	[ ${#missing[@]} != 0 ] || return 0
	if ! command -v apt-get >/dev/null; then
		say "${0##*/}: no apt-get here, so nothing is installed; this needs packages that" \
			"Debian calls ${missing[*]}" >&2
		# setup has no other purpose, so there it fails.
		[ "${0##*/}" != setup ]
		return
	fi
	[ "$(id -u)" = 0 ] || die "as root, type './tools/setup ${*#"$top"/}'; it installs" \
		"the packages that are missing: ${missing[*]}"
	attempt "$top/build/setup/packages.log" \
		"${0##*/}: installing ${#missing[@]} packages: ${missing[*]}" \
		apt_install "${missing[@]}"
}

# apt_install PACKAGE...: bring apt's lists up to date and install.
apt_install() {
	local answer=yes log=$top/build/setup/packages.log
	local apt=(apt-get -q -y -o DPkg::Lock::Timeout=600 -o APT::Update::Error-Mode=any)
	local install=("${apt[@]}" --no-install-recommends --no-remove install "$@")

	export DEBIAN_FRONTEND=noninteractive
	"${apt[@]}" update || answer=no
	"${install[@]}" && return
	# An interrupted run may have left dpkg half-way: it then asks for this.
	grep -q 'dpkg --configure -a' "$log" && dpkg --configure -a &&
		"${install[@]}" && return
	[ $answer = yes ] || printf 'E: no answer from an archive: is there a network?\n'
	return 1
}

# Packages that Debian 12 does not have come from PyPI, lines pypi:NAME==VERSION, and go into build/venv.
# A virtual environment contains its path: a tree that was moved needs a new one, and so does an upgraded
# system.
venv=$top/build/venv

need_pypi() {
	local missing here

	here=$({ echo "$top" && /usr/bin/python3 -V &&
		sed -n 's/^\(ID\|VERSION_ID\)=//p' /etc/os-release; } | tr '\n' ' ')
	grep -qxF "$here" "$venv/made" 2>/dev/null || rm -rf "$venv"
	mapfile -t missing < <(sed -n 's/^pypi:\([^[:space:]]*\).*/\1/p' "$@" | sort -u |
		grep -vxF -f <(cat "$venv/made" 2>/dev/null) || :)
	[ ${#missing[@]} = 0 ] ||
		step "$top/build/setup/pypi.log" "${0##*/}: getting ${missing[*]} from PyPI" \
			pip_install "$here" "${missing[@]}"
}

# pip_install MADE PACKAGE...: install them, and note what the environment was made for.
pip_install() {
	[ -d "$venv" ] || /usr/bin/python3 -m venv "$venv" || return
	"$venv/bin/pip" install --no-input "${@:2}" && printf '%s\n' "$@" >>"$venv/made"
}

# sid_source DIR: unpack the newest source of Linux in Debian sid into DIR, and print the name of
# its package. Apt gets lists of sid, separate from those of this machine. Call this only in $(...):
# otherwise later calls of apt would use these lists, too.
sid_source() {
	local main source cache=$cache/sid

	main=$(mirror Debian) || return
	mkdir -p "$cache"
	printf 'deb [signed-by=%s] %s sid main\n' \
		/usr/share/keyrings/debian-archive-keyring.gpg "$main" >"$cache/sources.list"
	printf '%s;\n' "Dir::Etc::SourceList \"$cache/sources.list\"" \
		'Dir::Etc::SourceParts "/dev/null"' 'Acquire::Check-Date "false"' \
		'Acquire::Languages "none"' >"$cache/apt.conf"
	export APT_CONFIG=$cache/apt.conf
	apt_refresh >&2 || return
	source=$(apt_here apt-cache search --names-only '^linux-source-[0-9.]+$' |
		sed 's/ .*//' | sort -V | tail -n 1)
	unpack "$1" "$source" >&2 && printf '%s\n' "$source"
}

# From the newest source of Linux: the kernel's own tests of Poly1305, ChaCha20-Poly1305, WireGuard,
# kernel TLS and ovpn; checkpatch.pl and kernel-doc in scripts; and the file "source", which names the
# package
upstream=$cache/upstream

need_upstream() {
	local new=$upstream.new source

	mkdir -p "$cache"
	exec 8>"$upstream.lock"
	flock 8
	[ ! -e "$upstream/include/uapi/linux/ovpn.h" ] || return 0
	rm -rf "$upstream" "$new"
	source=$(sid_source "$new") &&
		tar -C "$new" --transform 's,^[^/]*/,,S;s,.*/\(tests\|wireguard\)/,,S' --wildcards \
			-xf "$new/usr/src/$source".tar.* '*/selftests/wireguard/netns.sh' \
			'*/lib/crypto/tests'/{*poly1305*,hash-test*} '*/tools/lib/python/kdoc' \
			'*/selftests/'{kselftest.h,kselftest_harness.h,net/tls.c,net/ovpn/ovpn-cli.c} \
			'*/uapi/linux/'{tls,ovpn,if_link}.h \
			"$source"/scripts/{checkpatch.pl,*.checkpatch,spelling.txt,kernel-doc} \
			"$source/tools/docs/kernel-doc" &&
		rm -r "${new:?}/usr" && echo "$source" >"$new/source" && mv "$new" "$upstream"
}

# enter ROOT MOUNTS COMMAND...: after MOUNTS, commands of sh that may name $root, run COMMAND in the
# Debian at ROOT, as process 1 of a namespace: nothing is left running or mounted, however this ends.
enter() {
	# shellcheck disable=SC2016
	env LC_ALL=C.UTF-8 HOME=/root DEBIAN_FRONTEND=noninteractive INITRD=No \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		unshare --mount --pid --fork --kill-child sh -c 'root=$1 mounts=$2; shift 2
			eval "$mounts" && mount -t proc proc "$root/proc" || exit
			exec chroot "$root" "$@"' sh "$@"
}

# lay TREE PROGRAM...: put programs into TREE's bin, and their libraries where the programs look for
# them.
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

# apt_here TOOL ARGUMENT...: run a tool of apt with a cache and lists that need not be root's
apt_here() {
	local tool=$1
	shift
	"$tool" -o Dir::State::Lists="$cache/apt/lists" -o Dir::Cache="$cache/apt" \
		-o APT::Sandbox::User=root "$@"
}

# apt_refresh: update the lists, one command at a time, because apt does not wait for a lock. The
# system's hooks are not run: Debian's containers have a hook that deletes what another apt has just
# downloaded.
apt_refresh() {
	mkdir -p "$cache/apt/lists/partial" "$cache/apt/archives/partial"
	printf '#clear %s;\n' APT::Update::Post-Invoke{,-Success} >"$cache/apt/no-hooks"
	(
		flock 8
		apt_here apt-get -qq -c "$cache/apt/no-hooks" update
	) 8>"$cache/apt/refresh.lock"
}

# mirror LABEL: print where this machine's apt finds Debian, or Debian-Security. VM_MIRROR=URL overrides
# it for Debian. A machine whose apt has no lists yet gets some under build/cache.
mirror() {
	# shellcheck disable=SC2016
	local found ask=(apt-get indextargets --format '$(LABEL) $(REPO_URI)'
		'Created-By: Packages' 'Origin: Debian')

	if [ -z "$("${ask[@]}")" ]; then
		apt_refresh || return
		ask=(apt_here "${ask[@]}")
	fi
	found=$("${ask[@]}" | awk -v label="$1" '$1 == label { print $2; exit }')
	[ "$1" != Debian ] || found=${VM_MIRROR:-$found}
	[ -n "$found" ] || printf 'E: apt knows no mirror of %s\n' "$1" >&2
	printf '%s\n' "$found" | grep .
}

# bootstrap RELEASE DIR [OPTION...]: install a minimal Debian, which reaches apt's mirror as this machine
# does. A mirror may be frozen at some date.
bootstrap() {
	local main merged=() settings

	main=$(mirror Debian) || return
	mapfile -t settings < <(apt-config dump Acquire::http Acquire::https)
	settings+=('Acquire::Check-Date "false";')
	# These releases themselves do not see to it that /bin is /usr/bin, as the installer does.
	# shellcheck disable=SC2016
	case $1 in
	bullseye) merged=(--setup-hook='cd "$1" && for each in bin sbin lib lib32 lib64 libx32; do
		mkdir -p "usr/$each" && ln -s "usr/$each" . || exit; done') ;;
	bookworm) merged=(--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr) ;;
	esac
	unshare --mount mmdebstrap --mode=root --variant=minbase "${merged[@]}" "${@:3}" \
		--keyring=/usr/share/keyrings/debian-archive-keyring.gpg \
		"${settings[@]/#/--aptopt=}" "$1" "$2" "$main"
}

# unpack DIR PACKAGE...: download packages and unpack them into DIR.
unpack() (
	dir=$1
	shift
	mkdir -p "$dir" && new=$(mktemp -d "$cache/debs.XXXXXX") || exit
	trap 'rm -rf "$new"' EXIT
	(cd "$new" && apt_here apt-get -q download "$@") || exit
	for deb in "$new"/*.deb; do
		dpkg-deb -x "$deb" "$dir" || exit
	done
)

# linux_source VERSION: the source of Linux in Debian's package linux-source-VERSION, of sid or
# experimental, without the larger part of what no configuration here builds; unpacked once. Prints
# the folder. For $(...) alone, as sid_source.
linux_source() {
	local tree=$cache/linux/$1.tree new=$cache/linux/$1.new lists=$cache/experimental main suite

	mkdir -p "$cache/linux" "$lists"
	exec 8>"$cache/linux/$1.lock"
	flock 8
	if [ ! -e "$tree/Makefile" ]; then
		main=$(mirror Debian) || return
		for suite in sid experimental; do
			printf 'deb [signed-by=%s] %s %s main\n' \
				/usr/share/keyrings/debian-archive-keyring.gpg "$main" "$suite"
		done >"$lists/sources.list"
		printf '%s;\n' "Dir::Etc::SourceList \"$lists/sources.list\"" \
			'Dir::Etc::SourceParts "/dev/null"' 'Acquire::Check-Date "false"' \
			'Acquire::Languages "none"' >"$lists/apt.conf"
		export APT_CONFIG=$lists/apt.conf
		rm -rf "$tree" "$new" && mkdir -p "$new/tree" && apt_refresh >&2 &&
			unpack "$new" "linux-source-$1" >&2 &&
			tar -C "$new/tree" --strip-components=1 -xf "$new/usr/src/linux-source-$1".tar.* \
				--exclude='*/Documentation/*/*' --exclude='*/sound/*.[ch]' \
				--exclude='*/drivers/gpu/*.[ch]' --exclude='*/drivers/media/*.[ch]' \
				--exclude='*/drivers/net/[!w]*/*.[ch]' --exclude='*/tools/testing/*/*' \
				--exclude='*.dts*' &&
			mv "$new/tree" "$tree" || return
		rm -rf "$new"
	fi
	printf '%s\n' "$tree"
}
