/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * ChaCha20 (RFC 8439, section 2.4) for CPUs with AVX512F, BW and VL, and BMI2. At the end are
 * functions that encrypt or decrypt with keystream in memory, and that zero a frame.
 *
 * The state of a block is sixteen 32-bit words, in four rows of four. A round is four quarter
 * rounds, a line each below. Odd rounds take the columns, even rounds the diagonals:
 *
 *	the state	 columns	 diagonals
 *	 0  1  2  3	 0  4  8 12	 0  5 10 15
 *	 4  5  6  7	 1  5  9 13	 1  6 11 12
 *	 8  9 10 11	 2  6 10 14	 2  7  8 13
 *	12 13 14 15	 3  7 11 15	 3  4  9 14
 *
 * A quarter round of a, b, c, d has four steps of one form, an addition, a xor and a rotation:
 *
 *	a += b; d = (d ^ a) <<< 16		a += b; d = (d ^ a) <<< 8
 *	c += d; b = (b ^ c) <<< 12		c += d; b = (b ^ c) <<< 7
 *
 * Vectors hold the words of several blocks in one of two layouts:
 *
 *  - In columns. Each of 16 vectors, V0 to V15, holds one word of 16 blocks. For diagonals, a
 *    quarter round only names other registers. After the rounds, words become blocks by two
 *    transpositions: of 32-bit lanes (columns_to_rows), then of 128-bit lanes (put_rows).
 *  - In rows. Each of four vectors holds one row of 4 blocks, a block in each 128-bit lane.
 *    These four vectors are a set; there are two sets, A0 to D0 and A1 to D1. One vector
 *    instruction is a step of 16 quarter rounds. turn_rows rotates the rows, which turns
 *    diagonals into columns, and back.
 *
 * The rounds are latency-bound, so two sets of rows are interleaved with the columns, and 24
 * blocks take about the time of 16. Text is processed in groups of 24 blocks. If 16 blocks or
 * fewer are left, they are processed in columns alone, or up to 8 in two sets of rows, or up to
 * 4 in one.
 */

#include "../compat.h"

	.section .rodata
	.p2align 6
/* The numbers of a group's blocks, in the order of lanes: of columns, and of a set of rows */
column_numbers:
	.long	0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
row_numbers:
	.long	0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0

	.text

/* The arguments. Names of a register's lower bits end with their number. */
#define STATE		%rdi	/* 16 words; word 12 is the number of the first block */
#define DST		%rsi	/* of this group */
#define SRC		%rdx	/* of this group */
#define LEN		%rcx	/* bytes of text left */
#define LEN_32		%ecx
#define KEY		%r8	/* receives the first 32 bytes of block 0 */
#define ARG_WITH_KEY_8	%r9b
#define ARG_WITH_KEY_32	%r9d

/* After the arguments: the size of this group, and how many blocks were before it */
#define ONES		%r9	/* -1, before WHOLE */
#define WHOLE		%r9	/* whole blocks of text left */
#define BLOCKS		%r10	/* blocks of text left, including a partial block */
#define DONE		%r11	/* blocks before this group */
#define DONE_32		%r11d

#define ROUNDS		%eax	/* in the rounds: double rounds left */
#define TMP		%rax	/* before and after the rounds: scratch */
#define TMP_32		%eax

#define LAST_BYTES	%k1	/* the bytes of a partial block */
#define FIRST_WORDS	%k2	/* word 0 of each 128-bit lane */
#define WITH_KEY	%k3	/* not 0: block 0 of this group is the MAC's key */

/* Columns: Vw holds word w of 16 blocks. */
.set V0, %zmm0
.set V1, %zmm1
.set V2, %zmm2
.set V3, %zmm3
.set V4, %zmm4
.set V5, %zmm5
.set V6, %zmm6
.set V7, %zmm7
.set V8, %zmm8
.set V9, %zmm9
.set V10, %zmm10
.set V11, %zmm11
.set V12, %zmm12
.set V13, %zmm13
.set V14, %zmm14
.set V15, %zmm15
.set NUMBERS, %zmm29	/* V12 before the rounds */

/* Set 0 of rows: the rows of four blocks */
.set A0, %zmm16
.set B0, %zmm17
.set C0, %zmm18
.set D0, %zmm19
/* Set 1 of rows: those of the next four blocks */
.set A1, %zmm20
.set B1, %zmm21
.set C1, %zmm22
.set D1, %zmm23

