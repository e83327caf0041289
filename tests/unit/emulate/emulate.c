// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Emulates AVX-512 IFMA, and vpshrdq of VBMI2, on CPUs that lack them. There
 * these instructions raise SIGILL. The handler applies the instruction to the registers that
 * the kernel saved for the signal, then lets the program continue behind it. A signal
 * takes much longer than an instruction, so the handler executes a whole sequence of
 * them at once.
 *
 * The kernel saves the registers in the standard format of XSAVE, which CPUID
 * describes in leaf 13.
 */

#define _GNU_SOURCE
#include <linux/types.h>

#include "emulate.h"

#ifdef CONFIG_X86_64

#include <asm/fpu/api.h>
#include <linux/kernel.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#define LANES_MAX	8
#define LIMB		((1ULL << 52) - 1)

/* Numbers of state components, and of their bits in XSTATE_BV */
enum { SSE = 1, AVX, OPMASK = 5, ZMM_HIGH, ZMM_16, COMPONENTS };

/* Offsets of the legacy region, which CPUID does not describe, and of XSTATE_BV */
#define SSE_AT		160
#define SSE_SIZE	256
#define XSTATE_BV_AT	512

static struct {
	u32 at;
	u32 size;
} component[COMPONENTS];

/* Registers in the order of the encoding */
static const u8 gregs_order[16] = {
	REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
	REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15
};

static struct sigaction next;

/* A load that no sanitizer checks, as the CPU would execute it */
typedef u64 __attribute__((may_alias)) __aligned(1) any_u64;

static u64 __attribute__((no_sanitize("address"))) load(u64 address)
{
	return *(const any_u64 *)address;
}

static int32_t get_s32(const u8 *p)
{
	int32_t x;

	memcpy(&x, p, sizeof(x));
	return x;
}

/* vpmadd52luq, vpmadd52huq, vpshrdq */
enum kind { ADD_LOW, ADD_HIGH, SHIFT };

/**
 * struct insn - an instruction
 * @kind: the operation
 * @count: number of bits that SHIFT shifts by
 * @lanes: 2, 4 or 8
 * @unit: what a displacement of one byte counts in, in bytes
 * @dst: destination register, which is also the addend
 * @src: register of the first factor, or of the low word for SHIFT
 * @rm: register of the second factor, or of the high word for SHIFT
 * @mask: mask register that selects lanes, or 0 for all lanes
 * @zero: whether lanes that are not selected become 0
 * @memory: the operand of @rm is in memory instead, at @address
 * @broadcast: one word in memory serves all lanes
 * @address: address of the operand in memory
 */
struct insn {
	enum kind kind;
	unsigned int count;
	unsigned int lanes, unit;
	unsigned int dst, src, rm, mask;
	bool zero, memory, broadcast;
	u64 address;
};

static u64 greg(const greg_t *gregs, unsigned int n)
{
	return gregs[gregs_order[n]];
}

/*
 * Decodes the operand in memory: ModRM at p, then SIB and displacement. x and b are the
 * fourth bits of index and base. Returns the end of the displacement.
 */
static const u8 *decode_memory(const u8 *p, const greg_t *gregs, unsigned int x,
			       unsigned int b, struct insn *insn)
{
	const unsigned int mod = *p >> 6, rm = *p & 7;
	unsigned int base = rm, index;
	u64 address = 0;

	p++;
	if (rm == 4) {
		base = *p & 7;
		index = x << 3 | (*p >> 3 & 7);
		if (index != 4)		/* rsp means no index */
			address = greg(gregs, index) << (*p >> 6);
		p++;
	}
	if (mod == 0 && base == 5) {
		address += get_s32(p);
		p += 4;
		if (rm == 5)		/* without SIB: relative to rip */
			address += (u64)p + (insn->kind == SHIFT);
	} else {
		address += greg(gregs, b << 3 | base);
		if (mod == 1)
			address += (int8_t)*p++ * (int)insn->unit;
		if (mod == 2) {
			address += get_s32(p);
			p += 4;
		}
	}
	insn->address = address;
	return p;
}

