// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Cases about messages: their contents, pieces and memory.
 * Every tag is compared with poly1305_ref().
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/socket.h>
#include <kcapi.h>

#include "afalg.h"
#include "../../testmgr_vectors.h"

#define KEY	POLY1305_KEY_SIZE
#define TAG	POLY1305_TAG_SIZE

static size_t unhex(const char *hex, unsigned char *out)
{
	size_t n;

	for (n = 0; hex[2 * n]; n++) {
		char byte[3] = { hex[2 * n], hex[2 * n + 1] };

		out[n] = strtoul(byte, NULL, 16);
	}
	return n;
}

static bool vectors(struct subject *t)
{
	unsigned char *in = malloc(INPUT_MAX);
	unsigned char want[TAG], got[TAG];
	int op = alg_accept(t->tfm);
	struct poly1305_testvec v;
	const char *text;
	size_t i, len;
	bool right = true;
	int err;

	for_each_poly1305_testvec(i, text, &v) {
		len = unhex(v.key, in);
		len += unhex(v.msg, in + len);
		unhex(v.tag, want);
		err = alg_send(op, in, len, 0) ?: alg_recv(op, got);
		if (!err && memcmp(want, got, TAG))
			err = -EBADMSG;
		if (!err)
			continue;
		tap_diag("  vector %s: %s", v.why, why(err));
		right = false;
	}
	close(op);
	free(in);
	return right;
}

static bool lengths(struct subject *t)
{
	int op = alg_accept(t->tfm);
	size_t len;
	int err = 0;

	for (len = 0; len <= 4200 && !err; len++) {
		/* A key and a message of its own for each length. */
		err = alg_mac(op, t->input + len, KEY + len);
		if (err)
			tap_diag("  %zu bytes: %s", len, why(err));
	}
	close(op);
	return !err;
}

/* 100 bytes of input, key included, cut into three sends at any two places. */
static bool splits(struct subject *t)
{
	const unsigned char *in = t->input;
	int op = alg_accept(t->tfm);
	const size_t len = 100;
	size_t i, j;
	int err = 0;

	for (i = 0; i <= len && !err; i++) {
		for (j = i; j <= len && !err; j++) {
			err = alg_send(op, in, i, MSG_MORE) ?:
			      alg_send(op, in + i, j - i, MSG_MORE) ?:
			      alg_send(op, in + j, len - j, 0) ?:
			      alg_check(op, in, len);
			if (err)
				tap_diag("  cut at %zu and %zu: %s", i, j,
					 why(err));
		}
	}
	close(op);
	return !err;
}

/* Pieces from none to hundreds of bytes, small ones most often. */
static bool random_splits(struct subject *t)
{
	int op = alg_accept(t->tfm);
	size_t round, len, done;
	int err = 0;

	for (round = 0; round < 2000 && !err; round++) {
		const unsigned char *in = t->input + round;

		len = KEY + rng_below(&t->rng, 3000);
		for (done = 0; done < len && !err;) {
			size_t most = 2 << rng_below(&t->rng, 10);
			size_t n = rng_below(&t->rng, most);

			if (n > len - done)
				n = len - done;
			err = alg_send(op, in + done, n, MSG_MORE);
			done += n;
		}
		err = err ?: alg_check(op, in, len);
		if (err)
			tap_diag("  round %zu, %zu bytes: %s", round, len - KEY,
				 why(err));
	}
	close(op);
	return !err;
}

/* The polynomial of no blocks is zero: the tag is s, the key's second half. */
static bool zero_message(struct subject *t)
{
	int op = alg_accept(t->tfm);
	unsigned char tag[TAG];
	size_t i;
	int err = 0;

	for (i = 0; i < 100 && !err; i++) {
		const unsigned char *key = t->input + KEY * i;

		err = alg_send(op, key, KEY, i & 1 ? MSG_MORE : 0);
		if (!err && i % 4 == 3)
			err = alg_send(op, NULL, 0, 0);
		err = err ?: alg_recv(op, tag);
		if (!err && memcmp(tag, key + 16, TAG))
			err = -EBADMSG;
	}
	close(op);
	return err ? fail("key %zu: %s", i - 1, why(err)) : true;
}

