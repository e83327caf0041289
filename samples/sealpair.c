// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * sealpair: Ethernet over Ethernet, sealed with ChaCha20-Poly1305; a packet driver on chapoly.h
 * to copy from, not a VPN. By three rules nobody on the wire reads, changes or repeats frames:
 * - A nonce is used once under a key. It is a counter, and at its limit sending ends. A device
 *   gets keys once, one for each direction, which must be new.
 * - A received frame is not used before its tag was found right.
 * - The replay window moves after that: a forged counter must not move it.
 */
#include "../compat.h"
#include <linux/etherdevice.h>
#include <linux/if_arp.h>
#include <linux/module.h>
#include <net/dst.h>
#include <net/rtnetlink.h>
#include "../chapoly.h"

#define HDR		16		/* associated data: 4 bytes of version, and the nonce */
#define GROWTH		(HDR + CHAPOLY_TAG_SIZE)	/* to 60 bytes or more: none is padded */
#define SEAL_ETHERTYPE	0x88B5		/* IEEE 802: local experiments */

struct seal {
	struct packet_type packets;
	u8 tx_key[CHAPOLY_KEY_SIZE], rx_key[CHAPOLY_KEY_SIZE], peer[ETH_ALEN];
	int lower;		/* index of the device below, or 0 before there are keys */
	atomic64_t tx_next;	/* counter of the next frame to send */
	spinlock_t lock;	/* of the replay window; taken in softirq only */
	u64 rx_last, seen;	/* bit n of seen: counter rx_last - n was received */
};

static int seal_drop(struct sk_buff *skb, unsigned long *count)
{
	atomic_long_inc((atomic_long_t *)count);	/* DEV_STATS_INC() of newer kernels */
	kfree_skb(skb);
	return 0;
}

/* Under RCU, with softirqs disabled, and on several CPUs at a time: nothing may sleep. */
static netdev_tx_t seal_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct seal *s = netdev_priv(dev);
	/* If there is an index, there are keys. */
	struct net_device *lower = dev_get_by_index_rcu(dev_net(dev), smp_load_acquire(&s->lower));
	struct sk_buff *last;
	u64 counter;
	u8 *hdr;

	/* Data in fragments, or shared as TCP shares them, are copied. */
	if (!lower || skb->len + GROWTH > READ_ONCE(lower->mtu) ||
	    skb_cow_data(skb, CHAPOLY_TAG_SIZE + lower->needed_tailroom, &last) != 1 ||
	    skb_cow(skb, LL_RESERVED_SPACE(lower) + HDR))
		return seal_drop(skb, &dev->stats.tx_dropped);
	/* After all that can fail. A limit keeps the counter from wrapping around. */
	counter = atomic64_inc_return(&s->tx_next) - 1;
	if (counter >= BIT_ULL(60))
		return seal_drop(skb, &dev->stats.tx_dropped);
	hdr = skb_push(skb, HDR);
	put_unaligned_le64(1, hdr);
	put_unaligned_le64(counter, hdr + 8);
	skb_put(skb, CHAPOLY_TAG_SIZE);
	chapoly_seal(hdr + HDR, hdr + HDR, skb->len - GROWTH, hdr, HDR, hdr + 4, s->tx_key);

	__skb_tunnel_rx(skb, lower, dev_net(dev));	/* forgets route, hash and queue */
	skb->protocol = htons(SEAL_ETHERTYPE);
	skb_reset_network_header(skb);
	eth_header(skb, lower, SEAL_ETHERTYPE, s->peer, lower->dev_addr, skb->len);
	dev_queue_xmit(skb);
	return NETDEV_TX_OK;
}

/* Under RCU, in softirq, and on several CPUs at a time */
static int seal_receive(struct sk_buff *skb, struct net_device *lower, struct packet_type *packets,
			struct net_device *orig)
{
	struct net_device *dev = packets->af_packet_priv;
	struct seal *s = netdev_priv(dev);
	u64 counter, new;
	u8 *hdr;

	if (dev_get_by_index_rcu(dev_net(dev), s->lower) != lower ||
	    skb->pkt_type == PACKET_OTHERHOST) {
		kfree_skb(skb);
		return NET_RX_SUCCESS;
	}
	skb = skb_share_check(skb, GFP_ATOMIC);
	if (!skb || skb->len < GROWTH + ETH_HLEN || skb_linearize_cow(skb))
		return seal_drop(skb, &dev->stats.rx_errors);
	hdr = skb->data;
	if (get_unaligned_le32(hdr) != 1 ||
	    chapoly_open(hdr + HDR, hdr + HDR, skb->len - GROWTH, hdr, HDR, hdr + 4, s->rx_key))
		return seal_drop(skb, &dev->stats.rx_errors);

