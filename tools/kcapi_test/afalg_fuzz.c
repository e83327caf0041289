// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * afalg_fuzz [-v] [-j WORKERS] [-n ROUNDS] [-s SEED] [NAME...]: random calls of AF_ALG
 *
 * A round has a transform, up to four operations and up to a hundred calls. Most calls take the
 * next step of a message, which is cut at random and sent or spliced. One in eight is any call
 * with any argument. Each call is made a second time on the kernel's own driver, where there is
 * one, and must give the same result and bytes. The tags of hashes are also compared with those of
 * poly1305_ref.c. In one round of eight, threads share the sockets, and nothing is compared.
 *
 * Gives up root. Prints TAP. "-s SEED -n 1 -v NAME" repeats a round and prints its calls.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <sys/wait.h>
#include <time.h>
#include <openssl/evp.h>

#include "../../tests/reference/aead_ref.h"
#include "afalg.h"

#define KEY	32
#define TAG	16
#define SLOTS	5		/* for sockets: a transform, then its operations */
#define PIECES	16		/* most in a call */
#define ARENA	65536	/* bytes of a buffer, before a page without access */
#define PAGE	4096
#define TEXT	(ARENA / 4)	/* longest text */
#define CANARY	0xa5
#define THREADS	3
#define WORKERS	16
#define NOBODY	65534

#define add(n)	__atomic_add_fetch(n, 1, __ATOMIC_RELAXED)
#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
/* Without bytes of keys: the seed gives them. */
#define diag(fmt, ...)	printf("# " fmt "\n", ##__VA_ARGS__)

/* Sizes in bytes. A hash has no IV, and gives an error if a message has fewer bytes than prefix. */
static const struct kind {
	const char *type, *stock[2];	/* stock: what the kernel's own driver may be called */
	unsigned int key, prefix, iv;
	int err;
} kinds[] = {
	{ "hash", { "poly1305-generic" }, 0, 32, 0, -ENOKEY },
	{ "hash", { NULL }, 32, 16, 0, -EINVAL },
	{ "aead", { "rfc7539(chacha20-generic,poly1305-generic)",
		    "rfc7539(chacha20-lib,poly1305-generic)" }, 32, 0, 12, 0 },
	{ "aead", { "rfc7539esp(chacha20-generic,poly1305-generic)",
		    "rfc7539esp(chacha20-lib,poly1305-generic)" }, 36, 0, 8, 0 },
};

/*
 * An operation, and the message that it is in: plan bytes of the arena, done of which were sent.
 * text is what a packet to open was sealed from, or all that a hash was given since its message
 * began, unless the state is LOST, because kernels and drivers differ after errors and empty sends.
 */
struct op {
	bool begun, seal;
	size_t start, plan, done, alen;
	unsigned char iv[AEAD_NONCE_SIZE];
	enum { FRESH, MIDDLE, ENDED, LOST } state;
	size_t len;
	unsigned char text[2 * TEXT];
};

struct round {
	const struct kind *kind;
	const char *name[2];		/* the driver, and the kernel's own or NULL */
	__u64 rng;		/* its state */
	unsigned char key[AEAD_KEY_SIZE + 4], next[AEAD_KEY_SIZE + 4];
	bool keyed;
	size_t used;			/* bytes of the arena that messages have had */
	struct op ops[SLOTS];
};

struct call {
	enum { SEND, SPLICE, RECV, ACCEPT, CLOSE, OPTION, BIND, WHATS } what;
	int slot, to, flags, n;
	struct iovec iov[PIECES];	/* with offsets in place of addresses */
	size_t len;
	unsigned int controllen, op, alen, ivlen;
	const unsigned char *iv;
	int level, option;
	const void *value;
	socklen_t size;
};

static struct shared {
	unsigned long calls, tags, good, refused;
	__u64 seeds[WORKERS];		/* of the rounds that run */
} *count;
static unsigned char *in, *out[2], fresh[ARENA];
static int fds[2][SLOTS];		/* of the driver, and of the kernel's own */
static bool verbose;
static unsigned long workers = 2, rounds = 1000;
static __u64 first;	/* the seed of round 0 */

