/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The implementations that a run measures, what its results say of them, and their way to the
 * MAC of a packet
 */

#ifndef IMPLS_H
#define IMPLS_H

#include "bench.h"
#include "poly1271_user.h"
#include "poly1305_user.h"

#define MOST_IMPLS	64
extern struct bench_impl impls[MOST_IMPLS];
extern size_t nimpls;

/* An earlier version of ours: weak, because most programs are built without one */
extern const struct bench_impl before_impl __attribute__((weak));
extern const struct bench_impl before_poly1271 __attribute__((weak));
extern __typeof__(poly1305_user_impls) before_poly1305_user_impls __attribute__((weak));
extern __typeof__(poly1271_user_impls) before_poly1271_user_impls __attribute__((weak));

/* What before_impl calls for packets: missing in versions that are old enough */
extern __typeof__(poly1305_mac_aead) before_poly1305_mac_aead __attribute__((weak));

/* Those whose names match the pattern: ours come first. */
void find_impls(const char *pattern);

/* Parts of the JSON */
void print_impls(void);
void print_packages(void);

/* Whether it is that one of ours, now or in an earlier version */
bool is_our(const struct bench_impl *impl, const struct bench_impl *our);

/* Whether it has a way to the MAC of a packet as RFC 8439 defines it */
bool has_packets(const struct bench_impl *impl);

/*
 * The MAC of a packet, by impl's function for that or by as many updates as it has parts.
 * The AD_SIZE bytes at ad are those of ESP with sequence numbers of 64 bits.
 */
#define AD_SIZE		12
void packet(const struct bench_impl *impl, uint8_t tag[TAG_SIZE], const uint8_t *ad,
	    const uint8_t *text, size_t len, const uint8_t key[KEY_SIZE]);

/* Joins the parts to one message, of up to len + JOINED_MORE bytes; returns its length */
#define JOINED_MORE	48
size_t join_packet(uint8_t *out, const uint8_t *ad, const uint8_t *text, size_t len);

#endif
