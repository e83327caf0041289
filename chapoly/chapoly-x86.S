/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Functions that packets share, with AVX2 and with AVX-512. Each has its contract above it.
 *
 *  - chapoly_x86_begin() writes the state of ChaCha20 (RFC 8439, section 2.3) and the numbers
 *    of the next blocks to a frame, struct chapoly_blocks of chapoly-x86.h.
 *  - chapoly_x86_xor() encrypts or decrypts with keystream that is in memory, for AVX2.
 *  - chapoly_x86_wipe() zeros a frame, the last step of a packet, for AVX2.
 *  - chapoly_mulx() computes Poly1305 in general registers, one block at a time, with the macro
 *    mulx_r.
 *
 * The multiplication of the accumulator h by r is pending: where RFC 8439 has h r, struct
 * poly1305_packet has h. So a block m takes h to h r + m, and the last multiplication comes before
 * the tag. The first block of a message needs no multiplication.
 */

#include "../arch/x86/poly1305-macros.h"

	.section .rodata
	.p2align 5
/* The numbers in lanes 1 to 7 are consecutive. The number in lane 0 is independent. */
following:
	.long	0, 0, 1, 2, 3, 4, 5, 6
sigma:
	.ascii	"expand 32-byte k"

	.text

/* The arguments of chapoly_x86_begin() */
#define FRAME		%rdi
#define KEY		%rsi
#define NONCE		%rdx
#define FIRST		%ecx
#define SECOND		%r8d

/* The state */
#define ROW		%xmm0	/* row 0, then row 3 */
#define ROWS_1_2	%ymm1	/* rows 1 and 2 */

/* After the state: the numbers of blocks */
#define NUMBER_0	%ymm0	/* lane 0: the number first */
#define NUMBER_0_XMM	%xmm0
#define NUMBERS		%ymm1	/* the other numbers */
#define NUMBERS_XMM	%xmm1

/*
 * void chapoly_x86_begin(struct chapoly_blocks *frame, const u8 key[CHAPOLY_KEY_SIZE],
 *			  const u8 nonce[CHAPOLY_NONCE_SIZE], u32 first, u32 second);
 *
 * frame->state = the state of block 0: "expand 32-byte k", key, 0, nonce.
 * frame->numbers = first, second, second + 1, ..., second + 6 modulo 2^32, the next blocks.
 * No key is left in registers: ymm0 and ymm1 end with numbers.
 *
 * in:        rdi frame, rsi key, rdx nonce, ecx first, r8d second
 * requires:  frame is aligned to 32 bytes, and apart from key and nonce
 * reads:     key[0, 32), nonce[0, 12)
 * writes:    frame->state, frame->numbers
 * returns:   -
 * clobbers:  ymm0-ymm1
 * wipes:     -
 * stack:     0
 * features:  AVX2
 */
SYM_FUNC_START(chapoly_x86_begin)
	/* Rows 0, 1 and 2 */
	vmovdqa	sigma(%rip), ROW
	vmovdqu	(KEY), ROWS_1_2
	vmovdqa	ROW, FRAME_STATE(FRAME)
	vmovdqu	ROWS_1_2, FRAME_STATE+16(FRAME)

	/* Row 3: word 12 is 0, words 13 to 15 are the nonce. */
	vmovd	(NONCE), ROW
	vpsllq	$32, ROW, ROW
	vpinsrq	$1, 4(NONCE), ROW, ROW
	vmovdqa	ROW, FRAME_STATE+48(FRAME)

	vmovd	FIRST, NUMBER_0_XMM
	vmovd	SECOND, NUMBERS_XMM
	vpbroadcastd NUMBERS_XMM, NUMBERS
	vpaddd	following(%rip), NUMBERS, NUMBERS
	vpblendd $1, NUMBER_0, NUMBERS, NUMBERS
	vmovdqa	NUMBERS, FRAME_NUMBERS(FRAME)
	RET
SYM_FUNC_END(chapoly_x86_begin)

/* Of chapoly_x86_wipe(), besides FRAME */
#define SIZE		%rsi	/* of the frame in bytes, then the vectors left */
#define ZERO		%ymm0
#define ZERO_XMM	%xmm0

