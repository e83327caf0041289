# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash disable=SC2154
#
# What the guests of tests/suites/debug and bochs get: sourced by both, with $top.

programs=$top/build/debug/programs

make_programs() {
	local source
	make -C "$top/tools/kcapi_test" || return
	mkdir -p "$programs"
	cp "$top"/build/kcapi_test/{afalg_test,aead_compare,aes_test} "$programs/"
	for source in tests/debug/{cycle,failnth,failsend,hammer,registers} \
		tests/machines/vm/hold tests/consumers/{aead_errors,traffic} \
		samples/sealkeys; do
		gcc -std=gnu11 -O2 -Wall -Wextra -Werror -static -pthread \
			"$top/$source.c" "$top/tests/debug/fault.c" \
			"$top"/tools/kcapi_test/{afalg,tap}.c \
			"$top"/tests/reference/poly1305_ref.c \
			-o "$programs/${source##*/}" || return
	done
}

# begin_tree TREE PROGRAM...: begin a directory to lay over a guest's root
begin_tree() {
	local tree=$1
	shift
	rm -rf "$tree"
	mkdir -p "$tree/opt" "$tree/parts" "$tree/run"
	lay "$tree" "$@" "$(command -v ip)" "$(command -v tc)"
	cp "$top"/tests/machines/vm/guest{,.sh} "$top"/tests/consumers/{net,ipsec}.sh \
		"$tree/bin/"
}
