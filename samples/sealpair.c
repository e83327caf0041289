// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * sealpair: Ethernet over Ethernet, sealed with ChaCha20-Poly1305. This example of
 * a packet driver on poly1305.h is meant to be copied from.
 *
 *	seal0 <--- frames, as usual ---> seal1		devices of this driver
 *	  |				   |
 *	wire0 <---- sealed frames -----> wire1		any Ethernet: veth, a NIC
 *
 * An attacker on the wire can neither read nor change nor repeat a frame. Three rules
 * ensure that, and code copied from here must keep them. sealpair.h has the format.
 *
 * - A nonce is used once under a key. It is a counter; at its limit sending ends
 *   (seal_xmit()). A new session must have new keys: the driver refuses those in
 *   use, the rest is user space's duty (seal_set_session()).
 * - A Poly1305 key is used for one message. It is made from the nonce, so the
 *   first rule includes this one (poly1305_aead.h, seal_mac_key()).
 * - Nothing is done with a received frame before its tag was found right, and
 *   tags are compared in constant time (seal_poll()).
 *
 * Frames are sealed in the transmit path, on every CPU that sends, by aead_seal(). They
 * are opened in NAPI, in softirq, where poly1305_mac_batch() computes up to 64 tags at
 * once. A driver that opens them one by one would call aead_open().
 */

#include "versions.h"
#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/if_arp.h>
#include <linux/module.h>
#include <net/dst.h>

#include "../poly1305_aead.h"
#include "sealpair.h"
#include "window.h"

/* Bytes that sealing adds to a frame */
#define SEAL_GROWTH	(sizeof(struct seal_hdr) + SEAL_TAG_SIZE)
/* Room behind the tag, in whose place the MAC's message ends */
#define SEAL_TAILROOM	(AEAD_TRAILER_MAX - SEAL_TAG_SIZE)
#define SEAL_BATCH	64	/* frames opened together */
#define SEAL_QUEUE	1024	/* frames that may wait to be opened */
#define SEAL_KEY_WORDS	(SEAL_KEY_SIZE / sizeof(u32))

/* Reasons for dropping frames; ethtool -S shows the counters. */
enum seal_drop {
	RX_BAD_TAG,	/* forged, changed, or sealed under another key */
	RX_REPLAY,	/* authentic, but received before, or far too late */
	RX_MALFORMED,	/* too short, or without a header of ours */
	RX_NO_KEY,
	RX_OVERRUN,	/* SEAL_QUEUE were waiting, or no memory was left */
	TX_EXHAUSTED,	/* the key has sealed as many frames as it may */
	TX_TOO_LONG,	/* does not fit into the lower device's MTU */
	TX_NO_KEY,
	TX_REFUSED,	/* by the lower device, or no memory was left */
	SEAL_DROPS
};

static const char seal_drop_names[SEAL_DROPS][ETH_GSTRING_LEN] = {
	"rx_bad_tag", "rx_replay", "rx_malformed", "rx_no_key", "rx_overrun",
	"tx_exhausted", "tx_too_long", "tx_no_key", "tx_refused",
};

/*
 * Two keys and all state with their lifetime, protected by RCU. Only NAPI changes
 * the rx members, and a device has one poll at a time: they need no lock.
 */
struct seal_session {
	u32 tx_key[SEAL_KEY_WORDS];	/* in words, as ChaCha20 takes it */
	u32 rx_key[SEAL_KEY_WORDS];
	u8 peer[ETH_ALEN];		/* destination of sealed frames */
	u64 tx_limit;			/* number of frames that may be sent */
	atomic64_t tx_next;		/* counter of the next one */
	struct seal_window rx_window;	/* counters of opened frames */
};

/* A received frame on its way through a poll */
struct seal_slot {
	struct sk_buff *skb;
	struct seal_hdr *hdr;		/* at the start of its data */
	u8 tag[SEAL_TAG_SIZE];		/* received with the frame */
	u8 right_tag[SEAL_TAG_SIZE];	/* computed here */
	u8 mac_key[POLY1305_MAC_KEY_SIZE];
	struct chacha_state cipher;	/* ready to decrypt it */
};