/*
 * void chapoly_x86_wipe(void *frame, size_t size);
 *
 * frame[0, size) = 0.
 *
 * in:        rdi frame, rsi size
 * requires:  frame is aligned to 32 bytes; size is a multiple of 32; 32 <= size <= 2^30
 * reads:     -
 * writes:    frame[0, size)
 * returns:   -
 * clobbers:  rdi, rsi, ymm0-ymm15, flags
 * wipes:     frame[0, size), ymm0
 * stack:     0
 * features:  AVX
 */
SYM_FUNC_START(chapoly_x86_wipe)
	vpxor	ZERO_XMM, ZERO_XMM, ZERO_XMM
	shr	$5, SIZE
.Lwipe:
	vmovdqa	ZERO, (FRAME)
	add	$32, FRAME
	dec	SIZE
	jnz	.Lwipe
	vzeroupper
	RET
SYM_FUNC_END(chapoly_x86_wipe)

/* Of chapoly_x86_xor(): the arguments. _8, _16 and _32: a register's lower bits. */
#define DST		%rdi
#define SRC		%rsi
#define STREAM		%rdx
#define LEN		%rcx
#define LEN_8		%cl

#define DONE		%rax	/* bytes done */
#define DONE_32		%eax
#define VECTORS		%r8	/* vectors of 32 bytes left */
#define VEC		%ymm0	/* 32 bytes of text */
#define VEC_XMM		%xmm0	/* 16 bytes of text */

/* After the vectors: 8, 4, 2 or 1 bytes of text */
#define WORD		%r8
#define WORD_32		%r8d
#define WORD_16		%r8w
#define WORD_8		%r8b

/*
 * If bit \n of the length is set, dst = src xor stream for the next \n bytes, and DONE is advanced
 * by \n. Clobbers \word, a register of \n bytes, and flags.
 */
.macro	xor_word n, word
	test	$\n, LEN_8
	jz	.Lnone\@
	mov	(SRC, DONE), \word
	xor	(STREAM, DONE), \word
	mov	\word, (DST, DONE)
	add	$\n, DONE
.Lnone\@:
.endm

/*
 * void chapoly_x86_xor(u8 *dst, const u8 *src, const u8 *stream, size_t len);
 *
 * dst = src xor stream, in vectors, then in 16, 8, 4, 2 and 1 bytes, as the bits of len say.
 *
 * in:        rdi dst, rsi src, rdx stream, rcx len
 * requires:  dst is src or apart from it, and apart from stream; len < 2^31
 * reads:     src[0, len), stream[0, len)
 * writes:    dst[0, len)
 * returns:   -
 * clobbers:  rax, r8, ymm0-ymm15, flags
 * wipes:     r8, ymm0-ymm15
 * stack:     0
 * features:  AVX2
 */
SYM_FUNC_START(chapoly_x86_xor)
	xor	DONE_32, DONE_32
	mov	LEN, VECTORS
	shr	$5, VECTORS
	jz	.Lhalf_vector
.Lxor:
	vmovdqu	(SRC, DONE), VEC
	vpxor	(STREAM, DONE), VEC, VEC
	vmovdqu	VEC, (DST, DONE)
	add	$32, DONE
	dec	VECTORS
	jnz	.Lxor

.Lhalf_vector:
	test	$16, LEN_8
	jz	.Lwords
	vmovdqu	(SRC, DONE), VEC_XMM
	vpxor	(STREAM, DONE), VEC_XMM, VEC_XMM
	vmovdqu	VEC_XMM, (DST, DONE)
	add	$16, DONE
.Lwords:
	xor_word 8, WORD
	xor_word 4, WORD_32
	xor_word 2, WORD_16
	xor_word 1, WORD_8

	xor	WORD_32, WORD_32
	vzeroall
	RET
SYM_FUNC_END(chapoly_x86_xor)

/*
 * Of chapoly_mulx(), besides the registers of mulx_r: the arguments, except data, which is in
 * src. The last three wait on the stack.
 */
#define MAC		%rdi	/* struct poly1305_packet, in place of u3 */
#define ARG_BLOCKS	%rdx
#define ARG_END		%rcx
#define ARG_END_BLOCKS	%r8
#define ARG_TAG		%r9

#define LEFT		%r15	/* blocks left, of data or of the end */
#define HIGH		%rcx	/* the temporary of mulx_r, in place of u3 */

