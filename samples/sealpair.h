/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * sealpair: the format on the wire, and the interface between user space and the
 * driver. The driver and programs include this file.
 */

#ifndef SEALPAIR_H
#define SEALPAIR_H

#include <linux/types.h>

/*
 * On the wire: an Ethernet header of the lower device, struct seal_hdr, the encrypted frame,
 * the tag. They are AEAD_CHACHA20_POLY1305 of RFC 8439, with struct seal_hdr as associated
 * data, of which the last 12 bytes are the nonce. Bytes behind the tag are ignored, because
 * some devices pad short frames.
 */
#define SEAL_ETHERTYPE	0x88B5	/* IEEE 802: local experiments */
#define SEAL_VERSION	1
#define SEAL_KEY_SIZE	32
#define SEAL_TAG_SIZE	16

/**
 * struct seal_hdr - what precedes the encrypted frame
 * @version: SEAL_VERSION
 * @len: number of bytes of ciphertext that follow
 * @nonce: four zero bytes, then a little-endian counter: the number of frames sent under
 *	   this key before this one
 * @text: the ciphertext, and the tag behind it
 */
struct seal_hdr {
	__le16 version;
	__le16 len;
	__u8 nonce[12];
	__u8 text[];
};

/* Most frames that a key may seal, 2^60 */
#define SEAL_LIMIT	0x1000000000000000ULL

/*
 * rtnetlink, RTM_NEWLINK of the kind "sealpair". When a device is made, IFLA_LINK names its
 * lower device. After that, IFLA_INFO_DATA with the attribute below begins a session, which
 * replaces the session before. Both counters begin at 0 again, so neither key may be in use
 * in the session before. The kernel requires CAP_NET_ADMIN in the user namespace that owns
 * the device's network namespace. Nothing of a session can be read.
 */
enum {
	IFLA_SEALPAIR_UNSPEC,
	IFLA_SEALPAIR_CONFIG,	/* struct sealpair_config */
	__IFLA_SEALPAIR_MAX,
};

#define IFLA_SEALPAIR_MAX	(__IFLA_SEALPAIR_MAX - 1)

/**
 * struct sealpair_config - what begins a session
 * @tx_key: seals what this end sends; the peer's @rx_key
 * @rx_key: opens what this end receives; the peer's @tx_key
 * @tx_limit: number of frames to send under @tx_key, unless SEAL_LIMIT is less
 * @peer: address of the peer's lower device, or broadcast
 * @reserved: zero
 */
struct sealpair_config {
	__u8 tx_key[SEAL_KEY_SIZE];
	__u8 rx_key[SEAL_KEY_SIZE];
	__u64 tx_limit;
	__u8 peer[6];
	__u8 reserved[2];
};

#endif /* SEALPAIR_H */
