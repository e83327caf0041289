// SPDX-License-Identifier: GPL-2.0 OR MIT
/* Areas of memory between guard pages */

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

#define PAINT		0xc5

struct area input = { "the input", INPUT_MAX };
struct area output = { "the output", INPUT_MAX };
struct area keys = { "the key", KEY_SIZE };
struct area tags = { "the tag", TAG_SIZE };
struct area objects = { "the state", 1024 };
struct area exports = { "the exported state", POLY1305_STATE_MAX };
struct area stack = { "the stack", 256 << 10 };

static struct area *const areas[] = {
	&input, &output, &keys, &tags, &objects, &exports, &stack
};

static size_t page;

static void *need(void *p)
{
	if (p == MAP_FAILED) {
		perror("checkpoly1305: mmap");
		exit(2);
	}
	return p;
}

static u8 *map_guarded(int fd, size_t size, int prot)
{
	u8 *p = need(mmap(NULL, size + 2 * page, PROT_NONE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));

	return need(mmap(p + page, size, prot, MAP_SHARED | MAP_FIXED, fd, 0));
}

void make_areas(void)
{
	struct area *area;
	size_t i;
	int fd;

	page = sysconf(_SC_PAGESIZE);
	for (i = 0; i < ARRAY_SIZE(areas); i++) {
		area = areas[i];
		area->size = (area->size + page - 1) / page * page;
		fd = memfd_create("checkpoly1305", 0);
		if (fd < 0 || ftruncate(fd, area->size)) {
			perror("checkpoly1305: memfd_create");
			exit(2);
		}
		area->rw = map_guarded(fd, area->size, PROT_READ | PROT_WRITE);
		area->ro = map_guarded(fd, area->size, PROT_READ);
		close(fd);
	}
}

static bool near(const u8 *address, const u8 *begin, size_t size)
{
	return address >= begin - page && address < begin + size + page;
}

const struct area *area_near(const void *address, long *offset)
{
	const struct area *area;
	const u8 *p = address;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(areas); i++) {
		area = areas[i];
		if (near(p, area->rw, area->size)) {
			*offset = p - area->rw;
			return area;
		}
		if (near(p, area->ro, area->size)) {
			*offset = p - area->ro;
			return area;
		}
	}
	return NULL;
}

size_t area_offset(const struct area *area, size_t len, size_t alignment)
{
	size_t last = (area->size - len) & ~(alignment - 1);

	switch (rnd_below(4)) {
	case 0:
		return 0;
	case 1:
		return rnd_below(min_t(size_t, last, 128) / alignment + 1) *
		       alignment;
	default:
		return last;
	}
}

void area_paint(const struct area *area)
{
	memset(area->rw, PAINT, area->size);
}

void area_check(const struct area *area, size_t offset, size_t len)
{
	size_t i;

	for (i = 0; i < area->size; i++) {
		if (i == offset)
			i += len;
		if (i < area->size && area->rw[i] != PAINT)
			fail("wrote at byte %ld of the %zu of %s",
			     (long)(i - offset), len, area->name);
	}
}
