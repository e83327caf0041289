#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# poly1305sum_test.sh: tests poly1305sum, which must be in the same folder. Prints TAP. If the
# kernel does not offer poly1305 to user space, everything is skipped (exit status 4).

# shellcheck disable=SC2317	# functions that commands call

set -u

here=$(cd "$(dirname "$0")" && pwd)
PATH=$here:$PATH
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
umask 077	# there are keys

number=0
result=0

# is FILE TEXT: its lines, joined by ";", are TEXT, a regular expression in which * is any text
# of one line.
is() {
	lines=$(tr '\n' ';' <"$1")
	printf '%s\n' "${lines%;}" |
		grep -qx -- "$(printf '%s\n' "$2" | sed 's/[*]/[^;]*/g')"
}

# try WHAT COMMAND STATUS OUTPUT ERRORS: the test case passes if COMMAND, which the shell
# evaluates, ends with STATUS, and prints OUTPUT to stdout and to stderr ERRORS, each line after
# the name of the program. Status 4, where 0 is expected, means that the case cannot run here.
try() {
	(eval "$2") >out 2>err </dev/null
	status=$?
	number=$((number + 1))
	if [ "$3:$status" = 0:4 ]; then
		echo "ok $number - $1 # SKIP"
	elif [ "$status" = "$3" ] && is out "$4" &&
		is err "$(echo "$5" | sed 's/^./poly1305sum: &/; s/;/&poly1305sum: /g')"; then
		echo "ok $number - $1"
	else
		sed 's/^/# /' out err
		echo "not ok $number - $1"
		result=1
	fi
}

# table: on each line of standard input a test case, WHAT | COMMAND | STATUS | OUTPUT | ERRORS
table() {
	sed '/^$/d; s/[[:blank:]]*|[[:blank:]]*/|/g' >rows
	while IFS='|' read -r what command wanted output errors; do
		try "$what" "$command" "$wanted" "$output" "$errors"
	done <rows
}

sum() { poly1305sum "$@"; }
aes() { poly1305sum --aes -k paper-key "$@"; }

# unhex HEX: print the bytes
unhex() {
	echo "$1" | sed 's/../& /g' | tr ' ' '\n' | while read -r byte; do
		# shellcheck disable=SC2059
		[ -z "$byte" ] || printf "\\$(printf %03o "0x$byte")"
	done
}

# The vector of RFC 8439, section 2.5.2, and a second key
hex=85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b
tag=a8061dc1305136c6c22b8baf0c0127a9
other_hex=${hex%??}78
unhex "$tag" >raw-tag
unhex "$hex" >key
unhex "$other_hex" >other
head -c 31 key >key31
cat key other >keys
cat key other key >again
echo "$hex" >hex
echo "${hex%?}" >hex-half
tr a-f A-F <hex | sed 's/..../& /g' | tr ' ' '\n' >hex-spaced
cp key open && chmod 640 open
unhex ec074c835580741701425b623235add6851fc40c3467ac0be05cc20404f3f700 >paper-key

printf 'Cryptographic Forum Research Group' >text
: >empty
# The tag of no text is the second half of the key. That of 64 MiB of zeros is a geometric series.
empty_tag=0103808afb0db2fd4abff6af4149f51b
other_tag=${empty_tag%??}78
zeros_tag=9dd380d3c000f7d6c5ab1a2d4e13c623
truncate -s 64M zeros

echo "$tag  text" >list
echo "$tag *text" >list-binary
echo "$other_tag  empty" >list-empty
cat list list-empty >list-two
{ echo "$tag  gone" && cat list-empty; } >list-gone
no_match='WARNING: 1 computed tag did NOT match'
unread='WARNING: 1 listed file could not be read'

echo "TAP version 13"
reason=$(sum -k key text 2>&1 >/dev/null && aes text 2>&1 >/dev/null)
case $reason in
*modprobe* | *AF_ALG*)
	echo "1..0 # SKIP ${reason#poly1305sum: }"
	exit 4
	;;
esac

table <<END
a file			| sum -k key text		| 0 | $tag  text |
standard input		| sum -k key <text		| 0 | $tag  - |
an empty file		| sum -k key empty		| 0 | $empty_tag  empty |
64 MiB			| sum -k key zeros		| 0 | $zeros_tag  zeros |
two files		| sum -k keys text empty	| 0 | $tag  text;$other_tag  empty |
raw			| sum -k key --raw text >raw; cmp raw raw-tag	| 0 | |
JSON			| sum -k key --json text	| 0 | {"file": "text", "tag": "$tag"} |

key in hexadecimal	| sum -k - text <hex		| 0 | $tag  text |
capitals and spaces	| sum -k - text <hex-spaced	| 0 | $tag  text |
key from a descriptor	| sum --key-fd 3 text 3<key	| 0 | $tag  text |
key of mode 640		| sum -k open text	| 0 | $tag  text | WARNING: open: *0640, lets*key. 0600*
silent on the mode	| sum -k open --check --status list	| 0 | |
too few keys		| sum -k key text empty		| 1 | | key: *each message needs a key*
too many keys		| sum -k keys text		| 1 | | keys: *each message needs a key*
half a byte of a key	| sum -k - text <hex-half	| 1 | | *half a byte*
short key		| sum -k key31 text		| 1 | | key31: fewer than 32 bytes*
the same key twice	| sum -k again text text text	| 1 | | *keys 1 and 3 are the same*
no key			| sum text			| 1 | | *is needed
no such file of keys	| sum -k gone text		| 1 | | gone: No such file*

