// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * sealpair: Ethernet over Ethernet, sealed with ChaCha20-Poly1305. This example of a packet
 * driver on chapoly.h is meant to be copied from. It is not a VPN.
 *
 *	seal0 <--- frames, as usual ---> seal1		devices of this driver
 *	  |				   |
 *	wire0 <---- sealed frames -----> wire1		any Ethernet: veth, a NIC
 *
 * An attacker on the wire can neither read nor change nor repeat a frame. Three rules ensure
 * that, and code copied from here must keep them. sealpair.h has the format.
 *
 * - A nonce is used once under a key. It is a counter; at its limit sending ends
 *   (seal_xmit()). Each direction has its own key, and a new session has new keys: the driver
 *   refuses keys in use, and user space must not repeat older ones (seal_set_session()).
 * - A Poly1305 key is used for one message. chapoly_seal() and chapoly_open() make it from the
 *   nonce, so the first rule includes this one.
 * - A received frame is not used before its tag was found right (seal_receive()).
 *
 * Frames are sealed in the transmit path, on every CPU that sends. They are opened one by one
 * in softirq, in the NAPI poll of the lower device.
 */

#include "versions.h"
#include <linux/etherdevice.h>
#include <linux/if_arp.h>
#include <linux/if_vlan.h>
#include <linux/module.h>
#include <net/dst.h>

#include "../chapoly.h"
#include "sealpair.h"
#include "window.h"

#define SEAL_GROWTH	(sizeof(struct seal_hdr) + SEAL_TAG_SIZE)

/* Two keys, and the state that lives as long as they do; protected by RCU */
struct seal_session {
	struct sealpair_config config;	/* from user space */
	atomic64_t tx_next;		/* counter of the next frame to send */
	struct seal_window rx_window;	/* counters of opened frames */
};

struct seal {
	struct net_device *lower;	/* outlives the device */
	struct seal_session __rcu *session; /* NULL before there are keys */
};

/* The longest frame that fits into seal_hdr.len and, when sealed, into lower's MTU */
static unsigned int seal_room(const struct net_device *lower)
{
	return clamp_t(int, READ_ONCE(lower->mtu) - SEAL_GROWTH, 0, U16_MAX);
}

/* Remove from a frame what one network knows of it: route, hash, tunnels. */
static void seal_scrub(struct sk_buff *skb, struct net_device *from, struct net_device *to)
{
	__skb_tunnel_rx(skb, to, dev_net(from));
	skb->ip_summed = CHECKSUM_NONE;
	skb->encapsulation = 0;
}

/*
 * Make a frame writable and linear, with the given room around it. If the frame is in fragments
 * or shared (TCP keeps frames to resend them), copy it. Returns NULL if there is no memory.
 */
static struct sk_buff *seal_own(struct sk_buff *skb, unsigned int headroom, unsigned int tailroom)
{
	struct sk_buff *own;

	if (!skb_shared(skb) && !skb_cloned(skb) && !skb_is_nonlinear(skb) &&
	    skb_headroom(skb) >= headroom && skb_tailroom(skb) >= tailroom)
		return skb;
	own = skb_copy_expand(skb, headroom, tailroom, GFP_ATOMIC);
	consume_skb(skb);
	return own;
}

/* Under RCU, with softirqs disabled, and on several CPUs at a time */
static netdev_tx_t seal_xmit(struct sk_buff *skb, struct net_device *dev)
{
	const struct seal *seal = netdev_priv(dev);
	struct net_device *lower = seal->lower;
	struct seal_session *session = rcu_dereference_bh(seal->session);
	const unsigned int len = skb->len;
	struct seal_hdr *hdr;
	u64 counter;

	/* The lower device's MTU may have shrunk. */
	if (!session || len > seal_room(lower))
		goto drop;
	skb = seal_own(skb, LL_RESERVED_SPACE(lower) + sizeof(*hdr),
		       SEAL_TAG_SIZE + lower->needed_tailroom);
	if (!skb)
		goto drop;

	/* Every frame gets its own counter, which SEAL_LIMIT keeps from wrapping around. */
	counter = atomic64_inc_return(&session->tx_next) - 1;
	if (counter >= min_t(u64, session->config.tx_limit, SEAL_LIMIT))
		goto drop;
	hdr = skb_push(skb, sizeof(*hdr));
	hdr->version = cpu_to_le16(SEAL_VERSION);
	hdr->len = cpu_to_le16(len);
	memset(hdr->nonce, 0, 4);
	put_unaligned_le64(counter, hdr->nonce + 4);
	skb_put(skb, SEAL_TAG_SIZE);
	chapoly_seal(hdr->text, hdr->text, len, (u8 *)hdr, sizeof(*hdr), hdr->nonce,
		     session->config.tx_key);

	seal_scrub(skb, dev, lower);
	skb->protocol = htons(SEAL_ETHERTYPE);
	skb_reset_network_header(skb);
	eth_header(skb, lower, SEAL_ETHERTYPE, session->config.peer, lower->dev_addr, skb->len);
	dev_queue_xmit(skb);	/* The lower device counts what it drops. */
	DEV_STATS_INC(dev, tx_packets);
	DEV_STATS_ADD(dev, tx_bytes, len);
	return NETDEV_TX_OK;
drop:
	DEV_STATS_INC(dev, tx_dropped);
	kfree_skb(skb);			/* may be NULL */
	return NETDEV_TX_OK;
}