/* Scratch */
.set T0, %zmm24
.set T1, %zmm25
.set T2, %zmm26
.set T3, %zmm27
.set T4, %zmm28

/* vpshufd: turn the four words of a lane to the left by n, so word i is the old word i + n. */
#define LEFT_1	0x39
#define LEFT_2	0x4e
#define LEFT_3	0x93

/* \op set, args: for each of the first \sets sets of rows, of which there are 0 to 2 */
.macro	each_set sets, op, args:vararg
.irp set, 0, 1
.if \set < \sets
	\op	\set, \args
.endif
.endr
.endm

/* A step of four quarter rounds in columns: a += b; d = (d ^ a) <<< \n */
.macro	step_columns n, a0, b0, d0, a1, b1, d1, a2, b2, d2, a3, b3, d3
	vpaddd	\b0, \a0, \a0
	vpaddd	\b1, \a1, \a1
	vpaddd	\b2, \a2, \a2
	vpaddd	\b3, \a3, \a3
	vpxord	\a0, \d0, \d0
	vpxord	\a1, \d1, \d1
	vpxord	\a2, \d2, \d2
	vpxord	\a3, \d3, \d3
	vprold	$\n, \d0, \d0
	vprold	$\n, \d1, \d1
	vprold	$\n, \d2, \d2
	vprold	$\n, \d3, \d3
.endm

/* A step of 16 quarter rounds in a set of rows, named by letters: a += b; d = (d ^ a) <<< \n */
.macro	step_rows set, n, a, b, d
	vpaddd	\b\set, \a\set, \a\set
	vpxord	\a\set, \d\set, \d\set
	vprold	$\n, \d\set, \d\set
.endm

/* A round of \sets sets of rows */
.macro	round_rows sets
	each_set \sets, step_rows, 16, A, B, D
	each_set \sets, step_rows, 12, C, D, B
	each_set \sets, step_rows, 8, A, B, D
	each_set \sets, step_rows, 7, C, D, B
.endm

/*
 * A round of \sets sets of rows, interleaved with four quarter rounds in columns: of a0, b0, c0
 * and d0, of a1, b1, c1 and d1, and so on
 */
.macro	round_both sets, a0, b0, c0, d0, a1, b1, c1, d1, a2, b2, c2, d2, a3, b3, c3, d3
	step_columns 16, \a0, \b0, \d0, \a1, \b1, \d1, \a2, \b2, \d2, \a3, \b3, \d3
	each_set \sets, step_rows, 16, A, B, D
	step_columns 12, \c0, \d0, \b0, \c1, \d1, \b1, \c2, \d2, \b2, \c3, \d3, \b3
	each_set \sets, step_rows, 12, C, D, B
	step_columns 8, \a0, \b0, \d0, \a1, \b1, \d1, \a2, \b2, \d2, \a3, \b3, \d3
	each_set \sets, step_rows, 8, A, B, D
	step_columns 7, \c0, \d0, \b0, \c1, \d1, \b1, \c2, \d2, \b2, \c3, \d3, \b3
	each_set \sets, step_rows, 7, C, D, B
.endm

/*
 * Turn rows b, c and d of a set, as one of LEFT_1 to LEFT_3 says. Before even rounds that is
 * by 1, 2 and 3 words to the left, after them by 3, 2 and 1:
 *
 *	a	 0  1  2  3	 0  1  2  3
 *	b	 4  5  6  7	 5  6  7  4
 *	c	 8  9 10 11	10 11  8  9
 *	d	12 13 14 15	15 12 13 14
 */
.macro	turn_rows set, b, c, d
	vpshufd	$\b, B\set, B\set
	vpshufd	$\c, C\set, C\set
	vpshufd	$\d, D\set, D\set
.endm

/*
 * a, b, c, d = the rows of the group's blocks \first to \first + 3 before the rounds, one
 * block in each 128-bit lane. Clobbers T4, TMP.
 */
.macro	load_rows first, a, b, c, d
	lea	\first(DONE), TMP_32
	vbroadcasti32x4 (STATE), \a
	vbroadcasti32x4 16(STATE), \b
	vbroadcasti32x4 32(STATE), \c
	vbroadcasti32x4 48(STATE), \d
	vpbroadcastd TMP_32, T4{FIRST_WORDS}{z}
	vpaddd	\d, T4, \d
	vpaddd	row_numbers(%rip), \d, \d
.endm