/*
 * Decodes the instruction at code. Returns its end, or NULL for an instruction that is
 * not emulated. It reads nothing beyond the instruction, and knows no prefix before
 * EVEX. Only a segment prefix would be valid there.
 *
 *	62 | R X B R' 0 0 1 0 | 1 v v v v 1 0 1 | z L L b V' a a a | b4 or b5
 *	62 | R X B R' 0 0 1 1 | 1 v v v v 1 0 1 | z L L b V' a a a | 73
 *
 * ModRM follows, then the operand in memory, if any, then the shift count for 73. The
 * bits of register numbers are inverted, except aaa.
 */
static const u8 *decode(const u8 *code, const greg_t *gregs, struct insn *insn)
{
	unsigned int p0, p1, p2, r, x, b, modrm;

	if (code[0] != 0x62)
		return NULL;
	p0 = code[1];
	if ((p0 & 0xf) != 2 && (p0 & 0xf) != 3)
		return NULL;
	p1 = code[2];
	if ((p1 & 0x87) != 0x85)
		return NULL;
	p2 = code[3];
	if ((p0 & 0xf) == 2 && (code[4] & 0xfe) == 0xb4)
		insn->kind = code[4] & 1 ? ADD_HIGH : ADD_LOW;
	else if ((p0 & 0xf) == 3 && code[4] == 0x73)
		insn->kind = SHIFT;
	else
		return NULL;
	modrm = code[5];

	r = ~p0 >> 7 & 1;
	x = ~p0 >> 6 & 1;
	b = ~p0 >> 5 & 1;
	insn->lanes = 2 << (p2 >> 5 & 3);
	insn->dst = (~p0 >> 4 & 1) << 4 | r << 3 | (modrm >> 3 & 7);
	insn->src = (~p2 >> 3 & 1) << 4 | (~p1 >> 3 & 0xf);
	insn->rm = x << 4 | b << 3 | (modrm & 7);
	insn->mask = p2 & 7;
	insn->zero = p2 >> 7;
	insn->memory = modrm >> 6 != 3;
	insn->broadcast = p2 >> 4 & 1;
	insn->unit = insn->broadcast ? 8 : 8 * insn->lanes;

	/* The CPU rejects these too. */
	if (insn->lanes > LANES_MAX || (insn->zero && !insn->mask) ||
	    (insn->broadcast && !insn->memory))
		return NULL;

	if (insn->memory)
		code = decode_memory(code + 5, gregs, x, b, insn);
	else
		code += 6;
	if (insn->kind == SHIFT)
		insn->count = *code++ & 63;
	return code;
}

/* Lane i of vector register n, in one of four components */
static u8 *lane(u8 *xsave, unsigned int n, unsigned int i)
{
	if (n >= 16)
		return xsave + component[ZMM_16].at + 64 * (n - 16) + 8 * i;
	if (i >= 4)
		return xsave + component[ZMM_HIGH].at + 32 * n + 8 * (i - 4);
	if (i >= 2)
		return xsave + component[AVX].at + 16 * n + 8 * (i - 2);
	return xsave + component[SSE].at + 16 * n + 8 * i;
}

static u64 get(const u8 *p)
{
	u64 x;

	memcpy(&x, p, sizeof(x));
	return x;
}

static void put(u8 *p, u64 x)
{
	memcpy(p, &x, sizeof(x));
}

/* The new value of a lane, from its values in dst and src and the operand rm */
static u64 compute(const struct insn *insn, u64 dst, u64 src, u64 rm)
{
	const __uint128_t product = (__uint128_t)(src & LIMB) * (rm & LIMB);

	switch (insn->kind) {
	case ADD_LOW:
		return dst + ((u64)product & LIMB);
	case ADD_HIGH:
		return dst + (u64)(product >> 52);
	default:
		return (u64)(((__uint128_t)rm << 64 | src) >> insn->count);
	}
}

