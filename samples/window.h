/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A replay window: which of the latest counters were received. It needs no lock if
 * only one CPU at a time uses it.
 */

#ifndef SEALPAIR_WINDOW_H
#define SEALPAIR_WINDOW_H

#include <linux/bitmap.h>

#define SEAL_WINDOW	2048	/* counters that it remembers */

struct seal_window {
	u64 next;			/* the highest counter received, plus 1 */
	DECLARE_BITMAP(seen, SEAL_WINDOW);	/* bit c % SEAL_WINDOW: c was received */
};

/*
 * Returns whether a counter is new, and marks it as received. Call this for authentic
 * frames only: a forged one could move the window past genuine ones to come.
 */
static inline bool seal_is_new(struct seal_window *window, u64 counter)
{
	if (counter >= window->next + SEAL_WINDOW) {
		bitmap_zero(window->seen, SEAL_WINDOW);
		window->next = counter;
	}
	while (window->next <= counter)
		__clear_bit(window->next++ % SEAL_WINDOW, window->seen);
	return window->next - counter <= SEAL_WINDOW &&
	       !__test_and_set_bit(counter % SEAL_WINDOW, window->seen);
}

#endif /* SEALPAIR_WINDOW_H */