struct seal {
	struct net_device *dev;
	struct net_device *lower;	/* outlives dev */
	struct seal_session __rcu *session; /* NULL before there are keys */
	struct packet_type wire;	/* receives our frames from lower */
	struct napi_struct napi;	/* opens them */
	struct sk_buff_head queue;	/* frames that wait for a poll */
	struct seal_slot slots[SEAL_BATCH];	/* frames of the current poll */
	struct poly1305_mac_req reqs[SEAL_BATCH]; /* and their tags' requests */
	atomic64_t drops[SEAL_DROPS];
};

/* Returns 0, which callers return: NETDEV_TX_OK, or no slot taken. */
static int seal_drop(struct seal *seal, struct sk_buff *skb,
		     enum seal_drop why)
{
	atomic64_inc(&seal->drops[why]);
	kfree_skb(skb);		/* may be NULL */
	return 0;
}

/* The longest frame that fits, sealed, into lower's MTU, and into seal_hdr.len */
static unsigned int seal_room(const struct net_device *lower)
{
	const size_t mtu = max_t(size_t, READ_ONCE(lower->mtu), SEAL_GROWTH);

	return min_t(size_t, mtu - SEAL_GROWTH, U16_MAX);
}

/* At least ETH_MIN_MTU, even if lower has room for less: 0 would mean "no limit". */
static unsigned int seal_max_mtu(const struct net_device *lower)
{
	return max_t(int, seal_room(lower) - ETH_HLEN, ETH_MIN_MTU);
}

/* Keep one side's knowledge of a frame (route, hash, tunnels) from the other. */
static void seal_scrub(struct sk_buff *skb, struct net_device *from,
		       struct net_device *to)
{
	__skb_tunnel_rx(skb, to, dev_net(from));
	skb_clear_hash(skb);
	skb->ip_summed = CHECKSUM_NONE;
	skb->encapsulation = 0;
}

/*
 * Make a frame writable, in one piece, with that much room around it. One in fragments
 * or shared (TCP keeps frames to resend them) is copied. NULL if there is no memory.
 */
static struct sk_buff *seal_own(struct sk_buff *skb, unsigned int headroom,
				unsigned int tailroom)
{
	struct sk_buff *own;

	if (!skb_cloned(skb) && !skb_is_nonlinear(skb) &&
	    skb_headroom(skb) >= headroom && skb_tailroom(skb) >= tailroom)
		return skb;
	own = skb_copy_expand(skb, headroom, tailroom, GFP_ATOMIC);
	consume_skb(skb);
	return own;
}

/* The cipher is a secret like the key. poly1305_aead.h wipes it when it is done. */
static void seal_begin(struct chacha_state *cipher,
		       const u32 key[SEAL_KEY_WORDS], u64 counter)
{
	u8 iv[CHACHA_IV_SIZE] = {};	/* 4 bytes of block number, 12 of nonce */

	put_unaligned_le64(counter, iv + 8);
	chacha_init(cipher, key, iv);
}

/*
 * The first block of keystream holds the Poly1305 key; the cipher continues with the
 * second.
 */
static void seal_mac_key(struct chacha_state *cipher,
			 u8 mac_key[POLY1305_MAC_KEY_SIZE])
{
	u8 block[CHACHA_BLOCK_SIZE];

	chacha20_block(cipher, block);
	memcpy(mac_key, block, POLY1305_MAC_KEY_SIZE);
	memzero_explicit(block, sizeof(block));
}

/*
 * The MAC covers header, ciphertext, zeroes up to a multiple of 16, and both
 * lengths. Write the last two behind the text: a MAC is fastest over one piece.
 */
static size_t seal_mac_data(struct seal_hdr *hdr, unsigned int len)
{
	return sizeof(*hdr) + len +
	       aead_trailer((u8 *)(hdr + 1) + len, sizeof(*hdr), len);
}