/* Operands of lanes outside the mask are not loaded, so they cannot fault. */
static void execute(u8 *xsave, const struct insn *insn)
{
	const u64 chosen = insn->mask ?
		get(xsave + component[OPMASK].at + 8 * insn->mask) : ~0ULL;
	u64 result[LANES_MAX] = {}, operand;
	unsigned int i;

	for (i = 0; i < insn->lanes; i++) {
		if (!(chosen >> i & 1)) {
			if (!insn->zero)
				result[i] = get(lane(xsave, insn->dst, i));
			continue;
		}
		if (!insn->memory)
			operand = get(lane(xsave, insn->rm, i));
		else
			operand = load(insn->address +
				       (insn->broadcast ? 0 : 8 * i));
		result[i] = compute(insn, get(lane(xsave, insn->dst, i)),
				    get(lane(xsave, insn->src, i)), operand);
	}
	/* Lanes beyond the instruction's width become 0. */
	for (i = 0; i < LANES_MAX; i++)
		put(lane(xsave, insn->dst, i), result[i]);
}

/* Writes out, as zeros, the components that the CPU did not save. */
static void complete(u8 *xsave)
{
	u64 present = get(xsave + XSTATE_BV_AT);
	size_t i;

	for (i = 0; i < COMPONENTS; i++) {
		if (!component[i].size || present >> i & 1)
			continue;
		memset(xsave + component[i].at, 0, component[i].size);
		present |= 1ULL << i;
	}
	put(xsave + XSTATE_BV_AT, present);
}

static void hand_on(int number, siginfo_t *info, void *context)
{
	if (next.sa_flags & SA_SIGINFO)
		next.sa_sigaction(number, info, context);
	else
		sigaction(number, &next, NULL);	/* The signal will recur. */
}

static void on_illegal(int number, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;
	greg_t *gregs = uc->uc_mcontext.gregs;
	u8 *xsave = (u8 *)uc->uc_mcontext.fpregs;
	const u8 *code = (const u8 *)gregs[REG_RIP], *end;
	struct insn insn;

	if (code[0] == 0x0f && code[1] == 0x0b)		/* ud2 */
		code += 2;
	end = decode(code, gregs, &insn);
	if (!end) {
		hand_on(number, info, context);
		return;
	}
	complete(xsave);
	do {
		execute(xsave, &insn);
		code = end;
		end = decode(code, gregs, &insn);
	} while (end);
	gregs[REG_RIP] = (greg_t)code;
}

const char *emulate_ifma(void)
{
	const struct sigaction action = {
		.sa_sigaction = on_illegal,
		.sa_flags = SA_SIGINFO | SA_ONSTACK,
	};
	u32 rest[2];
	size_t i;

	if (!boot_cpu_has(X86_FEATURE_AVX512F) || !boot_cpu_has(X86_FEATURE_AVX512VL) ||
	    !boot_cpu_has(X86_FEATURE_AVX512BW) || !boot_cpu_has(X86_FEATURE_AVX512DQ) ||
	    !cpu_has_xfeatures(XFEATURE_MASK_SSE | XFEATURE_MASK_YMM |
			       XFEATURE_MASK_AVX512, NULL))
		return "this CPU lacks AVX-512, or the system does not let programs use it";

	component[SSE].at = SSE_AT;
	component[SSE].size = SSE_SIZE;
	for (i = AVX; i < COMPONENTS; i++)
		if (i == AVX || i >= OPMASK)
			__cpuid_count(13, i, component[i].size, component[i].at,
				      rest[0], rest[1]);
	shim_emulating = true;
	if (sigaction(SIGILL, &action, &next))
		return "no handler of SIGILL can be installed";
	return NULL;
}

#else

const char *emulate_ifma(void)
{
	return "this is not an x86-64 CPU";
}

#endif
