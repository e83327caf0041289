// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * poly1305_tunnel.ko, of tools/bench --tunnel: what a packet costs on its path through a tunnel
 * of WireGuard, with the kernel's own ChaCha20-Poly1305 and with poly1305_wireguard.c, which is
 * linked into this module.
 *
 *	namespace a		namespace b				namespace c
 *	wg0 192.168.1.1		wg0 192.168.1.2
 *	veth 10.0.0.1 --------- veth 10.0.0.2, lan 10.1.0.1 ----------- lan 10.1.0.2
 *
 * WireGuard must be loaded after this module, with its calls of the library for packets renamed to
 * tunnel_seal() and tunnel_open(). All traffic is made and taken by sockets inside the kernel, so
 * no system call is timed. Each veth device has a gate, where a network card's driver would hand
 * packets to the stack. It can hold the packets of a batch, to time the rest of their path alone,
 * and it can drop them:
 *
 *	path	socket in a, seal, veth, open, socket in b
 *	open	a gateway: held packets: open, forward to the LAN, drop
 *	seal	a gateway: held packets from the LAN: forward, seal, drop
 *	tcp	a stream from a socket in a, with segmentation offload, to a socket in b
 *
 * Reading the parameter "results", once, measures, and gives a line for each path and length,
 *
 *	PATH LENGTH OURS MEDIAN STOCK MEDIAN CIPHER_OURS MEDIAN CIPHER_STOCK MEDIAN
 *
 * in TSC cycles a packet: the least and the median of the rounds. The cipher's part of it is timed
 * in batches of its own.
 */

#include <crypto/chacha20poly1305.h>
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/skbuff.h>
#include <linux/string.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <linux/vmalloc.h>
#include <net/net_namespace.h>
#include <net/sock.h>

#include "samples.h"
#include "standin_livepatch.h"

static int namespaces[3];
module_param_array(namespaces, int, NULL, 0444);
MODULE_PARM_DESC(namespaces, "a process in each of a, b and c");

static unsigned int rounds = 100;
module_param(rounds, uint, 0444);
MODULE_PARM_DESC(rounds, "how often everything is measured, up to 10000 (default: 100)");

#define BATCH		64	/* packets */
#define PORT		9000
#define WG_A		0xc0a80101
#define WG_B		0xc0a80102
#define LAN_C		0x0a010002
#define HEADERS		(sizeof(struct iphdr) + sizeof(struct udphdr))
#define TUNNEL_HEADERS	(HEADERS + 16 + 16)	/* WireGuard's own, and the tag */
#define STREAM_CALLS	4	/* of a batch of TCP */
#define STREAM_MSS	1368	/* with timestamps */

/* The switch */

enum { OURS, STOCK, SIDES };
#define crypt_fn	typeof(chacha20poly1305_encrypt_sg_inplace)

static crypt_fn *seal[SIDES] = { [STOCK] = chacha20poly1305_encrypt_sg_inplace };
static crypt_fn *open[SIDES] = { [STOCK] = chacha20poly1305_decrypt_sg_inplace };
static int side = STOCK;
static bool timed;
static u64 cipher;

static __always_inline bool crypt(crypt_fn *fn, struct scatterlist *text, size_t len, const u8 *ad,
				  size_t ad_len, u64 nonce, const u8 *key)
{
	u64 start;
	bool ok;

	if (!timed)
		return fn(text, len, ad, ad_len, nonce, key);
	start = cycles();
	ok = fn(text, len, ad, ad_len, nonce, key);
	cipher += cycles() - start;
	return ok;
}

crypt_fn tunnel_seal, tunnel_open;

bool tunnel_seal(struct scatterlist *text, size_t len, const u8 *ad, const size_t ad_len,
		 const u64 nonce, const u8 key[CHACHA20POLY1305_KEY_SIZE])
{
	return crypt(seal[side], text, len, ad, ad_len, nonce, key);
}
EXPORT_SYMBOL_GPL(tunnel_seal);

bool tunnel_open(struct scatterlist *text, size_t len, const u8 *ad, const size_t ad_len,
		 const u64 nonce, const u8 key[CHACHA20POLY1305_KEY_SIZE])
{
	return crypt(open[side], text, len, ad, ad_len, nonce, key);
}
EXPORT_SYMBOL_GPL(tunnel_open);

/* chapoly/poly1305_wireguard.c has tested itself, and gives its functions. */
int klp_enable_patch(struct klp_patch *patch)
{
	const struct klp_func *func;

	for (func = patch->objs->funcs; func->old_name; func++) {
		if (!strcmp(func->old_name, "chacha20poly1305_encrypt_sg_inplace"))
			seal[OURS] = func->new_func;
		if (!strcmp(func->old_name, "chacha20poly1305_decrypt_sg_inplace"))
			open[OURS] = func->new_func;
	}
	return seal[OURS] && open[OURS] ? 0 : -ENOENT;
}

