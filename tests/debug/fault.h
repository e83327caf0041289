/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* What failnth and failsend share: allocations that fail, and what became of them. */
#ifndef FAULT_H
#define FAULT_H

#include <stdbool.h>

#define MANY	10000		/* sites: more cannot be */

/* One line on standard output, and exit status 1 */
void die(const char *format, ...)
	__attribute__((format(printf, 1, 2), noreturn));

/* arm(n): the n-th allocation from here on fails; 0: none does. */
void arm(int n);

/* No allocation fails from here on. Returns whether one did. */
bool disarm(void);

/* Count what became of a site: an errno, or 0. */
void note(int err);

/* Print that of all sites since it was last printed, and forget it. */
void sum_up(const char *what);
extern unsigned int all_sites;

/* Whether a list that ends with 0 has it */
bool among(int err, const int *list);

unsigned int occurrences(const char *text, const char *what);

/* How often the log has what, unless NULL, since last asked; and it has no splat. */
unsigned int logged(const char *what);

/* How often it had what then */
unsigned int logged_last(const char *what);

#endif
