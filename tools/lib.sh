# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash
#
# What the commands in tools/ share: messages, jobs that show they are alive,
# and getting packages without installing them.

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=$top/build/cache

# A make above us must not reach into the ones below.
unset MAKEFLAGS MFLAGS MAKELEVEL

say() { printf '%s\n' "$*"; }
die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# A job is a command or function that runs beside the script, one at a time. It ends
# with all that it started, and an interrupt ends it and then the script.
job=

# kin: the processes that descend from the job or are in its group.
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
			for (pid in parent) {
				if (pid in found || group[pid] != job &&
				    !(parent[pid] in found))
					continue
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

# attend LIMIT NEWS: wait for the job and return its status, or 124 if it had to be
# ended after LIMIT seconds. Once a second on a terminal, twice a minute elsewhere,
# tell its age and what NEWS prints.
attend() {
	local limit=$1 news=$2 age=0 told=0 begin=$SECONDS status=0 late=0 line

	while kill -0 "$job" 2>/dev/null; do
		age=$((SECONDS - begin))
		if ((age > limit)); then
			late=1
			break
		fi
		sleep 0.2
		((age - told >= (tty ? 1 : 30))) || continue
		told=$age
		line=$(printf '   %d:%02d %s' $((age / 60)) $((age % 60)) "$($news)")
		if ((tty)); then
			printf '\r\033[K%s' "${line:0:78}"
		else
			printf '%s\n' "$line"
		fi
	done
	((!tty)) || printf '\r\033[K'
	# What a job that is over left running would disturb what comes next.
	end_job
	wait "$job" || status=$?
	job=
	((!late)) || status=124
	return $status
}
tty=0
[ ! -t 1 ] || tty=1

# step LOG WHAT COMMAND...: say WHAT, run COMMAND with its output in LOG, for an hour
# or $patience seconds at most.
step() {
	local log=$1 limit=${patience:-3600} status=0
	say "$2"
	shift 2
	mkdir -p "${log%/*}"
	start "$log" "$log" "$@"
	attend "$limit" : || status=$?
	[ $status != 124 ] || printf 'E: no end after %d s\n' "$limit" >>"$log"
	return $status
}

# attempt LOG WHAT COMMAND...: a step without which there is no going on.
attempt() {
	local log=$1 what=$2 why

	step "$@" && return
	why=$(grep -E '^(E|ERROR|Error):? ' "$log" | tail -n 1 || :)
	die "${what#"${what%%[! ]*}"}: failed${why:+ ($why)}; see ${log#"$top"/}"
}

# packages [FILE...]: the names in these lists, or in all lists of the tree
packages() {
	local lists=("$@")
	[ $# != 0 ] ||
		mapfile -t lists < <(find "$top"/{tools,bench,tests} -name packages)
	sed 's/#.*//' "${lists[@]}" | tr -s ' \t' '\n' | sed '/^$/d' | sort -u
}

# apt_here TOOL ARGUMENT...: apt with lists of its own, which need not be root's
# and are not out of date.
apt_here() {
	local tool=$1
	shift
	"$tool" -o Dir::State::Lists="$cache/apt/lists" \
		-o Dir::Cache="$cache/apt" -o APT::Sandbox::User=root "$@"
}

# apt_refresh: ask the archive what it has.
apt_refresh() {
	mkdir -p "$cache/apt/lists/partial" "$cache/apt/archives/partial"
	apt_here apt-get -qq update
}

# unpack DIR PACKAGE...: download packages and unpack them into DIR.
unpack() {
	local dir=$1 deb
	shift
	rm -rf "$cache/debs.new"
	mkdir -p "$cache/debs.new" "$dir"
	(cd "$cache/debs.new" && apt_here apt-get -q download "$@") || return
	for deb in "$cache"/debs.new/*.deb; do
		dpkg-deb -x "$deb" "$dir" || return
	done
	rm -rf "$cache/debs.new"
}
