/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Test vectors for Poly1305-AES, in hexadecimal, from Appendix A of Bernstein's paper "The
 * Poly1305-AES message-authentication code"
 */

#ifndef POLY1305_AES_VECTORS_H
#define POLY1305_AES_VECTORS_H

/* The longest data, in bytes */
#define POLY1305_AES_TESTVEC_MAX	79

/*
 * data is the nonce, then the message; key is k || r. The members are arrays, which are in init
 * data: strings would not be.
 */
struct poly1305_aes_testvec {
	char key[2 * 32 + 1];
	char data[2 * POLY1305_AES_TESTVEC_MAX + 1];
	char tag[2 * 16 + 1];
};

#ifndef __initconst
#define __initconst
#endif

static const struct poly1305_aes_testvec poly1305_aes_testvecs[] __initconst = {
	{
		.key = "ec074c835580741701425b623235add6"
		       "851fc40c3467ac0be05cc20404f3f700",
		.data = "fb447350c4e868c52ac3275cf9d4327e"
			"f3f6",
		.tag = "f4c633c3044fc145f84f335cb81953de",
	},
	{
		.key = "75deaa25c09f208e1dc4ce6b5cad3fbf"
		       "a0f3080000f46400d0c7e9076c834403",
		.data = "61ee09218d29b0aaed7e154a2c5509cc",
		.tag = "dd3fab2251f11ac759f0887129cc2ee7",
	},
	{
		.key = "6acb5f61a7176dd320c5c1eb2edcdc74"
		       "48443d0bb0d21109c89a100b5ce2c208",
		.data = "ae212a55399729595dea458bc621ff0e"
			"663cea190ffb83d89593f3f476b6bc24d7e679107ea26adb8caf6652d0656136",
		.tag = "0ee1c16bb73f0f4fd19881753c01cdbe",
	},
	{
		.key = "e1a5668a4d5b66a5f68cc5424ed5982d"
		       "12976a08c4426d0ce8a82407c4f48207",
		.data = "9ae831e743978d3a23527c7128149e3a"
			"ab0812724a7f1e342742cbed374d94d136c6b8795d45b3819830f2c04491faf0"
			"990c62e48b8018b2c3e4a0fa3134cb67fa83e158c994d961c4cb21095c1bf9",
		.tag = "5154ad0d2cb26e01274fc51148491f1b",
	},
};

#endif /* POLY1305_AES_VECTORS_H */
