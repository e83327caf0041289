/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Poly1305 in the general registers of any x86-64 CPU: short messages, and all
 * that arrives where vector registers may not be used.
 *
 * poly1305_core.h has the notation and the form of the state. There are two
 * ways through a message:
 *
 *  - One block after the other in radix 2^64, h = (h + m) r. What counts is how
 *    soon one block's h is there for the next. CPUs that have mulx do this in
 *    poly1305-mulx.S.
 *  - For long messages, groups of 8 or 16 blocks
 *
 *	h = (h + m_1) r^K + m_2 r^(K-1) + ... + m_K r
 *
 *    whose products do not wait for each other, and one reduction a group. The
 *    powers are computed while the first K - 1 blocks are done one by one: the
 *    chain of blocks and the chain of powers do the same arithmetic side by
 *    side, and neither alone fills the CPU.
 *
 * Products of a group are made by mulx, adcx and adox where the CPU has them
 * (poly1305_x86_64_adx says so), otherwise by mul and adc.
 */

#include "../../compat.h"

/* struct poly1305_mac_state */
#define STATE_H		0
#define STATE_R		24
#define STATE_NPOW	40
#define STATE_POW	48

/*
 * From how many blocks on groups of 8 and of 16 win, measured on Zen 4. CACHED
 * is for states that have 8 powers already.
 */
#define MIN_8		56
#define MIN_8_CACHED	40
#define MIN_16		192

#include "poly1305-x86_64-serial.h"
#include "poly1305-x86_64-groups.h"

/*
 * The block function for long messages, with the parameters of
 * poly1305_blocks_x86_64(): nblocks >= MIN_8, or >= MIN_8_CACHED if the state
 * has 8 powers.
 */
SYM_FUNC_START_LOCAL(poly1305_groups)
	push_all
	sub	$FRAME, %rsp
	mov	%rdi, STATE(%rsp)
	mov	%rcx, HIBIT(%rsp)

	mov	STATE_H(%rdi), x0
	mov	STATE_H+8(%rdi), x1
	mov	STATE_H+16(%rdi), x2
	add	(src), x0
	adc	8(src), x1
	adc	%rcx, x2

	mov	STATE_R(%rdi), y0
	mov	STATE_R+8(%rdi), y1
	xor	%r13d, %r13d			/* y2 */
	mov	y0, R0(%rsp)
	mov	y1, R1(%rsp)
	mov	y1, %rax
	shr	$2, %rax
	add	y1, %rax
	mov	%rax, Q1(%rsp)
	xor	%eax, %eax
	mov	%rax, ONES(%rsp)
	mov	%rax, ONES + 8(%rsp)
	mov	%rax, ONES + 16(%rsp)

	cmp	$MIN_16, %rdx
	jae	1f
	movq	$8, BLOCKS(%rsp)
	lea	TABLE_END - 8*ENTRY(%rsp), %rax
	mov	%rax, FIRST(%rsp)
	cmpl	$8, STATE_NPOW(%rdi)
	je	.Lhead_cached
	inc	%rdx
	mov	%rdx, %rax
	and	$7, %eax
	shr	$3, %rdx
	dec	%rdx
	jmp	2f
1:	movq	$16, BLOCKS(%rsp)
	lea	TABLE_END - 16*ENTRY(%rsp), %rax
	mov	%rax, FIRST(%rsp)
	inc	%rdx
	mov	%rdx, %rax
	and	$15, %eax
	shr	$4, %rdx
	dec	%rdx
2:	mov	%rax, EXTRA(%rsp)
	mov	%rdx, GROUPS(%rsp)

	/* K - 1 blocks and K - 1 powers, side by side */
	lea	TABLE_END - ENTRY(%rsp), entry
	store_power
3:	mul_r	x0, x1, x2, R0(%rsp), R1(%rsp), Q1(%rsp), 16(src), %rcx
	add	$16, src
	mul_r	y0, y1, y2, R0(%rsp), R1(%rsp), Q1(%rsp)
	sub	$ENTRY, entry
	store_power
	cmp	FIRST(%rsp), entry
	jne	3b

	/* For the next call, if the state has room for them */
	mov	STATE(%rsp), %rdx
	cmpl	$0, STATE_NPOW(%rdx)
	jl	5f
	movl	$8, STATE_NPOW(%rdx)
	lea	TABLE_END - 8*ENTRY(%rsp), entry
.set i, 0
.rept 8
	mov	i*ENTRY(entry), %rax
	mov	%rax, STATE_POW + 8*i(%rdx)
	mov	i*ENTRY + 8(entry), %rax
	mov	%rax, STATE_POW + 64 + 8*i(%rdx)
	mov	i*ENTRY + 16(entry), %rax
	mov	%rax, STATE_POW + 128 + 8*i(%rdx)
