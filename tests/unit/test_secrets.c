// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * The ways in which secrets enter the code under test, and what it does with them: what calls leave
 * below the stack pointer, how deep they go, and whether branches or addresses depend on secrets.
 *
 * Residues are what a call leaves in general registers and below the stack pointer. Each way is
 * called twice, with different secrets (key and message) and everything else equal, so any
 * difference between the two residues depends on a secret. Tags are not secret. Of assembly,
 * tests/proofs shows that it leaves no secret there, nor in vectors.
 *
 * - Compilers spill what they like, but the C code must wipe its arrays, contexts and descriptors.
 * - It must leave a clean stack if the arithmetic is assembly, and clean general registers if the
 *   compiler zeroes them, which Kbuild and the Makefile request. Otherwise any word of the stack
 *   may hold what a register held: clang pushes one to align the stack.
 */

#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <crypto/algapi.h>
#include <crypto/chacha.h>

#include "chapoly.h"
#include "check.h"

/* Valgrind's memory checker: which memory is secret, as if it were undefined */
#if __has_include("valgrind/memcheck.h")
#include <valgrind/memcheck.h>
#define hide(p, len)	VALGRIND_MAKE_MEM_UNDEFINED(p, len)
#define reveal(p, len)	VALGRIND_MAKE_MEM_DEFINED(p, len)
#else
#define RUNNING_ON_VALGRIND	0
#define VALGRIND_COUNT_ERRORS	0UL
#define hide(p, len)	((void)(p))
#define reveal(p, len)	((void)(p))
#endif

/* A function or sequence of calls that takes secrets */
struct way {
	const char *name;	/* prefix of messages */
	unsigned int kinds;	/* of subjects that have it */
	void (*run)(void);
	void (*before)(void);	/* prepares the calls, or NULL */
	void (*find)(void);	/* finds more secrets than those of the message, or NULL */
	int mac_way;		/* how mac_tag() computes the tag */
	bool packet;		/* leaves ciphertext, which is no secret */
	bool branches;		/* on something that depends on secrets, but is public */
	size_t state;		/* bytes of stack for the state of a packet, if the call has it */
};

/*
 * The call, which takes a key in input and the len bytes of message after it. Tags go to tags,
 * packets to output, states to objects.
 */
static struct {
	const struct way *way;
	const struct subject *s;
	size_t len;
} now;

/* The last words of the stack, which are compared */
#define WORDS	2048
#define END	(stack + ARRAY_SIZE(stack) - WORDS)
/* What they hold before a call */
#define PAINT	0xa5c33c5a96e17887ULL

/* The call runs on a stack of its own, for the first or second time. */
static int turn;
static u64 stack[16 * WORDS] __aligned(64);
static ucontext_t main_context;

/* Where the frame of the caller ends */
static u64 *top;

/* What the two calls leave in registers that they may change, and on the stack; and their tags */
static u64 registers[2][9], dead[2][WORDS], tags_of[2][2];

/* Fails if the last call has left that on the stack. */
static void find(const void *secret, size_t len, const char *what)
{
	if (len >= 8 && memmem(dead[1], sizeof(dead[1]), secret, len))
		fail("%s%s is on the stack", now.way->name, what);
}

/* The message, or for poly1305(aes) a nonce and the message; and the state */
#define DATA	(input + KEY_SIZE)
#define MAC	((struct mac *)objects)

/* The input as the cases have it */
static const u8 *start(void)
{
	return now.s->kind == AES ? input + NONCE_SIZE : input;
}

/* Whether a call fails is public. */
static void must(int err)
{
	reveal(&err, sizeof(err));
	if (err)
		fail("error %d", err);
}

static void run_tag(void)
{
	const size_t total = now.s->prefix_len + now.len;

	must(mac_tag(MAC, now.s, now.way->mac_way, start(), total, total / 3, tags));
}

