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

# suites_of MAC PARAMETER...: all suites, on the module of that MAC
suites_of() {
	mac=$1
	shift
	dmesg -c >/dev/null
	check "insmod ${mac}_kunit.ko" insmod "/opt/${mac}_kunit.ko" "$@"
	dmesg | leaves || all_passed=1
	check "rmmod ${mac}_kunit" rmmod "${mac}_kunit"
}

# kunit MODULE: on that poly1305.ko
kunit() {
	must "insmod $1" load "/opt/$1"
	must "insmod poly1305_aes.ko" insmod /opt/poly1305_aes.ko
	suites_of poly1305 drivers="$(drivers | paste -s -d ,)"
	check "rmmod poly1305_aes" rmmod poly1305_aes
	check "rmmod poly1305" rmmod poly1305
}

part_kunit() { kunit poly1305.ko; }
part_kunit_eager() { kunit eager.ko; }
part_kunit1271() {
	must "insmod poly1271.ko" load /opt/poly1271.ko
	suites_of poly1271
	check "rmmod poly1271" rmmod poly1271
}

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
simd_any="lengths cuts pieces large corners guards contexts every-cpu at-once threads"
simd_driver="key-cuts after-final desc-alignment desc-copy export pairs"
# Those whose pieces have LEN_SIMD bytes at most: on CPUs where SSE2 wins later than that,
# only eager.ko's SSE2 code is reached by them.
simd_short="alignment overlap mid-message"
simd_short_driver="desc-wipe"
simd_library="hint aead verify wipe order copy sg sg-overlap prepared prepared-overlap
	prepared-guards"
# Scalar code in place of that: where SIMD is forbidden
scalar_any="contexts"
scalar_short="mid-message"
# Lanes and pairs
lanes_library="batch batch-overlap corners contexts every-cpu at-once threads"

# shellcheck disable=SC2086
part_faults_seen() {
	must "insmod planted.ko" load /opt/planted.ko
	printf 'poly1305.*' >/sys/module/kunit/parameters/filter_glob
	for driver in $(drivers | grep -v -e portable -e x86_64); do
		cases="$simd_any $simd_driver" scalar_cases=$scalar_any
		[ "$driver" = poly1305-sse2 ] || {
			cases="$cases $simd_short $simd_short_driver"
			scalar_cases="$scalar_cases $scalar_short"
		}
		check "simd:$driver: KUnit runs" plant "simd:$driver"
		check "fault simd:$driver: each of its cases sees it" \
			sees "$driver" $cases
		[ "$driver" != "$(best)" ] || check "fault simd:$driver: the library's do" \
			sees library $simd_any $simd_short $simd_library
		check "scalar:$driver: KUnit runs" plant "scalar:$driver"
		check "fault scalar:$driver: each of its cases sees it" sees "$driver" $scalar_cases
		[ "$driver" != "$(best)" ] || check "fault scalar:$driver: the library's do" \
			sees library $scalar_any $scalar_short
	done
	if [ "$(best)" = poly1305-avx512 ]; then
		check "lanes:$(best): KUnit runs" plant "lanes:$(best)"
		check "fault lanes:$(best): the library's cases see it" \
			sees library $lanes_library
	fi
	check "rmmod poly1305" rmmod poly1305
}

part_aes_test() {
	must "insmod poly1305.ko" load /opt/poly1305.ko
	must "insmod poly1305_aes.ko" insmod /opt/poly1305_aes.ko
	relay "aes_test aes" aes_test aes
}
