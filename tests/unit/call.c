// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Calls the functions under test. On x86-64 they run with junk in all registers and
 * on a stack of their own; the registers and the stack are recorded afterwards.
 */

#include "check.h"

#ifdef CONFIG_X86_64

#include <asm/fpu/api.h>

/* call_x86_64.S restates these offsets. */
struct call {
	void *fn;
	u64 *stack;
	u64 level;		/* vector registers: 0 SSE, 1 AVX, 2 AVX-512 */
	u64 flags;
	u32 mxcsr;
	u16 fpuenv[14];
	struct residue out;	/* the registers before and after the call */
};

static_assert(offsetof(struct call, fpuenv) == 0x24);
static_assert(offsetof(struct call, out.gpr) == 0x40);
static_assert(offsetof(struct call, out.mask) == 0xc0);
static_assert(offsetof(struct call, out.vector) == 0x100);

void call_with(struct call *call) __attribute__((visibility("hidden")));

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };

static const char *const names[16] = {
	"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
	"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"
};

static const u8 preserved[] = { RBX, RSP, RBP, 12, 13, 14, 15 };

#define FLAG_DF		(1 << 10)
/* The caller's frames above the return address, which the callee must not touch */
#define FRAMES		512
#define PAINT		0x5aa5c33c0ff0f00fULL

static struct call frame;

static u64 level(void)
{
	if (boot_cpu_has(X86_FEATURE_AVX512BW) &&
	    cpu_has_xfeatures(XFEATURE_MASK_AVX512, NULL))
		return 2;
	return boot_cpu_has(X86_FEATURE_AVX) &&
	       cpu_has_xfeatures(XFEATURE_MASK_YMM, NULL);
}

static void call_checked(void *fn, u64 a, u64 b, u64 c, u64 d)
{
	static u64 *end;
	struct residue *out = &frame.out;
	u64 before[16], *top, *word;
	size_t i;

	if (!end) {
		frame.level = level();
		end = (u64 *)(stack.rw + stack.size);
	}

	/* Any alignment that the ABI allows */
	top = end - FRAMES / 8 - 2 * rnd_below(4);
	for (word = top - DEAD_STACK / 8; word < end; word++)
		*word = PAINT;

	frame.fn = fn;
	frame.stack = top;
	rnd_bytes(out->gpr, sizeof(out->gpr));
	rnd_bytes(out->vector, sizeof(out->vector));
	rnd_bytes(out->mask, sizeof(out->mask));
	out->gpr[RDI] = a;
	out->gpr[RSI] = b;
	out->gpr[RDX] = c;
	out->gpr[RCX] = d;
	out->gpr[RSP] = (u64)top;
	memcpy(before, out->gpr, sizeof(before));

	call_with(&frame);

	for (i = 0; i < ARRAY_SIZE(preserved); i++)
		if (out->gpr[preserved[i]] != before[preserved[i]])
			fail("%s is not restored", names[preserved[i]]);
	if (frame.flags & FLAG_DF)
		fail("the direction flag is set");
	/* The defaults; all tags are set when the x87 stack is empty. */
	if (frame.mxcsr != 0x1f80)
		fail("MXCSR is 0x%x", frame.mxcsr);
	if (frame.fpuenv[0] != 0x37f || frame.fpuenv[4] != 0xffff)
		fail("the x87 state has changed");
	for (word = top; word < end; word++)
		if (*word != PAINT)
			fail("wrote to the caller's stack, byte %zu above the return address",
			     8 * (word - top));
	memcpy(out->dead, top - DEAD_STACK / 8, sizeof(out->dead));
}

const struct residue *call_residue(void)
{
	if (plain_calls())
		skip("--plain records no registers and no stack");
	return &frame.out;
}

void call_blocks(const struct tier *tier, struct poly1305_mac_state *state,
		 const u8 *data, size_t nblocks, u32 hibit)
{
	if (plain_calls())
		tier->blocks(state, data, nblocks, hibit);
	else
		call_checked(tier->blocks, (u64)state, (u64)data, nblocks,
			     hibit | rnd() << 32);
}

void call_digest(poly1305_digest_fn *fn, const u8 *key, const u8 *data, size_t len,
		 u8 *tag)
{
	if (plain_calls())
		fn(key, data, len, tag);
	else
		call_checked(fn, (u64)key, (u64)data, len, (u64)tag);
}

void call(void (*fn)(void *arg), void *arg)
{
	if (plain_calls())
		fn(arg);
	else
		call_checked(fn, (u64)arg, rnd(), rnd(), rnd());
}

#else

const struct residue *call_residue(void)
{
	skip("registers and stack are recorded on x86-64 only");
}

void call_blocks(const struct tier *tier, struct poly1305_mac_state *state,
		 const u8 *data, size_t nblocks, u32 hibit)
{
	tier->blocks(state, data, nblocks, hibit);
}

void call_digest(poly1305_digest_fn *fn, const u8 *key, const u8 *data, size_t len,
		 u8 *tag)
{
	fn(key, data, len, tag);
}

void call(void (*fn)(void *arg), void *arg)
{
	fn(arg);
}

#endif