/* seal_own() has made room for the tag. */
static void seal_encrypt(const struct seal_session *session,
			 struct sk_buff *skb, u64 counter)
{
	const unsigned int len = skb->len;
	u8 *text = skb->data;
	struct chacha_state cipher;
	struct seal_hdr *hdr;

	hdr = skb_push(skb, sizeof(*hdr));
	hdr->version = cpu_to_le16(SEAL_VERSION);
	hdr->len = cpu_to_le16(len);
	hdr->zero = 0;
	hdr->counter = cpu_to_le64(counter);

	seal_begin(&cipher, session->tx_key, counter);
	skb_put(skb, SEAL_TAG_SIZE);
	aead_seal(text, text, len, (u8 *)hdr, sizeof(*hdr), &cipher);
}

/* Under RCU, with softirqs disabled, and on several CPUs at a time */
static netdev_tx_t seal_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct seal *seal = netdev_priv(dev);
	struct net_device *lower = seal->lower;
	const unsigned int len = skb->len;
	struct seal_session *session;
	u64 counter;
	int err;

	session = rcu_dereference_bh(seal->session);
	if (!session)
		return seal_drop(seal, skb, TX_NO_KEY);
	if (len > seal_room(lower))
		return seal_drop(seal, skb, TX_TOO_LONG);
	skb = seal_own(skb, LL_RESERVED_SPACE(lower) + sizeof(struct seal_hdr),
		       SEAL_TAG_SIZE + lower->needed_tailroom);
	if (!skb)
		return seal_drop(seal, NULL, TX_REFUSED);

	/*
	 * Each frame has its own counter, on whichever CPU. The limit is so far
	 * below 2^64 that frames dropped at it cannot make the counter wrap.
	 */
	counter = atomic64_inc_return(&session->tx_next) - 1;
	if (counter >= session->tx_limit) {
		net_warn_ratelimited("%s: the key is used up\n", dev->name);
		return seal_drop(seal, skb, TX_EXHAUSTED);
	}
	seal_encrypt(session, skb, counter);

	seal_scrub(skb, dev, lower);
	skb->protocol = htons(SEAL_ETHERTYPE);
	skb_reset_network_header(skb);
	dev_hard_header(skb, lower, SEAL_ETHERTYPE, session->peer,
			lower->dev_addr, skb->len);
	err = dev_queue_xmit(skb);
	if (net_xmit_eval(err))		/* evaluates its argument twice */
		return seal_drop(seal, NULL, TX_REFUSED);
	dev_sw_netstats_tx_add(dev, 1, len);
	return NETDEV_TX_OK;
}

/* In softirq, on any CPU: the lower device has received a frame of ours. */
static int seal_receive(struct sk_buff *skb, struct net_device *lower,
			struct packet_type *wire, struct net_device *orig_dev)
{
	struct seal *seal = container_of(wire, struct seal, wire);

	if (skb->pkt_type == PACKET_OTHERHOST) {
		consume_skb(skb);
		return 0;
	}
	skb = skb_share_check(skb, GFP_ATOMIC);
	if (!skb || skb_queue_len_lockless(&seal->queue) >= SEAL_QUEUE)
		return seal_drop(seal, skb, RX_OVERRUN);
	skb_queue_tail(&seal->queue, skb);
	napi_schedule(&seal->napi);
	return 0;
}

/* Prepare a slot and a request for a frame, in which nothing can be trusted yet. */
static int seal_take(struct seal *seal, const struct seal_session *session,
		     struct sk_buff *skb, struct seal_slot *slot,
		     struct poly1305_mac_req *req)
{
	struct seal_hdr *hdr;
	unsigned int len;
	u64 counter;

	if (!session)
		return seal_drop(seal, skb, RX_NO_KEY);
	if (!pskb_may_pull(skb, sizeof(*hdr)))
		return seal_drop(seal, skb, RX_MALFORMED);
	hdr = (struct seal_hdr *)skb->data;
	len = le16_to_cpu(hdr->len);
	counter = le64_to_cpu(hdr->counter);
	if (hdr->version != cpu_to_le16(SEAL_VERSION) || hdr->zero ||
	    counter >= SEAL_LIMIT || len < ETH_HLEN ||
	    skb->len < SEAL_GROWTH + len)
		return seal_drop(seal, skb, RX_MALFORMED);
	skb = seal_own(skb, skb_headroom(skb), SEAL_TAILROOM);
	if (!skb)
		return seal_drop(seal, NULL, RX_OVERRUN);

