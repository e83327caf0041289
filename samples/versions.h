/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Differences between kernel versions that matter to the sample, but not to the
 * module. A driver for one kernel needs none of this.
 */

#ifndef SEALPAIR_VERSIONS_H
#define SEALPAIR_VERSIONS_H

#include "../compat.h"
#include <linux/netdevice.h>
#include <net/rtnetlink.h>

/* DEV_STATS_INC() came in 6.2, and in updates of some older kernels. */
#ifndef DEV_STATS_INC
#define DEV_STATS_INC(dev, field)	DEV_STATS_ADD(dev, field, 1)
#define DEV_STATS_ADD(dev, field, n)					\
	atomic_long_add(n, (atomic_long_t *)&(dev)->stats.field)
#endif

/* NETIF_F_LLTX became a member in 6.12 */
static inline void netdev_set_lltx(struct net_device *dev)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0)
	dev->features |= NETIF_F_LLTX;
#else
	dev->lltx = true;
#endif
}

/* newlink's parameters became a structure in 6.15 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
struct rtnl_newlink_params {
	struct net *src_net;
	struct nlattr **tb;
	struct nlattr **data;
};

static inline struct net *
rtnl_newlink_link_net(const struct rtnl_newlink_params *params)
{
	return params->src_net;
}

/* Define the function for rtnl_link_ops, given one that takes the structure. */
#define RTNL_NEWLINK(newlink)						\
static int newlink##_unpacked(struct net *net, struct net_device *dev,	\
			      struct nlattr *tb[],			\
			      struct nlattr *data[],			\
			      struct netlink_ext_ack *extack)		\
{									\
	struct rtnl_newlink_params params = { net, tb, data };		\
									\
	return newlink(dev, &params, extack);				\
}									\
static_assert(true)

#define RTNL_NEWLINK_OP(newlink)	newlink##_unpacked
#else
#define RTNL_NEWLINK(newlink)	static_assert(true)
#define RTNL_NEWLINK_OP(newlink)	newlink
#endif

#endif /* SEALPAIR_VERSIONS_H */