/*
 * Under RCU, in softirq, and on several CPUs at a time. Until the tag was found right, only
 * the lengths and the nonce are used. The replay window is checked after the tag, because a
 * forged counter must not move the window.
 */
static rx_handler_result_t seal_receive(struct sk_buff **pskb)
{
	struct sk_buff *skb = *pskb;
	struct net_device *dev = rcu_dereference(skb->dev->rx_handler_data);
	struct seal *seal = netdev_priv(dev);
	struct seal_session *session = rcu_dereference(seal->session);
	struct seal_hdr *hdr;
	unsigned int len;
	u64 counter;

	/* Pass on frames of other protocols, and frames with a VLAN, which no tag covers. */
	if (skb->protocol != htons(SEAL_ETHERTYPE) || skb->pkt_type == PACKET_OTHERHOST ||
	    skb_vlan_tag_present(skb) || !session || !netif_running(dev))
		return RX_HANDLER_PASS;

	skb = seal_own(skb, skb_headroom(skb), 0);
	if (!skb)
		goto drop;
	hdr = (struct seal_hdr *)skb->data;
	if (skb->len < SEAL_GROWTH || hdr->version != cpu_to_le16(SEAL_VERSION))
		goto error;
	len = le16_to_cpu(hdr->len);
	counter = get_unaligned_le64(hdr->nonce + 4);
	if (len < ETH_HLEN || len > skb->len - SEAL_GROWTH || counter >= SEAL_LIMIT)
		goto error;
	if (chapoly_open(hdr->text, hdr->text, len, (u8 *)hdr, sizeof(*hdr), hdr->nonce,
			 session->config.rx_key)) {
		DEV_STATS_INC(dev, rx_crc_errors);
		goto error;
	}
	if (!seal_is_new(&session->rx_window, counter))
		goto drop;

	skb_pull(skb, sizeof(*hdr));
	skb_trim(skb, len);
	seal_scrub(skb, seal->lower, dev);
	skb_gso_reset(skb);	/* A tap can set GSO fields. */
	skb_orphan(skb);	/* Over veth, the sender's socket owns frames. */
	skb->protocol = eth_type_trans(skb, dev);
	skb_reset_network_header(skb);
	skb_reset_transport_header(skb);
	DEV_STATS_INC(dev, rx_packets);
	DEV_STATS_ADD(dev, rx_bytes, len);
	*pskb = skb;
	return RX_HANDLER_ANOTHER;	/* goes on as a frame of dev */
error:
	DEV_STATS_INC(dev, rx_errors);
	kfree_skb(skb);
	return RX_HANDLER_CONSUMED;
drop:
	DEV_STATS_INC(dev, rx_dropped);
	kfree_skb(skb);
	return RX_HANDLER_CONSUMED;
}

static int seal_dev_init(struct net_device *dev)
{
	struct seal *seal = netdev_priv(dev);

	return netdev_rx_handler_register(seal->lower, seal_receive, dev);
}

/* The device is stopped. */
static void seal_dev_uninit(struct net_device *dev)
{
	struct seal *seal = netdev_priv(dev);

	netdev_rx_handler_unregister(seal->lower);	/* waits for seal_receive() */
	kfree_sensitive(rtnl_dereference(seal->session));
}

static const struct net_device_ops seal_netdev_ops = {
	.ndo_init = seal_dev_init,
	.ndo_uninit = seal_dev_uninit,
	.ndo_start_xmit = seal_xmit,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_validate_addr = eth_validate_addr,
};

static void seal_setup(struct net_device *dev)
{
	ether_setup(dev);
	dev->netdev_ops = &seal_netdev_ops;
	dev->needs_free_netdev = true;
	/* seal_xmit() writes to frames, needs neither queue nor lock, and cannot serve netpoll. */
	dev->priv_flags &= ~IFF_TX_SKB_SHARING;
	dev->priv_flags |= IFF_NO_QUEUE | IFF_DISABLE_NETPOLL;
	netdev_set_lltx(dev);
}

static int seal_newlink(struct net_device *dev, struct rtnl_newlink_params *params,
			struct netlink_ext_ack *extack)
{
	struct nlattr **tb = params->tb;
	struct seal *seal = netdev_priv(dev);
	struct net_device *lower = NULL;
	int err;