/* A set of rows before the rounds. \first is the first block of set 0. Clobbers T4, TMP. */
.macro	begin_rows set, first
	load_rows \first+4*\set, A\set, B\set, C\set, D\set
.endm

/*
 * Add to a set of rows its words before the rounds, and xor the sums to its blocks of the text.
 * Clobbers the set, T0 to T4, TMP, flags.
 */
.macro	end_rows set, first
	load_rows \first+4*\set, T0, T1, T2, T3
	vpaddd	T0, A\set, A\set
	vpaddd	T1, B\set, B\set
	vpaddd	T2, C\set, C\set
	vpaddd	T3, D\set, D\set
	put_rows \first+4*\set, 1, A\set, B\set, C\set, D\set
.endm

/*
 * Xor the keystream x to block \b of the group, 0 to 23, if there is text. Blocks below
 * known_whole are whole. Clobbers x, T4, flags.
 */
.macro	put_block b, x
.if \b >= known_whole
	cmp	$\b, WHOLE
	ja	.Lwhole\@
	cmp	$\b, BLOCKS
	jbe	.Lnone\@
	vmovdqu8 64*(\b)(SRC), T4{LAST_BYTES}{z}
	vpxord	\x, T4, T4
	vmovdqu8 T4, 64*(\b)(DST){LAST_BYTES}
	jmp	.Lnone\@
.Lwhole\@:
.endif
	vpxord	64*(\b)(SRC), \x, \x
	vmovdqu64 \x, 64*(\b)(DST)
.Lnone\@:
.endm

/*
 * Xor rows a, b, c, d of four blocks to the text: lane l of each row belongs to block \first +
 * \step l of the group. Block 0 may be the MAC's key instead. Clobbers a to d, T0 to T4,
 * flags. The 128-bit lanes from the lowest on, a2 being lane 2 of row a:
 *
 *	\a	a0 a1 a2 a3	T0	a0 a1 b0 b1	\a	a0 b0 c0 d0
 *	\b	b0 b1 b2 b3	T1	a2 a3 b2 b3	\b	a1 b1 c1 d1
 *	\c	c0 c1 c2 c3	T2	c0 c1 d0 d1	\c	a2 b2 c2 d2
 *	\d	d0 d1 d2 d3	T3	c2 c3 d2 d3	\d	a3 b3 c3 d3
 */
.macro	put_rows first, step, a, b, c, d
	vshufi32x4 $0x44, \b, \a, T0
	vshufi32x4 $0xee, \b, \a, T1
	vshufi32x4 $0x44, \d, \c, T2
	vshufi32x4 $0xee, \d, \c, T3
	vshufi32x4 $0x88, T2, T0, \a
	vshufi32x4 $0xdd, T2, T0, \b
	vshufi32x4 $0x88, T3, T1, \c
	vshufi32x4 $0xdd, T3, T1, \d
.if \first == 0
	kortestq WITH_KEY, WITH_KEY
	jz	.Ltext\@
	vextracti64x4 $0, \a, (KEY)
	jmp	.Lfirst_done\@
.Ltext\@:
.endif
	put_block \first, \a
.Lfirst_done\@:
	put_block \first+\step, \b
	put_block \first+2*\step, \c
	put_block \first+3*\step, \d
.endm

/*
 * Turn words a, b, c, d of 16 blocks into their row. Clobbers T0 to T3. The 32-bit lanes of
 * lane l, from the lowest on, a2 being word a of block 4 l + 2:
 *
 *	\a	a0 a1 a2 a3	T0	a0 b0 a1 b1	\a	a0 b0 c0 d0
 *	\b	b0 b1 b2 b3	T1	a2 b2 a3 b3	\b	a1 b1 c1 d1
 *	\c	c0 c1 c2 c3	T2	c0 d0 c1 d1	\c	a2 b2 c2 d2
 *	\d	d0 d1 d2 d3	T3	c2 d2 c3 d3	\d	a3 b3 c3 d3
 *
 * So V4r+j, which held word 4 r + j, then holds row r of blocks j, 4 + j, 8 + j and 12 + j.
 */
.macro	columns_to_rows a, b, c, d
	vpunpckldq \b, \a, T0
	vpunpckhdq \b, \a, T1
	vpunpckldq \d, \c, T2
	vpunpckhdq \d, \c, T3
	vpunpcklqdq T2, T0, \a
	vpunpckhqdq T2, T0, \b
	vpunpcklqdq T3, T1, \c
	vpunpckhqdq T3, T1, \d