/*
 * A counter with an odd step, mixed by multiplications and shifts. Each of them is
 * invertible, so all 2^64 outputs occur.
 */
static __u64 rng_next(__u64 *rng)
{
	__u64 x = *rng += 0x9e3779b97f4a7c15;

	x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
	x = (x ^ x >> 32) * 0xd6e8feb86659fd93;
	return x ^ x >> 32;
}

static size_t rng_below(__u64 *rng, size_t limit)
{
	return rng_next(rng) % limit;
}

static void rng_fill(__u64 *rng, unsigned char *p, size_t len)
{
	while (len--)
		*p++ = rng_next(rng);
}

/* Makes a valid key, which is not set yet. */
static void new_key(struct round *r)
{
	int i;

	rng_fill(&r->rng, r->next, sizeof(r->next));
	for (i = 16; i < 32 && r->kind->prefix; i += 4) {
		r->next[i + 3] &= 0x0f;
		r->next[i] &= i > 16 ? 0xfc : 0xff;
	}
}

/* A length up to most; the extremes and short ones more often than chance alone would give */
static size_t some(__u64 *rng, size_t most)
{
	static const size_t limits[] = { 0, 1, 4, 4, 99, 300, TEXT, TEXT };
	const size_t limit = limits[rng_below(rng, ARRAY_SIZE(limits))];

	return rng_below(rng, 6) ? rng_below(rng, MIN(limit, most) + 1) : most;
}

/* Cuts len bytes at an offset into pieces, with gaps if they are received. */
static void cut(__u64 *rng, struct call *c, size_t at, size_t len)
{
	const int pieces = 1 + rng_below(rng, rng_below(rng, 4) ? 4 : PIECES);
	size_t n;

	c->len = len;
	for (c->n = 0; c->n < pieces; len -= n) {
		n = c->n + 1 == pieces ? len : some(rng, len);
		c->iov[c->n++] = (struct iovec){ (void *)at, n };
		at += n + (c->what == RECV ? rng_below(rng, 9) : 0);
	}
	if (!rng_below(rng, 64))	/* beyond the end of the arena */
		c->iov[rng_below(rng, c->n)].iov_base = (void *)(ARENA - rng_below(rng, 32));
}

/* Encrypts a packet in the arena, and appends the tag. Returns its length. */
static size_t seal(const struct round *r, size_t at, size_t alen, size_t len, const void *iv)
{
	const size_t salt = AEAD_NONCE_SIZE - r->kind->iv;
	unsigned char nonce[AEAD_NONCE_SIZE];

	memcpy(nonce, r->key + AEAD_KEY_SIZE, salt);
	memcpy(nonce + salt, iv, r->kind->iv);
	aead_ref_encrypt(r->key, nonce, in + at, alen - 2 * salt, in + at + alen, len,
			 in + at + alen);
	return alen + len + TAG;
}

/* Begins a message: random bytes, or a sealed packet, one in three of which has a wrong bit. */
static void begin(struct round *r, struct op *op)
{
	__u64 *rng = &r->rng;
	size_t len = some(rng, TEXT - 200), iv = r->kind->iv % 12;

	/* In a message that still waits, bytes then change for both sides. */
	if (r->used > ARENA / 2)
		r->used = 0;
	op->begun = true;
	op->start = r->used;
	op->done = 0;
	op->alen = 0;
	if (r->kind->iv) {
		op->alen = rng_below(rng, 2) ? some(rng, 64) : iv;
		op->seal = rng_below(rng, 2);
		rng_fill(rng, op->iv, sizeof(op->iv));
	}
	op->plan = op->alen + len;
	if (r->kind->iv && !op->seal && op->alen >= iv) {
		op->len = len;
		memcpy(op->text, in + op->start + op->alen, len);
		op->plan = seal(r, op->start, op->alen, len, op->iv);
		if (!rng_below(rng, 3))
			in[op->start + rng_below(rng, op->plan)] ^= 1;
	}
	r->used += op->plan;
}