	if (tb[IFLA_LINK])
		lower = __dev_get_by_index(rtnl_newlink_link_net(params),
					   nla_get_u32(tb[IFLA_LINK]));
	if (!lower || lower->type != ARPHRD_ETHER || params->data ||
	    seal_room(lower) < ETH_MIN_MTU + ETH_HLEN) {
		NL_SET_ERR_MSG(extack, "needs an Ethernet device as link, and keys later");
		return -EINVAL;
	}
	seal->lower = lower;
	dev->needed_headroom = LL_RESERVED_SPACE(lower) + sizeof(struct seal_hdr);
	dev->needed_tailroom = lower->needed_tailroom + SEAL_TAG_SIZE;
	dev->max_mtu = seal_room(lower) - ETH_HLEN;
	dev->mtu = min(dev->mtu, dev->max_mtu);
	if (!tb[IFLA_ADDRESS])
		eth_hw_addr_random(dev);
	err = register_netdevice(dev);
	if (err)
		return err;
	err = netdev_upper_dev_link(lower, dev, extack);
	if (err)
		unregister_netdevice(dev);
	return err;
}

RTNL_NEWLINK(seal_newlink);

static void seal_dellink(struct net_device *dev, struct list_head *head)
{
	struct seal *seal = netdev_priv(dev);

	netdev_upper_dev_unlink(seal->lower, dev);
	unregister_netdevice_queue(dev, head);
}

static bool seal_key_in(const struct sealpair_config *config, const u8 key[SEAL_KEY_SIZE])
{
	return !crypto_memneq(config->tx_key, key, SEAL_KEY_SIZE) ||
	       !crypto_memneq(config->rx_key, key, SEAL_KEY_SIZE);
}

/* Under RTNL: new keys, counters from 0, an empty window */
static int seal_set_session(struct net_device *dev, struct nlattr *tb[], struct nlattr *data[],
			    struct netlink_ext_ack *extack)
{
	struct nlattr *attr = data ? data[IFLA_SEALPAIR_CONFIG] : NULL;
	struct seal *seal = netdev_priv(dev);
	struct seal_session *new, *old = rtnl_dereference(seal->session);
	struct sealpair_config *config;

	if (!attr)
		return data ? -EINVAL : 0;
	new = kzalloc(sizeof(*new), GFP_KERNEL);
	if (!new)
		return -ENOMEM;
	spin_lock_init(&new->rx_window.lock);
	config = &new->config;
	nla_memcpy(config, attr, sizeof(*config));
	memzero_explicit(nla_data(attr), sizeof(*config));	/* netlink keeps it. */
	/* If both keys are equal or one is in use, nonces would repeat. */
	if (!crypto_memneq(config->tx_key, config->rx_key, SEAL_KEY_SIZE) ||
	    (old && (seal_key_in(&old->config, config->tx_key) ||
		     seal_key_in(&old->config, config->rx_key)))) {
		NL_SET_ERR_MSG(extack, "the keys must be new, and two");
		kfree_sensitive(new);
		return -EKEYREJECTED;
	}
	rcu_assign_pointer(seal->session, new);
	synchronize_net();	/* After this, no CPU uses the old session. */
	kfree_sensitive(old);
	return 0;
}

static const struct nla_policy seal_policy[IFLA_SEALPAIR_MAX + 1] = {
	[IFLA_SEALPAIR_CONFIG] = NLA_POLICY_EXACT_LEN(sizeof(struct sealpair_config)),
};

/* rtnetlink requires CAP_NET_ADMIN. There is no fill_info, so keys cannot be read. */
static struct rtnl_link_ops seal_link_ops = {
	.kind = "sealpair",
	.priv_size = sizeof(struct seal),
	.setup = seal_setup,
	.maxtype = IFLA_SEALPAIR_MAX,
	.policy = seal_policy,
	.newlink = RTNL_NEWLINK_OP(seal_newlink),
	.changelink = seal_set_session,
	.dellink = seal_dellink,
};

/* Under RTNL: delete a device before its lower device goes, but not if that changes namespaces. */
static int seal_netdev_event(struct notifier_block *unused, unsigned long event, void *info)
{
	struct net_device *lower = netdev_notifier_info_to_dev(info);

	if (event == NETDEV_UNREGISTER && lower->reg_state == NETREG_UNREGISTERING &&
	    rtnl_dereference(lower->rx_handler) == seal_receive)
		seal_dellink(rtnl_dereference(lower->rx_handler_data), NULL);
	return NOTIFY_DONE;
}

static struct notifier_block seal_notifier = { .notifier_call = seal_netdev_event };

static int __init seal_init(void)
{
	int err;

	if (!chapoly_fits())
		return -ENOEXEC;
	err = register_netdevice_notifier(&seal_notifier);
	if (err)
		return err;
	err = rtnl_link_register(&seal_link_ops);
	if (err)
		unregister_netdevice_notifier(&seal_notifier);
	return err;
}
module_init(seal_init);

static void __exit seal_exit(void)
{
	rtnl_link_unregister(&seal_link_ops);	/* deletes all devices */
	unregister_netdevice_notifier(&seal_notifier);
}
module_exit(seal_exit);

MODULE_DESCRIPTION("Ethernet over Ethernet, sealed with ChaCha20-Poly1305");
MODULE_LICENSE("Dual MIT/GPL");
MODULE_ALIAS_RTNL_LINK("sealpair");