.set i, i + 1
.endr
	jmp	5f

.Lhead_cached:
	mov	%rdx, %rax
	and	$7, %eax
	shr	$3, %rdx
	mov	%rax, EXTRA(%rsp)
	mov	%rdx, GROUPS(%rsp)
	lea	STATE_POW(%rdi), %rbp
	mov	FIRST(%rsp), entry
4:	load_power	%rbp
	store_power
	add	$8, %rbp
	add	$ENTRY, entry
	lea	TABLE_END(%rsp), %rax
	cmp	%rax, entry
	jne	4b

	/* Blocks that make groups come out even */
5:	cmpq	$0, EXTRA(%rsp)
	je	7f
6:	mul_r	x0, x1, x2, R0(%rsp), R1(%rsp), Q1(%rsp), 16(src), %rcx
	add	$16, src
	decq	EXTRA(%rsp)
	jnz	6b

7:	mov	FIRST(%rsp), entry
	mov	(entry), %r11
	mov	8(entry), %r12
	mov	16(entry), %r13
	mov	ONES(%rsp), %rax
	mov	ONES + 8(%rsp), %rdx
	mov	ONES + 16(%rsp), %rdi
	sub	%r11, %rax
	sub	%r12, %rdx
	sub	%r13, %rdi
	times_2_128	%r11, %r12, %r13, %rbx, %rbp
	mov	%r11, TOP(%rsp)
	mov	%r12, TOP + 8(%rsp)
	mov	%r13, TOP + 16(%rsp)
	times_2_128	%rax, %rdx, %rdi, %rbx, %rbp
	imul	%rcx, %rax
	imul	%rcx, %rdx
	imul	%rcx, %rdi
	mov	%rax, ONES(%rsp)
	mov	%rdx, ONES + 8(%rsp)
	mov	%rdi, ONES + 16(%rsp)

	mov	x0, h0
	mov	x1, h1
	mov	x2, h2
	cmpb	$0, poly1305_x86_64_adx(%rip)
	je	.Lgroups_mul
	groups	1
.Lgroups_mul:
	groups	0

.Lgroups_done:
	mov	STATE(%rsp), %rdx
	mov	h0, STATE_H(%rdx)
	mov	h1, STATE_H+8(%rdx)
	mov	h2, STATE_H+16(%rdx)

	xor	%eax, %eax
	mov	FIRST(%rsp), entry
9:	mov	%rax, (entry)
	mov	%rax, 8(entry)
	mov	%rax, 16(entry)
	mov	%rax, 24(entry)
	mov	%rax, 32(entry)
	mov	%rax, 40(entry)
	mov	%rax, 48(entry)
	mov	%rax, 56(entry)
	mov	%rax, 64(entry)
	mov	%rax, 72(entry)
	mov	%rax, 80(entry)
	mov	%rax, 88(entry)
	add	$2 * ENTRY, entry
	lea	TABLE_END(%rsp), %rcx
	cmp	%rcx, entry
	jne	9b
	mov	%rax, ONES(%rsp)
	mov	%rax, ONES + 8(%rsp)
	mov	%rax, ONES + 16(%rsp)
	mov	%rax, TOP(%rsp)
	mov	%rax, TOP + 8(%rsp)
	mov	%rax, TOP + 16(%rsp)
	mov	%rax, R0(%rsp)
	mov	%rax, R1(%rsp)
	mov	%rax, Q1(%rsp)
	add	$FRAME, %rsp
	wipe
	pop_all
	RET
SYM_FUNC_END(poly1305_groups)


/*
 * void poly1305_blocks_x86_64(struct poly1305_mac_state *state, const u8 *data,
 *			       size_t nblocks, u32 hibit)
 */
SYM_TYPED_FUNC_START(poly1305_blocks_x86_64)
	mov	%ecx, %ecx		/* a u32 leaves the upper half undefined */
	cmp	$MIN_8, %rdx
	jae	poly1305_groups
	cmp	$MIN_8_CACHED, %rdx
	jb	1f
	cmpl	$8, STATE_NPOW(%rdi)
	je	poly1305_groups
1:	test	%rdx, %rdx
	jz	5f
	cmpb	$0, poly1305_x86_64_adx(%rip)
	jne	poly1305_blocks_mulx
	push_all
	push	%rdi

	mov	STATE_H(%rdi), x0
	mov	STATE_H+8(%rdi), x1
	mov	STATE_H+16(%rdi), x2
	mov	STATE_R(%rdi), r0
	mov	STATE_R+8(%rdi), r1
	mov	r1, q1
	shr	$2, q1
	add	r1, q1
	mov	%rdx, %rdi

	add	(src), x0
	adc	8(src), x1
	adc	%rcx, x2
	dec	%rdi
	jz	3f