	counter = get_unaligned_le64(hdr + 8);
	spin_lock(&s->lock);
	if (counter > s->rx_last) {
		s->seen = counter - s->rx_last < 64 ? s->seen << (counter - s->rx_last) : 0;
		s->rx_last = counter;
	}
	new = s->rx_last - counter < 64 ? BIT_ULL(s->rx_last - counter) & ~s->seen : 0;
	s->seen |= new;
	spin_unlock(&s->lock);
	if (!new)
		return seal_drop(skb, &dev->stats.rx_dropped);

	skb_pull(skb, HDR);
	skb_trim(skb, skb->len - CHAPOLY_TAG_SIZE);
	__skb_tunnel_rx(skb, dev, dev_net(dev));
	skb->ip_summed = CHECKSUM_NONE;
	skb_gso_reset(skb);		/* A tap can set GSO fields. */
	skb_orphan(skb);		/* Over veth, the sender's socket owns frames. */
	skb->protocol = eth_type_trans(skb, dev);
	atomic_long_inc((atomic_long_t *)&dev->stats.rx_packets);
	return netif_rx(skb);
}

/* "TX RX PEER LOWER": keys in hex, the address of the peer's lower device, the name of ours */
static ssize_t keys_store(struct device *d, struct device_attribute *attr, const char *buf,
			  size_t len)
{
	struct net_device *lower, *dev = to_net_dev(d);
	struct seal *s = netdev_priv(dev);
	char name[IFNAMSIZ];
	int err = -EINVAL;

	if (!rtnl_trylock())		/* Who removes the device waits for this function. */
		return restart_syscall();
	strscpy(name, len > 148 ? buf + 148 : "", sizeof(name));
	lower = __dev_get_by_name(dev_net(dev), strim(name));
	if (!s->lower && lower && lower->type == ARPHRD_ETHER && mac_pton(buf + 130, s->peer) &&
	    !hex2bin(s->tx_key, buf, CHAPOLY_KEY_SIZE) &&
	    !hex2bin(s->rx_key, buf + 65, CHAPOLY_KEY_SIZE) &&
	    crypto_memneq(s->tx_key, s->rx_key, CHAPOLY_KEY_SIZE)) {
		smp_store_release(&s->lower, lower->ifindex);	/* after the keys */
		dev_add_pack(&s->packets);
		err = 0;
	}
	rtnl_unlock();
	return err ?: len;
}
static DEVICE_ATTR_WO(keys);
static struct attribute *seal_attrs[] = { &dev_attr_keys.attr, NULL };
static const struct attribute_group seal_group = { .attrs = seal_attrs };

static void seal_uninit(struct net_device *dev)
{
	struct seal *s = netdev_priv(dev);

	if (s->lower)
		dev_remove_pack(&s->packets);	/* waits for seal_receive() */
	memzero_explicit(s, sizeof(*s));
}

static const struct net_device_ops seal_ops = {
	.ndo_uninit = seal_uninit,
	.ndo_start_xmit = seal_xmit,
};

static void seal_setup(struct net_device *dev)
{
	struct seal *s = netdev_priv(dev);

	s->packets = (struct packet_type){ .type = htons(SEAL_ETHERTYPE), .func = seal_receive,
					   .af_packet_priv = dev };
	spin_lock_init(&s->lock);
	ether_setup(dev);
	eth_hw_addr_random(dev);
	dev->mtu -= GROWTH + ETH_HLEN;
	dev->netdev_ops = &seal_ops;
	dev->needs_free_netdev = true;
	dev->sysfs_groups[0] = &seal_group;
	/* seal_xmit() writes to frames, needs neither queue nor lock, and cannot serve netpoll. */
	dev->priv_flags &= ~IFF_TX_SKB_SHARING;
	dev->priv_flags |= IFF_NO_QUEUE | IFF_DISABLE_NETPOLL;
#ifdef NETIF_F_LLTX
	dev->features |= NETIF_F_LLTX;
#else
	dev->lltx = true;
#endif
}

static struct rtnl_link_ops seal_link_ops = {
	.kind = "sealpair",
	.priv_size = sizeof(struct seal),
	.setup = seal_setup,
};

static int __init seal_init(void)
{
	return chapoly_fits() ? rtnl_link_register(&seal_link_ops) : -ENOEXEC;
}
module_init(seal_init);

static void __exit seal_exit(void)
{
	rtnl_link_unregister(&seal_link_ops);	/* deletes all devices */
}
module_exit(seal_exit);

MODULE_DESCRIPTION("Ethernet over Ethernet, sealed with ChaCha20-Poly1305");
MODULE_LICENSE("Dual MIT/GPL");