/* One message, sent in every way that sockets offer. */
static bool oneshot_more(struct subject *t)
{
	static const size_t sizes[] = { 0, 1, 15, 16, 17, 64, 500, 4064, 9000 };
	const unsigned char *in = t->input;
	int op = alg_accept(t->tfm);
	const char *how = "";
	int err = 0;
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes) && !err; i++) {
		const size_t len = KEY + sizes[i];
		const struct iovec iov[] = {
			{ (void *)in, 5 },
			{ (void *)(in + 5), KEY - 5 },
			{ NULL, 0 },
			{ (void *)(in + KEY), sizes[i] / 3 },
			{ (void *)(in + KEY + sizes[i] / 3),
			  sizes[i] - sizes[i] / 3 },
		};

		how = "one send";
		err = alg_mac(op, in, len);
		if (err)
			break;
		how = "MSG_MORE, then recv";
		err = alg_send(op, in, len, MSG_MORE) ?:
		      alg_check(op, in, len);
		if (err)
			break;
		how = "MSG_MORE, then an empty send";
		err = alg_send(op, in, len, MSG_MORE) ?:
		      alg_send(op, NULL, 0, 0) ?:
		      alg_check(op, in, len);
		if (err)
			break;
		how = "sendmsg of five pieces";
		err = alg_sendv(op, iov, 5, 0) ?: alg_check(op, in, len);
		if (err)
			break;
		how = "sendmsg of five pieces with MSG_MORE";
		err = alg_sendv(op, iov, 5, MSG_MORE) ?:
		      alg_check(op, in, len);
		if (err)
			break;
		how = "write";
		err = write(op, in, len) == (ssize_t)len ? 0 : -EIO;
		err = err ?: alg_check(op, in, len);
	}
	close(op);
	return err ? fail("%s: %s", how, why(err)) : true;
}

static bool unaligned(struct subject *t)
{
	static const size_t sizes[] = { 0, 16, 17, 31, 64, 100, 300, 4096 };
	const size_t room = 8192, count = sizeof(sizes) / sizeof(*sizes);
	int op = alg_accept(t->tfm);
	unsigned char *buf = NULL;
	size_t off, i, len;
	int err = 0;

	if (posix_memalign((void **)&buf, 4096, room))
		err = -ENOMEM;
	for (off = 0; off < 64 && !err; off++) {
		for (i = 0; i < count && !err; i++) {
			len = KEY + sizes[i];
			memcpy(buf + off, t->input + off, len);
			err = alg_mac(op, buf + off, len);
			if (err)
				tap_diag("  %zu bytes at offset %zu: %s",
					 sizes[i], off, why(err));
		}
	}
	free(buf);
	close(op);
	return !err;
}

static bool large_sends(struct subject *t)
{
	static const size_t sizes[] = {
		65535, 65536, 65537, 1 << 20, (1 << 20) + 7
	};
	int op = alg_accept(t->tfm);
	size_t i, off;
	int err = 0;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes) && !err; i++) {
		/* First at an odd address, then with the text aligned to 16. */
		for (off = 0; off < 2 && !err; off++) {
			err = alg_mac(op, t->input + off, KEY + sizes[i]);
			if (err)
				tap_diag("  %zu bytes: %s", sizes[i], why(err));
		}
	}
	close(op);
	return !err;
}

/* The result of libkcapi's update functions as a negative errno */
static int kcapi_error(ssize_t ret)
{
	/* They return the -1 of a failed send(2) as it is. */
	return ret == -1 ? -errno : ret;
}

/*
 * The tag of @times chunks of @len bytes, whole blocks. What precedes a chunk of n
 * blocks gains the factor r^n.
 */
static void tag_of_chunks(const unsigned char *key, const unsigned char *chunk,
			  size_t len, size_t times, unsigned char *tag)
{
	static const uint64_t zero[3], one[3] = { 1 };
	struct poly1305_ref once, all;
	uint64_t shift[3] = { 1 };
	size_t i;

	poly1305_ref_init(&once, key);
	all = once;
	poly1305_ref_update(&once, chunk, len);
	for (i = 0; i < len; i += POLY1305_REF_BLOCK)
		poly1305_ref_step(shift, zero, once.r);
	for (i = 0; i < times; i++) {
		poly1305_ref_step(all.h, zero, shift);
		poly1305_ref_step(all.h, once.h, one);
	}
	poly1305_ref_tag(&all, tag);
}

