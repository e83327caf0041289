// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * What functions that a MAC may lack leave behind: those of POLY1305_WHOLE_LIBRARY, and
 * poly1305(aes)
 */

#include "aes.h"
#include "residue.h"

static void run_sg(void *arg)
{
	struct message *m = arg;

	must(poly1305_mac_digest_sg(m->key, m->list, m->len, m->tag));
}

/* For poly1305(aes) a nonce and the message follow the key. */
static const u8 *aes_input(const struct message *m)
{
	return m->key + KEY_SIZE;
}

static const struct shash_alg *aes_alg(void)
{
	return &aes_transform()->inst->alg;
}

static void run_aes_setkey(void *arg)
{
	const struct message *m = arg;

	must(aes_alg()->setkey(aes_transform(), m->aes_key, KEY_SIZE));
}

static void run_aes_digest(void *arg)
{
	const struct message *m = arg;

	must(aes_alg()->digest(m->desc, aes_input(m), 16 + m->len, m->tag));
}

/* Cuts the nonce and the message in two. */
static void run_aes_updates(void *arg)
{
	const struct message *m = arg;
	const struct shash_alg *alg = aes_alg();
	const size_t rest = m->len + 16 - 7;

	must(alg->init(m->desc) ?: alg->update(m->desc, aes_input(m), 7) ?:
	     alg->update(m->desc, aes_input(m) + 7, rest / 2) ?:
	     alg->update(m->desc, aes_input(m) + 7 + rest / 2, rest - rest / 2) ?:
	     alg->final(m->desc, m->tag));
}

static void run_aes_export(void *arg)
{
	const struct message *m = arg;
	const struct shash_alg *alg = aes_alg();

	must(alg->init(m->desc) ?:
	     alg->update(m->desc, aes_input(m), 16 + m->len / 2) ?:
	     alg->export(m->desc, exports.rw));
}

static void run_aes_import(void *arg)
{
	const struct message *m = arg;

	must(aes_alg()->import(m->desc, exports.rw));
}

static void make_list(void *arg)
{
	struct message *m = arg;
	u8 *data = (u8 *)m->key + KEY_SIZE;

	m->list[0] = (struct scatterlist){ data, m->len / 3, &m->list[1] };
	m->list[1] = (struct scatterlist){ data, 0, &m->list[2] };
	m->list[2] = (struct scatterlist){ data + m->len / 3,
					   m->len - m->len / 3, NULL };
}

static void make_aes_key(void *arg)
{
	struct message *m = arg;

	m->desc->tfm = aes_transform();
	memcpy(m->aes_key, m->key, KEY_SIZE);
	put_unaligned_le64(get_unaligned_le64(m->key + 16) & POLY1305_CLAMP_LO,
			   m->aes_key + 16);
	put_unaligned_le64(get_unaligned_le64(m->key + 24) & POLY1305_CLAMP_HI,
			   m->aes_key + 24);
	run_aes_setkey(m);
}

static void make_aes_state(void *arg)
{
	make_aes_key(arg);
	run_aes_export(arg);
}

/* The one-time key of poly1305(aes) is r and AES_k(nonce). */
static void find_aes(const struct message *m)
{
	u8 key[KEY_SIZE];

	memcpy(key, m->aes_key + 16, 16);
	aes_block(m->aes_key, aes_input(m), key + 16);
	find(m->aes_key, 16, "k");
	find_secrets(key, aes_input(m) + 16, m->len);
}

static const struct way ways[] = {
	{ "digest_sg: ", run_sg, make_list },
	{ "aes setkey: ", run_aes_setkey, make_aes_key, find_aes, true },
	{ "aes digest: ", run_aes_digest, make_aes_key, find_aes },
	{ "aes update: ", run_aes_updates, make_aes_key, find_aes },
	{ "aes export: ", run_aes_export, make_aes_key, find_aes },
	{ "aes import: ", run_aes_import, make_aes_state, find_aes },
};

static void test_ways(const struct tier *tier)
{
	check_ways(tier, ways, ARRAY_SIZE(ways));
}

const struct test whole_residue_tests[] = {
	{ "residue-whole", test_ways },
	{ }
};