2:	mul_r	x0, x1, x2, r0, r1, q1, 16(src), %rcx
	add	$16, src
	dec	%rdi
	jnz	2b
3:	mul_r	x0, x1, x2, r0, r1, q1

	pop	%rdi
	mov	x0, STATE_H(%rdi)
	mov	x1, STATE_H+8(%rdi)
	mov	x2, STATE_H+16(%rdi)
	wipe
	pop_all
5:	RET
SYM_FUNC_END(poly1305_blocks_x86_64)

/*
 * void poly1305_digest_x86_64(const u8 key[32], const u8 *data, size_t len,
 *			       u8 tag[16])
 *
 * The tag of a message in one buffer. It is written last: it may overlap.
 */
SYM_TYPED_FUNC_START(poly1305_digest_x86_64)
	cmp	$16 * MIN_8, %rdx
	jae	1f
	cmpb	$0, poly1305_x86_64_adx(%rip)
	jne	poly1305_digest_mulx
1:	push_all
	push	%rcx
	mov	%rdx, %rcx

	load_r	%rdi, r0, r1
	mov	r1, q1
	shr	$2, q1
	add	r1, q1

	cmp	$16 * MIN_8, %rcx
	jae	.Ldigest_long
	xor	%r8d, %r8d			/* x0, x1, x2 */
	xor	%r9d, %r9d
	xor	%r10d, %r10d
	sub	$16, %rcx
	jb	.Ldigest_short

	mov	(src), x0
	mov	8(src), x1
	inc	x2
	sub	$16, %rcx
	jb	2f
1:	mul_r	x0, x1, x2, r0, r1, q1, 16(src), $1
	add	$16, src
	sub	$16, %rcx
	jae	1b
2:	mul_r	x0, x1, x2, r0, r1, q1

	/* h is in x, and %rcx = t - 16 where t bytes remain, those at 16(src). */
.Ldigest_rest:
	cmp	$-16, %rcx
	je	.Ldigest_tag
.Ldigest_partial:
	add_rest x0, x1, x2, src
4:	mul_r	x0, x1, x2, r0, r1, q1

.Ldigest_tag:
	add_pad	x0, x1, x2, %rdi
	pop	%rcx
	mov	x0, (%rcx)
	mov	x1, 8(%rcx)
	wipe
	pop_all
	RET

	/* Fewer than 16 bytes in all */
.Ldigest_short:
	sub	$16, src
	cmp	$-8, %rcx
	jge	.Ldigest_partial
	cmp	$-16, %rcx
	je	.Ldigest_tag
	add	$16, %ecx			/* t = 1 ... 7 */
	add	$16, src
	load_few x0, %r8d, src
	jmp	4b

	/* A state of its own on the stack */
.Ldigest_long:
	push	%rdi
	push	%rsi
	push	%rcx
	sub	$STATE_POW, %rsp
	xor	%eax, %eax
	mov	%rax, STATE_H(%rsp)
	mov	%rax, STATE_H+8(%rsp)
	mov	%rax, STATE_H+16(%rsp)
	mov	r0, STATE_R(%rsp)
	mov	r1, STATE_R+8(%rsp)
	movq	$-1, STATE_NPOW(%rsp)
	xor	%r12d, %r12d		/* or it would be pushed and left there */
	xor	%r13d, %r13d
	mov	%rsp, %rdi
	mov	%rcx, %rdx
	shr	$4, %rdx
	mov	$1, %ecx
	call	poly1305_groups

	mov	STATE_H(%rsp), x0
	mov	STATE_H+8(%rsp), x1
	mov	STATE_H+16(%rsp), x2
	mov	STATE_R(%rsp), r0
	mov	STATE_R+8(%rsp), r1
	mov	r1, q1
	shr	$2, q1
	add	r1, q1
	xor	%eax, %eax
.set i, 0
.rept STATE_POW / 8
	mov	%rax, i(%rsp)
.set i, i + 8
.endr
	add	$STATE_POW, %rsp
	pop	%rdx
	pop	%rsi
	pop	%rdi
	mov	%rdx, %rcx
	and	$15, %ecx
	sub	%rcx, %rdx
	sub	$16, %rcx
	lea	-16(src, %rdx), src
	jmp	.Ldigest_rest
SYM_FUNC_END(poly1305_digest_x86_64)

/* Whether the CPU has mulx, adcx and adox: set before the first call */
.section .data..ro_after_init, "aw"
	.globl	poly1305_x86_64_adx
	.hidden	poly1305_x86_64_adx
poly1305_x86_64_adx:
	.byte	0