.endm

/*
 * Process 16 blocks in columns, and the next 4 \sets blocks in rows. There must be more than 8
 * blocks, and more than 16 with two sets. Clobbers all vectors, TMP, flags.
 */
.macro	crypt_columns sets
	known_whole = 8 + 4*\sets
	each_set \sets, begin_rows, 16
.irp w, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	vpbroadcastd 4*\w(STATE), V\w
.endr
	vpbroadcastd DONE_32, NUMBERS
	vpaddd	column_numbers(%rip), NUMBERS, NUMBERS
	vpaddd	V12, NUMBERS, NUMBERS
	vmovdqa64 NUMBERS, V12

	mov	$10, ROUNDS
.Lrounds\@:
	/* Columns */
	round_both \sets, \
		V0, V4, V8,  V12, \
		V1, V5, V9,  V13, \
		V2, V6, V10, V14, \
		V3, V7, V11, V15
	each_set \sets, turn_rows, LEFT_1, LEFT_2, LEFT_3
	/* Diagonals */
	round_both \sets, \
		V0, V5, V10, V15, \
		V1, V6, V11, V12, \
		V2, V7, V8,  V13, \
		V3, V4, V9,  V14
	each_set \sets, turn_rows, LEFT_3, LEFT_2, LEFT_1
	dec	ROUNDS
	jnz	.Lrounds\@

	vpaddd	NUMBERS, V12, V12
.irp w, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15
	vpaddd	4*\w(STATE){1to16}, V\w, V\w
.endr
	columns_to_rows V0, V1, V2, V3
	columns_to_rows V4, V5, V6, V7
	columns_to_rows V8, V9, V10, V11
	columns_to_rows V12, V13, V14, V15
	put_rows 0, 4, V0, V4, V8, V12
	put_rows 1, 4, V1, V5, V9, V13
	put_rows 2, 4, V2, V6, V10, V14
	put_rows 3, 4, V3, V7, V11, V15
	each_set \sets, end_rows, 16
.endm

/*
 * Process up to 4 \sets blocks in rows. With two sets there must be more than 4 blocks.
 * Clobbers the sets, T0 to T4, TMP, flags.
 */
.macro	crypt_rows sets
	known_whole = 4*\sets - 4
	each_set \sets, begin_rows, 0
	mov	$10, ROUNDS
.Lrounds\@:
	round_rows \sets
	each_set \sets, turn_rows, LEFT_1, LEFT_2, LEFT_3
	round_rows \sets
	each_set \sets, turn_rows, LEFT_3, LEFT_2, LEFT_1
	dec	ROUNDS
	jnz	.Lrounds\@
	each_set \sets, end_rows, 0
.endm

/*
 * void chacha20_avx512(const u32 state[16], u8 *dst, const u8 *src, size_t len,
 *			u8 key[POLY1305_MAC_KEY_SIZE], bool with_key);
 *
 * dst = src xor the keystream of blocks state[12], state[12] + 1, ... modulo 2^32. If with_key
 * is true, key = the first 32 bytes of block state[12], and the text starts with the next
 * block.
 *
 * in:        rdi state, rsi dst, rdx src, rcx len, r8 key, r9b with_key
 * requires:  dst is src or apart from it; dst is apart from state; if with_key, key is apart
 *            from dst, src and state; len < 2^31
 * reads:     state[0, 64), src[0, len)
 * writes:    dst[0, len), key[0, 32) (if with_key)
 * returns:   -
 * clobbers:  rax, rcx, rdx, rsi, r9-r11, zmm0-zmm29, k1-k3, flags
 * wipes:     zmm0-zmm29
 * stack:     0
 * features:  AVX512F, AVX512BW, AVX512VL, BMI2
 */
SYM_FUNC_START(chacha20_avx512)
	mov	$0x1111, TMP_32
	kmovd	TMP_32, FIRST_WORDS
	xor	DONE_32, DONE_32
	movzbl	ARG_WITH_KEY_8, ARG_WITH_KEY_32
	kmovd	ARG_WITH_KEY_32, WITH_KEY
	test	ARG_WITH_KEY_32, ARG_WITH_KEY_32
	jz	.Lgroup
	/* Block 0 has no text, but is counted as if it had. */
	sub	$64, DST
	sub	$64, SRC
	add	$64, LEN

