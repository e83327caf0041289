/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * sealpair: the format on the wire, and the interface between user space and the
 * driver. Both the driver and programs include this file.
 */

#ifndef SEALPAIR_H
#define SEALPAIR_H

#include <linux/types.h>

/*
 * On the wire: an Ethernet header of the lower device, struct seal_hdr, the encrypted
 * frame, the tag. The last three are AEAD_CHACHA20_POLY1305 of RFC 8439. The header is
 * the associated data; the nonce is four zero bytes and the counter as in the header.
 * Bytes behind the tag are ignored: some devices pad short frames.
 */
#define SEAL_ETHERTYPE	0x88B5	/* IEEE 802: local experiments */
#define SEAL_VERSION	1
#define SEAL_KEY_SIZE	32
#define SEAL_TAG_SIZE	16

/**
 * struct seal_hdr - what precedes the encrypted frame
 * @version: SEAL_VERSION
 * @len: number of bytes of ciphertext that follow
 * @zero: reserved; frames with another value are refused
 * @counter: number of frames sent under this key before this one
 */
struct seal_hdr {
	__le16 version;
	__le16 len;
	__le32 zero;
	__le64 counter;
};

/* Number of frames that a key may seal, 2^60; an attribute can lower it. */
#define SEAL_LIMIT	0x1000000000000000ULL

/*
 * rtnetlink, RTM_NEWLINK of the kind "sealpair". IFLA_LINK names the lower
 * device. The attributes below, in IFLA_INFO_DATA, form a session: they come together,
 * with a new device or later, and replace the session before. Both keys are required,
 * and neither may be in use in this device's session, since both counters begin at 0
 * again. The kernel requires CAP_NET_ADMIN in the user namespace that owns the
 * device's network namespace. Nothing of a session can be read.
 */
enum {
	IFLA_SEALPAIR_UNSPEC,
	IFLA_SEALPAIR_TX_KEY,	/* SEAL_KEY_SIZE bytes; the peer's RX_KEY */
	IFLA_SEALPAIR_RX_KEY,	/* SEAL_KEY_SIZE bytes; the peer's TX_KEY */
	IFLA_SEALPAIR_PEER,	/* address of its lower device; default: broadcast */
	IFLA_SEALPAIR_TX_LIMIT,	/* u32: frames to send; default: SEAL_LIMIT */
	__IFLA_SEALPAIR_MAX,
};

#define IFLA_SEALPAIR_MAX	(__IFLA_SEALPAIR_MAX - 1)

#endif /* SEALPAIR_H */
