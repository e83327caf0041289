// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Poly1305 straight from its definition, with long multiplication as taught at
 * school. It is the tests' second opinion, so it is not clever: its running
 * time depends on its input and nothing is wiped. Never use it on real keys.
 *
 * A message is cut into blocks of 16 bytes, the last one may be shorter. Block
 * i, read as a little-endian number with a byte 1 put behind its last byte, is
 * c_i. With r and s the two halves of the key, r clamped, the tag is
 *
 *	((c_1 r^n + c_2 r^(n-1) + ... + c_n r^1) mod 2^130 - 5) + s  mod 2^128
 */
#include <string.h>
#include <linux/types.h>

#include "poly1305_ref.h"

/* A number below 2^130 - 5: 32-bit digits, the lowest first. */
struct num {
	__u32 digit[5];
};

#define WIDE	10	/* digits of a product */

static __u32 load32(const unsigned char *p)
{
	return p[0] | p[1] << 8 | p[2] << 16 | (__u32)p[3] << 24;
}

static int at_least_2_130(const __u32 *x)
{
	__u32 high = x[4] >> 2;
	int i;

	for (i = 5; i < WIDE; i++)
		high |= x[i];
	return high != 0;
}

/* x + 5 * y; the callers' sums stay below 2^320. */
static void add_5_times(__u32 *x, const __u32 *y)
{
	__u64 carry = 0;
	int i;

	for (i = 0; i < WIDE; i++) {
		carry += x[i] + 5 * (__u64)y[i];
		x[i] = carry;
		carry >>= 32;
	}
}

/* x mod 2^130 - 5, using that 2^130 leaves 5. */
static struct num modulo(const __u32 *wide)
{
	static const __u32 one[WIDE] = { 1 };
	__u32 x[WIDE], more[WIDE];
	struct num n;
	int i;

	memcpy(x, wide, sizeof(x));
	while (at_least_2_130(x)) {
		__u32 high[WIDE] = { 0 };

		for (i = 0; i < 6; i++) {
			high[i] = x[i + 4] >> 2;
			if (i + 5 < WIDE)
				high[i] |= x[i + 5] << 30;
		}
		x[4] &= 3;
		memset(x + 5, 0, 5 * sizeof(*x));
		add_5_times(x, high);
	}

	/* Below 2^130 now; not below 2^130 - 5 if 5 more reach 2^130. */
	memcpy(more, x, sizeof(x));
	add_5_times(more, one);
	if (at_least_2_130(more)) {
		more[4] &= 3;
		memcpy(x, more, sizeof(x));
	}
	memcpy(n.digit, x, sizeof(n.digit));
	return n;
}

static struct num add(struct num a, struct num b)
{
	__u32 sum[WIDE] = { 0 };
	__u64 carry = 0;
	int i;

	for (i = 0; i < 5; i++) {
		carry += (__u64)a.digit[i] + b.digit[i];
		sum[i] = carry;
		carry >>= 32;
	}
	return modulo(sum);
}

static struct num multiply(struct num a, struct num b)
{
	__u32 product[WIDE] = { 0 };
	int i, j;

	for (i = 0; i < 5; i++) {
		__u64 carry = 0;

		for (j = 0; j < 5; j++) {
			carry += product[i + j] +
				 (__u64)a.digit[i] * b.digit[j];
			product[i + j] = carry;
			carry >>= 32;
		}
		product[i + 5] = carry;
	}
	return modulo(product);
}

/* Up to 16 bytes with a byte 1 behind the last. */
static struct num block(const unsigned char *text, size_t len)
{
	unsigned char bytes[20] = { 0 };
	struct num n;
	int i;

	memcpy(bytes, text, len);
	bytes[len] = 1;
	for (i = 0; i < 5; i++)
		n.digit[i] = load32(bytes + 4 * i);
	return n;
}

static struct num clamped(const unsigned char *key)
{
	struct num r = { { 0 } };
	int i;

	for (i = 0; i < 4; i++)
		r.digit[i] = load32(key + 4 * i);
	r.digit[0] &= 0x0fffffff;
	r.digit[1] &= 0x0ffffffc;
	r.digit[2] &= 0x0ffffffc;
	r.digit[3] &= 0x0ffffffc;
	return r;
}

/* c_1 r^n + ... + c_n r^1 */
static struct num evaluate(struct num r, const unsigned char *text, size_t len)
{
	struct num h = { { 0 } };

	while (len) {
		size_t n = len < 16 ? len : 16;

		h = multiply(add(h, block(text, n)), r);
		text += n;
		len -= n;
	}
	return h;
}

static void finish(struct num h, const unsigned char *s, unsigned char *tag)
{
	__u64 carry = 0;
	int i;

	for (i = 0; i < POLY1305_TAG_SIZE; i++) {
		carry += (h.digit[i / 4] >> 8 * (i % 4) & 0xff) + s[i];
		tag[i] = carry;
		carry >>= 8;
	}
}

void poly1305_ref(const unsigned char *key, const void *text, size_t len,
		  unsigned char *tag)
{
	finish(evaluate(clamped(key), text, len), key + 16, tag);
}

void poly1305_ref_repeat(const unsigned char *key, const void *chunk,
			 size_t len, size_t times, unsigned char *tag)
{
	struct num r = clamped(key);
	struct num once = evaluate(r, chunk, len);
	struct num shift = { { 1 } };
	struct num h = { { 0 } };
	size_t i;

	/* What came before a chunk of n blocks gains the factor r^n. */
	for (i = 0; i < len; i += 16)
		shift = multiply(shift, r);
	for (i = 0; i < times; i++)
		h = add(multiply(h, shift), once);
	finish(h, key + 16, tag);
}
