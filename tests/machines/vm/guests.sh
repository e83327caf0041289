# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash disable=SC2154
#
# What the suites that boot guests share, after tests/machines/vm/lib.sh: TAP, the files
# that are laid over a guest's root, and running guests, two at a time.

skip() {
	echo "1..0 # SKIP $*"
	exit 0
}

points=0 failures=0
# point RESULT WHAT: a line of TAP; RESULT is ok or "not ok"
point() {
	points=$((points + 1))
	[ "$1" = ok ] || failures=$((failures + 1))
	echo "$1 $points - $2"
}

# needed: end the suite here if this machine cannot run guests.
needed() {
	local tool
	for tool in qemu-system-x86_64 busybox cpio debootstrap unshare; do
		command -v "$tool" >/dev/null ||
			skip "$tool is missing: run tools/setup"
	done
	[ "$(id -u)" = 0 ] ||
		skip "needs root, to build with the tools of a Debian release"
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

# drivers_on CPU: those that tests/machines/vm/drivers says must be there
drivers_on() {
	sed 's/#.*//' "$top/tests/machines/vm/drivers" | while read -r driver models; do
		[[ " $models " != *" $1 "* ]] || echo "$driver"
	done | paste -s -d ' '
}

# run_guest RESULTS TREE NAME CPU VCPUS COMMAND...: one boot of $suite, with
# boot_options besides; what becomes of it goes to RESULTS. With -j among them, one
# that dies of an int3 is booted a second time: README.md tells why.
boot_options=()
run_guest() {
	local results=$1 tree=$2 name=$3 cpu=$4 vcpus=$5 log=$1/console-$3.log
	local status=0 boot remark=''
	shift 5
	while :; do
		"$top/tests/machines/vm/boot" -c "$cpu" -p "$vcpus" -t 900 \
			"${boot_options[@]}" -l "$log" "$suite" "$tree" "$@" \
			>"$results/points-$name.log" 2>"$results/boot-$name.log" &
		boot=$!
		trap 'kill "$boot"' INT TERM
		wait "$boot" || status=$?
		if [ -n "$remark" ] || [[ " ${boot_options[*]} " != *" -j "* ]] ||
			! grep -q 'int3: 0000' "$log"; then
			break
		fi
		remark="# guest $name: booted again, for it died of an int3"
		say "$suite: ${remark#\# }"
		status=0
	done
	[ -z "$remark" ] || echo "$remark" >>"$results/points-$name.log"
	echo "$status" >"$results/status-$name"
	say "$suite: guest $name ended after $SECONDS s"
}

# forget RESULTS: leave no result of an earlier run
forget() {
	mkdir -p "$1"
	rm -f "$1"/{boot,console,points,status}-*
}

# beside COMMAND...: run it beside the script as soon as only one other does
beside() {
	while [ "$(jobs -pr | wc -l)" -ge 2 ]; do
		wait -n || true
	done
	"$@" &
}
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM

# relay_points RESULTS NAME WHERE: what a guest said, as points. One that says 0 has
# failed nothing, one that says 1 has; else it broke off.
relay_points() {
	local results=$1 name=$2 where=$3 line sum=0 result="not ok"
	while IFS= read -r line; do
		case $line in
		"ok - "*) point ok "${line#ok - } [$where]" ;;
		"not ok - "*)
			point "not ok" "${line#not ok - } [$where]"
			sum=1
			;;
		"#"*) echo "$line" ;;
		*) echo "# $line" ;;
		esac
	done <"$results/points-$name.log"
	if [ "$(cat "$results/status-$name")" = "$sum" ]; then
		result=ok
	else
		sed 's/^/# /' "$results/boot-$name.log"
	fi
	point "$result" "guest $name: ran to its end, its kernel in order [$where]"
}
