/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The descriptors of the shash drivers of poly1305 and poly1305(aes), their export and import.
 *
 * The input starts with a prefix, which is not part of the message: the one-time key of poly1305,
 * or the nonce of poly1305(aes). prefix_size is its length, at most POLY1305_MAC_KEY_SIZE.
 */

#ifndef POLY1305_DESC_H
#define POLY1305_DESC_H

#include <linux/compiler.h>

#include "poly1305_core.h"

/*
 * The most bytes of a descriptor and of an exported state. Kernels from 5.10 to 7.3 allow at least
 * 360 bytes for a descriptor, and 7.2 allows 345 bytes for an exported state.
 */
#define POLY1305_STATE_MAX	345

/* While the prefix is incomplete, prefix_len and prefix are defined, then prefix_len and mac. */
struct poly1305_desc {
	u32 prefix_len;
	u8 prefix[POLY1305_MAC_KEY_SIZE];
	struct poly1305_mac_ctx mac;
};

/*
 * An exported state: an incomplete prefix, or the partial block, h, s and a one-time r, but no
 * powers
 */
struct poly1305_saved {
	u32 prefix_len;
	u32 buflen;
	u8 prefix[POLY1305_MAC_KEY_SIZE];
	u8 buf[sizeof_field(struct poly1305_mac_ctx, buf)];
	u64 s[2];
	u64 r[2];
	u64 h[3];
};

static_assert(sizeof(struct poly1305_desc) <= POLY1305_STATE_MAX);
static_assert(sizeof(struct poly1305_desc) % sizeof(long) == 0);
static_assert(sizeof(struct poly1305_saved) <= POLY1305_STATE_MAX);

/*
 * Move bytes from the input to the prefix. Returns whether the prefix is complete. In the usual
 * case, an input that contains the whole prefix, the copy needs no call.
 */
static __always_inline bool poly1305_take_prefix(struct poly1305_desc *d, size_t prefix_size,
						 const u8 **data, unsigned int *len)
{
	const unsigned int n = min_t(size_t, *len, prefix_size - d->prefix_len);

	if (n == prefix_size)
		memcpy(d->prefix, *data, prefix_size);
	else
		memcpy(d->prefix + d->prefix_len, *data, n);
	d->prefix_len += n;
	*data += n;
	*len -= n;
	return d->prefix_len == prefix_size;
}

/* Exports r if it comes from a one-time key, but not if it belongs to a set key. */
static __always_inline int poly1305_export(struct poly1305_desc *d, size_t prefix_size, void *out)
{
	struct poly1305_saved saved = { .prefix_len = d->prefix_len };

	if (d->prefix_len < prefix_size) {
		memcpy(saved.prefix, d->prefix, d->prefix_len);
	} else {
		saved.buflen = d->mac.buflen;
		memcpy(saved.buf, d->mac.buf, d->mac.buflen);
		memcpy(saved.s, d->mac.s, sizeof(saved.s));
		memcpy(saved.h, d->mac.state.h, sizeof(saved.h));
		if (prefix_size == POLY1305_MAC_KEY_SIZE)
			memcpy(saved.r, d->mac.state.r, sizeof(saved.r));
	}
	memcpy(out, &saved, sizeof(saved));
	memzero_explicit(&saved, sizeof(saved));
	return 0;
}

/*
 * Whether r is clamped and h within its bound, as poly1305_core.h requires. r and h are secret, but
 * this result is not: it is true for every exported state, and the error code reveals it anyway.
 */
static __maybe_unused bool saved_permitted(const struct poly1305_saved *saved)
{
	const u64 beyond = (saved->r[0] & ~POLY1305_CLAMP_LO) |
			   (saved->r[1] & ~POLY1305_CLAMP_HI) |
			   POLY1305_H_BEYOND(saved->h);

	return !beyond;
}

/*
 * r belongs to a set key, or is NULL if the exported state holds r. If a length, r or h is out of
 * bounds, returns -EINVAL and leaves the descriptor unchanged. Bytes of prefix beyond prefix_len,
 * and of buf beyond buflen, are ignored.
 */
static __always_inline int poly1305_import(struct poly1305_desc *d, size_t prefix_size,
					   const u64 r[2], const void *in)
{
	struct poly1305_mac_ctx *mac = &d->mac;
	struct poly1305_saved saved;
	int err = -EINVAL;

	memcpy(&saved, in, sizeof(saved));
	if (saved.prefix_len > prefix_size || saved.buflen >= POLY1305_MAC_BLOCK_SIZE ||
	    !saved_permitted(&saved))
		goto out;

	memset(d, 0, sizeof(*d));
	d->prefix_len = saved.prefix_len;
	if (saved.prefix_len < prefix_size)
		memcpy(d->prefix, saved.prefix, saved.prefix_len);
	mac->buflen = saved.buflen;
	memcpy(mac->buf, saved.buf, saved.buflen);
	memcpy(mac->s, saved.s, sizeof(mac->s));
	memcpy(mac->state.r, r ?: saved.r, sizeof(mac->state.r));
	memcpy(mac->state.h, saved.h, sizeof(mac->state.h));
	err = 0;
out:
	memzero_explicit(&saved, sizeof(saved));
	return err;
}

#endif /* POLY1305_DESC_H */
