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

#include "poly1305_test.h"
#include "versions.h"

#ifdef CONFIG_X86_64
#include <asm/fpu/api.h>
#endif

static const u16 lens[] = { 0, 1, 16, 63, 64, 255, 256, 300, 576, 1024, 1420, 2048, LEN_MAX };

/* A digest, the same in pieces, and for the library the same from a list */
static int check_len(const struct subject *s, size_t len)
{
	struct sample *sample = &random_sample;
	const int ways = s->tfm ? 2 : 3;
	u8 tags[3][TAG_SIZE];
	int i, err;

	err = mac_digest(s, sample->input, len, tags[0]) ?:
	      mac_cut(s, sample->input, len, KEY_SIZE + len / 3, tags[1]);
	if (ways == 3)
		err = err ?: poly1305_mac_digest_sg(sample->input, sample->sgl, len, tags[2]);
	for (i = 0; i < ways; i++)
		if (err || memcmp(tags[i], sample->tags[len], TAG_SIZE))
			return fail(s, "%zu bytes, way %d, error %d", len, i, err);
	return 0;
}

static int check_lens(const struct subject *s)
{
	size_t i;
	int err = 0;

	for (i = 0; i < ARRAY_SIZE(lens) && !err; i++)
		err = check_len(s, lens[i]);
	return err;
}

/*
 * A tasklet and a timer call interrupts.run() in a softirq and in a hard interrupt: once, or if
 * there is a period again and again, where the hard interrupt raises the softirq.
 */
enum { SOFTIRQ, HARDIRQ, LEVELS };

static struct {
	void (*run)(int level);
	ktime_t period;
	struct tasklet_struct tasklet;
	struct hrtimer timer;
} interrupts;

static void run_tasklet(struct tasklet_struct *unused)
{
	interrupts.run(SOFTIRQ);
}

static enum hrtimer_restart run_timer(struct hrtimer *timer)
{
	interrupts.run(HARDIRQ);
	if (!interrupts.period)
		return HRTIMER_NORESTART;
	tasklet_schedule(&interrupts.tasklet);
	hrtimer_forward_now(timer, interrupts.period);
	return HRTIMER_RESTART;
}

