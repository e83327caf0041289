// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Memory whose neighbourhood is watched. */

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

#define PAINT		0xc5

static void *need(void *p)
{
	if (p == MAP_FAILED) {
		perror("checkpoly1305: mmap");
		exit(2);
	}
	return p;
}

static u8 *map_guarded(int fd, size_t size, size_t page, int prot)
{
	u8 *p = need(mmap(NULL, size + 2 * page, PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));

	return need(mmap(p + page, size, prot, MAP_SHARED | MAP_FIXED, fd, 0));
}

struct area area_new(size_t size)
{
	const size_t page = sysconf(_SC_PAGESIZE);
	struct area area = { .size = (size + page - 1) / page * page };
	int fd = memfd_create("checkpoly1305", 0);

	if (fd < 0 || ftruncate(fd, area.size)) {
		perror("checkpoly1305: memfd_create");
		exit(2);
	}
	area.rw = map_guarded(fd, area.size, page, PROT_READ | PROT_WRITE);
	area.ro = map_guarded(fd, area.size, page, PROT_READ);
	close(fd);
	return area;
}

size_t area_offset(const struct area *area, size_t len, size_t alignment)
{
	size_t last = (area->size - len) & ~(alignment - 1);

	switch (rnd_below(4)) {
	case 0:
		return 0;
	case 1:
		return rnd_below(min(last, (size_t)128) / alignment + 1) * alignment;
	default:
		return last;
	}
}

void area_paint(const struct area *area)
{
	memset(area->rw, PAINT, area->size);
}

void area_check(const struct area *area, size_t offset, size_t len,
		const char *what)
{
	size_t i;

	for (i = 0; i < area->size; i++) {
		if (i == offset)
			i += len;
		if (i < area->size && area->rw[i] != PAINT)
			fail("wrote at byte %ld of the %zu of %s",
			     (long)(i - offset), len, what);
	}
}