	hdr = (struct seal_hdr *)skb->data;
	slot->skb = skb;
	slot->hdr = hdr;
	memcpy(slot->tag, (u8 *)(hdr + 1) + len, SEAL_TAG_SIZE);
	seal_begin(&slot->cipher, session->rx_key, counter);
	seal_mac_key(&slot->cipher, slot->mac_key);
	req->key = slot->mac_key;
	req->data = hdr;
	req->len = seal_mac_data(hdr, len);
	req->tag = slot->right_tag;
	return 1;
}

/* The frame is authentic and new: decrypt it and hand it up. */
static void seal_deliver(struct seal *seal, struct seal_slot *slot)
{
	const unsigned int len = le16_to_cpu(slot->hdr->len);
	struct sk_buff *skb = slot->skb;

	skb_pull(skb, sizeof(struct seal_hdr));
	skb_trim(skb, len);
	chacha20_crypt(&slot->cipher, skb->data, skb->data, len);

	seal_scrub(skb, seal->lower, seal->dev);
	skb_gso_reset(skb);	/* A tap can set these marks. */
	skb_orphan(skb);	/* Over veth, the sender's socket owns frames. */
	skb->protocol = eth_type_trans(skb, seal->dev);
	skb_reset_network_header(skb);	/* These offsets are the sender's, too. */
	skb_reset_transport_header(skb);
	skb_reset_inner_headers(skb);
	dev_sw_netstats_rx_add(seal->dev, len);
	napi_gro_receive(&seal->napi, skb);
}

static int seal_poll(struct napi_struct *napi, int budget)
{
	struct seal *seal = container_of(napi, struct seal, napi);
	struct seal_slot *slots = seal->slots, *slot;
	struct seal_session *session;
	struct sk_buff *skb;
	int err, done, n = 0;

	rcu_read_lock();
	session = rcu_dereference(seal->session);
	for (done = 0; done < min(budget, SEAL_BATCH); done++) {
		skb = skb_dequeue(&seal->queue);
		if (!skb)
			break;
		n += seal_take(seal, session, skb, &slots[n], &seal->reqs[n]);
	}

	/* It fails for scatterlists only. If it failed, no tag would be valid. */
	err = poly1305_mac_batch(seal->reqs, n);
	for (slot = slots; slot < slots + n; slot++) {
		if (err || crypto_memneq(slot->tag, slot->right_tag,
					 SEAL_TAG_SIZE))
			seal_drop(seal, slot->skb, RX_BAD_TAG);
		else if (!seal_is_new(&session->rx_window,
				      le64_to_cpu(slot->hdr->counter)))
			seal_drop(seal, slot->skb, RX_REPLAY);
		else
			seal_deliver(seal, slot);
	}
	rcu_read_unlock();
	memzero_explicit(slots, n * sizeof(*slots));
	/* Busy polling may have a budget above SEAL_BATCH. */
	if (done < budget && napi_complete_done(napi, done) &&
	    !skb_queue_empty_lockless(&seal->queue))
		napi_schedule(napi);
	return done;
}

static int seal_dev_open(struct net_device *dev)
{
	struct seal *seal = netdev_priv(dev);

	napi_enable(&seal->napi);
	dev_add_pack(&seal->wire);
	return 0;
}

static int seal_dev_stop(struct net_device *dev)
{
	struct seal *seal = netdev_priv(dev);

	dev_remove_pack(&seal->wire);	/* waits for seal_receive() to end */
	napi_disable(&seal->napi);	/* waits for seal_poll() to end */
	skb_queue_purge(&seal->queue);
	return 0;
}