/* The next step of an operation */
static void next_call(struct round *r, struct call *c)
{
	__u64 *rng = &r->rng;
	struct op *op = &r->ops[c->slot];

	if (fds[0][c->slot] < 0) {
		c->what = ACCEPT;
		c->to = c->slot;
		c->slot = 0;
		return;
	}
	if (op->begun && op->done == op->plan) {
		c->what = RECV;
		cut(rng, c, rng_below(rng, 99), !r->kind->iv ? TAG :
		    some(rng, rng_below(rng, 4) ? op->plan + (op->seal ? TAG : 1) : TEXT));
		op->begun = !rng_below(rng, 4);	/* What is left may be read as a packet. */
		return;
	}
	if (!op->begun) {
		begin(r, op);
		c->controllen = r->kind->iv ? -1 : 0;
		c->op = op->seal ? ALG_OP_ENCRYPT : ALG_OP_DECRYPT;
		c->alen = op->alen;
		c->iv = op->iv;
		c->ivlen = r->kind->iv;
	}
	c->what = c->controllen || rng_below(rng, 2) ? SEND : SPLICE;
	cut(rng, c, op->start + op->done, some(rng, op->plan - op->done));
	op->done += c->len;
	if (op->done < op->plan ? rng_below(rng, 32) : !rng_below(rng, 32))
		c->flags = MSG_MORE;
}

/* Any call with any argument */
static void odd_call(struct round *r, struct call *c)
{
	static const int flags[] = { 0, 0, MSG_MORE, MSG_MORE, MSG_OOB, MSG_PEEK, MSG_TRUNC, -1 };
	__u64 *rng = &r->rng;

	c->what = rng_below(rng, WHATS);
	c->to = 1 + rng_below(rng, SLOTS - 1);
	c->slot = c->what == CLOSE ? (size_t)c->to : rng_below(rng, SLOTS);
	c->flags = flags[rng_below(rng, ARRAY_SIZE(flags))];
	cut(rng, c, rng_below(rng, 4999), some(rng, rng_below(rng, 4) ? 99 : TEXT));
	c->controllen = rng_below(rng, 4) ? 0 : some(rng, 99);
	c->op = rng_below(rng, 3);
	c->alen = rng_below(rng, 2) ? some(rng, 99) : rng_next(rng);
	c->ivlen = rng_below(rng, 4) ? r->kind->iv : some(rng, 40);
	c->iv = in;
	c->level = rng_below(rng, 8) ? SOL_ALG : SOL_SOCKET;
	c->option = 1 + rng_below(rng, ALG_SET_AEAD_AUTHSIZE + 1);
	c->size = rng_below(rng, 2) ? TAG : some(rng, 40);
	c->value = rng_below(rng, 8) ? in : NULL;
	if (c->option == ALG_SET_KEY && rng_below(rng, 2)) {
		new_key(r);
		c->size = r->kind->key;
		c->value = r->next;
	}
}

static void random_call(struct round *r, struct call *c)
{
	memset(c, 0, sizeof(*c));
	c->slot = 1 + (rng_below(&r->rng, 2) ? rng_below(&r->rng, SLOTS - 1) : 0);
	if (rng_below(&r->rng, 8))
		next_call(r, c);
	else
		odd_call(r, c);
}

