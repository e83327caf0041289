#!/bin/sh
# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# poly1305sum_test.sh: tests the poly1305sum on the path. Prints TAP. If the kernel has no poly1305,
# the rows that need it are skipped.

# shellcheck disable=SC2317	# functions that commands call

set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
umask 077	# there are keys

number=0
result=0

# is FILE TEXT: its lines, joined by ";", are TEXT, a regular expression in which * is any text
is() { tr '\n' ';' <"$1" | sed 's/;$//' | grep -qx -- "$(echo "$2" | sed 's/[*]/.*/g')" ||
	{ [ -z "$2" ] && [ ! -s "$1" ]; }; }

# On each line of standard input a test case, WHAT | COMMAND | STATUS | OUTPUT | ERRORS: it passes if
# COMMAND, which the shell evaluates, ends with STATUS, and prints OUTPUT and, after the name of the
# program, ERRORS. Status 4 means that the case cannot run here.
table() {
	sed '/^$/d; s/[[:blank:]]*|[[:blank:]]*/|/g' >rows
	while IFS='|' read -r what command wanted output errors; do
		(eval "$command") >out 2>err </dev/null
		status=$?
		number=$((number + 1))
		if [ "$status" = 4 ]; then
			echo "ok $number - $what # SKIP"
		elif [ "$status" = "$wanted" ] && is out "$output" &&
			is err "${errors:+poly1305sum: $errors}"; then
			echo "ok $number - $what"
		else
			sed 's/^/# /' out err
			echo "not ok $number - $what"
			result=1
		fi
	done <rows
}

sum() { poly1305sum -k "$@"; }

by_kernel() {
	grep -q '^name *: poly1305$' /proc/crypto || return 4
	sum key -d poly1305 "$@"
}

three_tags() { sum new text text text | sort -u | wc -l; }

# zero_sum ARGUMENT...: the output with ! for each zero byte, and / for each newline
zero_sum() { sum "$@" >zero && tr '\0\n' '!/' <zero; }

# checked OPTION...: the second of two files has another tag than the list says
checked() { sed '2s/^0/1/' two >wrong && sum keys -c "$@" wrong; }

# refused LINE: a list with that line is not read
refused() { printf '%s\n%b\n' "$tag  text" "$1" >bad && sum keys -c bad; }