static int seal_dev_init(struct net_device *dev)
{
	struct seal *seal = netdev_priv(dev);

	dev->tstats = netdev_alloc_pcpu_stats(struct pcpu_sw_netstats);
	if (!dev->tstats)
		return -ENOMEM;
	seal->wire.type = htons(SEAL_ETHERTYPE);
	seal->wire.dev = seal->lower;
	seal->wire.func = seal_receive;
	skb_queue_head_init(&seal->queue);
	netif_napi_add(dev, &seal->napi, seal_poll);
	return 0;
}

/* The device is stopped: nothing can reach the session any more. */
static void seal_dev_uninit(struct net_device *dev)
{
	struct seal *seal = netdev_priv(dev);

	netif_napi_del(&seal->napi);
	kfree_sensitive(rtnl_dereference(seal->session));
	free_percpu(dev->tstats);
}

static void seal_get_ethtool_stats(struct net_device *dev,
				   struct ethtool_stats *unused, u64 *drops)
{
	struct seal *seal = netdev_priv(dev);
	int i;

	for (i = 0; i < SEAL_DROPS; i++)
		drops[i] = atomic64_read(&seal->drops[i]);
}

static void seal_get_stats64(struct net_device *dev,
			     struct rtnl_link_stats64 *stats)
{
	u64 drops[SEAL_DROPS];

	seal_get_ethtool_stats(dev, NULL, drops);
	dev_fetch_sw_netstats(stats, dev->tstats);
	stats->rx_crc_errors = drops[RX_BAD_TAG];
	stats->rx_length_errors = drops[RX_MALFORMED];
	stats->rx_errors = drops[RX_BAD_TAG] + drops[RX_MALFORMED];
	stats->rx_dropped = drops[RX_REPLAY] + drops[RX_NO_KEY] +
			    drops[RX_OVERRUN];
	stats->tx_errors = drops[TX_EXHAUSTED] + drops[TX_TOO_LONG];
	stats->tx_dropped = drops[TX_NO_KEY] + drops[TX_REFUSED];
}

static int seal_get_iflink(const struct net_device *dev)
{
	const struct seal *seal = netdev_priv(dev);

	return seal->lower->ifindex;
}

static const struct net_device_ops seal_netdev_ops = {
	.ndo_init = seal_dev_init,
	.ndo_uninit = seal_dev_uninit,
	.ndo_open = seal_dev_open,
	.ndo_stop = seal_dev_stop,
	.ndo_start_xmit = seal_xmit,
	.ndo_get_stats64 = seal_get_stats64,
	.ndo_get_iflink = seal_get_iflink,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_validate_addr = eth_validate_addr,
};

static int seal_get_sset_count(struct net_device *dev, int set)
{
	return set == ETH_SS_STATS ? SEAL_DROPS : -EOPNOTSUPP;
}

static void seal_get_strings(struct net_device *dev, u32 set, u8 *out)
{
	if (set == ETH_SS_STATS)
		memcpy(out, seal_drop_names, sizeof(seal_drop_names));
}

static const struct ethtool_ops seal_ethtool_ops = {
	.get_sset_count = seal_get_sset_count,
	.get_strings = seal_get_strings,
	.get_ethtool_stats = seal_get_ethtool_stats,
};

static void seal_take_key(u32 key[SEAL_KEY_WORDS], struct nlattr *attr)
{
	nla_memcpy(key, attr, SEAL_KEY_SIZE);
	le32_to_cpu_array(key, SEAL_KEY_WORDS);
	memzero_explicit(nla_data(attr), SEAL_KEY_SIZE); /* netlink does not */
}

static bool seal_key_in(const struct seal_session *session,
			const u32 key[SEAL_KEY_WORDS])
{
	return !crypto_memneq(session->tx_key, key, SEAL_KEY_SIZE) ||
	       !crypto_memneq(session->rx_key, key, SEAL_KEY_SIZE);
}

/* Under RTNL: new keys, counters from 0, an empty window */
static int seal_set_session(struct net_device *dev, struct nlattr *data[],
			    struct netlink_ext_ack *extack)
{
	struct seal *seal = netdev_priv(dev);
	struct seal_session *new, *old = rtnl_dereference(seal->session);

