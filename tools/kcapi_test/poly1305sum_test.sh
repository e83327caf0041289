#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# poly1305sum_test.sh [DRIVER]: tests poly1305sum, which must be in the same folder.
# Prints TAP. Without a DRIVER, everything is skipped (exit status 4) if the kernel does
# not offer poly1305 to user space.

# The cases are called by name. One that returns 4 cannot run here.
# shellcheck disable=SC2317

set -u

here=$(cd "$(dirname "$0")" && pwd)
driver=${1:-poly1305}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
umask 077	# there are keys

poly1305sum() { "$here/poly1305sum" "$@"; }
sum() { poly1305sum -d "$driver" "$@"; }

# The vector of RFC 8439, section 2.5.2
key_hex=85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b
tag=a8061dc1305136c6c22b8baf0c0127a9
# The tag of no text is the second half of the key. That of 64 MiB of zeros is a
# geometric series.
tag_empty=0103808afb0db2fd4abff6af4149f51b
tag_zeros=9dd380d3c000f7d6c5ab1a2d4e13c623

# unhex HEX: print the bytes
unhex() {
	echo "$1" | sed 's/../& /g' | tr ' ' '\n' | while read -r byte; do
		# shellcheck disable=SC2059
		[ -z "$byte" ] || printf "\\$(printf %03o "0x$byte")"
	done
}

# A second key, and both in one file
other_hex=${key_hex%??}78
unhex "$key_hex" >key
unhex "$other_hex" >other
head -c 31 key >key31
cat key other >keys
cat key other key >again
printf 'Cryptographic Forum Research Group' >text
: >empty

# is OUTPUT COMMAND...: it succeeds, prints OUTPUT, and nothing on stderr
is() {
	want=$1
	shift
	got=$("$@" 2>err </dev/null) && [ "$got" = "$want" ] && [ ! -s err ]
}

# refused WORDS COMMAND...: exit status 1, one line with WORDS on stderr, and nothing
# on stdout
refused() {
	words=$1
	shift
	"$@" >out 2>err </dev/null
	[ $? = 1 ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] &&
		grep -q "^poly1305sum: .*$words" err
}

# checked STATUS OUTPUT MESSAGES OPTION...: the results of --check
checked() {
	status=$1 output=$2 messages=$3
	shift 3
	sum --check "$@" >out 2>err </dev/null
	[ $? = "$status" ] && [ "$(cat out)" = "$output" ] &&
		[ "$(sed 's/^poly1305sum: //' err)" = "$messages" ]
}

case_file() { is "$tag  text" sum -k key text; }
case_stdin() { [ "$(sum -k key <text)" = "$tag  -" ]; }
case_stdin_named() { [ "$(sum -k key - <text)" = "$tag  -" ]; }
case_empty() { is "$tag_empty  empty" sum -k key empty; }
case_key_on_stdin() { [ "$(echo "$key_hex" | sum -k - text)" = "$tag  text" ]; }
case_key_spaced() {
	[ "$(echo "$key_hex" | tr a-f A-F | sed 's/..../& /g' | tr ' ' '\n' |
		sum -k - text)" = "$tag  text" ]
}
case_key_fd() { [ "$(sum --key-fd 3 text 3<key)" = "$tag  text" ]; }
case_two_files() {
	one=$(sum -k other empty)
	is "$tag  text
$one" sum -k keys text empty
}
case_raw() {
	sum -k key --raw text >out && unhex "$tag" >want && cmp -s out want
}
case_large() {
	[ "$(head -c 67108864 /dev/zero | sum -k key)" = "$tag_zeros  -" ]
}
case_default_driver() { is "$tag  text" poly1305sum -k key text; }