/* A wrong tag is rejected; the right one must not stay in memory. */
static void run_verify(void)
{
	int err = poly1305_mac_verify(input, DATA, now.len, tags);

	reveal(&err, sizeof(err));
	if (!err)
		fail("accepts a wrong tag");
}

static void find_verified(void)
{
	u8 tag[TAG_SIZE];

	poly1305_ref(input, DATA, now.len, tag);
	find(tag, TAG_SIZE, "the right tag");
}

/* Input that ends within the prefix: no tag, and no residue of it */
static void run_short(void)
{
	if (mac_tag(MAC, now.s, UPDATES, start(), now.len % now.s->prefix_len, 0, tags) !=
	    now.s->no_head)
		fail("a prefix that is too short is accepted");
}

/* Half of the message, after a cut within the prefix */
static void run_export(void)
{
	const u8 *data = stream(now.s, start());

	must(mac_init(MAC, now.s, start()) ?: mac_update(MAC, data, 7) ?:
	     mac_update(MAC, data + 7, now.s->prefix_len - 7 + now.len / 2) ?:
	     crypto_shash_export(&MAC->desc, exports));
}

/*
 * Whether import accepts a state is public. It tests whether r is clamped, which valgrind knows
 * bit by bit, and whether h is below its bound, which h[2] decides.
 */
static void make_state(void)
{
	run_export();
	reveal(exports + offsetof(struct poly1305_saved, h[2]), sizeof(u64));
}

static void run_import(void)
{
	must(crypto_shash_import(&MAC->desc, exports));
}

static void run_setkey(void)
{
	must(crypto_shash_setkey(now.s->tfm, input, KEY_SIZE));
}

/* Prepares the call, with other secrets for another number. */
static void prepare_call(u64 secrets)
{
	const u64 rest = random_state;

	random_state = secrets;
	rnd_bytes(input, KEY_SIZE + now.len + 16);
	random_state = rest;
	shim_simd_usable = true;
	hide(input, AREA_SIZE);
	hide(tags, AREA_SIZE);
	if (now.s->kind == AES) {
		clamp_r(input + 16);
		run_setkey();
	}
	if (now.way->before)
		now.way->before();
}

/* The secrets of one message; key is its one-time key. */
static void find_secrets(const u8 key[KEY_SIZE], const u8 *data, size_t len)
{
	const size_t rest = len % BLOCK_SIZE;
	u8 r[16];

	memcpy(r, key, sizeof(r));
	clamp_r(r);
	find(key, 16, "the unclamped r");
	find(r, 16, "r");
	find(key + 16, 16, "s");
	if (CHECK_CLEAN_GPR && rest >= 8)
		find(data + len - rest, rest, "the end of the message");
}

static const u8 nonce[CHAPOLY_NONCE_SIZE], assoc[AREA_SIZE];

/* Every fifth length is also that of the associated data. */
static size_t assoc_len(void)
{
	return now.len % 5 ? now.len % 40 : now.len;
}

static void run_seal(void)
{
	chapoly_seal(output, output, now.len, assoc, assoc_len(), nonce, input);
}

static int open_packet(void)
{
	return chapoly_open(output, output, now.len, assoc, assoc_len(), nonce,
			    input);
}

static void run_open(void)
{
	must(open_packet());
}

static void run_forged(void)
{
	if (open_packet() != -EBADMSG)
		fail("opens a forged packet");
}

static void begin_pieces(struct chapoly_pieces *p, bool seal)
{
	const size_t n = now.len / 3;

	chapoly_begin(p, now.len, nonce, input, seal);
	chapoly_ad(p, assoc, assoc_len());
	chapoly_text(p, output, output, n);
	chapoly_text(p, output + n, output + n, now.len - n);
}

/* Half of the packets are opened, and have no tag. */
static void run_pieces(void)
{
	const bool seal = now.len % 2;
	struct chapoly_pieces *p = (void *)objects;

	begin_pieces(p, seal);
	if (chapoly_end(p, output + now.len) != (seal ? 0 : -EINVAL))
		fail("the end of pieces");
}