	new = kzalloc(sizeof(*new), GFP_KERNEL);
	if (!new)
		return -ENOMEM;
	seal_take_key(new->tx_key, data[IFLA_SEALPAIR_TX_KEY]);
	seal_take_key(new->rx_key, data[IFLA_SEALPAIR_RX_KEY]);
	/* One key for both directions, or one in use, would repeat nonces. */
	if (!crypto_memneq(new->tx_key, new->rx_key, SEAL_KEY_SIZE) ||
	    (old && (seal_key_in(old, new->tx_key) ||
		     seal_key_in(old, new->rx_key)))) {
		NL_SET_ERR_MSG(extack, "the keys must be new, and two");
		kfree_sensitive(new);
		return -EKEYREJECTED;
	}
	eth_broadcast_addr(new->peer);
	if (data[IFLA_SEALPAIR_PEER])
		nla_memcpy(new->peer, data[IFLA_SEALPAIR_PEER], ETH_ALEN);
	new->tx_limit = SEAL_LIMIT;
	if (data[IFLA_SEALPAIR_TX_LIMIT])
		new->tx_limit = nla_get_u32(data[IFLA_SEALPAIR_TX_LIMIT]);

	rcu_assign_pointer(seal->session, new);
	synchronize_net();	/* After this, no CPU uses the old one. */
	kfree_sensitive(old);
	return 0;
}

static const struct nla_policy seal_policy[IFLA_SEALPAIR_MAX + 1] = {
	[IFLA_SEALPAIR_TX_KEY] = NLA_POLICY_EXACT_LEN(SEAL_KEY_SIZE),
	[IFLA_SEALPAIR_RX_KEY] = NLA_POLICY_EXACT_LEN(SEAL_KEY_SIZE),
	[IFLA_SEALPAIR_PEER] = NLA_POLICY_EXACT_LEN(ETH_ALEN),
	[IFLA_SEALPAIR_TX_LIMIT] = { .type = NLA_U32 },
};

static int seal_validate(struct nlattr *tb[], struct nlattr *data[],
			 struct netlink_ext_ack *extack)
{
	if (tb[IFLA_ADDRESS] && (nla_len(tb[IFLA_ADDRESS]) != ETH_ALEN ||
				 !is_valid_ether_addr(nla_data(tb[IFLA_ADDRESS]))))
		return -EADDRNOTAVAIL;
	if (data && !(data[IFLA_SEALPAIR_TX_KEY] && data[IFLA_SEALPAIR_RX_KEY]))
		return -EINVAL;
	return 0;
}

/* Under RTNL: our device on top of this one, or NULL */
static struct net_device *seal_above(struct net_device *lower)
{
	struct net_device *dev;
	struct list_head *iter;

	rcu_read_lock();
	netdev_for_each_upper_dev_rcu(lower, dev, iter) {
		if (dev->netdev_ops == &seal_netdev_ops)
			break;
	}
	rcu_read_unlock();
	return dev;
}

static void seal_dellink(struct net_device *dev, struct list_head *head)
{
	struct seal *seal = netdev_priv(dev);

	netdev_upper_dev_unlink(seal->lower, dev);
	unregister_netdevice_queue(dev, head);
}

static int seal_newlink(struct net_device *dev,
			struct rtnl_newlink_params *params,
			struct netlink_ext_ack *extack)
{
	struct nlattr **tb = params->tb, **data = params->data;
	struct seal *seal = netdev_priv(dev);
	struct net_device *lower = NULL;
	int err;

