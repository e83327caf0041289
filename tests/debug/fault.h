/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Allocations that fail, and the results */
#ifndef FAULT_H
#define FAULT_H

#include <stdbool.h>

#define MANY	10000		/* more allocations than any call makes */

/* One line on standard output, and exit status 1 */
void die(const char *format, ...)
	__attribute__((format(printf, 1, 2), noreturn));

/* Let the n-th allocation from here on fail; none if n is 0. */
void arm(int n);

/* Let no allocation fail from here on. Returns whether one did. */
bool disarm(void);

/* Count the result of a site: an errno, or 0. */
void note(int err);

/* Print the results since the last sum_up(), and forget them. */
void sum_up(const char *what);
extern unsigned int all_sites;

/* Whether err is in a list that ends with 0 */
bool among(int err, const int *list);

unsigned int occurrences(const char *text, const char *what);

/* Count what in the log since the last call, unless NULL; die of any splat. */
unsigned int logged(const char *what);

#endif