.Lgroup:
	mov	LEN_32, TMP_32
	and	$63, TMP_32
	mov	$-1, ONES
	bzhi	TMP, ONES, TMP
	kmovq	TMP, LAST_BYTES
	mov	LEN, WHOLE
	lea	63(LEN), BLOCKS
	shr	$6, WHOLE
	shr	$6, BLOCKS
	cmp	$16, BLOCKS
	ja	.Lcolumns_and_rows
	cmp	$8, BLOCKS
	ja	.Lcolumns
	cmp	$4, BLOCKS
	ja	.Lrows
	crypt_rows 1
	jmp	.Lwipe
.Lrows:
	crypt_rows 2
	jmp	.Lwipe
.Lcolumns:
	crypt_columns 0
	jmp	.Lwipe
.Lcolumns_and_rows:
	crypt_columns 2
	add	$24 * 64, DST
	add	$24 * 64, SRC
	add	$24, DONE
	kxorq	WITH_KEY, WITH_KEY, WITH_KEY
	sub	$24 * 64, LEN
	ja	.Lgroup

.Lwipe:
.irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, \
	16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
	vpxord	%xmm\i, %xmm\i, %xmm\i
.endr
	vzeroupper
	RET
SYM_FUNC_END(chacha20_avx512)

/* Of chapoly_avx512_xor(), besides DST, SRC and LEN */
#define STREAM		%rdi
#define OFFSET		%rax	/* of the next vector */
#define OFFSET_32	%eax
#define VECTORS		%r8	/* whole vectors left, then ones for the mask */

/*
 * void chapoly_avx512_xor(const u8 *stream, u8 *dst, const u8 *src, size_t len);
 *
 * dst = src xor stream.
 *
 * in:        rdi stream, rsi dst, rdx src, rcx len
 * requires:  dst is src or apart from it, and apart from stream; len < 2^31
 * reads:     src[0, len), stream[0, len)
 * writes:    dst[0, len)
 * returns:   -
 * clobbers:  rax, rcx, r8, zmm0-zmm15, k1, flags
 * wipes:     zmm0-zmm1
 * stack:     0
 * features:  AVX512F, AVX512BW, BMI2
 */
SYM_FUNC_START(chapoly_avx512_xor)
	xor	OFFSET_32, OFFSET_32
	mov	LEN, VECTORS
	shr	$6, VECTORS
	jz	.Lxor_last
.Lxor:
	vmovdqu64 (SRC, OFFSET), %zmm0
	vpxord	(STREAM, OFFSET), %zmm0, %zmm0
	vmovdqu64 %zmm0, (DST, OFFSET)
	add	$64, OFFSET
	dec	VECTORS
	jnz	.Lxor
.Lxor_last:
	and	$63, LEN_32
	jz	.Lxor_done
	mov	$-1, VECTORS
	bzhi	LEN, VECTORS, LEN
	kmovq	LEN, LAST_BYTES
	vmovdqu8 (SRC, OFFSET), %zmm0{LAST_BYTES}{z}
	vmovdqu8 (STREAM, OFFSET), %zmm1{LAST_BYTES}{z}
	vpxord	%zmm1, %zmm0, %zmm0
	vmovdqu8 %zmm0, (DST, OFFSET){LAST_BYTES}
.Lxor_done:
	vpxor	%xmm0, %xmm0, %xmm0
	vpxor	%xmm1, %xmm1, %xmm1
	vzeroupper
	RET
SYM_FUNC_END(chapoly_avx512_xor)

/* Of chapoly_avx512_wipe() */
#define FRAME		%rdi
#define SIZE		%rsi	/* of the frame in bytes, then the vectors left */

/*
 * void chapoly_avx512_wipe(void *frame, size_t size);
 *
 * frame[0, size) = 0.
 *
 * in:        rdi frame, rsi size
 * requires:  size is a multiple of 64; 64 <= size <= 2^30
 * reads:     -
 * writes:    frame[0, size)
 * returns:   -
 * clobbers:  rdi, rsi, zmm0-zmm15, flags
 * wipes:     frame[0, size), zmm0
 * stack:     0
 * features:  AVX512F
 */
SYM_FUNC_START(chapoly_avx512_wipe)
	vpxor	%xmm0, %xmm0, %xmm0
	shr	$6, SIZE
.Lzero:
	vmovdqu64 %zmm0, (FRAME)
	add	$64, FRAME
	dec	SIZE
	jnz	.Lzero
	vzeroupper
	RET
SYM_FUNC_END(chapoly_avx512_wipe)