/* After the blocks: src is free, and TAG takes the place of HIGH. */
#define TAG		%rcx	/* the tag's address */
#define TAG_32		%ecx
#define LAST_HIGH	%rsi	/* the temporary of the last multiplication */
#define LAST_HIGH_32	%esi

/*
 * x = x r + m for each of LEFT >= 0 blocks m at src, with bit 128 set. In and out: x2 < 2^63.1.
 * src ends after the blocks, LEFT is 0. Clobbers HIGH, rdx, u0, u1, u2, flags.
 */
.macro	absorb_blocks
	test	LEFT, LEFT
	jz	.Ldone\@
.p2align 5
.Lblock\@:
	mulx_r	0(src), $1, HIGH
	add	$16, src
	dec	LEFT
	jnz	.Lblock\@
.Ldone\@:
.endm

/* x = the block at src with bit 128 set; src moves to the next block, and LEFT is decremented */
.macro	first_block
	mov	(src), x0
	mov	8(src), x1
	mov	$1, x2
	add	$16, src
	dec	LEFT
.endm

/*
 * void chapoly_mulx(struct poly1305_packet *mac, const u8 *data, size_t blocks, const u8 *end,
 *		     size_t end_blocks, u8 *tag);
 *
 * h = h r^n + m_1 r^(n - 1) + ... + m_n modulo p, where m_1 ... m_n are the blocks at data,
 * then those at end, each with bit 128 set; but without h r^n if mac->fresh is not 0. Then
 * tag = (h r mod p) + s modulo 2^128, the tag of the message so far. The multiplication of h by
 * r is pending, and h[2] < 2^63.1, before and after.
 *
 * in:        rdi mac, rsi data, rdx blocks, rcx end, r8 end_blocks, r9 tag
 * requires:  blocks <= 2^31; end_blocks <= 2^31; 0 < blocks + end_blocks; mac->key is r,
 *            clamped, and s; mac->q1 = 5 r1 / 4, mac->s0 = 5 r0; mac->h[2] < 2^63.1; data, end
 *            and tag are apart from mac[0, MAC_END), and tag from data and end
 * reads:     mac->h, mac->key, mac->q1, mac->s0, mac->fresh, data[0, 16 blocks),
 *            end[0, 16 end_blocks)
 * writes:    mac->h, tag[0, 16) with h[2] < 2^63.1
 * returns:   -
 * clobbers:  rax, rcx, rdx, rsi, rdi, r8-r11, flags
 * wipes:     rax, rcx, rdx, rsi, r8-r11
 * stack:     72
 * features:  BMI2
 */
SYM_FUNC_START(chapoly_mulx)
	save_registers
	push	LEFT
	push	ARG_TAG
	push	ARG_END
	push	ARG_END_BLOCKS
	mov	ARG_BLOCKS, LEFT
	mov	MAC_H(MAC), x0
	mov	MAC_H+8(MAC), x1
	mov	MAC_H+16(MAC), x2
	mov	MAC_R(MAC), r0
	mov	MAC_R+8(MAC), r1
	mov	MAC_Q1(MAC), q1
	mov	MAC_S0(MAC), s0

	cmpq	$0, MAC_FRESH(MAC)
	je	.Lblocks
	test	LEFT, LEFT
	jnz	.Lfirst
	/* The first block of the message is the first of the end. */
	pop	LEFT
	pop	src
	first_block
	jmp	.Lend
.Lfirst:
	first_block
.Lblocks:
	absorb_blocks
	pop	LEFT
	pop	src
.Lend:
	absorb_blocks
	mov	x0, MAC_H(MAC)
	mov	x1, MAC_H+8(MAC)
	mov	x2, MAC_H+16(MAC)

	/* x = x r, folded, with u2, which mulx_high leaves to be added to word 1 */
	pop	TAG
	mulx_low t=LAST_HIGH
	mulx_high LAST_HIGH
	fold	x0, x1, x2, u1, u2

	add	$MAC_R, MAC			/* the key's address */
	add_pad	x0, x1, x2, MAC
	mov	x0, (TAG)
	mov	x1, 8(TAG)

	pop	LEFT
	restore_registers
	xor	TAG_32, TAG_32
	xor	LAST_HIGH_32, LAST_HIGH_32
	clear_registers
	RET
SYM_FUNC_END(chapoly_mulx)