static void run_pieces_verify(void)
{
	struct chapoly_pieces *p = (void *)objects;

	begin_pieces(p, false);
	must(chapoly_verify(p, output + now.len));
}

/* The plaintext goes to the buffer of the call. For one packet in eight, SIMD is not usable. */
static void make_text(void)
{
	shim_simd_usable = rnd_below(8);
	memcpy(output, DATA, now.len);
}

static void make_sealed(void)
{
	make_text();
	run_seal();
}

static void make_forged(void)
{
	make_sealed();
	output[now.len] ^= 1;
}

/* The secrets of a packet under that nonce */
static void find_under(const u8 of[CHAPOLY_NONCE_SIZE])
{
	struct chacha_state state;
	u8 block[CHACHA_BLOCK_SIZE], iv[CHACHA_IV_SIZE] = { 0 };
	u32 key[8];
	int i;

	memcpy(iv + sizeof(iv) - CHAPOLY_NONCE_SIZE, of, CHAPOLY_NONCE_SIZE);
	for (i = 0; i < 8; i++)
		key[i] = get_unaligned_le32(input + 4 * i);
	chacha_init(&state, key, iv);
	chacha20_block(&state, block);
	find_secrets(block, DATA, 0);
	for (i = 0; i < 24; i++) {
		chacha20_block(&state, block);
		find(block, 16, "keystream");
		find(block + 48, 16, "keystream");
	}
	find(DATA, min_t(size_t, now.len, 16), "the text");
#ifndef __AVX__		/* With -march=native compilers keep the key in spilled vectors. */
	find(input, 16, "half of the key");
	find(input + 16, 16, "half of the key");
#endif
}

static void find_packet(void)
{
	find_under(nonce);
}

static void find_forged(void)
{
	u8 tag[TAG_SIZE];

	memcpy(tag, output + now.len, TAG_SIZE);
	tag[0] ^= 1;
	find(tag, TAG_SIZE, "the right tag");
	find_packet();
}

/*
 * The AEAD for ESP, in place, in one piece or two. The nonce is a secret salt, which follows the
 * message in input, and the IV. The associated data end with 8 bytes that are not authenticated.
 */
#define SALT_SIZE	4
#define ESP_AD		16
static u8 esp_iv[] = "IV of 8";
static struct aead_request *esp;

static void make_esp(void)
{
	static struct scatterlist sgl[2];
	const size_t all = ESP_AD + now.len + TAG_SIZE;
	const unsigned int cut = now.len % 2 ? all / 2 : 0;
	u8 *key = objects;

	if (!esp)
		esp = aead_request_alloc(crypto_alloc_aead("chapoly-rfc7539esp", 0, 0), 0);
	memcpy(key, input, KEY_SIZE);
	memcpy(key + KEY_SIZE, DATA + now.len, SALT_SIZE);
	must(crypto_aead_setkey(esp->tfm, key, KEY_SIZE + SALT_SIZE));
	memset(key, 0, KEY_SIZE + SALT_SIZE);
	make_text();
	memmove(output + ESP_AD, output, now.len);
	memset(output, 0, ESP_AD);
	sg_init_table(sgl, ARRAY_SIZE(sgl));
	if (cut)
		sg_set_buf(&sgl[0], output, cut);
	sg_set_buf(&sgl[!!cut], output + cut, all - cut);
	sg_mark_end(&sgl[!!cut]);
	aead_request_set_ad(esp, ESP_AD);
	aead_request_set_crypt(esp, sgl, sgl, now.len, esp_iv);
}

static void run_esp(void)
{
	must(crypto_aead_encrypt(esp));
}

static void find_esp(void)
{
	u8 salted[CHAPOLY_NONCE_SIZE];

	memcpy(salted, DATA + now.len, SALT_SIZE);
	memcpy(salted + SALT_SIZE, esp_iv, sizeof(esp_iv));
#ifndef __AVX__		/* as half of the key */
	find(salted, sizeof(salted), "the nonce with the salt");
#endif
	find_under(salted);
}