# heap PID: the bytes of its heap, in hexadecimal, on one line
heap() {
	range=$(sed -n 's/ .*\[heap\]$//p' "/proc/$1/maps")
	[ -n "$range" ] || return
	first=$((0x${range%-*} / 4096))
	last=$((0x${range#*-} / 4096))
	dd if="/proc/$1/mem" bs=4096 skip="$first" count=$((last - first)) \
		2>/dev/null | od -An -v -tx1 | tr -d ' \n'
}

# While it waits for the second message, the first key is already gone from memory.
case_key_wiped() {
	mkfifo pipe
	"$here/poly1305sum" -d "$driver" -k keys text - <pipe >out &
	pid=$!
	exec 4>pipe
	wiped=1
	for _ in 1 2 3 4 5; do
		sleep 1
		heap "$pid" >memory
		grep -q "$other_hex" memory || continue
		grep -q "$key_hex" memory || wiped=0
		break
	done
	exec 4>&-
	wait "$pid" || wiped=1
	[ -s memory ] || return 4
	return "$wiped"
}

# What cannot be dumped belongs to root in /proc. Only another user shows that.
case_no_core_dump() {
	# By its path, for a shell of busybox would take busybox's.
	/bin/setpriv --reuid=65534 "$here/poly1305sum" --version >/dev/null 2>&1 || return 4
	mkfifo waiting
	/bin/setpriv --reuid=65534 "$here/poly1305sum" --key-fd 3 <waiting 3<key >out &
	pid=$!
	exec 4>waiting
	owner=65534
	for _ in 1 2 3 4 5; do
		sleep 1
		owner=$(stat -c %u "/proc/$pid/maps")
		[ "$owner" != 0 ] || break
	done
	exec 4>&-
	wait "$pid" && [ "$owner" = 0 ]
}

# A file of keys that others can read gets a warning, and works; a pipe gets none.
case_open_key() {
	cp key open
	for mode in 640 604; do
		chmod "$mode" open
		[ "$(sum -k open text 2>err)" = "$tag  text" ] &&
			[ "$(wc -l <err)" = 1 ] &&
			grep -q "^poly1305sum: WARNING: open: its mode, 0$mode, lets" err || return
	done
	echo "$key_hex" >hex
	chmod 644 hex
	sum -k - text <hex 2>&1 >out | grep -q 'WARNING: standard input: its mode' || return
	echo "$tag  text" >list
	is "" sum -k open --check --status list && chmod 600 open && is "$tag  text" sum -k open text
}

case_too_few_keys() { refused "each message needs a key" sum -k key text empty; }
case_too_many_keys() {
	refused "each message needs a key" sum -k keys text &&
		! echo "$key_hex$other_hex" | sum -k - text >out 2>err &&
		[ ! -s out ] && grep -q "each message needs a key" err
}
case_short_key() { refused "32 bytes" sum -k key31 text; }
case_same_key() { refused "keys 1 and 3 are the same" sum -k again text text text; }
case_no_key() { refused "is needed" sum text; }
case_two_keys() {
	refused "is needed" sum -k key --key-fd 3 text &&
		refused "is needed" sum -k key -k other text
}
case_no_key_file() { refused "No such file" sum -k missing text; }
case_bad_hex() {
	for bad in g G '`' '@' / : x é; do
		echo "$bad$key_hex" | cut -c 1-64 >hex
		sum -k - text <hex >out 2>err && return 1
		[ ! -s out ] && grep -q "64 hexadecimal digits" err || return
	done
}
case_half_hex() {
	echo "${key_hex%?}" >hex
	! sum -k - text <hex >out 2>err && [ ! -s out ] && grep -q "half a byte" err
}

case_unknown_driver() {
	refused "no such hash: modprobe poly1305" \
		poly1305sum -d "$driver-missing" -k key text
}
case_not_poly1305() { refused "not a Poly1305" poly1305sum -d sha256 -k key text; }
# Tags and blocks of 16 bytes, but a key of its own
case_keyed_hash() {
	if refused "no such hash" poly1305sum -d 'cmac(aes)' -k key text; then
		return 4
	fi
	refused "its key must be set by other means" poly1305sum -d 'cmac(aes)' -k key text
}
case_missing_file() {
	other_tag=$(sum -k other empty)
	sum -k keys missing empty >out 2>err
	[ $? = 1 ] && [ "$(cat out)" = "$other_tag" ] &&
		[ "$(cat err)" = "poly1305sum: missing: No such file or directory" ]
}
# What was sent before the failure must not count to the next file.
case_directory() {
	other_tag=$(sum -k other empty)
	sum -k keys . empty >out 2>err
	[ $? = 1 ] && [ "$(cat out)" = "$other_tag" ] &&
		[ "$(cat err)" = "poly1305sum: .: Is a directory" ]
}
case_full_disk() {
	! sum -k key text >/dev/full 2>err && grep -q "No space left" err
}
case_bad_options() {
	refused "with --check only" sum -k key --quiet text &&
		refused "not go with --check" sum -k key --raw --check text &&
		refused "not go with" sum -k key --raw --json text &&
		refused "not a file descriptor" sum --key-fd -1 text &&
		refused "only one of" sum -k - - &&
		refused "only one of" sum -k keys - - &&
		refused "only one of" sum --key-fd 0 &&
		refused "and nothing else" sum --check --new-key=new &&
		refused "and nothing else" sum --new-key=new text &&
		refused "and nothing else" poly1305sum --new-key=new --bind-names &&
		refused "one key for all files" poly1305sum --aes --new-key=new text &&
		[ ! -e new ] && refused "with --aes only" sum --bind-names -k key text &&
		! poly1305sum --help >/dev/full 2>err &&
		grep -q "^poly1305sum: standard output" err &&
		! sum --key-fd 3 --nonsense text 2>err 3<key
}

# deny ERRNO: what poly1305sum says where AF_ALG sockets fail with that error
deny() { refused "$2" "$here/deny" socket 38 "$1" "$here/poly1305sum" -k key text; }
case_no_af_alg() { deny 97 'no AF_ALG: modprobe af_alg'; }
case_forbidden() {
	deny 1 'AF_ALG is forbidden here: .*Operation not permitted' &&
		deny 13 'AF_ALG is forbidden here: .*Permission denied'
}
case_no_socket() { deny 24 'AF_ALG: Too many open files'; }

case_version() { poly1305sum --version | grep -qx 'poly1305sum [1-9][0-9.]*'; }
case_help() { poly1305sum --help | grep -q "ONE KEY, ONE MESSAGE"; }

case_check() {
	sum -k keys text empty >list
	checked 0 "text: OK
empty: OK" "" -k keys list
}
case_check_stdin() {
	[ "$(echo "$tag  text" | sum -k key --check)" = "text: OK" ]
}
case_check_binary_mark() {
	echo "$tag *text" >list
	checked 0 "text: OK" "" -k key list
}
# One digit wrong, at both ends and in the middle; none of these is 0.
case_check_wrong_tag() {
	for digit in 1 2 16 17 31 32; do
		echo "$tag  text" | sed "s/./0/$digit" >list
		checked 1 "text: FAILED" \
			"WARNING: 1 computed tag did NOT match" -k key list ||
			return
	done
}
case_check_forged_file() {
	cp text forged
	echo "$tag  forged" >list
	checked 0 "forged: OK" "" -k key list || return
	echo >>forged
	checked 1 "forged: FAILED" "WARNING: 1 computed tag did NOT match" \
		-k key list
}
case_check_wrong_key() {
	echo "$tag  text" >list
	checked 1 "text: FAILED" "WARNING: 1 computed tag did NOT match" \
		-k other list
}
case_check_missing_file() {
	{ echo "$tag  gone"; sum -k other empty; } >list
	checked 1 "gone: FAILED open or read
empty: OK" "gone: No such file or directory
WARNING: 1 listed file could not be read" -k keys list
}
case_check_quiet() {
	echo "$tag  text" >list
	checked 0 "" "" -k key --quiet list &&
		checked 1 "text: FAILED" "WARNING: 1 computed tag did NOT match" \
			-k other --quiet list
}
case_check_status() {
	echo "$tag  text" >list
	checked 0 "" "" -k key --status list &&
		checked 1 "" "" -k other --status list
}
case_check_bad_line() {
	for line in "" text "$tag" "$tag text" "$tag  " "${tag}0  text" \
		"${tag%?}  text" "${tag%?}g  text"; do
		printf '%s\n' "$tag  text" "$line" >list
		refused "list: 2: not a line" sum -k keys --check list || return
	done
	printf '%s\n%s\000%s\n' "$tag  text" "$tag  te" xt >list
	refused "list: 2: not a line" sum -k keys --check list || return
	printf '%s\n' "$tag  text" "\\$tag  te\\xt" >list
	refused "list: 2: not a line" sum -k keys --check list || return
	refused "no lines" sum -k key --check empty
}
case_check_no_list() { refused "No such file" sum -k key --check missing; }
case_check_too_few_keys() {
	sum -k keys text empty >list
	refused "each message needs a key" sum -k key --check list
}
case_check_two_lists() {
	echo "$tag  text" >list
	sum -k other empty >list2
	checked 0 "text: OK
empty: OK" "" -k keys list list2
}
case_check_odd_names() {
	newline='
'
	name="a\\b${newline}c"
	cp text "$name" && sum -k key "$name" >list &&
		[ "$(cat list)" = "\\$tag  a\\\\b\\nc" ] &&
		checked 0 "\\a\\\\b\\nc: OK" "" -k key list
}

case_json() {
	is "{\"file\": \"text\", \"tag\": \"$tag\"}" sum -k key --json text
}
# Quote, backslash, tab, characters of 2 to 4 bytes, and bytes that are none: one alone,
# a surrogate, one too long, one cut short
case_json_names() {
	good=$(printf '\303\251\342\202\254\360\220\215\210')
	name=$(printf 'a"b\\c\td%s\377e\355\240\200\300\257\342\202' "$good")
	cp text "$name"
	want='{"file": "a\"b\\c\u0009d'$good'\udcffe\udced\udca0\udc80\udcc0\udcaf\udce2\udc82"'
	is "$want, \"tag\": \"$tag\"}" sum -k key --json "$name"
}
case_json_check() {
	{ echo "$tag  text"; echo "$tag  gone"; echo "$tag  empty"; } >list
	cat key other >three
	unhex "${key_hex%??}79" >>three
	checked 1 '{"file": "text", "result": "OK"}
{"file": "gone", "result": "FAILED open or read"}
{"file": "empty", "result": "FAILED"}' "gone: No such file or directory
WARNING: 1 listed file could not be read
WARNING: 1 computed tag did NOT match" -k three --json list
}

# On a terminal, the progress of a file that takes longer than a second; then it is erased
case_progress() {
	command -v script >/dev/null && [ -e /dev/pts/ptmx ] || return 4
	mkfifo slow
	{
		head -c 3145728 /dev/zero
		sleep 2
		head -c 3145728 /dev/zero
	} >slow &
	writer=$!
	script -qec "'$here/poly1305sum' -d '$driver' -k key slow" /dev/null >out </dev/null
	kill "$writer" 2>/dev/null
	tr '\r' '\n' <out >lines
	grep -q 'slow: [3-6] MiB, [0-9]* MiB/s$' lines && grep -q "K[0-9a-f]*  slow$" lines
}

# Poly1305-AES: the first vector of the paper
aes_key=ec074c835580741701425b623235add6851fc40c3467ac0be05cc20404f3f700
aes_line=fb447350c4e868c52ac3275cf9d4327e:f4c633c3044fc145f84f335cb81953de

# aes COMMAND...: runs it, if this kernel has poly1305(aes)
aes() {
	unhex "$aes_key" >aes
	unhex f3f6 >paper
	poly1305sum --aes -k aes paper >out 2>err || ! grep -q "modprobe poly1305_aes" err ||
		return 4
	"$@"
}
case_aes_vector() { aes aes_vector; }
aes_vector() {
	echo "$aes_line  paper" >list
	is "paper: OK" poly1305sum --aes -k aes --check list || return
	# A digit of the nonce, then one of the tag
	for digit in 1 40; do
		echo "$aes_line  paper" | sed "s/./0/$digit" >list
		! poly1305sum --aes -k aes --check list >out 2>err &&
			[ "$(cat out)" = "paper: FAILED" ] || return
	done
}
case_aes_many_files() { aes aes_many_files; }
aes_many_files() {
	rm -f new new2
	poly1305sum --aes --new-key new && poly1305sum --aes --new-key=new2 || return
	poly1305sum --aes -k new text empty text >list &&
		poly1305sum --aes -k new text >list2 || return
	# Four nonces, and four tags: none twice
	[ "$(cut -c 1-65 list list2 | tr : '\n' | sort -u | wc -l)" = 8 ] || return
	is "text: OK
empty: OK
text: OK
text: OK" poly1305sum --aes -k new --check list list2 &&
		! poly1305sum --aes -k new2 --check --status list
}
case_aes_json() { aes aes_json; }
aes_json() {
	poly1305sum --aes -k aes --json paper >out &&
		grep -qE '^\{"file": "paper", "nonce": "[0-9a-f]{32}", "tag": "[0-9a-f]{32}"\}$' out
}
case_aes_bad_key() { aes aes_bad_key; }
aes_bad_key() {
	refused "r has forbidden bits" poly1305sum --aes -k key text &&
		refused "one key, of 32 bytes" poly1305sum --aes -k keys text empty &&
		refused "one key, of 32 bytes" poly1305sum --aes -k key31 text
}
case_aes_bad_line() { aes aes_bad_line; }
aes_bad_line() {
	for line in "$tag  text" "${aes_line%?}  text" "$tag$tag  text" "$aes_line text"; do
		echo "$line" >list
		refused "not a line of the form 'NONCE:TAG  FILE'" \
			poly1305sum --aes -k aes --check list || return
	done
	echo "$aes_line  text" >list
	refused "not a line of the form 'TAG  FILE'" sum -k key --check list
}
# The manual's definition: with a name bound, the tag is that of a file that has the length
# of the name, in 8 bytes, the name and the contents.
case_aes_bound_names() { aes aes_bound_names; }
aes_bound_names() {
	bound="--aes --bind-names -k $work/aes"
	{ printf '\005\0\0\0\0\0\0\0paper' && cat paper; } >message
	poly1305sum --aes -k aes message | sed 's/:/+/; s/message/paper/' >list
	verdicts "paper: OK" list || return
	# shellcheck disable=SC2086
	poly1305sum $bound paper empty text >list &&
		verdicts "paper: OK
empty: OK
text: OK" list || return
	# Names and contents change places; then a name that differs in one byte.
	mkdir -p swapped
	cp paper swapped/text && cp text swapped/paper && cp empty swapped/ || return
	sed 's/paper/other/; s/text/paper/; s/other/text/' list >swapped/list
	(cd swapped && verdicts "text: FAILED
empty: OK
paper: FAILED" list) || return
	cp paper papes
	sed 's/paper/papes/; 1q' list >list2
	verdicts "papes: FAILED" list2 || return
	refused "list: 1: not a line of the form 'NONCE:TAG  FILE'" \
		poly1305sum --aes -k aes --check list || return
	tr + : <list >list2
	# shellcheck disable=SC2086
	refused "list2: 1: not a line of the form 'NONCE+TAG  FILE'" \
		poly1305sum $bound --check list2
}

# verdicts LINES LIST: of --check, with names bound
verdicts() {
	# shellcheck disable=SC2086
	[ "$(poly1305sum $bound --check "$2" 2>err)" = "$1" ]
}

# new_keys SIZE OPTION...: --new-key makes such a file, and no word; what is there stays
new_keys() {
	size=$1
	shift
	rm -f new
	(umask 022 && poly1305sum "$@") >out 2>err && [ ! -s out ] && [ ! -s err ] &&
		[ "$(stat -c '%a %s' new)" = "600 $size" ] || return
	cp new saved
	refused "new: File exists" poly1305sum "$@" && cmp -s new saved
}
case_new_key() {
	new_keys 32 --new-key new && new_keys 32 --aes --new-key new &&
		new_keys 96 --new-key new a b c || return
	# Three keys, and not those of the run before
	cp new before
	rm new
	poly1305sum --new-key new a b c &&
		[ "$(cat before new | od -An -v -tx1 -w32 | sort -u | wc -l)" = 6 ] &&
		refused "Not a directory" poly1305sum --new-key text/new
}
# For single messages all bits are random; for --aes 22 of r are 0. Ten keys that have a
# one nowhere among these are one in 2^220.
case_new_key_bits() {
	ones=0
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		rm -f new
		poly1305sum --aes --new-key new && [ "$(forbidden)" = 0 ] && rm new &&
			poly1305sum --new-key new || return
		ones=$((ones | $(forbidden)))
	done
	[ "$ones" != 0 ]
}
# forbidden: the bits that the paper forbids in r, of the key in new
forbidden() {
	od -An -v -tu1 -w32 new | awk '{
		for (i = 20; i <= 32; i += 4) bits += int($i / 16)
		for (i = 21; i <= 29; i += 4) bits += $i % 4
		print bits }'
}
# What did not reach the disk, the file or its name, is no key.
case_new_key_on_disk() {
	for fd in 3 4; do
		refused "undone: Input/output error" "$here/deny" fsync "$fd" 5 \
			"$here/poly1305sum" --new-key undone 3>&- 4>&- && [ ! -e undone ] || return
	done
	# EINVAL: this file system has no fsync().
	"$here/deny" fsync 3 22 "$here/poly1305sum" --new-key undone 3>&- 4>&- && [ -s undone ]
}

skip_reason=$(poly1305sum -k key text 2>&1 >/dev/null)
case $skip_reason in
*modprobe* | *AF_ALG*)
	if [ $# = 0 ]; then
		echo "TAP version 13"
		echo "1..0 # SKIP ${skip_reason#poly1305sum: }"
		exit 4
	fi
	;;
esac

cases=$(sed -n 's/^case_\([a-z_0-9]*\)().*/\1/p' "$here/${0##*/}")
result=0
number=0
echo "TAP version 13"
echo "1..$(echo "$cases" | wc -l)"
for case in $cases; do
	number=$((number + 1))
	("case_$case")
	case $? in
	0) echo "ok $number - $driver $case" ;;
	4) echo "ok $number - $driver $case # SKIP" ;;
	*)
		echo "not ok $number - $driver $case"
		result=1
		;;
	esac
done
exit $result