no such driver		| sum -d none -k key text	| 1 | | none: no such hash: modprobe poly1305*
another hash		| sum -d sha256 -k key text	| 1 | | sha256: not a Poly1305*
a hash with a key	| sum -d 'cmac(aes)' -k key text | 1 | | *its key must be set by other means*
no such file		| sum -k keys gone empty	| 1 | $other_tag  empty | gone: No such file*
a directory		| sum -k keys . empty		| 1 | $other_tag  empty | .: Is a directory
full disk		| sum -k key text >/dev/full	| 1 | | standard output: No space left*
no AF_ALG		| deny socket 38 97 poly1305sum -k key text | 1 | | *no AF_ALG: modprobe af_alg*
AF_ALG not permitted	| deny socket 38 1 poly1305sum -k key text | 1 | | AF_ALG is forbidden*

unknown option		| sum -k key --nonsense text 2>/dev/null	| 1 | |
--quiet			| sum -k key --quiet text	| 1 | | *with --check only
--raw --check		| sum -k key --raw --check list	| 1 | | *not go with --check*
--raw --json		| sum -k key --raw --json text	| 1 | | *not go with*
--key-fd -1		| sum --key-fd -1 text		| 1 | | *not a file descriptor
key and text on stdin	| sum -k - -			| 1 | | *only one of*
the same by default	| sum --key-fd 0		| 1 | | *only one of*
--bind-names		| sum --bind-names -k key text	| 1 | | *with --aes only
--check --new-key	| sum --check --new-key=new	| 1 | | *and nothing else
--new-key --bind-names	| sum --new-key=new --bind-names | 1 | | *and nothing else
--aes --new-key		| sum --aes --new-key=new text	| 1 | | *one key for all files*
no key was made		| test -e new			| 1 | |

check			| sum -k keys --check list-two	| 0 | text: OK;empty: OK |
check a binary mark	| sum -k key --check list-binary	| 0 | text: OK |
check, wrong key	| sum -k other --check list	| 1 | text: FAILED | $no_match
check, quiet		| sum -k key --check --quiet list	| 0 | |
check, wrong, status	| sum -k other --check --status list	| 1 | |
check, no file		| sum -k keys --check list-gone	| 1 | gone: FAILED open or read;empty: OK \
| gone: No such file or directory;$unread
check, JSON		| sum -k keys --json --check list-gone	| 1 \
| {"file": "gone", "result": "FAILED open or read"};{"file": "empty", "result": "OK"} \
| gone: No such file or directory;$unread
check, no list		| sum -k key --check gone	| 1 | | gone: No such file*
check, no line		| sum -k key --check empty	| 1 | | *no lines of the form 'TAG  FILE'

a new key		| umask 022; sum --new-key new; stat -c '%a %s' new | 0 | 600 32 |
three new keys		| sum --new-key new3 a b c; stat -c '%a %s' new3 | 0 | 600 96 |
which differ		| sum -k new3 text text text >tags; grep -c text tags | 0 | 3 |
a new key for --aes	| sum --aes --new-key newa; stat -c '%a %s' newa | 0 | 600 32 |
one that is there	| cp new old; sum --new-key new	| 1 | | new: File exists
is not overwritten	| cmp new old			| 0 | |
new key not on disk| deny fsync 3 5 poly1305sum --new-key no 3>&- | 1 | | no: Input/output error
nothing stays of it	| test -e no			| 1 | |
its name not on disk	| deny fsync 4 5 poly1305sum --new-key no 3>&- 4>&- | 1 | | no: *
EINVAL of fsync is none	| deny fsync 3 22 poly1305sum --new-key no 3>&-; test -s no | 0 | |
END

# Characters next to the digits in ASCII, and one of two bytes
for bad in g G '\`' '@' / : x é; do
	try "$bad in a key" "echo $bad$hex | cut -c 1-64 | sum -k - text" \
		1 '' 'standard input: a key is 64 hexadecimal digits'
done
# One digit wrong, at both ends and in the middle; none of these is 0.
for digit in 1 2 16 17 31 32; do
	try "check, digit $digit wrong" "sed 's/./0/$digit' list | sum -k key --check" \
		1 'text: FAILED' "$no_match"
done
for line in '' text "$tag" "$tag text" "$tag  " "${tag}0  text" "${tag%?}  text" \
	"${tag%?}g  text" "$tag  te\\0000xt" "\\\\$tag  te\\\\xt"; do
	printf '%s\n%b\n' "$tag  text" "$line" >bad
	try "check, line $line" 'sum -k keys --check bad' 1 '' 'bad: 2: not a line of the form*'
done

