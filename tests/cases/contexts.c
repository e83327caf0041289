// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Cases about contexts. SIMD is usable in some and not in others, and one context can
 * interrupt another in the middle of a message.
 */

#include <asm/simd.h>
#include <crypto/internal/simd.h>
#include <linux/delay.h>
#include <linux/interrupt.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include "poly1305_test.h"

#ifdef CONFIG_X86_64
#include <asm/fpu/api.h>
#endif

static const u16 lens[] = { 0, 1, 16, 63, 64, 255, 256, 300, 576, 1024, 1420,
			    2048, LEN_MAX };

/* A digest, the same in pieces, and for the library the same from a list */
static int check_len(const struct subject *s, size_t len)
{
	const struct sample *sample = &random_sample;
	const u8 *msg = sample->input + KEY_SIZE;
	const u8 *want = sample->tags[len];
	const size_t cut = len / 3;
	u8 tag[TAG_SIZE];
	struct mac mac;
	int err;

	err = mac_digest(s, sample->input, len, tag);
	if (err || memcmp(tag, want, TAG_SIZE))
		return fail(s, "digest of %zu bytes, error %d", len, err);

	err = mac_init(&mac, s, sample->input) ?:
	      mac_update(&mac, msg, cut) ?:
	      mac_update(&mac, msg + cut, len - cut) ?:
	      mac_final(&mac, tag);
	if (err || memcmp(tag, want, TAG_SIZE))
		return fail(s, "%zu bytes cut at %zu, error %d", len, cut, err);

	if (s->tfm)
		return 0;
	err = poly1305_mac_digest_sg(sample->input,
				     (struct scatterlist *)sample->sgl, len,
				     tag);
	if (err || memcmp(tag, want, TAG_SIZE))
		return fail(s, "digest_sg of %zu bytes, error %d", len, err);
	return 0;
}

static int check_lens(const struct subject *s)
{
	size_t i;
	int err;

	for (i = 0; i < ARRAY_SIZE(lens); i++) {
		err = check_len(s, lens[i]);
		if (err)
			return err;
	}
	return 0;
}

/*
 * Contexts
 * --------
 * Each function below calls do_job() once, in the context after which it is named. It
 * returns 0, an error after logging one line, or SKIP.
 */
struct job {
	const struct subject *s;
	void (*work)(struct job *job);
	bool simd;
	int err;
	bool done;
	struct mac mac;
	const u8 *data;
	size_t len;
};

/*
 * Whether a SIMD tier uses SIMD here from simd_from on. A process must have its
 * registers saved, which fixture_setup() ensures, except on User-Mode Linux.
 */
static bool simd_is_used(void)
{
#if defined(CONFIG_X86_64) && !defined(CONFIG_UML)
	if (!(current->flags & POLY1305_PF_NO_FPU) &&
	    !test_thread_flag(TIF_NEED_FPU_LOAD))
		return false;
#endif
	return crypto_simd_usable();
}

/* Only x86-64 has drivers with SIMD. */
static void do_job(struct job *job)
{
	if (IS_ENABLED(CONFIG_X86_64) && simd_is_used() != job->simd)
		job->err = fail(job->s, "SIMD is %sused here",
				job->simd ? "not " : "");
	else
		job->work(job);
}

static int in_process(struct job *job)
{
	do_job(job);
	return 0;
}

static int without_preemption(struct job *job)
{
	preempt_disable();
	do_job(job);
	preempt_enable();
	return 0;
}

static int without_softirqs(struct job *job)
{
	local_bh_disable();
	do_job(job);
	local_bh_enable();
	return 0;
}

static int without_interrupts(struct job *job)
{
	local_irq_disable();
	do_job(job);
	local_irq_enable();
	return 0;
}

static struct tasklet_struct tasklet;
static struct hrtimer timer;
static struct job *passed_on;

