# SPDX-License-Identifier: GPL-2.0 OR MIT
# shellcheck shell=bash
# shellcheck disable=SC2016
#
# Plants leaks in a copy of the sources; tests/suites/ct must catch each of them.

# sow FILE AFTER LINES: insert LINES behind the first line that matches AFTER. Fails
# if there is no such line, so that no leak gets lost when code changes.
sow() {
	awk -v after="$2" -v what="$3" '
		{ print }
		!done && $0 ~ after { print what; done = 1 }
		END { exit !done }' "$1" >"$1.new" && mv "$1.new" "$1" && return
	printf '%s has no line like %s\n' "$1" "$2" >&2
	return 1
}

# plant DIR: copy the sources to DIR, with leaks.
plant() {
	local dir=$1 x86=$1/arch/x86
	mkdir -p "$dir/tests"
	cp ./*.c ./*.h ./Kbuild "$dir" && cp -r arch user "$dir" &&
		cp -r tests/ct "$dir/tests" || return

	# A branch, on a bit of r
	sow "$x86/poly1305-avx512.S" 'mov	8[(]%rdi[)], R1' \
		'	test $4, R1
	jz 98f
98:' || return
	# An address, and a mask for a store
	sow "$x86/poly1305-avx512.S" 'mov	STATE_R.8[(]%rdi[)], R1' \
		'	mov R1, %rax
	and $7, %eax
	movzbl (%rsi, %rax), %eax
	kmovq R1, %k1
	vmovdqu8 %zmm0, STATE_POW(%rdi){%k1}' || return
	# An address that is only prefetched
	sow "$x86/poly1305-avx512.S" 'mov	STATE_R.8[(]%rdi[)], R1' \
		'	prefetcht0 (%rsi, R1)' || return
	# A division, on a path that no length takes
	sow "$x86/poly1305-avx2.S" '^[.]Lwipe:' \
		'	cmpq $0, VAR_GROUPS(%rsp)
	jne 98f
	mov STATE_R(STATE), %rcx
	div %rcx
98:' || return
	# An instruction that instructions.py lacks
	sow "$x86/poly1305-sse2.S" '^SYM_TYPED_FUNC_START[(]poly1305_blocks_sse2' \
		'	mov %rdx, %r11
	rdtsc
	mov %r11, %rdx' || return
	# A jump through memory
	sow "$x86/poly1305-x86_64.S" 'mov	STATE_R.8[(]%rdi[)], r1' \
		'	test %rdx, %rdx
	jnz 98f
	jmp *r1
98:' || return
	# A variable that both of two paths read, but only one sets
	sow "$x86/poly1305-avx512f.S" '^[.]Lpowers_unknown:' \
		'	movq $8, 40(%rsp)' || return
	sow "$x86/poly1305-avx512f.S" '^[.]Lwipe:' \
		'	mov 40(%rsp), %rax
	and $8, %eax
	mov (%rsp, %rax), %rax' || return
	# Keys and messages of a batch's requests: a branch on a key,
	sow "$x86/poly1305-batch-x86_64.S" '^SYM_TYPED_FUNC_START' \
		'	mov (%rdi), %rax
	mov (%rax), %rax
	testb $4, (%rax)
	jz 98f
98:' || return
	# an address made of a message, and a secret stored among addresses,
	sow "$x86/poly1305-batch-avx2.S" '^	neg	LEFT' \
		'	mov (%rdi), %rax
	mov 8(%rax), %rax
	movzbl (%rax), %ecx
	mov VAR_END(%rsp), %r12
	mov %rcx, VAR_END(%rsp)
	mov %r12, VAR_END(%rsp)
	and $7, %ecx
	mov (%rdi, %rcx), %rax' || return
	# and a load masked by a key. Behind it, code that cannot be reached
	sow "$x86/poly1305-batch-avx512.S" '^SYM_TYPED_FUNC_START' \
		'	mov (%rdi), %rax
	mov (%rax), %rax
	kmovq (%rax), %k1
	vmovdqu8 (%rdi), %zmm0{%k1}{z}
	jmp 98f
	div %rax
98:' || return
	# A branch on r in a function that valgrind can run
	sow "$x86/poly1305-x86_64.S" 'load_r	%rdi, r0, r1' \
		'	test $4, r1
	jz 98f
98:' || return
	# In C: a branch
	sow "$dir/poly1305_generic.c" 'reduce = 0 - [(]g2 >> 2[)];' \
		'	if (h[0] & 1)
		asm volatile("nop");' || return
	# An address
	sow "$dir/poly1305_generic.c" '^	while [(]nblocks--[)] [{]' \
		'		static volatile u8 sink;

		sink = data[data[0] & 15];' || return
	# In code that only a kernel can run: a branch on a message, an address made of
	# a key, a branch on a tag, and a comparison that stops where tags differ
	sow "$dir/poly1305_batch.c" 'n = min_t[(]size_t, len, miter.length[)];' \
		'		if (*(u8 *)miter.addr)
			asm volatile("nop");' || return
	sow "$dir/poly1305_chapoly.c" 'struct chapoly_key \*key = crypto_aead_ctx' \
		'	static volatile u8 sink;

	sink = bytes[bytes[0] & 15];' || return
	sow "$dir/poly1305_chapoly.c" '^		short_mac[(]&s, s.out' \
		'		if (s.tag[0])
			asm volatile("nop");' || return
	sed -i 's/if (!err && crypto_memneq(l.tag,/if (!err \&\& memcmp(l.tag,/' \
		"$dir/poly1305_chapoly.c" &&
		grep -q 'memcmp(l.tag' "$dir/poly1305_chapoly.c" || return
	# A branch on r other than the permitted one, and an address made of the cipher's
	# output
	sow "$dir/poly1305_aes.c" 'err = crypto_cipher_setkey[(]key->cipher' \
		'	if (r[0] & 4)
		asm volatile("nop");' || return
	sow "$dir/poly1305_aes.c" '^	key_pad[(]key, data, pad[)];' \
		'	if (*(volatile const u8 *)&data[pad[0] & 15] == 1)
		len++;' || return
	# In imports: a branch on r, a length made of h, which would decide branches of
	# other functions, and a branch in the function whose result is public
	sow "$dir/poly1305_saved.h" '^	memcpy[(]&saved, in, sizeof' \
		'	if (saved.r[0] & 4)
		asm volatile("nop");' || return
	sow "$dir/poly1305_saved.h" '^	mac->buflen = saved.buflen;' \
		'	mac->buflen += saved.h[2] >> 60;' || return
	sow "$dir/poly1305_saved.h" 'saved->h.2. > POLY1305_H2_MAX' \
		'	if (saved->h[0] & 4)
		asm volatile("nop");' || return
	# A branch on an r that many messages share
	sow "$dir/poly1305_lib.c" '^	poly1305_init_state[(]&prepared->state, r[)];' \
		'	if (prepared->state.r[0] & 4)
		asm volatile("nop");' || return
	# A comparison that stops where tags differ
	sed -i 's/^\t\tdiffer |= .*/\t\tif (*x++ != *y++)\n\t\t\treturn 1;/' \
		"$dir/user/shim/crypto/utils.h" &&
		grep -q 'return 1;' "$dir/user/shim/crypto/utils.h" || return
	# A function without a contract in prove.py
	printf 'int poly1305_forgotten(int x);\nint poly1305_forgotten(int x)\n{\n%s' \
		$'\treturn x;\n}\n' >>"$dir/poly1305_generic.c"
}
