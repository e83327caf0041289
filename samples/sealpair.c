// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * sealpair: Ethernet over Ethernet, sealed with ChaCha20-Poly1305; a packet driver on chapoly.h
 * to copy from, not a VPN. Three rules prevent reading, changing and repeating frames on the wire:
 * - A nonce is used once under a key. It is a counter, and at its limit sending stops. A device
 *   gets keys once, one for each direction, which must be new.
 * - A received frame is not used before its tag has been verified.
 * - The replay window moves only after that, because a forged counter must not move it.
 */
#include <crypto/algapi.h>	/* crypto_memneq() */
#include <linux/etherdevice.h>	/* and unaligned.h, which kernels have in two places */
#include <linux/if_arp.h>
#include <linux/module.h>
#include <net/dst.h>
#include <net/rtnetlink.h>
/* Older kernels have hex2bin() in linux/kernel.h. sparse has no __has_include. */
#ifdef __has_include
#if __has_include("linux/hex.h")
#include <linux/hex.h>
#endif
#endif
#include "chapoly.h"

#define SEAL_ETHERTYPE	0x88B5		/* IEEE 802: local experiments */
#define SEAL_VERSION	1
#define SEAL_LIMIT	BIT_ULL(60)	/* of the counter, which can never wrap around */
#define SEAL_WINDOW	64		/* counters that the replay window remembers */

/* Precedes a sealed frame, and is authenticated with it */
struct seal_header {
	__le32 version;
	u8 nonce[CHAPOLY_NONCE_SIZE];	/* four zeros, then the counter */
} __packed;

/* The bytes that sealing adds. Sealed frames have 60 bytes or more, so none is padded. */
#define SEAL_GROWTH	(sizeof(struct seal_header) + CHAPOLY_TAG_SIZE)

struct seal {
	struct packet_type packets;
	u8 tx_key[CHAPOLY_KEY_SIZE];
	u8 rx_key[CHAPOLY_KEY_SIZE];
	u8 peer[ETH_ALEN];
	int lower;		/* index of the device below, or 0 before there are keys */
	atomic64_t tx_next;	/* counter of the next frame to send */
	spinlock_t lock;	/* of the replay window; taken in softirq only */
	u64 rx_last;		/* the highest counter received */
	u64 seen;		/* bit n: counter rx_last - n was received */
};

static int seal_drop(struct sk_buff *skb, unsigned long *count)
{
	atomic_long_inc((atomic_long_t *)count);	/* DEV_STATS_INC() of newer kernels */
	kfree_skb(skb);
	return 0;
}

/*
 * Makes room around a frame for its header, its tag and what the lower device adds. Data in
 * fragments, and data that are shared, as TCP's are, are copied, because chapoly_seal() writes to
 * them.
 */
static bool seal_make_room(struct sk_buff *skb, const struct net_device *lower)
{
	struct sk_buff *last;

	if (skb->len + SEAL_GROWTH > READ_ONCE(lower->mtu))
		return false;
	if (skb_cow_data(skb, CHAPOLY_TAG_SIZE + lower->needed_tailroom, &last) != 1)
		return false;
	return !skb_cow(skb, LL_RESERVED_SPACE(lower) + sizeof(struct seal_header));
}

/* Under RCU, with softirqs disabled, and on several CPUs at a time: nothing may sleep. */
static netdev_tx_t seal_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct seal *s = netdev_priv(dev);
	struct net_device *lower;
	struct seal_header *hdr;
	unsigned int len;
	u64 counter;
	u8 *text;

	/* If there is an index, there are keys. */
	lower = dev_get_by_index_rcu(dev_net(dev), smp_load_acquire(&s->lower));
	if (!lower || !seal_make_room(skb, lower))
		return seal_drop(skb, &dev->stats.tx_dropped);

	/* After every step that can fail, so no nonce is used for two frames */
	counter = atomic64_inc_return(&s->tx_next) - 1;
	if (counter >= SEAL_LIMIT)
		return seal_drop(skb, &dev->stats.tx_dropped);

	len = skb->len;
	text = skb->data;
	hdr = skb_push(skb, sizeof(*hdr));
	hdr->version = cpu_to_le32(SEAL_VERSION);
	memset(hdr->nonce, 0, 4);
	put_unaligned_le64(counter, hdr->nonce + 4);
	skb_put(skb, CHAPOLY_TAG_SIZE);
	chapoly_seal(text, text, len, (u8 *)hdr, sizeof(*hdr), hdr->nonce, s->tx_key);

	__skb_tunnel_rx(skb, lower, dev_net(dev));	/* forgets route, hash and queue */
	skb->protocol = htons(SEAL_ETHERTYPE);
	skb_reset_network_header(skb);
	eth_header(skb, lower, SEAL_ETHERTYPE, s->peer, lower->dev_addr, skb->len);
	dev_queue_xmit(skb);
	return NETDEV_TX_OK;
}

/* Whether the counter is not too old for the window, and no authentic frame has had it */
static bool seal_is_new(struct seal *s, u64 counter)
{
	bool is_new = false;
	u64 age, ahead, bit;

	spin_lock(&s->lock);
	if (counter > s->rx_last) {
		ahead = counter - s->rx_last;
		s->seen = ahead < SEAL_WINDOW ? s->seen << ahead : 0;
		s->rx_last = counter;
	}
	age = s->rx_last - counter;
	if (age < SEAL_WINDOW) {
		bit = BIT_ULL(age);
		is_new = !(s->seen & bit);
		s->seen |= bit;
	}
	spin_unlock(&s->lock);
	return is_new;
}

