# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=sh disable=SC2034,SC2154,SC2317
#
# Parts of the guests of the suite uml, for tests/machines/guest: KUnit.

# leaves: of nested KTAP the results that have none inside them, and those that
# failed although none inside them did; how many the totals say there are, at the end
leaves() {
	awk '
	{
		depth = match($0, /[^ ]/) - 1
		line = substr($0, depth + 1)
	}
	line ~ /^# Subtest: / {
		name[depth] = substr(line, 12)
		bad[depth] = 0
		next
	}
	line ~ /^# Totals: .*total:[0-9]+$/ && depth == 0 {
		sub(/.*total:/, "", line)
		total += line
		next
	}
	line ~ /^(not )?ok [0-9]+/ {
		failed = line ~ /^not/
		sub(/^(not )?ok [0-9]+ *-? */, "", line)
		bad[depth] += failed
		any += failed
		inside = depth + 4
		if (inside in name) {
			alone = failed && !bad[inside]
			delete name[inside]
			if (!alone)
				next
		}
		path = ""
		for (i = 4; i <= depth; i += 4)
			path = path name[i] ": "
		count++
		print (failed ? "not ok" : "ok") " - " path line
		next
	}
	{ print "# " line }
	END {
		good = count && count == total
		print (good ? "ok" : "not ok") \
			" - KUnit has " total + 0 " results, and here are " count + 0
		exit !good || any
	}'
}

# kunit MODULE: on that poly1305.ko
kunit() {
	must "insmod $1" load "/opt/$1"
	must "insmod poly1305_aes.ko" insmod /opt/poly1305_aes.ko
	dmesg -c >/dev/null
	check "insmod poly1305_kunit.ko" insmod /opt/poly1305_kunit.ko \
		drivers="$(drivers | paste -s -d ,)"
	dmesg | leaves || all_passed=1
	check "rmmod poly1305_kunit" rmmod poly1305_kunit
	check "rmmod poly1305_aes" rmmod poly1305_aes
	check "rmmod poly1305" rmmod poly1305
}

part_kunit() { kunit poly1305.ko; }
part_kunit_eager() { kunit eager.ko; }

# plant FAULT: run the cases on the driver that it names, or on the library
plant() {
	printf %s "$1" >/sys/module/poly1305/parameters/fault
	dmesg -c >/dev/null
	insmod /opt/poly1305_kunit.ko drivers="${1#*:}" || return
	dmesg | leaves >/tmp/leaves
	rmmod poly1305_kunit
}

# sees SUBJECT CASE...: each case failed on the subject
sees() {
	subject=$1 green=''
	shift
	for each; do
		grep -qFx "not ok - poly1305: $each: $subject" /tmp/leaves || green="$green $each"
	done
	[ -z "$green" ] || echo "these do not:$green"
	[ -z "$green" ]
}

# Cases that a fault in what they should reach must turn red. Vector code: where long
# messages of a driver, or of the library, go
simd_any="lengths cuts pieces large corners guards alignment overlap mid-message contexts
	every-cpu at-once threads"
simd_driver="key-cuts after-final desc-alignment desc-copy desc-wipe export"
simd_library="hint verify wipe order copy sg sg-overlap"
# Scalar code in place of that: where SIMD is forbidden
scalar_any="contexts mid-message"

# shellcheck disable=SC2086
part_faults_seen() {
	must "insmod planted.ko" load /opt/planted.ko
	printf 'poly1305.*' >/sys/module/kunit/parameters/filter_glob
	for driver in $(drivers | grep -v -e portable -e x86_64); do
		check "simd:$driver: KUnit runs" plant "simd:$driver"
		check "fault simd:$driver: each of its cases sees it" \
			sees "$driver" $simd_any $simd_driver
		[ "$driver" != "$(best)" ] || check "fault simd:$driver: the library's do" \
			sees library $simd_any $simd_library
		check "scalar:$driver: KUnit runs" plant "scalar:$driver"
		check "fault scalar:$driver: each of its cases sees it" sees "$driver" $scalar_any
		[ "$driver" != "$(best)" ] || check "fault scalar:$driver: the library's do" \
			sees library $scalar_any
	done
	check "rmmod poly1305" rmmod poly1305
}

part_aes_test() {
	must "insmod poly1305.ko" load /opt/poly1305.ko
	must "insmod poly1305_aes.ko" insmod /opt/poly1305_aes.ko
	relay "aes_test aes" aes_test aes
}