/* A batch has arrived when none is pending. There is one CPU. */
static int pending;
static DECLARE_COMPLETION(arrived);

static void arrive(void)
{
	if (!--pending)
		complete(&arrived);
}

static int await(void)
{
	return wait_for_completion_timeout(&arrived, 5 * HZ) ? 0 : -ETIMEDOUT;
}

/* The gates: packets of len bytes are held or dropped, all others pass. */

static struct net *nets[3];

enum { NONE, VETH_A, VETH_B, LAN_B, GATE_C, GATES };
static struct gate {
	const char *name;
	int net;
	unsigned int headers;	/* more bytes than the packet in the tunnel has */
	struct net_device *dev;
	unsigned int len;
	bool hold;
	struct sk_buff_head held;
} gates[GATES] = {
	[VETH_A] = { "veth", 0, TUNNEL_HEADERS },
	[VETH_B] = { "veth", 1, TUNNEL_HEADERS },
	[LAN_B] = { "lan", 1 },
	[GATE_C] = { "lan", 2 },
};

static rx_handler_result_t at_gate(struct sk_buff **pskb)
{
	struct sk_buff *skb = *pskb;
	struct gate *gate = rcu_dereference(skb->dev->rx_handler_data);

	if (skb->protocol != htons(ETH_P_IP) || ntohs(ip_hdr(skb)->tot_len) != gate->len)
		return RX_HANDLER_PASS;
	if (gate->hold)
		__skb_queue_tail(&gate->held, skb);
	else
		consume_skb(skb);
	arrive();
	return RX_HANDLER_CONSUMED;
}

static void shut(int at, bool hold, unsigned int len)
{
	gates[at].hold = hold;
	gates[at].len = len + gates[at].headers;
}

/* Pass held packets on, as a driver's poll function does. */
static void release(struct gate *gate)
{
	struct sk_buff *skb;

	gate->len = 0;
	local_bh_disable();
	while ((skb = __skb_dequeue(&gate->held)))
		netif_receive_skb(skb);
	local_bh_enable();
}

static int make_gates(void)
{
	struct gate *gate;
	int err = 0;

	rtnl_lock();
	for (gate = gates + 1; gate < gates + GATES && !err; gate++) {
		__skb_queue_head_init(&gate->held);
		gate->dev = dev_get_by_name(nets[gate->net], gate->name);
		err = gate->dev ? netdev_rx_handler_register(gate->dev, at_gate, gate) : -ENODEV;
	}
	rtnl_unlock();
	return err;
}

/* The sockets */

static struct socket *from_a, *at_b, *a_to_c, *from_c, *tcp_a, *tcp_listen, *tcp_b;
static u8 buffer[64 << 10];

static void at_b_ready(struct sock *sk)
{
	arrive();
}

static int make_socket(struct socket **sock, int net, int type, u32 to, u32 at)
{
	struct sockaddr_in addr = {
		.sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr.s_addr = htonl(to ?: at),
	};
	int err = sock_create_kern(nets[net], AF_INET, type, 0, sock);

	if (err)
		return err;
	if (type == SOCK_DGRAM)
		(*sock)->sk->sk_sndbuf = (*sock)->sk->sk_rcvbuf = 16 << 20;
	return at ? kernel_bind(*sock, (void *)&addr, sizeof(addr)) :
		    kernel_connect(*sock, (void *)&addr, sizeof(addr), 0);
}

static int make_sockets(void)
{
	int err = make_socket(&at_b, 1, SOCK_DGRAM, 0, WG_B) ?:
		  make_socket(&from_a, 0, SOCK_DGRAM, WG_B, 0) ?:
		  make_socket(&a_to_c, 0, SOCK_DGRAM, LAN_C, 0) ?:
		  make_socket(&from_c, 2, SOCK_DGRAM, WG_A, 0) ?:
		  make_socket(&tcp_listen, 1, SOCK_STREAM, 0, WG_B) ?:
		  kernel_listen(tcp_listen, 1) ?:
		  make_socket(&tcp_a, 0, SOCK_STREAM, WG_B, 0) ?:
		  kernel_accept(tcp_listen, &tcp_b, 0);

	if (!err)
		at_b->sk->sk_data_ready = at_b_ready;
	return err;
}

/* Send or receive n times len bytes. */
static int transfer(struct socket *sock, bool send, unsigned int n, size_t len, int flags)
{
	int done = len;

	for (; n && done == len; n--) {
		struct kvec vec = { buffer, send ? len : sizeof(buffer) };
		struct msghdr msg = {};

		done = send ? kernel_sendmsg(sock, &msg, &vec, 1, vec.iov_len) :
			      kernel_recvmsg(sock, &msg, &vec, 1, vec.iov_len, flags);
	}
	return done == len ? 0 : done < 0 ? done : -EMSGSIZE;
}