/* Under RCU, in softirq, and on several CPUs at a time */
static int seal_receive(struct sk_buff *skb, struct net_device *lower, struct packet_type *packets,
			struct net_device *orig)
{
	struct net_device *dev = packets->af_packet_priv;
	struct seal *s = netdev_priv(dev);
	struct seal_header *hdr;
	unsigned int len;
	u8 *text;

	if (dev_get_by_index_rcu(dev_net(dev), s->lower) != lower ||
	    skb->pkt_type == PACKET_OTHERHOST) {
		kfree_skb(skb);
		return NET_RX_SUCCESS;
	}

	/* chapoly_open() writes to the frame, which needs to be in one buffer that is ours. */
	skb = skb_share_check(skb, GFP_ATOMIC);
	if (!skb || skb->len < SEAL_GROWTH + ETH_HLEN || skb_linearize_cow(skb))
		return seal_drop(skb, &dev->stats.rx_errors);

	hdr = (struct seal_header *)skb->data;
	text = skb->data + sizeof(*hdr);
	len = skb->len - SEAL_GROWTH;
	if (hdr->version != cpu_to_le32(SEAL_VERSION))
		return seal_drop(skb, &dev->stats.rx_errors);
	if (chapoly_open(text, text, len, (u8 *)hdr, sizeof(*hdr), hdr->nonce, s->rx_key) < 0)
		return seal_drop(skb, &dev->stats.rx_errors);
	if (!seal_is_new(s, get_unaligned_le64(hdr->nonce + 4)))
		return seal_drop(skb, &dev->stats.rx_dropped);

	skb_pull(skb, sizeof(*hdr));
	skb_trim(skb, len);
	__skb_tunnel_rx(skb, dev, dev_net(dev));
	skb->ip_summed = CHECKSUM_NONE;
	skb_gso_reset(skb);		/* A tap can set GSO fields. */
	skb_orphan(skb);		/* Over veth, the sender's socket owns frames. */
	skb->protocol = eth_type_trans(skb, dev);
	atomic_long_inc((atomic_long_t *)&dev->stats.rx_packets);
	return netif_rx(skb);
}

/* The line for "keys": two keys in hex, the address of the peer's lower device, the name of ours */
struct seal_line {
	char tx_key[2 * CHAPOLY_KEY_SIZE + 1];
	char rx_key[2 * CHAPOLY_KEY_SIZE + 1];
	char peer[3 * ETH_ALEN];
	char lower[IFNAMSIZ];
};

/* Under the lock of network devices. A device gets keys once. */
static int seal_set_keys(struct net_device *dev, const struct seal_line *line)
{
	struct seal *s = netdev_priv(dev);
	struct net_device *lower;

	if (s->lower)
		return -EINVAL;
	lower = __dev_get_by_name(dev_net(dev), line->lower);
	if (!lower || lower->type != ARPHRD_ETHER)
		return -EINVAL;
	if (!mac_pton(line->peer, s->peer))
		return -EINVAL;
	if (hex2bin(s->tx_key, line->tx_key, CHAPOLY_KEY_SIZE) ||
	    hex2bin(s->rx_key, line->rx_key, CHAPOLY_KEY_SIZE))
		return -EINVAL;
	/* With one key for both directions, both ends would use the same nonces. */
	if (!crypto_memneq(s->tx_key, s->rx_key, CHAPOLY_KEY_SIZE))
		return -EINVAL;

	smp_store_release(&s->lower, lower->ifindex);	/* after the keys */
	dev_add_pack(&s->packets);
	return 0;
}

static ssize_t keys_store(struct device *d, struct device_attribute *attr, const char *buf,
			  size_t len)
{
	struct seal_line line;
	int err = -EINVAL;

	if (!rtnl_trylock())		/* Removing the device waits for this function. */
		return restart_syscall();
	if (sscanf(buf, "%64s %64s %17s %15s", line.tx_key, line.rx_key, line.peer,
		   line.lower) == 4)
		err = seal_set_keys(to_net_dev(d), &line);
	rtnl_unlock();
	memzero_explicit(&line, sizeof(line));
	return err ?: len;
}
static DEVICE_ATTR_WO(keys);

static struct attribute *seal_attrs[] = {
	&dev_attr_keys.attr,
	NULL
};

static const struct attribute_group seal_group = {
	.attrs = seal_attrs,
};

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

	s->packets.type = htons(SEAL_ETHERTYPE);
	s->packets.func = seal_receive;
	s->packets.af_packet_priv = dev;
	spin_lock_init(&s->lock);

	ether_setup(dev);
	eth_hw_addr_random(dev);
	dev->mtu -= SEAL_GROWTH + ETH_HLEN;
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
	/* Not every kernel compares the versions of modules. */
	if (!chapoly_fits())
		return -ENOEXEC;
	return rtnl_link_register(&seal_link_ops);
}
module_init(seal_init);

static void __exit seal_exit(void)
{
	rtnl_link_unregister(&seal_link_ops);	/* deletes all devices */
}
module_exit(seal_exit);

MODULE_DESCRIPTION("Ethernet over Ethernet, sealed with ChaCha20-Poly1305");
MODULE_LICENSE("Dual MIT/GPL");