static long send_to(int fd, const struct call *c, struct iovec *iov)
{
	struct {
		struct {
			struct cmsghdr header;
			unsigned int value;
		} op, alen;
		struct cmsghdr header;
		unsigned int ivlen;
		unsigned char iv[40];
	} control = {
		.op = { { CMSG_LEN(4), SOL_ALG, ALG_SET_OP }, c->op },
		.alen = { { CMSG_LEN(4), SOL_ALG, ALG_SET_AEAD_ASSOCLEN }, c->alen },
		.header = { CMSG_LEN(4 + c->ivlen), SOL_ALG, ALG_SET_IV }, .ivlen = c->ivlen,
	};
	struct msghdr m = {
		.msg_iov = iov, .msg_iovlen = c->n, .msg_control = &control,
		.msg_controllen = MIN(2 * CMSG_SPACE(4) + CMSG_SPACE(4 + c->ivlen), c->controllen),
	};

	memcpy(control.iv, c->iv ?: in, c->ivlen);
	return sendmsg(fd, &m, c->flags);
}

static long splice_to(int fd, const struct call *c, const struct iovec *iov)
{
	int pipes[2];
	long n;

	if (pipe2(pipes, O_NONBLOCK | O_CLOEXEC))
		return -errno;
	n = vmsplice(pipes[1], iov, c->n, SPLICE_F_NONBLOCK);
	if (n > 0)
		n = splice(pipes[0], NULL, fd, NULL, n, SPLICE_F_NONBLOCK |
			   (c->flags & MSG_MORE ? SPLICE_F_MORE : 0));
	n = n < 0 ? -errno : n;
	close(pipes[0]);
	close(pipes[1]);
	return n;
}

static int put_fd(int side, int slot, int fd)
{
	const int old = __atomic_exchange_n(&fds[side][slot], fd, __ATOMIC_RELAXED);

	if (old >= 0)
		close(old);
	return 0;
}

/* Makes the call on one side. Returns its result or a negative errno. */
static long perform(const struct round *r, const struct call *c, int side)
{
	const int fd = __atomic_load_n(&fds[side][c->slot], __ATOMIC_RELAXED);
	struct sockaddr_alg sa = alg_address(r->kind->type, r->name[side]);
	struct iovec iov[PIECES];
	struct msghdr m = { .msg_iov = iov, .msg_iovlen = c->n };
	long n = 0;
	int i;

	for (i = 0; i < c->n; i++) {
		iov[i].iov_base = (c->what == RECV ? out[side] : in) + (size_t)c->iov[i].iov_base;
		iov[i].iov_len = c->iov[i].iov_len;
	}
	add(&count->calls);
	if (c->what == SPLICE)
		return splice_to(fd, c, iov);
	if (c->what == SEND)
		n = send_to(fd, c, iov);
	else if (c->what == RECV)
		n = recvmsg(fd, &m, c->flags);
	else if (c->what == ACCEPT)
		n = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	else if (c->what == OPTION)
		n = setsockopt(fd, c->level, c->option, c->value, c->size);
	else if (c->what == BIND)
		n = bind(fd, (struct sockaddr *)&sa, sizeof(sa));
	if (n < 0)
		return -errno;
	if (c->what == ACCEPT)
		return put_fd(side, c->to, n);
	return c->what == CLOSE ? put_fd(side, c->slot, -1) : n;
}

/* The tag of what a hash was given */
static void reference(const struct round *r, const struct op *op, unsigned char *tag)
{
	const unsigned int prefix = r->kind->prefix;
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	unsigned char key[KEY];
	int n;

	memcpy(key, op->text, prefix);
	if (r->kind->key) {
		memcpy(key, r->key + 16, 16);
		if (!ctx || !EVP_EncryptInit_ex(ctx, EVP_aes_128_ecb(), NULL, r->key, NULL) ||
		    !EVP_EncryptUpdate(ctx, key + 16, &n, op->text, 16))
			exit(1);
	}
	EVP_CIPHER_CTX_free(ctx);
	poly1305_ref(key, op->text + prefix, op->len - prefix, tag);
}

/* Copies the first len bytes of the pieces, but for those that are not whole in the arena. */
static void gather(const struct call *c, const unsigned char *base, unsigned char *to, size_t len)
{
	size_t n;
	int i;

	for (i = 0; len; to += n, len -= n, i++) {
		n = MIN(c->iov[i].iov_len, len);
		if ((size_t)c->iov[i].iov_base + n <= ARENA)
			memcpy(to, base + (size_t)c->iov[i].iov_base, n);
	}
}

