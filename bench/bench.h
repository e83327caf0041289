/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The interface of peers, other implementations of Poly1305, to the benchmark.
 */

#ifndef BENCH_H
#define BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KEY_SIZE	32
#define TAG_SIZE	16

typedef void (bench_seal)(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *ad,
		       size_t ad_len, const uint8_t key[KEY_SIZE]);
typedef bool (bench_open)(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *ad,
		       size_t ad_len, const uint8_t key[KEY_SIZE]);

/**
 * struct bench_packets - ChaCha20-Poly1305 with nonce 0
 * @set_key: NULL, or prepares what users keep for all packets under a key; not measured
 * @seal: writes the ciphertext, followed by the tag
 * @open: decrypts it unless the tag is wrong; returns whether it is right
 * @many: NULL, or does what @seal or @open does n times, for libraries whose users do not pay
 *	for a call from C; those two are then NULL
 * @cipher: NULL, or ChaCha20 alone, from block 0 on
 * @select: takes the ChaCha20 that goes with a tier, or NULL if there is but one
 */
struct bench_packets {
	void (*set_key)(const uint8_t key[KEY_SIZE]);
	bench_seal *seal;
	bench_open *open;
	bool (*many)(bool seal, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *ad,
		     size_t ad_len, size_t n);
	void (*cipher)(uint8_t *dst, const uint8_t *src, size_t len, const uint8_t key[KEY_SIZE]);
	void (*select)(const char *tier);
};

/**
 * struct bench_impl - one implementation on one tier of CPUs
 * @name: unique among all
 * @tier: "avx512", "avx512f", "avx2", "avx", "sse2", "scalar" or "portable"; "any" if the
 *	library takes the best by itself
 * @inner: users of the package cannot call that function
 * @hint: @init makes use of hint
 * @arg: for @select
 * @select: NULL, or makes the functions below serve this tier; false if this CPU or this
 *	build of the package cannot. Called before every sample, not measured.
 * @digest: computes a whole MAC under a new key; NULL if there are packets alone
 * @init: begins a message in the peer's only context; hint is its length, or 0 if
 *	the caller does not announce it. NULL if the peer has no such interface.
 * @update: continues the message
 * @final: ends the message
 * @packets: NULL, or packets of ChaCha20-Poly1305 with this MAC
 */
struct bench_impl {
	const char *name;
	const char *tier;
	bool inner;
	bool hint;
	int arg;
	bool (*select)(const struct bench_impl *impl);
	void (*digest)(uint8_t tag[TAG_SIZE], const uint8_t *msg, size_t len,
		       const uint8_t key[KEY_SIZE]);
	void (*init)(const uint8_t key[KEY_SIZE], size_t hint);
	void (*update)(const uint8_t *data, size_t len);
	void (*final)(uint8_t tag[TAG_SIZE]);
	const struct bench_packets *packets;
};

/**
 * struct bench_peer - a package and the implementations in it
 * @version: of the package at build time
 * @impls: the last one has no name
 */
struct bench_peer {
	const char *version;
	const struct bench_impl *impls;
};

/* Functions whose names begin with the same word, in a struct bench_impl */
#define BENCH_FUNCTIONS(id)						\
	.digest = id##_digest, .init = id##_init, .update = id##_update, .final = id##_final

/* Define a digest function that calls the other three. */
#define BENCH_DIGEST(digest, init, update, final)			\
static void digest(uint8_t tag[TAG_SIZE], const uint8_t *msg, size_t len, \
		   const uint8_t key[KEY_SIZE])				\
{									\
	init(key, 0);							\
	update(msg, len);						\
	final(tag);							\
}

/* Weak, because they need the kernel's ChaCha20, which may be missing at link time */
extern const struct bench_packets our_packets __attribute__((weak));
extern const struct bench_packets before_packets __attribute__((weak));
extern const struct bench_packets linux_packets __attribute__((weak));
extern const struct bench_packets standin_packets __attribute__((weak));

/* Weak, because peers that were not built are missing at link time */
#define BENCH_PEER(id)	\
	extern const struct bench_peer peer_##id __attribute__((weak))

BENCH_PEER(gcrypt);
BENCH_PEER(go);
BENCH_PEER(ipsec_mb);
BENCH_PEER(linux);
BENCH_PEER(nettle);
BENCH_PEER(openssl);
BENCH_PEER(rust);

#endif