static void prepare_interrupts(void (*run)(int level), ktime_t period)
{
	interrupts.run = run;
	interrupts.period = period;
	tasklet_setup(&interrupts.tasklet, run_tasklet);
	hrtimer_setup(&interrupts.timer, run_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
}

static void start_timer(void)
{
	hrtimer_start(&interrupts.timer, interrupts.period, HRTIMER_MODE_REL_PINNED_HARD);
}

static void stop_interrupts(void)
{
	hrtimer_cancel(&interrupts.timer);
	tasklet_kill(&interrupts.tasklet);
}

/* An update of a message, to be done in a context; and whole messages, if that is new */
struct job {
	const struct subject *s;
	const struct context *context;
	bool new;
	struct mac mac;
	const u8 *data;
	size_t len;
	int err;
	bool done;
};

/*
 * Whether a SIMD tier uses SIMD here from simd_from on. A process must have its
 * registers saved, which fixture_setup() ensures, except on User-Mode Linux.
 */
static bool simd_is_used(void)
{
#if defined(CONFIG_X86_64) && !defined(CONFIG_UML)
	if (!(current->flags & POLY1305_PF_NO_FPU) && !test_thread_flag(TIF_NEED_FPU_LOAD))
		return false;
#endif
	return crypto_simd_usable();
}

struct context {
	const char *name;
	int (*enter)(struct job *job);	/* runs a job in it, or returns SKIP */
	bool simd;			/* may be used in it */
	bool exists;			/* in this kernel, so that SKIP is an error */
	int level;			/* of its interrupt, if it has one */
};

/* Only x86-64 has drivers with SIMD. */
static void do_job(struct job *job)
{
	const bool simd = job->context->simd;

	if (IS_ENABLED(CONFIG_X86_64) && simd_is_used() != simd)
		job->err = fail(job->s, "SIMD is %sused here", simd ? "not " : "");
	else
		job->err = mac_update(&job->mac, job->data, job->len) ?:
			   job->new ? check_lens(job->s) : 0;
}

/* Each context is a function that does a job in it, or returns SKIP. */
static int in_process(struct job *job)
{
	do_job(job);
	return 0;
}

#define CONTEXT(name, begin, end)					\
static int name(struct job *job)					\
{									\
	begin;								\
	do_job(job);							\
	end;								\
	return 0;							\
}

CONTEXT(in_no_preemption, preempt_disable(), preempt_enable())
CONTEXT(in_no_softirqs, local_bh_disable(), local_bh_enable())
CONTEXT(in_no_interrupts, local_irq_disable(), local_irq_enable())

static struct job *passed_on;

static void pass_on(int level)
{
	struct job *job = passed_on;

	if (level == HARDIRQ ? hardirq_count() : in_serving_softirq())
		do_job(job);
	else
		job->err = fail(job->s, "this is no interrupt of level %d", level);
	/* Publishes the results to via_interrupt(). */
	smp_store_release(&job->done, true);
}

/* For hard interrupts, may be called with preemption disabled */
static int via_interrupt(struct job *job)
{
	const int level = job->context->level;

	job->done = false;
	passed_on = job;
	prepare_interrupts(pass_on, 0);
	if (level == HARDIRQ) {
		start_timer();
	} else {
		local_bh_disable();
		tasklet_schedule(&interrupts.tasklet);
		local_bh_enable();
	}
	/* Pairs with the release in pass_on(). */
	while (!smp_load_acquire(&job->done)) {
		if (level == HARDIRQ)
			cpu_relax();
		else
			cond_resched();
	}
	/* tasklet_kill() may sleep, and the timer has raised no softirq. */
	if (level == HARDIRQ)
		hrtimer_cancel(&interrupts.timer);
	else
		stop_interrupts();
	return 0;
}

/* FPU sections of User-Mode Linux save no registers. */
#if defined(CONFIG_X86_64) && !defined(CONFIG_UML)
#define HAVE_SECTIONS	1
#define XMM(area)	((area) + 160)
#define XMM_SIZE	(16 * 16)

/*
 * In an FPU section, or in a hard interrupt in one, which must preserve the section's vector
 * registers. Kernels before 5.18, without its fix, do not notice the section itself.
 */
static int in_section(struct job *job)
{
	/* As fxsave and fxrstor have them */
	static u8 before[512] __aligned(16), after[512] __aligned(16);
	int err = SKIP;

	kernel_fpu_begin();
	if (job->context->level == HARDIRQ || !may_use_simd()) {
		asm volatile("fxsave %0" : "=m" (before));
		memset(XMM(before), 0x5a, XMM_SIZE);
		asm volatile("fxrstor %0" : : "m" (before));
		err = job->context->level == HARDIRQ ? via_interrupt(job) : in_process(job);
		asm volatile("fxsave %0" : "=m" (after));
	}
	kernel_fpu_end();

	if (err != SKIP && memcmp(XMM(before), XMM(after), XMM_SIZE))
		return fail(job->s, "the registers of the outer FPU section are lost");
	return err;
}
#else
static int in_section(struct job *job)
{
	return SKIP;
}
#endif

#if defined(CONFIG_CRYPTO_SELFTESTS_FULL) || defined(CONFIG_CRYPTO_MANAGER_EXTRA_TESTS)
#define HAVE_SIMD_SWITCH	1

/* The switch of the crypto API's own tests, on kernels that have all of them */
#define forbid_simd(yes)	__this_cpu_write(crypto_simd_disabled_for_test, yes)
CONTEXT(in_simd_forbidden, preempt_disable(); forbid_simd(true),
	forbid_simd(false); preempt_enable())
#else
static int in_simd_forbidden(struct job *job)
{
	return SKIP;
}
#endif

static const struct context contexts[] = {
	{ "process", in_process, true, true },
	{ "preemption disabled", in_no_preemption, true, true },
	{ "softirqs disabled", in_no_softirqs, true, true },
	{ "interrupts disabled", in_no_interrupts, true, true },
	{ "SIMD forbidden", in_simd_forbidden, false, __is_defined(HAVE_SIMD_SWITCH) },
	{ "softirq", via_interrupt, true, true, SOFTIRQ },
	{ "hard interrupt", via_interrupt, true, true, HARDIRQ },
	{ "FPU section", in_section, false, __is_defined(HAVE_SECTIONS) && SECTIONS_ARE_NOTICED },
	{ "hard interrupt in one", in_section, false, __is_defined(HAVE_SECTIONS), HARDIRQ },
};

/*
 * A message of @len bytes, with its thirds in the outer, the inner and again the outer context.
 * Returns SKIP if this kernel lacks one of them.
 */
static int mid_message(const struct subject *s, const struct context *outer,
		       const struct context *inner, size_t len)
{
	const struct sample *sample = &random_sample;
	struct job job = { .s = s, .new = outer == inner };
	u8 tag[TAG_SIZE];
	int i, err;

	err = mac_init(&job.mac, s, sample->input);
	for (i = 0; i < 3 && !err; i++) {
		job.context = i == 1 ? inner : outer;
		job.data = sample->input + KEY_SIZE + i * len / 3;
		job.len = (i + 1) * len / 3 - i * len / 3;
		err = job.context->enter(&job) ?: job.err;
		if (err == SKIP && !job.context->exists)
			return SKIP;
	}
	err = err ?: mac_final(&job.mac, tag);
	if (err || memcmp(tag, sample->tags[len], TAG_SIZE))
		return fail(s, "%zu bytes, context: %s; then: %s; error %d",
			    len, outer->name, inner->name, err);
	return 0;
}

/* Each third of the longer message is long enough for every driver's SIMD code. */
int test_contexts(const struct subject *s)
{
	const struct context *outer, *inner, *end = contexts + ARRAY_SIZE(contexts);
	unsigned int changes = 0;
	int err;

	for (outer = contexts; outer < end; outer++) {
		for (inner = contexts; inner < end; inner++) {
			err = mid_message(s, outer, inner, 1000) ?:
			      mid_message(s, outer, inner, LEN_MAX);
			if (err < 0)
				return err;
			changes += !err && outer->simd != inner->simd;
		}
	}
	pr_info("# %s: %u changes of context to or from one without SIMD\n", s->name, changes);
	if (IS_ENABLED(CONFIG_X86_64) && !changes)
		return fail(s, "no context without SIMD");
	return 0;
}

/* Those that compute at the same time: both levels of interrupts, then threads */
#define THREADS	8

static struct actor {
	const struct subject *s;
	unsigned int count;	/* messages that it has finished */
	int err;
} actors[LEVELS + THREADS];

static void act(int i)
{
	struct actor *actor = &actors[i];

	actor->err = actor->err ?: check_len(actor->s, lens[actor->count % ARRAY_SIZE(lens)]);
	WRITE_ONCE(actor->count, actor->count + 1);
}

/* The first thread keeps to one CPU, where the interrupts are. */
static int act_in_thread(void *number)
{
	const int i = (long)number;

	if (i == LEVELS)
		start_timer();
	while (!kthread_should_stop()) {
		act(i);
		cond_resched();
	}
	if (i == LEVELS)
		stop_interrupts();
	return 0;
}

/*
 * Threads on all CPUs use one transform at once. On one CPU a softirq interrupts them, and a
 * hard interrupt both, anywhere. The limit of a minute is generous, as an emulator on a busy
 * machine may stall for seconds.
 */
int test_at_once(const struct subject *s)
{
	const unsigned int least = 2 * ARRAY_SIZE(lens) * effort;
	unsigned long deadline = jiffies + 60 * HZ;
	struct task_struct *threads[THREADS];
	u64 start = ktime_get_ns();
	bool late = false;
	int i, n, err = check_lens(s);

	/* The period leaves each level a share of the time. */
	start = max_t(u64, (ktime_get_ns() - start) / 2, 100 * NSEC_PER_USEC);
	prepare_interrupts(act, ns_to_ktime(start));
	for (i = 0; i < ARRAY_SIZE(actors); i++)
		actors[i] = (struct actor){ .s = s };
	for (n = 0; n < THREADS; n++) {
		threads[n] = kthread_create(act_in_thread, (void *)(long)(LEVELS + n),
					    "poly1305_test/%d", n);
		if (IS_ERR(threads[n])) {
			err = fail(s, "no thread: %ld", PTR_ERR(threads[n]));
			break;
		}
		if (!n)
			kthread_bind(threads[n], raw_smp_processor_id());
		wake_up_process(threads[n]);
	}
	for (i = 0; i < LEVELS + n && !late; i++) {
		while (READ_ONCE(actors[i].count) < least * (i < LEVELS ? 8 : 1) && !late) {
			late = time_after(jiffies, deadline);
			msleep(20);
		}
	}
	while (n--)
		kthread_stop(threads[n]);
	pr_info("# %s: %u in softirq, %u in hard interrupt\n", s->name, actors[SOFTIRQ].count,
		actors[HARDIRQ].count);
	for (i = 0; i < ARRAY_SIZE(actors); i++)
		err = err ?: actors[i].err;
	if (late)
		return fail(s, "not often enough within a minute");
	return err;
}