# Names that contain a newline are printed on one line, as sha256sum does it.
odd_names() {
	name='a\b
c'
	cp text "$name" && sum -k key "$name" >odd && [ "$(cat odd)" = "\\$tag  a\\\\b\\nc" ] &&
		[ "$(sum -k key --check odd)" = '\a\\b\nc: OK' ]
}
try "odd names" odd_names 0 '' ''

# Quote, backslash, tab, characters of 2 to 4 bytes, and bytes that are none: one alone,
# a surrogate, one too long, one cut short
json_names() {
	good=$(printf '\303\251\342\202\254\360\220\215\210')
	name=$(printf 'a"b\\c\td%s\377e\355\240\200\300\257\342\202' "$good")
	cp text "$name"
	want='{"file": "a\"b\\c\u0009d'$good'\udcffe\udced\udca0\udc80\udcc0\udcaf\udce2\udc82"'
	[ "$(sum -k key --json "$name")" = "$want, \"tag\": \"$tag\"}" ]
}
try "JSON: names" json_names 0 '' ''

# heap: the bytes of the heap of $pid, in hexadecimal, on one line
heap() {
	range=$(sed -n 's/ .*\[heap\]$//p' "/proc/$pid/maps")
	[ -n "$range" ] || return
	first=$((0x${range%-*} / 4096))
	last=$((0x${range#*-} / 4096))
	dd if="/proc/$pid/mem" bs=4096 skip="$first" count=$((last - first)) \
		2>/dev/null | od -An -v -tx1 | tr -d ' \n'
}

# first_wiped: process $pid has the second key in memory, and no longer the first.
first_wiped() {
	heap >memory
	grep -q "$other_hex" memory && ! grep -q "$hex" memory
}

# While it waits for the second message, the first key is gone from memory. And what cannot be
# dumped belongs to root in /proc; only a process of another user shows that.
keys_in_memory() {
	# By its path, for a shell of busybox would take busybox's.
	set -- /bin/setpriv --reuid=65534 "$here/poly1305sum"
	"$@" --version >/dev/null 2>&1 || return 4
	mkfifo pipe
	"$@" --key-fd 3 /dev/null - <pipe >/dev/null 3<keys &
	pid=$!
	exec 4>pipe
	seconds=0
	until first_wiped || [ "$seconds" = 10 ]; do
		sleep 1
		seconds=$((seconds + 1))
	done
	owner=$(stat -c %u "/proc/$pid/maps")
	exec 4>&-
	wait "$pid" && [ "$seconds" -lt 10 ] && [ "$owner" = 0 ]
}
try "no key stays in memory or goes into a core dump" keys_in_memory 0 '' ''

# Poly1305-AES: the first vector of the paper
unhex f3f6 >paper
line=fb447350c4e868c52ac3275cf9d4327e:f4c633c3044fc145f84f335cb81953de
echo "$line  paper" >list-paper
sed 1s/./0/ list-paper >list-nonce
digits='[0-9a-f]\{32\}'

many_files() {
	aes text empty text >many && aes text >many2 &&
		[ "$(aes --check many many2 | grep -c ': OK$')" = 4 ] &&
		[ "$(cut -c 1-65 many many2 | tr : '\n' | sort -u | wc -l)" = 8 ]
}

# The manual's definition: with a name bound, the tag is that of a file that has the length
# of the name, in 8 bytes, the name and the contents.
defined_by_file() {
	{ printf '\005\0\0\0\0\0\0\0paper' && cat paper; } >message
	aes message | sed 's/:/+/; s/message/paper/' >list-bound
	aes --bind-names --check list-bound
}

table <<END
aes: check		| aes --check list-paper	| 0 | paper: OK |
aes: wrong nonce	| aes --check list-nonce	| 1 | paper: FAILED | $no_match
aes: new key		| sum --aes -k newa text >new-list; sum --aes -k newa -c new-list | 0 | text: OK |
aes: no nonce twice	| many_files			| 0 | |
aes: JSON		| aes --json paper		| 0 \
| {"file": "paper", "nonce": "$digits", "tag": "$digits"} |
aes: forbidden bits	| sum --aes -k key text		| 1 | | *its r has forbidden bits. make one*
aes: two keys		| sum --aes -k keys text empty	| 1 | | *one key, of 32 bytes
aes: list without	| sum -k key --check list-paper	| 1 | | *not a line of the form 'TAG  FILE'
END
for bad in "$tag  text" "${line%?}  text" "$tag$tag  text" "$line text"; do
	echo "$bad" >bad
	try "aes: line $bad" 'aes --check bad' 1 '' "bad: 1: not a line of the form 'NONCE:TAG  FILE'"
done

cp paper papes
aes --bind-names paper text empty >bound
sed 's/paper/papes/; 1q' bound >papes-bound
table <<END
names: definition	| defined_by_file		| 0 | paper: OK |
names: check		| aes --bind-names --check bound | 0 | paper: OK;text: OK;empty: OK |
names: one byte differs	| aes --bind-names --check papes-bound	| 1 | papes: FAILED | $no_match
names: not bound	| aes --check bound | 1 | | bound: 1: not a line of the form 'NONCE:TAG  FILE'
END

echo "1..$number"
exit $result