/* Follows what a hash was sent. Returns what is wrong, or NULL. */
static const char *sent(const struct round *r, struct op *op, const struct call *c, long ret)
{
	if (op->state == FRESH || op->state == ENDED)
		op->len = 0;
	if (op->state == LOST || ret <= 0 || ret != (long)c->len ||
	    op->len + ret > sizeof(op->text)) {
		op->state = LOST;
		return NULL;
	}
	gather(c, in, op->text + op->len, ret);
	op->len += ret;
	op->state = c->flags & MSG_MORE ? MIDDLE : ENDED;
	return op->state == ENDED && op->len < r->kind->prefix ? "a tag without a key" : NULL;
}

/* Checks what was received from a hash. */
static const char *received(const struct round *r, struct op *op, const struct call *c, long ret)
{
	const bool none = op->state == FRESH || (op->state == MIDDLE && op->len < r->kind->prefix);
	const bool unsure = op->state == LOST || ret == -EFAULT;
	unsigned char want[TAG], got[TAG];

	if (ret == -EBADF)
		return NULL;
	/* Kernels with CONFIG_COMPAT refuse the flags -1, and the message continues. */
	op->state = c->flags < 0 && ret < 0 ? LOST : FRESH;
	if (unsure || op->state == LOST)
		return NULL;
	if (none)
		return ret == r->kind->err ? NULL : "a tag without a key";
	if (ret != (long)MIN(c->len, TAG))
		return "no tag";
	reference(r, op, want);
	gather(c, out[0], got, ret);
	add(&count->tags);
	return memcmp(want, got, ret) ? "a wrong tag" : NULL;
}

/* Whether our AEAD gave the first or last bytes of a forged packet, as the kernel's own does */
static bool leaked(const struct round *r, const struct op *op, const struct call *c)
{
	static unsigned char got[ARENA];
	const size_t len = op->alen + op->len;

	if (strncmp(r->name[0], "chapoly", 7) || op->seal || op->len < TAG || c->len < len)
		return false;
	gather(c, out[0], got, len);
	return !memcmp(got + op->alen, op->text, TAG) ||
	       !memcmp(got + len - TAG, op->text + op->len - TAG, TAG);
}

/* Follows a call. Returns what is wrong, or NULL. */
static const char *follow(struct round *r, const struct call *c, long ret)
{
	struct op *op = &r->ops[c->slot], *to = &r->ops[c->to];
	const bool hash = !r->kind->iv && r->keyed && c->slot;

	if (c->what == SEND || c->what == SPLICE) {
		if (ret <= 0 && r->kind->iv)
			op->len = 0;	/* An earlier message may be in its place. */
		return hash ? sent(r, op, c, ret) : NULL;
	}
	if (c->what == RECV) {
		if (ret >= 0)
			add(&count->good);
		if (ret == -EBADMSG && add(&count->refused) && leaked(r, op, c))
			return "text of a forged packet";
		return hash ? received(r, op, c, ret) : NULL;
	}
	if (c->what == ACCEPT && !ret) {	/* An operation in the middle has a clone. */
		*to = *op;
		if (!c->slot || op->state == ENDED)
			to->state = FRESH;
	}
	if (c->what == ACCEPT || c->what == CLOSE) {
		to->begun = false;
	} else if (c->what == BIND) {		/* The new transform has no key. */
		r->keyed = (r->keyed && ret) || !r->kind->key;
	} else if (c->what == OPTION && c->option == ALG_SET_KEY && !c->slot && r->kind->key &&
		   ret != -EBUSY && c->level == SOL_ALG) {
		r->keyed = !ret;
		if (!ret)
			memcpy(r->key, c->value, r->kind->key);
	}
	return NULL;
}