static const struct way ways[] = {
	{ "digest: ", ALL, run_tag, .mac_way = DIGEST },
	{ "updates: ", ALL, run_tag, .mac_way = UPDATES },
	{ "finup or list: ", ALL, run_tag, .mac_way = FINUP_OR_LIST },
	{ "verify: ", LIBRARY, run_verify, NULL, find_verified },
	{ "a short prefix: ", SHASH | AES, run_short },
	{ "export: ", SHASH | AES, run_export },
	{ "import: ", SHASH | AES, run_import, make_state },
	{ "setkey: ", AES, run_setkey },
	{ "seal: ", LIBRARY, run_seal, make_text, find_packet, .packet = true },
	{ "in pieces: ", LIBRARY, run_pieces, make_sealed, find_packet, .packet = true },
	/* Open branches on whether the tag is right. */
	{ "verify pieces: ", LIBRARY, run_pieces_verify, make_sealed, find_packet,
	  .packet = true, .branches = true },
	{ "open: ", LIBRARY, run_open, make_sealed, find_packet,
	  .packet = true, .branches = true },
	{ "forged: ", LIBRARY, run_forged, make_forged, find_forged,
	  .packet = true, .branches = true },
	{ "ESP: ", LIBRARY, run_esp, make_esp, find_esp, .packet = true,
	  .state = sizeof(struct chapoly_pieces) },
};

/* Calls look() for each way that the subject has. */
static void look_at_ways(const struct subject *s, size_t len, void (*look)(void))
{
	for (now.way = ways; now.way < ways + ARRAY_SIZE(ways); now.way++) {
		now.s = s;
		now.len = len;
		if (now.way->kinds & s->kind)
			look();
	}
}

/*
 * Finds what the call has left of the secrets that it took. The one-time key of poly1305(aes) is r
 * and AES_k(nonce).
 */
static void find_left(void)
{
	if (!now.way->packet)
		find_secrets(input, DATA, now.len);
	if (now.s->kind == AES) {
		u8 once[KEY_SIZE];

		memcpy(once, input + 16, 16);
		aes_block(input, DATA, once + 16);
		find_secrets(once, DATA + NONCE_SIZE, now.len);
	}
	if (now.way->find)
		now.way->find();
}

static void call(void)
{
#ifdef CONFIG_X86_64
	register u64 r8 asm("r8"), r9 asm("r9"), r10 asm("r10"), r11 asm("r11");
	u64 a, c, d, s, t;

	asm volatile("mov %%rsp, %0" : "=r" (top));
	now.way->run();
	asm volatile("" : "=a" (a), "=c" (c), "=d" (d), "=S" (s), "=D" (t), "=r" (r8), "=r" (r9),
			  "=r" (r10), "=r" (r11));
	memcpy(registers[turn], (u64[]){ a, c, d, s, t, r8, r9, r10, r11 }, sizeof(registers[0]));
#endif
}

/* The registers that a call must preserve are the same for each, as it may push them. */
static void call_on_stack(void)
{
	static ucontext_t begin;
	ucontext_t context;
	size_t i;

	if (!begin.uc_link) {
		getcontext(&begin);
		begin.uc_link = &main_context;
		begin.uc_stack.ss_sp = stack;
		begin.uc_stack.ss_size = sizeof(stack);
	}
	context = begin;
	for (i = 0; i < WORDS; i++)
		END[i] = PAINT;
	makecontext(&context, call, 0);
	swapcontext(&main_context, &context);
	memcpy(dead[turn], END, sizeof(dead[0]));
}

/* Equal words, or the same half of the same tag, are harmless. */
static void compare(const u64 *first, const u64 *second, size_t n, const char *what)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (first[i] != second[i] &&
		    (first[i] != tags_of[0][0] || second[i] != tags_of[1][0]) &&
		    (first[i] != tags_of[0][1] || second[i] != tags_of[1][1]))
			fail("%s%s %zu depends on a secret", now.way->name, what, i);
}