/* libkcapi splices the first of these chunks and sends the others. */
static bool stream(struct subject *t)
{
	const size_t chunk = 65536 - 65536 % POLY1305_REF_BLOCK, times = 1024;
	const unsigned char *text = t->input + KEY;
	unsigned char want[TAG], got[TAG];
	struct kcapi_handle *handle;
	ssize_t n;
	size_t i;
	int err;

	err = kcapi_md_init(&handle, t->driver, 0);
	if (err)
		return fail("libkcapi: %s", why(err));
	err = kcapi_error(kcapi_md_update(handle, t->input, KEY));
	for (i = 0; i < times && !err; i++)
		err = kcapi_error(kcapi_md_update(handle, text, chunk));
	if (!err) {
		n = kcapi_md_final(handle, got, TAG);
		err = n < 0 ? (int)n : n != TAG ? -EIO : 0;
	}
	tag_of_chunks(t->input, text, chunk, times, want);
	if (!err && memcmp(want, got, TAG))
		err = -EBADMSG;
	kcapi_md_destroy(handle);
	return err ? fail("after %zu chunks: %s", i, why(err)) : true;
}

/* libkcapi as a client uses it, and the errors that it reports. */
static bool libkcapi(struct subject *t)
{
	const size_t len = KEY + 70000;
	struct kcapi_handle *handle, *second = NULL;
	unsigned char want[TAG], got[TAG];
	const char *what;
	ssize_t n;
	int err;

	poly1305_ref(t->input, t->input + KEY, len - KEY, want);
	what = "kcapi_md_init";
	err = kcapi_md_init(&handle, t->driver, 0);
	if (err)
		return fail("%s: %s", what, why(err));

	what = "digest and block size";
	err = kcapi_md_digestsize(handle) == TAG &&
	      kcapi_md_blocksize(handle) == POLY1305_REF_BLOCK ? 0 : -EINVAL;
	if (err)
		goto out;

	what = "kcapi_md_digest";
	n = kcapi_md_digest(handle, t->input, len, got, TAG);
	err = n != TAG ? -EIO : memcmp(want, got, TAG) ? -EBADMSG : 0;
	if (err)
		goto out;

	what = "kcapi_md_update of two messages at once";
	err = kcapi_handle_reinit(&second, handle, 0) ?:
	      kcapi_error(kcapi_md_update(handle, t->input, 20)) ?:
	      kcapi_error(kcapi_md_update(second, t->input, 50)) ?:
	      kcapi_error(kcapi_md_update(handle, t->input + 20, len - 20)) ?:
	      kcapi_error(kcapi_md_update(second, t->input + 50, len - 50));
	if (!err && kcapi_md_final(handle, got, TAG) != TAG)
		err = -EIO;
	if (!err && memcmp(want, got, TAG))
		err = -EBADMSG;
	if (!err && kcapi_md_final(second, got, TAG) != TAG)
		err = -EIO;
	if (!err && memcmp(want, got, TAG))
		err = -EBADMSG;
	if (err)
		goto out;

	what = "kcapi_md_final after 31 bytes";
	err = kcapi_error(kcapi_md_update(handle, t->input, KEY - 1));
	if (!err)
		err = kcapi_md_final(handle, got, TAG) == -ENOKEY ? 0 : -EINVAL;
out:
	kcapi_md_destroy(second);
	kcapi_md_destroy(handle);
	return err ? fail("%s: %s", what, why(err)) : true;
}

const struct test_case message_cases[] = {
	{ "vectors", vectors, "known answers, RFC 8439's for Poly1305" },
	{ "lengths", lengths, "every length from 0 to 4200" },
	{ "splits", splits, "100 bytes, key included, cut at any two places" },
	{ "random_splits", random_splits, "2000 messages in random pieces" },
	{ "zero_message", zero_message, "a key and no text" },
	{ "oneshot_more", oneshot_more,
	  "send, MSG_MORE, sendmsg and write agree" },
	{ "unaligned", unaligned, "64 alignments of the input" },
	{ "large_sends", large_sends, "64 KiB and 1 MiB in one send" },
	{ "stream", stream, "64 MiB by MSG_MORE" },
	{ "libkcapi", libkcapi, "the library: one-shot, two handles, ENOKEY" },
	{ 0 }
};