/* Makes a call on both sides, and compares. Returns whether all is right. */
static bool both(struct round *r, const struct call *c)
{
	static const char * const whats[] = { "send", "splice", "recv", "accept", "close",
					      "option", "bind" };
	const bool sure = r->kind->iv || r->ops[c->slot].state != LOST;
	const char *wrong = NULL;
	size_t end = 0;
	long ret[2];

	if (c->what == RECV)	/* of all pieces in the arena, with the gaps */
		end = MIN((size_t)c->iov[0].iov_base + c->len + 9 * PIECES, ARENA);
	memset(out[0], CANARY, end);
	memset(out[1], CANARY, end);
	ret[0] = perform(r, c, 0);
	ret[1] = r->name[1] ? perform(r, c, 1) : ret[0];
	if (sure && ret[0] != ret[1])
		wrong = "another result";
	if (sure && r->name[1] && ret[0] >= 0 && memcmp(out[0], out[1], end))
		wrong = "other bytes";
	wrong = wrong ?: follow(r, c, ret[0]);
	if (wrong || verbose)
		diag("%s %d of %zu bytes in %d, flags %#x: %ld and %ld: %s", whats[c->what],
		     c->slot, c->len, c->n, c->flags, ret[0], ret[1], wrong ?: "right");
	return !wrong;
}

/* One of the threads that share sockets */
static void *disorder(void *arg)
{
	struct round *r = arg;
	struct call c;
	int i;

	for (i = 0; i < 60; i++) {
		random_call(r, &c);
		perform(r, &c, 0);
	}
	return NULL;
}

/* Begins a round: binds both sides, and sets a key. */
static bool open_round(struct round *r, const struct round *target, __u64 seed)
{
	struct call key = { .what = OPTION, .level = SOL_ALG, .option = ALG_SET_KEY,
			    .value = r->next, .size = target->kind->key };
	int side;

	memcpy(in, fresh, ARENA);
	memcpy(r, target, sizeof(*r));
	r->rng = seed;
	for (side = 0; side < 2 && r->name[side]; side++) {
		fds[side][0] = alg_bind(r->kind->type, r->name[side]);
		if (fds[side][0] < 0) {
			diag("cannot bind: %s", strerror(-fds[side][0]));
			return false;
		}
	}
	new_key(r);
	r->keyed = !r->kind->key;
	return r->keyed || !(seed % 16) || both(r, &key);
}

static bool run_round(const struct round *target, __u64 seed)
{
	static struct round r, others[THREADS];
	pthread_t threads[THREADS];
	bool right = open_round(&r, target, seed);
	int i, calls = 20 + rng_below(&r.rng, 80);
	struct call c;

	if (rng_below(&r.rng, 8)) {
		for (i = 0; i < calls && right; i++) {
			random_call(&r, &c);
			right = both(&r, &c);
		}
	} else {
		for (i = 0; i < THREADS; i++) {
			memcpy(&others[i], &r, sizeof(r));
			others[i].rng = rng_next(&r.rng);
			if (pthread_create(&threads[i], NULL, disorder, &others[i]))
				exit(1);
		}
		for (i = 0; i < THREADS; i++)
			pthread_join(threads[i], NULL);
	}
	for (i = 0; i < 2 * SLOTS; i++)
		put_fd(i / SLOTS, i % SLOTS, -1);
	return right;
}

/* What a process does: its share of the rounds. */
static bool work(const struct round *target, unsigned int worker)
{
	unsigned long i;

	for (i = worker; i < rounds; i += workers) {
		count->seeds[worker] = first + i;
		if (!run_round(target, first + i)) {
			diag("in the round that \"-s %#llx -n 1\" repeats", first + i);
			return false;
		}
	}
	return true;
}