static void tasklet_job(struct tasklet_struct *unused)
{
	struct job *job = passed_on;

	if (in_serving_softirq())
		do_job(job);
	else
		job->err = fail(job->s, "the tasklet is not in softirq context");
	/* Publishes the results to via_softirq(). */
	smp_store_release(&job->done, true);
}

static enum hrtimer_restart timer_job(struct hrtimer *unused)
{
	struct job *job = passed_on;

	if (hardirq_count())
		do_job(job);
	else
		job->err = fail(job->s, "the timer is not in hard interrupt context");
	/* Publishes the results to via_hardirq(). */
	smp_store_release(&job->done, true);
	return HRTIMER_NORESTART;
}

static int via_softirq(struct job *job)
{
	job->done = false;
	passed_on = job;
	tasklet_setup(&tasklet, tasklet_job);
	local_bh_disable();
	tasklet_schedule(&tasklet);
	local_bh_enable();
	/* Pairs with the release in tasklet_job(). */
	while (!smp_load_acquire(&job->done))
		cond_resched();
	tasklet_kill(&tasklet);
	return 0;
}

/* May be called with preemption disabled */
static int via_hardirq(struct job *job)
{
	job->done = false;
	passed_on = job;
	hrtimer_setup(&timer, timer_job, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(&timer, 0, HRTIMER_MODE_REL_PINNED_HARD);
	/* Pairs with the release in timer_job(). */
	while (!smp_load_acquire(&job->done))
		cpu_relax();
	hrtimer_cancel(&timer);
	return 0;
}

/* FPU sections of User-Mode Linux save no registers. */
#if defined(CONFIG_X86_64) && !defined(CONFIG_UML)
#define HAVE_SECTIONS	1

/* A call within another user's FPU section must preserve the vector registers. */
static const u8 pattern[16] = "not your xmm reg";

static void set_registers(void)
{
	asm volatile("movdqu %0, %%xmm0\n\t"
		     "movdqa %%xmm0, %%xmm1\n\t"
		     "movdqa %%xmm0, %%xmm2\n\t"
		     "movdqa %%xmm0, %%xmm3\n\t"
		     "movdqa %%xmm0, %%xmm4\n\t"
		     "movdqa %%xmm0, %%xmm5\n\t"
		     "movdqa %%xmm0, %%xmm6\n\t"
		     "movdqa %%xmm0, %%xmm7\n\t"
		     "movdqa %%xmm0, %%xmm8\n\t"
		     "movdqa %%xmm0, %%xmm9\n\t"
		     "movdqa %%xmm0, %%xmm10\n\t"
		     "movdqa %%xmm0, %%xmm11\n\t"
		     "movdqa %%xmm0, %%xmm12\n\t"
		     "movdqa %%xmm0, %%xmm13\n\t"
		     "movdqa %%xmm0, %%xmm14\n\t"
		     "movdqa %%xmm0, %%xmm15"
		     : : "m" (pattern));
}

static bool registers_kept(void)
{
	/* KMSAN does not see what assembly writes. */
	u8 now[16][16] = {};
	int i;

	asm volatile("movdqu %%xmm0, 0(%0)\n\t"
		     "movdqu %%xmm1, 16(%0)\n\t"
		     "movdqu %%xmm2, 32(%0)\n\t"
		     "movdqu %%xmm3, 48(%0)\n\t"
		     "movdqu %%xmm4, 64(%0)\n\t"
		     "movdqu %%xmm5, 80(%0)\n\t"
		     "movdqu %%xmm6, 96(%0)\n\t"
		     "movdqu %%xmm7, 112(%0)\n\t"
		     "movdqu %%xmm8, 128(%0)\n\t"
		     "movdqu %%xmm9, 144(%0)\n\t"
		     "movdqu %%xmm10, 160(%0)\n\t"
		     "movdqu %%xmm11, 176(%0)\n\t"
		     "movdqu %%xmm12, 192(%0)\n\t"
		     "movdqu %%xmm13, 208(%0)\n\t"
		     "movdqu %%xmm14, 224(%0)\n\t"
		     "movdqu %%xmm15, 240(%0)"
		     : : "r" (now) : "memory");
	for (i = 0; i < 16; i++) {
		if (memcmp(now[i], pattern, sizeof(pattern)))
			return false;
	}
	return true;
}

/*
 * Calls inner() in an FPU section. Skips it if may_use_simd() does not notice the
 * section, unless inner_knows says that inner() changes to a context that does.
 */
static int in_section(struct job *job, int (*inner)(struct job *job),
		      bool inner_knows)
{
	int err = SKIP;
	bool kept = true;

	kernel_fpu_begin();
	if (inner_knows || !may_use_simd()) {
		set_registers();
		err = inner(job);
		kept = registers_kept();
	}
	kernel_fpu_end();

	if (!kept)
		return fail(job->s, "the registers of the outer FPU section are lost");
	return err;
}
#else
static int in_section(struct job *job, int (*inner)(struct job *job),
		      bool inner_knows)
{
	return SKIP;
}
#endif

#if defined(CONFIG_CRYPTO_SELFTESTS_FULL) || \
	defined(CONFIG_CRYPTO_MANAGER_EXTRA_TESTS)
#define HAVE_SIMD_SWITCH	1
#endif

/* Uses the switch of the crypto API's own tests, on kernels that have all of them. */
static int with_simd_forbidden(struct job *job)
{
#ifdef HAVE_SIMD_SWITCH
	preempt_disable();
	__this_cpu_write(crypto_simd_disabled_for_test, true);
	do_job(job);
	__this_cpu_write(crypto_simd_disabled_for_test, false);
	preempt_enable();
	return 0;
#else
	return SKIP;
#endif
}

/* Kernels before 5.18, without its fix, do not notice the outer section. */
static int in_fpu_section(struct job *job)
{
	return in_section(job, in_process, false);
}

static int in_hardirq_in_fpu_section(struct job *job)
{
	return in_section(job, via_hardirq, true);
}

/**
 * struct context - a context that code may run in
 * @name: its name in messages
 * @enter: runs a job in it, or returns SKIP
 * @simd: whether SIMD may be used in it
 * @exists: whether this kernel must have it, so that SKIP is an error
 */
struct context {
	const char *name;
	int (*enter)(struct job *job);
	bool simd;
	bool exists;
};

static const struct context contexts[] = {
	{ "process", in_process, true, true },
	{ "preemption disabled", without_preemption, true, true },
	{ "softirqs disabled", without_softirqs, true, true },
	{ "interrupts disabled", without_interrupts, true, true },
	{ "SIMD forbidden", with_simd_forbidden, false,
	  __is_defined(HAVE_SIMD_SWITCH) },
	{ "softirq", via_softirq, true, true },
	{ "hard interrupt", via_hardirq, true, true },
	{ "hard interrupt in an FPU section", in_hardirq_in_fpu_section, false,
	  __is_defined(HAVE_SECTIONS) },
	{ "FPU section", in_fpu_section, false,
	  __is_defined(HAVE_SECTIONS) && SECTIONS_ARE_NOTICED },
};

static int enter(const struct context *context, struct job *job)
{
	int err;

	job->simd = context->simd;
	err = context->enter(job);
	if (err == SKIP && context->exists)
		return fail(job->s, "no such context here: %s", context->name);
	return err;
}

static void check_job(struct job *job)
{
	job->err = check_lens(job->s);
}

/* Each context except the last, which has its own case, nested */
int test_contexts(const struct subject *s)
{
	struct job job = { .s = s, .work = check_job };
	unsigned int with = 0, without = 0;
	size_t i;
	int err;

	for (i = 0; i < ARRAY_SIZE(contexts); i++) {
		if (contexts[i].enter == in_fpu_section)
			continue;
		err = enter(&contexts[i], &job);
		if (err < 0 || job.err)
			return fail(s, "context: %s", contexts[i].name);
		if (!err)
			*(contexts[i].simd ? &with : &without) += 1;
	}
	pr_info("# %s: %u contexts with SIMD, %u without\n", s->name, with,
		without);
	return 0;
}

int test_nested(const struct subject *s)
{
	const struct context *section = &contexts[ARRAY_SIZE(contexts) - 1];
	struct job job = { .s = s, .work = check_job };
	int err = enter(section, &job);

	if (err == SKIP)
		skip_reason = "this kernel has no FPU sections or does not notice them";
	return job.err ?: err;
}

static void update_job(struct job *job)
{
	job->err = mac_update(&job->mac, job->data, job->len);
}

/*
 * One message, with its thirds in the outer, the inner and again the outer context.
 * Returns SKIP if this kernel lacks one of them.
 */
static int mid_message(const struct subject *s, const struct context *outer,
		       const struct context *inner, size_t len)
{
	const struct sample *sample = &random_sample;
	struct job job = { .s = s, .work = update_job };
	const struct context *context;
	u8 tag[TAG_SIZE];
	int i, err;

	err = mac_init(&job.mac, s, sample->input);
	for (i = 0; i < 3; i++) {
		context = i == 1 ? inner : outer;
		job.data = sample->input + KEY_SIZE + i * len / 3;
		job.len = (i + 1) * len / 3 - i * len / 3;
		err = err ?: enter(context, &job) ?: job.err;
	}
	if (err == SKIP)
		return SKIP;

	err = err ?: mac_final(&job.mac, tag);
	if (err || memcmp(tag, sample->tags[len], TAG_SIZE))
		return fail(s, "%zu bytes, context: %s; then: %s; error %d",
			    len, outer->name, inner->name, err);
	return 0;
}

/* Each third of the longer message is long enough for every driver's SIMD code. */
int test_mid_message(const struct subject *s)
{
	const struct context *outer, *inner;
	unsigned int changes = 0;
	size_t i, j;
	int err;

	for (i = 0; i < ARRAY_SIZE(contexts); i++) {
		for (j = 0; j < ARRAY_SIZE(contexts); j++) {
			outer = &contexts[i];
			inner = &contexts[j];
			err = mid_message(s, outer, inner, 1000) ?:
			      mid_message(s, outer, inner, LEN_MAX);
			if (err < 0)
				return err;
			changes += !err && outer->simd != inner->simd;
		}
	}
	pr_info("# %s: %u changes of context to or from one without SIMD\n",
		s->name, changes);
	if (IS_ENABLED(CONFIG_X86_64) && !changes)
		return fail(s, "no context without SIMD");
	return 0;
}

struct everywhere {
	const struct subject *s;
	atomic_t failed;
};

static void check_here(void *info)
{
	struct everywhere *everywhere = info;

	if (check_lens(everywhere->s))
		atomic_inc(&everywhere->failed);
}

/* All CPUs at the same time, most of them in an inter-processor interrupt */
int test_every_cpu(const struct subject *s)
{
	struct everywhere everywhere = { .s = s };
	unsigned int i;

	for (i = 0; i < 20 * effort; i++)
		on_each_cpu(check_here, &everywhere, 1);
	return atomic_read(&everywhere.failed) ? -EINVAL : 0;
}

/*
 * struct actor - one of several that compute at the same time
 * @s: the interface that it uses
 * @count: how many messages it has finished
 * @err: its first error
 */
struct actor {
	const struct subject *s;
	unsigned int count;
	int err;
};

static void act(struct actor *actor)
{
	size_t len = lens[actor->count % ARRAY_SIZE(lens)];

	if (!actor->err)
		actor->err = check_len(actor->s, len);
	WRITE_ONCE(actor->count, actor->count + 1);
}

/*
 * Waits until each actor has finished this many messages. The limit of a minute is
 * generous, as an emulator on a busy machine may stall for seconds.
 */
static bool wait_for(const struct actor *actors, unsigned int n,
		     unsigned int often)
{
	unsigned long deadline = jiffies + 60 * HZ;
	unsigned int i;

	for (i = 0; i < n; i++) {
		while (READ_ONCE(actors[i].count) < often) {
			if (time_after(jiffies, deadline))
				return false;
			msleep(20);
		}
	}
	return true;
}

/* On one CPU a softirq interrupts a process, and a hard interrupt both, anywhere. */
enum { PROCESS, SOFTIRQ, HARDIRQ, LEVELS };

static struct actor levels[LEVELS];
static unsigned int without_simd;
static ktime_t period;

static void tasklet_act(struct tasklet_struct *unused)
{
	act(&levels[SOFTIRQ]);
}

static enum hrtimer_restart timer_act(struct hrtimer *unused)
{
	if (!may_use_simd())
		without_simd++;
	act(&levels[HARDIRQ]);
	tasklet_schedule(&tasklet);
	hrtimer_forward_now(&timer, period);
	return HRTIMER_RESTART;
}

static int at_once_thread(void *unused)
{
	u64 start = ktime_get_ns();
	int err;

	/* The period leaves each level a share of the time. */
	err = check_lens(levels[PROCESS].s);
	period = ns_to_ktime(max_t(u64, (ktime_get_ns() - start) / 2,
				   100 * NSEC_PER_USEC));

	tasklet_setup(&tasklet, tasklet_act);
	hrtimer_setup(&timer, timer_act, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(&timer, period, HRTIMER_MODE_REL_PINNED_HARD);
	while (!kthread_should_stop()) {
		act(&levels[PROCESS]);
		cond_resched();
	}
	hrtimer_cancel(&timer);
	tasklet_kill(&tasklet);
	return err;
}

int test_at_once(const struct subject *s)
{
	struct task_struct *thread;
	bool enough;
	int i, err;

	for (i = 0; i < LEVELS; i++)
		levels[i] = (struct actor){ .s = s };
	without_simd = 0;

	thread = kthread_create(at_once_thread, NULL, "poly1305_test");
	if (IS_ERR(thread))
		return fail(s, "no thread: %ld", PTR_ERR(thread));
	kthread_bind(thread, raw_smp_processor_id());
	wake_up_process(thread);
	enough = wait_for(levels, LEVELS, 200 * effort);
	err = kthread_stop(thread);

	pr_info("# %s: %u in process, %u in softirq, %u in hard interrupt, %u of these without SIMD\n",
		s->name, levels[PROCESS].count, levels[SOFTIRQ].count,
		levels[HARDIRQ].count, without_simd);
	if (!enough)
		return fail(s, "not often enough within a minute");
	for (i = 0; i < LEVELS; i++)
		err = err ?: levels[i].err;
	return err;
}

#define THREADS	8

static int actor_thread(void *data)
{
	struct actor *actor = data;

	while (!kthread_should_stop()) {
		act(actor);
		cond_resched();
	}
	return actor->err;
}

/* Many threads at once on one transform */
int test_threads(const struct subject *s)
{
	struct task_struct *threads[THREADS];
	struct actor actors[THREADS];
	bool enough;
	int i, stopped, err = 0;

	for (i = 0; i < THREADS; i++) {
		actors[i] = (struct actor){ .s = s };
		threads[i] = kthread_run(actor_thread, &actors[i],
					 "poly1305_test/%d", i);
		if (IS_ERR(threads[i])) {
			err = fail(s, "no thread: %ld", PTR_ERR(threads[i]));
			break;
		}
	}

	enough = wait_for(actors, i, 2 * ARRAY_SIZE(lens) * effort);
	while (i--) {
		stopped = kthread_stop(threads[i]);
		err = err ?: stopped;
	}
	if (!enough)
		return fail(s, "not often enough within a minute");
	return err;
}