	if (tb[IFLA_LINK])
		lower = __dev_get_by_index(rtnl_newlink_link_net(params),
					   nla_get_u32(tb[IFLA_LINK]));
	if (!lower || lower->type != ARPHRD_ETHER || seal_above(lower) ||
	    seal_room(lower) < ETH_MIN_MTU + ETH_HLEN) {
		NL_SET_ERR_MSG(extack, "link must be an Ethernet device that has no sealpair yet");
		return -EINVAL;
	}
	seal->dev = dev;
	seal->lower = lower;
	dev->needed_headroom = LL_RESERVED_SPACE(lower) + SEAL_GROWTH;
	dev->needed_tailroom = lower->needed_tailroom + SEAL_TAG_SIZE;
	dev->max_mtu = seal_max_mtu(lower);
	if (!tb[IFLA_MTU])
		dev->mtu = dev->max_mtu;
	else if (dev->mtu > dev->max_mtu)
		return -ERANGE;
	if (!tb[IFLA_ADDRESS])
		eth_hw_addr_random(dev);
	err = register_netdevice(dev);
	if (err)
		return err;
	err = netdev_upper_dev_link(lower, dev, extack);
	if (err) {
		unregister_netdevice(dev);
	} else if (data) {
		err = seal_set_session(dev, data, extack);
		if (err)
			seal_dellink(dev, NULL);
	}
	return err;
}

RTNL_NEWLINK(seal_newlink);

static int seal_changelink(struct net_device *dev, struct nlattr *tb[],
			   struct nlattr *data[],
			   struct netlink_ext_ack *extack)
{
	return data ? seal_set_session(dev, data, extack) : 0;
}

static struct net *seal_get_link_net(const struct net_device *dev)
{
	const struct seal *seal = netdev_priv(dev);

	return dev_net(seal->lower);
}

static void seal_setup(struct net_device *dev)
{
	ether_setup(dev);
	dev->max_mtu = ETH_MAX_MTU;	/* until the lower device is known */
	dev->netdev_ops = &seal_netdev_ops;
	dev->ethtool_ops = &seal_ethtool_ops;
	dev->needs_free_netdev = true;
	/* seal_xmit() writes to frames, needs no queue or lock, and no netpoll. */
	dev->priv_flags &= ~IFF_TX_SKB_SHARING;
	dev->priv_flags |= IFF_NO_QUEUE | IFF_DISABLE_NETPOLL;
	netdev_set_lltx(dev);
	/* Accept fragments: a frame is copied once either way. */
	dev->hw_features = NETIF_F_SG | NETIF_F_FRAGLIST | NETIF_F_HIGHDMA;
	dev->features |= dev->hw_features;
}

/*
 * rtnetlink requires CAP_NET_ADMIN in the user namespace that owns the device's
 * network namespace. There is no fill_info, so keys cannot be read.
 */
static struct rtnl_link_ops seal_link_ops = {
	.kind = "sealpair",
	.priv_size = sizeof(struct seal),
	.setup = seal_setup,
	.maxtype = IFLA_SEALPAIR_MAX,
	.policy = seal_policy,
	.validate = seal_validate,
	.newlink = RTNL_NEWLINK_OP(seal_newlink),
	.changelink = seal_changelink,
	.dellink = seal_dellink,
	.get_link_net = seal_get_link_net,
};

static int seal_netdev_event(struct notifier_block *unused,
			     unsigned long event, void *info)
{
	struct net_device *lower = netdev_notifier_info_to_dev(info);
	struct net_device *dev = seal_above(lower);

	/* An error here undoes the change of lower's MTU, with a second event. */
	if (dev && event == NETDEV_CHANGEMTU) {
		dev->max_mtu = seal_max_mtu(lower);
		if (dev->mtu > dev->max_mtu)
			return notifier_from_errno(dev_set_mtu(dev, dev->max_mtu));
	}
	/* A bond's type is that of its ports; we build Ethernet headers. */
	if (dev && event == NETDEV_PRE_TYPE_CHANGE)
		return NOTIFY_BAD;
	/* A change of namespace sends this event too, but then both stay. */
	if (dev && event == NETDEV_UNREGISTER &&
	    lower->reg_state == NETREG_UNREGISTERING)
		seal_dellink(dev, NULL);
	return NOTIFY_DONE;
}

static struct notifier_block seal_notifier = {
	.notifier_call = seal_netdev_event,
};

static int __init seal_init(void)
{
	int err = register_netdevice_notifier(&seal_notifier);

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