# heap PID: the bytes of its heap, in hexadecimal, on one line
heap() {
	range=$(sed -n 's/ .*\[heap\]$//p' "/proc/$1/maps")
	[ -n "$range" ] || return
	dd if="/proc/$1/mem" bs=4096 skip=$((0x${range%-*} / 4096)) \
		count=$(((0x${range#*-} - 0x${range%-*}) / 4096)) 2>/dev/null | od -An -v -tx1 | tr -d ' \n'
}

# While it waits for the second message, only the third key is in memory. And what cannot be dumped
# belongs to root in /proc; only a process of another user shows that.
first_wiped() {
	# By its path, for a shell of busybox would take busybox's
	set -- /bin/setpriv --reuid=65534 "$(command -v poly1305sum)"
	"$@" --help >/dev/null 2>&1 || return 4
	chmod 755 . && { cat keys key31 && printf y; } >three && chmod 644 three && mkfifo pipe
	"$@" -k three /dev/null - /dev/null <pipe >/dev/null &
	exec 4>pipe
	tries=0
	until heap $! >memory && grep -q "${other_tag%8}9" memory && ! grep -q "$other_tag" memory &&
		! grep -q "${other_tag%78}1b" memory; do
		tries=$((tries + 1))
		[ "$tries" -lt 300 ] || break
		sleep 1
	done
	owner=$(stat -c %u "/proc/$!/maps")
	exec 4>&-
	wait $! && [ "$tries" -lt 300 ] && [ "$owner" = 0 ]
}

# The vector of RFC 8439, section 2.5.2, and a second key
printf '\205\326\276xWUm3\177DR\376B\325\006\250' >key
printf '\001\003\200\212\373\015\262\375J\277\366\257AI\365\033' >>key
tag=a8061dc1305136c6c22b8baf0c0127a9
head -c 31 key >key31
{ cat key31 && printf x; } >other
cat key other >keys
cat key other key >again
printf 'Cryptographic Forum Research Group' >text
: >empty
# The tag of no text is the second half of the key. That of 64 MiB of zeros is a geometric series.
other_tag=0103808afb0db2fd4abff6af4149f578
zeros_tag=9dd380d3c000f7d6c5ab1a2d4e13c623
truncate -s 64M zeros
echo "$tag  text" >list
{ echo "$tag *text" && echo "$other_tag  empty"; } >two
failed='WARNING: 1 of * files FAILED'
two_lines=$(printf 'a\nb')
cp text "$two_lines"
cp text 'a) = b'

echo "TAP version 13"
table <<END
a file			| sum key text			| 0 | $tag  text |
standard input		| sum key <text			| 0 | $tag  - |
64 MiB			| sum key zeros			| 0 | $zeros_tag  zeros |
by the kernel		| by_kernel text		| 0 | $tag  text |
64 MiB, by the kernel	| by_kernel zeros		| 0 | $zeros_tag  zeros |
two files		| sum keys text empty		| 0 | $tag  text;$other_tag  empty |
key on standard input	| sum - text <key		| 0 | $tag  text |
too few keys		| sum key text empty		| 1 | | key: fewer*each message needs a key*
too many keys		| sum keys text			| 1 | | keys: more*each message needs a key*
short key		| sum key31 text		| 1 | | key31: fewer than 32 bytes*
the same key twice	| sum again text text text	| 1 | | again: keys 1 and 3 are the same*
no key			| poly1305sum text		| 1 | | one of --key-file*
no such file of keys	| sum gone text			| 1 | | gone: No such file*
no such file		| sum keys gone empty		| 1 | $other_tag  empty | gone: No such file*
a directory		| sum keys . empty		| 1 | $other_tag  empty | .: Is a directory
full disk		| sum key text >/dev/full	| 1 | | standard output: No space left*
key and text on stdin	| sum - -			| 1 | | standard input is more than one of*
check			| sum keys -c two		| 0 | text: OK;empty: OK |
check, wrong key	| sum other -c list		| 1 | text: FAILED | $failed
check, no file		| sed s/text/gone/ two >bad; sum keys -c bad | 1 \
| gone: FAILED open or read;empty: OK | gone: No such*$failed
check, no list		| sum key -c gone		| 1 | | gone: No such file*
check, no line		| sum key -c empty		| 1 | | empty: no lines of the form*
version			| poly1305sum --version		| 0 | poly1305sum (poly1305.ko) [0-9]* |
tag			| sum keys --tag text empty	| 0 \
| Poly1305 (text) = $tag;Poly1305 (empty) = $other_tag |
check, its lines	| sum keys --tag 'a) = b' empty >tagged; sum keys -c tagged | 0 | a) = b: OK;empty: OK |
check, lines of both	| { sum key --tag text; echo "$other_tag  empty"; } >mixed; sum keys -c mixed | 0 \
| text: OK;empty: OK |
zero			| zero_sum keys -z text empty	| 0 | $tag  text!$other_tag  empty! |
zero, two lines		| zero_sum key --zero "\$two_lines"	| 0 | $tag  a/b! |
zero and tag		| zero_sum key -z --tag text	| 0 | Poly1305 (text) = $tag! |
check, zero		| sum keys -z -c two		| 1 | | the --zero option is not supported when*
check, tag		| sum keys --tag -c two		| 1 | | the --tag option is meaningless when*
no check, quiet		| sum key --quiet text		| 1 | | the --quiet option is meaningful only*
no check, status	| sum key --status text		| 1 | | the --status option is meaningful only*
quiet			| sum keys -c --quiet two	| 0 | |
quiet, wrong tag	| checked --quiet		| 1 | empty: FAILED | $failed
quiet, no file		| sed s/text/gone/ two >bad; sum keys -c --quiet bad | 1 \
| gone: FAILED open or read | gone: No such*$failed
status			| sum keys -c --status two	| 0 | |
status, wrong tag	| checked --status		| 1 | |
status, no file		| sed s/text/gone/ two >bad; sum keys -c --status bad | 1 | | gone: No such file*directory
status, no list		| sum keys -c --status gone	| 1 | | gone: No such file*
status, then quiet	| checked --status --quiet	| 1 | empty: FAILED | $failed
quiet, then status	| checked --quiet --status	| 1 | |
new keys		| poly1305sum --new-key new a b c; stat -c '%a %s' new | 0 | 600 96 |
which differ		| three_tags			| 0 | 3 |
one that is there	| poly1305sum --new-key new	| 1 | | new: File exists
a full disk for keys	| (ulimit -f 1; poly1305sum --new-key no \$(seq 40)) | 1 | | no: No space left*
nothing stays of it	| test -e no			| 1 | |
no key in memory	| first_wiped			| 0 | |
no tag			| refused text			| 1 | | bad: 2: not a line of the form*
one space		| refused "$tag text"		| 1 | | bad: 2: not a line*
no name			| refused "$tag  "		| 1 | | bad: 2: not a line*
33 digits		| refused "${tag}0  text"	| 1 | | bad: 2: not a line*
31 digits		| refused "${tag%?}   text"	| 1 | | bad: 2: not a line*
a byte of 0		| refused "$tag  te\\0000xt"	| 1 | | bad: 2: not a line*
tag, no name		| refused "Poly1305 () = $tag"	| 1 | | bad: 2: not a line*
tag, no end		| refused "Poly1305 (text) $tag" | 1 | | bad: 2: not a line*
tag, 31 digits		| refused "Poly1305 (text) = ${tag%?}"	| 1 | | bad: 2: not a line*
tag, another hash	| refused "MD5 (text) = $tag"	| 1 | | bad: 2: not a line*
a name of two lines	| sum key "\$two_lines"	| 1 | | a name with a newline*

no such driver		| sum key -d none text		| 1 | | none: see AF_ALG in poly1305sum(1): *
another hash		| sum key -d sha256 text	| 1 | | *
END

echo "1..$number"
exit $result
