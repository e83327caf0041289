/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A replay window, which remembers the latest received counters
 */

#ifndef SEALPAIR_WINDOW_H
#define SEALPAIR_WINDOW_H

#include <linux/bitmap.h>
#include <linux/spinlock.h>

#define SEAL_WINDOW	2048	/* number of remembered counters */

struct seal_window {
	spinlock_t lock;		/* taken in softirq only */
	u64 next;			/* the highest counter received, plus 1 */
	DECLARE_BITMAP(seen, SEAL_WINDOW);	/* bit c % SEAL_WINDOW: c was received */
};

/*
 * Returns whether a counter is new, and marks it as received. Call this for authentic
 * frames only: a forged one could move the window past genuine ones to come.
 */
static inline bool seal_is_new(struct seal_window *window, u64 counter)
{
	bool new;

	spin_lock(&window->lock);
	if (counter >= window->next + SEAL_WINDOW) {
		bitmap_zero(window->seen, SEAL_WINDOW);
		window->next = counter;
	}
	while (window->next <= counter)
		__clear_bit(window->next++ % SEAL_WINDOW, window->seen);
	new = window->next - counter <= SEAL_WINDOW &&
	      !__test_and_set_bit(counter % SEAL_WINDOW, window->seen);
	spin_unlock(&window->lock);
	return new;
}

#endif /* SEALPAIR_WINDOW_H */
