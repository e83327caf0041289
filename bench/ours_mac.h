/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The functions of one MAC of ours, for the benchmark. To be included once for each,
 * with MAC defined as the prefix of its functions. With MAC poly1271 there are
 * select_poly1271() and so on.
 */

#define PASTE_VALUES(a, b)	a##_##b
#define PASTE(a, b)		PASTE_VALUES(a, b)
#define OUR(name)		PASTE(name, MAC)

static bool OUR(select)(const struct bench_impl *impl)
{
	return !PASTE(MAC, user_select)(impl->name + impl->arg);
}

static void OUR(digest)(uint8_t tag[TAG_SIZE], const uint8_t *msg, size_t len,
			const uint8_t key[KEY_SIZE])
{
	PASTE(MAC, mac_digest)(key, msg, len, tag);
}

/* Within one page: stores across two would cost a message some 40 TSC cycles. */
static struct PASTE(MAC, mac_ctx) OUR(ctx) __attribute__((aligned(512)));

static void OUR(init)(const uint8_t key[KEY_SIZE], size_t hint)
{
	(void)hint;
	PASTE(MAC, mac_init)(&OUR(ctx), key);
}

static void OUR(update)(const uint8_t *data, size_t len)
{
	PASTE(MAC, mac_update)(&OUR(ctx), data, len);
}

static void OUR(final)(uint8_t tag[TAG_SIZE])
{
	PASTE(MAC, mac_final)(&OUR(ctx), tag);
}

#undef OUR
#undef PASTE
#undef PASTE_VALUES
#undef MAC
