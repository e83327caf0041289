/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * sealpair: what crosses the wire, and what user space says to the driver. Both
 * the driver and programs include this file.
 */

#ifndef SEALPAIR_H
#define SEALPAIR_H

#include <linux/types.h>

/*
 * On the wire: an Ethernet header of the lower device's, struct seal_hdr, the
 * frame encrypted, the tag. The last three are AEAD_CHACHA20_POLY1305 of RFC
 * 8439: the header is the associated data, the nonce four zero bytes and the
 * counter as the header has it. Bytes behind the tag are ignored: some devices
 * fill short frames up.
 */
#define SEAL_ETHERTYPE	0x88B5	/* IEEE 802: local experiments */
#define SEAL_VERSION	1
#define SEAL_KEY_SIZE	32
#define SEAL_TAG_SIZE	16

/**
 * struct seal_hdr - what precedes the encrypted frame
 * @version: SEAL_VERSION
 * @len: how many bytes of ciphertext follow
 * @zero: zero, and refused if not, so that it may get a meaning
 * @counter: how many frames were sent under this key before this one
 */
struct seal_hdr {
	__le16 version;
	__le16 len;
	__le32 zero;
	__le64 counter;
};

/* How many frames a key seals, 2^60; an attribute may say fewer. */
#define SEAL_LIMIT	0x1000000000000000ULL

/*
 * rtnetlink, RTM_NEWLINK of the kind "sealpair". IFLA_LINK names the lower
 * device. The attributes below, in IFLA_INFO_DATA, are a session: they come
 * together, with a new device or later, and replace the session before. Both
 * keys must be there, and neither may be in use in this device's session, for
 * both counters begin at 0 again. The kernel asks for CAP_NET_ADMIN in the user
 * namespace that owns the device's network namespace. Nothing of a session can
 * be read.
 */
enum {
	IFLA_SEALPAIR_UNSPEC,
	IFLA_SEALPAIR_TX_KEY,	/* SEAL_KEY_SIZE bytes; the peer's RX_KEY */
	IFLA_SEALPAIR_RX_KEY,	/* SEAL_KEY_SIZE bytes; the peer's TX_KEY */
	IFLA_SEALPAIR_PEER,	/* its lower device's address, else broadcast */
	IFLA_SEALPAIR_TX_LIMIT,	/* u32: frames to send, else SEAL_LIMIT */
	__IFLA_SEALPAIR_MAX,
};

#define IFLA_SEALPAIR_MAX	(__IFLA_SEALPAIR_MAX - 1)

#endif /* SEALPAIR_H */