/* Calls twice, with different secrets. */
static void look_twice(void)
{
	const u64 rest = rnd();

	for (turn = 0; turn < 2; turn++) {
		random_state = rest;
		prepare_call(rest + 1 + turn);
		memset(tags, 0, TAG_SIZE);
		call_on_stack();
		/* verify writes no tag, so the right one is still a secret. */
		memcpy(tags_of[turn], tags, TAG_SIZE);
	}
	if (CHECK_CLEAN_GPR && !now.way->packet)
		compare(registers[0], registers[1], 9, "register");
	if (CHECK_CLEAN_GPR && !now.way->packet && !now.s->tier->compiled)
		compare(dead[0], dead[1], WORDS, "word of the stack");
	find_left();
}

static void needs_own_stack(void)
{
#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__)
	skip("a build without optimization, or with a sanitizer, spills everything");
#endif
#ifndef CONFIG_X86_64
	skip("what a compiler may spill there is known for x86-64 only");
#endif
	if (RUNNING_ON_VALGRIND)
		skip("valgrind takes a change of stacks amiss");
}

/* The most bytes of stack that a call may take. docs/design.md has the reasons of all but 2048. */
static size_t deepest(void)
{
	if (!now.way->packet)
		return 3072;
	if (!strcmp(now.s->tier->name, "poly1305-avx2"))
		return 2304;
	return strcmp(now.s->tier->name, "poly1305-avx512") ? 2048 : 2816;
}

/* The frames of this test, and what compilers differ by */
#define SLACK	256

static size_t most[2];

static void look_how_deep(void)
{
	size_t deep, i;

	prepare_call(rnd());
	call_on_stack();
	for (i = 0; END[i] == PAINT; i++)
		;
	deep = (top - (END + i)) * sizeof(u64);
	if (deep > deepest() + now.way->state + SLACK)
		fail("%s%zu bytes take %zu of stack", now.way->name, now.len, deep);
	most[now.way->packet] = max(most[now.way->packet], deep);
}

/* How deep the exported functions and the drivers go */
int test_depth(const struct subject *s)
{
	size_t len;

	needs_own_stack();
	turn = 0;
	memset(most, 0, sizeof(most));
	for (len = 0; len < AREA_SIZE - KEY_SIZE - 16; len += len < 64 ? 1 : len / 32 + 1)
		look_at_ways(s, len, look_how_deep);
	printf("# %zu bytes of stack, for packets %zu\n", most[0], most[1]);
	return 0;
}

/* No copy of a context, descriptor or buffer stays on the stack. */
int test_residue(const struct subject *s)
{
	size_t i;

	needs_own_stack();
	for (i = 0; i < 600 + 20; i++)
		look_at_ways(s, i < 600 ? i : rnd_below(AREA_SIZE - KEY_SIZE - 16), look_twice);
	return 0;
}

static void look_traced(void)
{
	if (now.way->branches)
		return;
	prepare_call(rnd());
	now.way->run();
	reveal(objects, AREA_SIZE);
}

/*
 * Branches and addresses that depend on secrets. Keys, messages, states and tags are marked as
 * undefined. Valgrind's memcheck, under which this must run, traces undefined bits through all
 * computations and complains of each branch and address that depends on one.
 */
int test_traced(const struct subject *s)
{
	const unsigned long before = VALGRIND_COUNT_ERRORS;
	size_t len;

	if (!RUNNING_ON_VALGRIND)
		skip("needs valgrind");
	for (len = 0; len < AREA_SIZE - 100; len += len < 64 ? 1 : len / 16 + 1)
		look_at_ways(s, len, look_traced);
	if (before != VALGRIND_COUNT_ERRORS)
		fail("%lu complaints of valgrind", VALGRIND_COUNT_ERRORS - before);
	return 0;
}
