// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Cases about contexts. SIMD is usable in some and not in others, and one context can
 * interrupt another in the middle of a message.
 */

#include <asm/simd.h>
#include <crypto/internal/simd.h>
#include <linux/interrupt.h>
#include <linux/ktime.h>
#include <linux/preempt.h>

#include "poly1305_test.h"
#include "versions.h"

#ifdef CONFIG_X86_64
#include <asm/fpu/api.h>
#endif

/* What a context that this kernel lacks returns */
#define SKIP	1

/* The sample's tag by each way */
static int check_len(const struct subject *s, size_t len)
{
	return all_ways(s, s->sample->input, len, s->prefix_len + len / 3, s->sample->tags[len]);
}

/*
 * Again and again a timer calls interrupts.run() in a hard interrupt. That raises a softirq, where
 * a tasklet calls it.
 */
enum { SOFTIRQ, HARDIRQ, PROCESS, LEVELS };

static struct {
	void (*run)(int level);
	ktime_t period;
	struct hrtimer timer;
} interrupts;

static void run_tasklet(struct tasklet_struct *unused)
{
	interrupts.run(SOFTIRQ);
}

static DECLARE_TASKLET(tasklet, run_tasklet);

static enum hrtimer_restart run_timer(struct hrtimer *timer)
{
	interrupts.run(HARDIRQ);
	tasklet_schedule(&tasklet);
	hrtimer_forward_now(timer, interrupts.period);
	return HRTIMER_RESTART;
}

static void start_interrupts(void (*run)(int level), ktime_t period)
{
	interrupts.run = run;
	interrupts.period = period;
	hrtimer_setup(&interrupts.timer, run_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(&interrupts.timer, period, HRTIMER_MODE_REL_PINNED_HARD);
}

/* A third of a message, and the whole of it, to be computed in a context */
struct job {
	const struct subject *s;
	const struct context *context;
	const struct task_struct *process;
	struct mac mac;
	const u8 *data;
	size_t len;
	size_t whole;
	int err;
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
		job->err = fail("SIMD is %sused here", simd ? "not " : "");
	else
		job->err = mac_update(&job->mac, job->data, job->len) ?:
			   check_len(job->s, job->whole);
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

/* The job that an interrupt shall do, or NULL once it is done */
static struct job *passed_on;

static void pass_on(int level)
{
	/* Pairs with the release in via_interrupt(). */
	struct job *job = smp_load_acquire(&passed_on);

	/*
	 * A hard interrupt of a softirq, and any interrupt of another process, may find SIMD
	 * forbidden: a later one takes the job.
	 */
	if (!job || level != job->context->level ||
	    (level == HARDIRQ && in_serving_softirq()) ||
	    (current != job->process && !(current->flags & PF_KTHREAD)))
		return;
	if (level == HARDIRQ ? hardirq_count() : in_serving_softirq())
		do_job(job);
	else
		job->err = fail("this is no interrupt of level %d", level);
	/* Publishes the results to via_interrupt(). */
	smp_store_release(&passed_on, NULL);
}

/* For hard interrupts, may be called with preemption disabled */
static int via_interrupt(struct job *job)
{
	/* Publishes the job to pass_on(). */
	smp_store_release(&passed_on, job);
	start_interrupts(pass_on, ms_to_ktime(1));
	/* Pairs with the release in pass_on(). */
	while (smp_load_acquire(&passed_on)) {
		if (job->context->level == HARDIRQ)
			cpu_relax();
		else
			cond_resched();
	}
	hrtimer_cancel(&interrupts.timer);
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
		memset(XMM(before), POISON, XMM_SIZE);
		asm volatile("fxrstor %0" : : "m" (before));
		err = job->context->level == HARDIRQ ? via_interrupt(job) : in_process(job);
		asm volatile("fxsave %0" : "=m" (after));
	}
	kernel_fpu_end();

	if (err != SKIP && memcmp(XMM(before), XMM(after), XMM_SIZE))
		return fail("the registers of the outer FPU section are lost");
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
	struct job job = { .s = s, .whole = len, .process = current };
	const u8 *input = s->sample->input;
	u8 tag[TAG_SIZE];
	int i, err;

	err = mac_init(&job.mac, s, input) ?:
	      mac_update(&job.mac, stream(s, input), s->prefix_len);
	for (i = 0; i < 3 && !err; i++) {
		job.context = i == 1 ? inner : outer;
		job.data = input + KEY_SIZE + i * len / 3;
		job.len = (i + 1) * len / 3 - i * len / 3;
		err = job.context->enter(&job) ?: job.err;
		if (err == SKIP && !job.context->exists)
			return SKIP;
	}
	err = err ?: mac_final(&job.mac, tag);
	if (err || memcmp(tag, s->sample->tags[len], TAG_SIZE))
		return fail("%zu bytes, context: %s; then: %s; error %d",
			    len, outer->name, inner->name, err);
	return 0;
}

/* Each third of the longer message is long enough for every driver's SIMD code. */
int test_contexts(const struct subject *s)
{
	const struct context *outer, *inner, *end = contexts + ARRAY_SIZE(contexts);
	unsigned int changes = 0;
	int err = 0;

	for (outer = contexts; outer < end; outer++) {
		for (inner = contexts; inner < end && err >= 0; inner++) {
			err = mid_message(s, outer, inner, 1000) ?:
			      mid_message(s, outer, inner, LEN_MAX);
			changes += !err && outer->simd != inner->simd;
		}
	}
	tasklet_kill(&tasklet);
	pr_info("# %u changes of context to or from one without SIMD\n", changes);
	if (IS_ENABLED(CONFIG_X86_64) && err >= 0 && !changes)
		return fail("no context without SIMD");
	return min(err, 0);
}

/* For the process and each kind of interrupt: how many tags it has computed, and its first error */
static struct actor {
	const struct subject *s;
	unsigned int count;
	int err;
} actors[LEVELS];

static const u16 lens[] = { 0, 1, 16, 63, 64, 255, 256, 300, 576, 1024, 1420, LEN_MAX };

static void act(int level)
{
	struct actor *actor = &actors[level];

	actor->err = actor->err ?: check_len(actor->s, lens[actor->count % ARRAY_SIZE(lens)]);
	WRITE_ONCE(actor->count, actor->count + 1);
}

/* The process is interrupted anywhere, by a softirq and a hard interrupt that compute tags, too. */
int test_at_once(const struct subject *s)
{
	const unsigned int least = 200 * effort;
	u64 start = ktime_get_ns();
	int i;

	for (i = 0; i < LEVELS; i++)
		actors[i] = (struct actor){ .s = s };
	for (i = 0; i < ARRAY_SIZE(lens); i++)
		act(PROCESS);
	/* The period leaves each level a share of the time. */
	start = max_t(u64, ktime_get_ns() - start, 100 * NSEC_PER_USEC);
	start_interrupts(act, ns_to_ktime(start));
	while (READ_ONCE(actors[SOFTIRQ].count) < least ||
	       READ_ONCE(actors[HARDIRQ].count) < least) {
		act(PROCESS);
		cond_resched();
	}
	hrtimer_cancel(&interrupts.timer);
	tasklet_kill(&tasklet);
	pr_info("# %u in softirq, %u in hard interrupt\n", actors[SOFTIRQ].count,
		actors[HARDIRQ].count);
	return actors[SOFTIRQ].err ?: actors[HARDIRQ].err ?: actors[PROCESS].err;
}