/* A batch starts in a socket, or at the gate where it is held, and ends in another one. */
static const struct tunnel_path {
	const char *name;
	struct socket **from;
	int hold, end;
	unsigned int packets, first;	/* index in lens */
} paths[] = {
	{ "path", &from_a, NONE, NONE, BATCH },
	{ "open", &a_to_c, VETH_B, GATE_C, BATCH },
	{ "seal", &from_c, LAN_B, VETH_A, BATCH },
	{ "tcp", NULL, NONE, NONE, STREAM_CALLS * sizeof(buffer) / STREAM_MSS, 3 },
};

static const unsigned int lens[] = { 64, 576, 1280, 1420 };

#define PATHS	ARRAY_SIZE(paths)
#define LENS	ARRAY_SIZE(lens)

static int send(const struct tunnel_path *path, unsigned int len)
{
	return transfer(*path->from, true, BATCH, len - HEADERS, 0);
}

static int run(const struct tunnel_path *path, unsigned int len)
{
	int err = 0;

	if (!path->from)
		return transfer(tcp_a, true, STREAM_CALLS, sizeof(buffer), 0) ?:
		       transfer(tcp_b, false, STREAM_CALLS, sizeof(buffer), MSG_WAITALL);
	pending = BATCH;
	if (path->hold)
		release(&gates[path->hold]);
	else
		err = send(path, len);
	err = err ?: await();
	return path->end ? err : err ?: transfer(at_b, false, BATCH, len - HEADERS, MSG_DONTWAIT);
}

/* Time a batch, right after another one of its kind. */
static int measure(const struct tunnel_path *path, unsigned int len, bool time_cipher, u32 *sample)
{
	u64 start;
	int err = 0, i;

	for (i = 0; i < 2 && !err; i++) {
		if (path->hold) {
			shut(path->hold, true, len);
			pending = BATCH;
			err = send(path, len) ?: await();
		}
		if (path->end)
			shut(path->end, false, len);
		cipher = 0;
		timed = time_cipher;
		start = cycles();
		err = err ?: run(path, len);
		start = cycles() - start;
		timed = false;
		gates[path->end].len = 0;
		*sample = div_u64(time_cipher ? cipher : start, path->packets);
		/* The stream's last acknowledgements */
		while (!path->from && tcp_sk(tcp_a->sk)->packets_out)
			schedule_timeout_uninterruptible(1);
	}
	return err;
}

static int measure_all(char *text)
{
	const unsigned int kinds = PATHS * LENS * SIDES * 2;
	u32 *samples = vcalloc(kinds, rounds * sizeof(*samples)), *of;
	unsigned int kind, len, p, round;
	int err, n = 0;

	/* The first packet waits for the handshake. */
	pending = 1;
	err = transfer(from_a, true, 1, 100, 0) ?: await() ?:
	      transfer(at_b, false, 1, 100, MSG_DONTWAIT);
	for (round = 0; round < rounds && samples && !err; round++) {
		for (kind = 0; kind < kinds && !err; kind++) {
			/* Ours comes first in even rounds, the kernel's in odd ones. */
			side = (kind ^ round) % SIDES;
			len = kind / SIDES / 2 % LENS;
			p = kind / SIDES / 2 / LENS;
			of = samples + (kind ^ (round & 1)) * rounds;
			if (len >= paths[p].first)
				err = measure(&paths[p], lens[len], kind / SIDES % 2, of + round);
			cond_resched();
		}
	}
	side = STOCK;
	for (kind = 0; kind < kinds && samples && !err; kind++) {
		len = kind / SIDES / 2 % LENS;
		p = kind / SIDES / 2 / LENS;
		of = samples + kind * rounds;
		if (len < paths[p].first)
			continue;
		if (kind % (SIDES * 2) == 0)
			n += scnprintf(text + n, PAGE_SIZE - n, "\n%s %u", paths[p].name,
				       lens[len]);
		n += print_samples(text + n, PAGE_SIZE - n, of, rounds);
	}
	vfree(samples);
	return err ?: n;
}

static int get_results(char *text, const struct kernel_param *param)
{
	int err = 0, i;

	if (!rounds || rounds > 10000 || nets[0])
		return -EINVAL;
	for (i = 0; i < ARRAY_SIZE(nets) && !err; i++) {
		nets[i] = get_net_ns_by_pid(namespaces[i]);
		err = PTR_ERR_OR_ZERO(nets[i]);
	}
	return err ?: make_gates() ?: make_sockets() ?: measure_all(text);
}

static const struct kernel_param_ops results_ops = { .get = get_results };
module_param_cb(results, &results_ops, NULL, 0444);
MODULE_PARM_DESC(results, "measure, and give cycles a packet");