static bool run(const struct round *target)
{
	pid_t pids[WORKERS];
	bool right = true;
	unsigned int i;
	int status;

	for (i = 0; i < workers; i++) {
		pids[i] = fork();
		if (!pids[i])
			exit(!work(target, i));
	}
	for (i = 0; i < workers; i++) {
		waitpid(pids[i], &status, 0);
		right = right && !status;
		if (WIFSIGNALED(status))
			diag("signal %d in the round %#llx, after %lu calls of all workers",
			     WTERMSIG(status), count->seeds[i], count->calls);
	}
	if (right && rounds > 1 && !(target->kind->iv ? count->refused : count->tags)) {
		diag("no tag was compared");
		right = false;
	}
	return right;
}

/* Tests a driver against the kernel's own. Prints a line of TAP. */
static bool test(int number, const char *name, bool optional)
{
	static struct round target;
	const struct kind *kind = &kinds[strstr(name, "esp") ? 3 : strstr(name, "rfc7539") ? 2 :
					 strchr(name, '(') ? 1 : 0];
	const int fd = alg_bind(kind->type, name);
	bool right = false;
	int i;

	if (fd == -EAFNOSUPPORT || (fd == -ENOENT && optional)) {
		printf("ok %d - %s # SKIP the kernel has no such driver\n", number, name);
		return true;
	}
	target = (struct round){ .kind = kind, .name = { name } };
	for (i = 0; i < 2 && kind->stock[i] && !target.name[1]; i++)
		if (close(alg_bind(kind->type, kind->stock[i])) == 0)
			target.name[1] = kind->stock[i];
	memset(count, 0, sizeof(*count));
	if (fd < 0)
		diag("cannot bind: %s", strerror(-fd));
	else
		right = !close(fd) && run(&target);
	printf("%sok %d - %s beside %s: %lu calls, %lu tags, %lu packets, %lu refused\n",
	       right ? "" : "not ", number, name, target.name[1] ?: "a reference", count->calls,
	       count->tags, count->good - count->tags, count->refused);
	return right;
}

int main(int argc, char **argv)
{
	static const char *const all[] = { "poly1305", "poly1305(aes)", "chapoly-rfc7539",
					   "chapoly-rfc7539esp" };
	const int access = PROT_READ | PROT_WRITE, area = ARENA + PAGE;
	const char *const *names = all;
	char *end;
	int opt, i, n = ARRAY_SIZE(all);
	bool right = true;
	__u64 rng = 1;

	/* Short enough to type again */
	first = getpid() ^ (__u32)time(NULL) << 8;
	while ((opt = getopt(argc, argv, "vj:n:s:")) != -1) {
		right &= opt != '?';
		verbose |= opt == 'v';
		if (opt == 's') {
			first = strtoull(optarg, &end, 0);
			right &= !*end;
		}
		if (opt == 'j')
			workers = strtoul(optarg, NULL, 10);
		if (opt == 'n')
			rounds = strtoul(optarg, NULL, 10);
	}
	if (!right || !workers || workers > WORKERS || !rounds)
		errx(1, "usage: [-v] [-j WORKERS] [-n ROUNDS] [-s SEED] [NAME...]");
	if (optind < argc) {
		names = (const char *const *)argv + optind;
		n = argc - optind;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	count = mmap(NULL, sizeof(*count), access, MAP_ANONYMOUS | MAP_SHARED, -1, 0);
	in = mmap(NULL, 3 * area, access, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0);
	if (count == MAP_FAILED || in == MAP_FAILED ||
	    (!getuid() && (setgid(NOBODY) || setuid(NOBODY))))
		return 1;
	for (i = 0; i < 3; i++)
		mprotect(in + i * area + ARENA, PAGE, PROT_NONE);
	out[0] = in + area;
	out[1] = out[0] + area;
	memset(fds, -1, sizeof(fds));
	rng_fill(&rng, fresh, ARENA);
	/* A thread may splice to a number that was a socket and is another thread's pipe now. */
	signal(SIGPIPE, SIG_IGN);

	printf("TAP version 13\n1..%d\n", n);
	diag("seed %#llx", first);
	for (i = 0; i < n; i++)
		right &= test(i + 1, names[i], names == all);
	return !right;
}
