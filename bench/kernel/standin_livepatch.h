/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Included before poly1305_wireguard.c in poly1305_tunnel.ko, in place of linux/livepatch.h:
 * User-Mode Linux has no live patches. Its functions are given to tunnel.c instead.
 */
#ifndef STANDIN_LIVEPATCH_H
#define STANDIN_LIVEPATCH_H

#define _LINUX_LIVEPATCH_H_

/* The kernel refuses a module whose information has that word. */
#define livepatch	standin

struct klp_func {
	const char *old_name;
	void *new_func;
};

struct klp_object {
	const char *name;
	struct klp_func *funcs;
};

struct klp_patch {
	void *mod;
	struct klp_object *objs;
};

int klp_enable_patch(struct klp_patch *patch);

#endif
