/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_LINUX_SCATTERLIST_H
#define SHIM_LINUX_SCATTERLIST_H

#include <errno.h>
#include <linux/types.h>

/* The last entry of a list has next = NULL. */
struct scatterlist {
	void *addr;
	unsigned int length;
	struct scatterlist *next;
};

static inline struct scatterlist *sg_next(struct scatterlist *sg)
{
	return sg->next;
}

static inline void *sg_virt(struct scatterlist *sg)
{
	return sg->addr;
}

struct sg_mapping_iter {
	void *addr;
	size_t length;
	struct scatterlist *next;
	unsigned int nents;
};

#define SG_MITER_ATOMIC		1
#define SG_MITER_FROM_SG	4

static inline int sg_nents_for_len(struct scatterlist *sg, u64 len)
{
	u64 total = 0;
	int nents = 0;

	if (!len)
		return 0;
	for (; sg; sg = sg->next) {
		nents++;
		total += sg->length;
		if (total >= len)
			return nents;
	}
	return -EINVAL;
}

static inline void sg_miter_start(struct sg_mapping_iter *miter,
				  struct scatterlist *sg, unsigned int nents,
				  unsigned int flags)
{
	miter->next = sg;
	miter->nents = nents;
}

static inline bool sg_miter_next(struct sg_mapping_iter *miter)
{
	if (!miter->next || !miter->nents)
		return false;
	miter->nents--;
	miter->addr = miter->next->addr;
	miter->length = miter->next->length;
	miter->next = miter->next->next;
	return true;
}

static inline void sg_miter_stop(struct sg_mapping_iter *miter)
{
}

#endif
