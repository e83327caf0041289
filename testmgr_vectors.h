/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Test vectors for Poly1305, in hexadecimal: those of RFC 8439, and messages made to reach corners
 * of the arithmetic. Each tag was compared with the definition evaluated by big integers.
 */

#ifndef POLY1305_TESTMGR_VECTORS_H
#define POLY1305_TESTMGR_VECTORS_H

/*
 * A message, its tag under a key, and why this is a case. The vectors are strings in arrays, for
 * which a file that includes this may define POLY1305_TESTVECS_SECTION as __initconst. There are
 * two arrays, because sparse takes no string of more than 8191 bytes.
 */
struct poly1305_testvec {
	const char *why;
	const char *key;
	const char *msg;
	const char *tag;
};

#ifndef POLY1305_TESTVECS_SECTION
#define POLY1305_TESTVECS_SECTION
#endif

#define V(why, key, msg, tag)	why "\0" key "\0" msg "\0" tag "\0"

/* The length of the longest message in bytes */
#define POLY1305_TESTVEC_MAX	1024

static const char poly1305_testvecs[2][8192] POLY1305_TESTVECS_SECTION = {
	V("RFC 8439 section 2.5.2",
	  "85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b",
	  "43727970746f6772617068696320466f72756d2052657365617263682047726f"
	  "7570",
	  "a8061dc1305136c6c22b8baf0c0127a9")
	V("RFC 8439 A.3 #1",
	  "0000000000000000000000000000000000000000000000000000000000000000",
	  "0000000000000000000000000000000000000000000000000000000000000000"
	  "0000000000000000000000000000000000000000000000000000000000000000",
	  "00000000000000000000000000000000")
	V("RFC 8439 A.3 #2",
	  "0000000000000000000000000000000036e5f6b5c5e06070f0efca96227a863e",
	  "416e79207375626d697373696f6e20746f20746865204945544620696e74656e"
	  "6465642062792074686520436f6e7472696275746f7220666f72207075626c69"
	  "636174696f6e20617320616c6c206f722070617274206f6620616e2049455446"
	  "20496e7465726e65742d4472616674206f722052464320616e6420616e792073"
	  "746174656d656e74206d6164652077697468696e2074686520636f6e74657874"
	  "206f6620616e204945544620616374697669747920697320636f6e7369646572"
	  "656420616e20224945544620436f6e747269627574696f6e222e205375636820"
	  "73746174656d656e747320696e636c756465206f72616c2073746174656d656e"
	  "747320696e20494554462073657373696f6e732c2061732077656c6c20617320"
	  "7772697474656e20616e6420656c656374726f6e696320636f6d6d756e696361"
	  "74696f6e73206d61646520617420616e792074696d65206f7220706c6163652c"
	  "207768696368206172652061646472657373656420746f",
	  "36e5f6b5c5e06070f0efca96227a863e")
	V("RFC 8439 A.3 #3",
	  "36e5f6b5c5e06070f0efca96227a863e00000000000000000000000000000000",
	  "416e79207375626d697373696f6e20746f20746865204945544620696e74656e"
	  "6465642062792074686520436f6e7472696275746f7220666f72207075626c69"
	  "636174696f6e20617320616c6c206f722070617274206f6620616e2049455446"
	  "20496e7465726e65742d4472616674206f722052464320616e6420616e792073"
	  "746174656d656e74206d6164652077697468696e2074686520636f6e74657874"
	  "206f6620616e204945544620616374697669747920697320636f6e7369646572"
	  "656420616e20224945544620436f6e747269627574696f6e222e205375636820"
	  "73746174656d656e747320696e636c756465206f72616c2073746174656d656e"
	  "747320696e20494554462073657373696f6e732c2061732077656c6c20617320"
	  "7772697474656e20616e6420656c656374726f6e696320636f6d6d756e696361"
	  "74696f6e73206d61646520617420616e792074696d65206f7220706c6163652c"
	  "207768696368206172652061646472657373656420746f",
	  "f3477e7cd95417af89a6b8794c310cf0")
	V("RFC 8439 A.3 #4",
	  "1c9240a5eb55d38af333888604f6b5f0473917c1402b80099dca5cbc207075c0",
	  "2754776173206272696c6c69672c20616e642074686520736c6974687920746f"
	  "7665730a446964206779726520616e642067696d626c6520696e207468652077"
	  "6162653a0a416c6c206d696d737920776572652074686520626f726f676f7665"
	  "732c0a416e6420746865206d6f6d65207261746873206f757467726162652e",
	  "4541669a7eaaee61e708dc7cbcc5eb62")
	V("RFC 8439 A.3 #5",
	  "0200000000000000000000000000000000000000000000000000000000000000",
	  "ffffffffffffffffffffffffffffffff",
	  "03000000000000000000000000000000")
	V("RFC 8439 A.3 #6",
	  "02000000000000000000000000000000ffffffffffffffffffffffffffffffff",
	  "02000000000000000000000000000000",
	  "03000000000000000000000000000000")
	V("RFC 8439 A.3 #7",
	  "0100000000000000000000000000000000000000000000000000000000000000",
	  "fffffffffffffffffffffffffffffffff0ffffffffffffffffffffffffffffff"
	  "11000000000000000000000000000000",
	  "05000000000000000000000000000000")
	V("RFC 8439 A.3 #8",
	  "0100000000000000000000000000000000000000000000000000000000000000",
	  "fffffffffffffffffffffffffffffffffbfefefefefefefefefefefefefefefe"
	  "01010101010101010101010101010101",
	  "00000000000000000000000000000000")
	V("RFC 8439 A.3 #9",
	  "0200000000000000000000000000000000000000000000000000000000000000",
	  "fdffffffffffffffffffffffffffffff",
	  "faffffffffffffffffffffffffffffff")
	V("RFC 8439 A.3 #10",
	  "0100000000000000040000000000000000000000000000000000000000000000",
	  "e33594d7505e43b900000000000000003394d7505e4379cd0100000000000000"
	  "0000000000000000000000000000000001000000000000000000000000000000",
	  "14000000000000005500000000000000")
	V("RFC 8439 A.3 #11",
	  "0100000000000000040000000000000000000000000000000000000000000000",
	  "e33594d7505e43b900000000000000003394d7505e4379cd0100000000000000"
	  "00000000000000000000000000000000",
	  "13000000000000000000000000000000")
	V("key and message all ones, 268 bytes",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffff",
	  "fb5e96d861d5c7c878e587cc2d5a22e1")
	V("r = 1",
	  "0100000000000000000000000000000000000000000000000000000000000000",
	  "ffffffffffffffffffffffffffffffff",
	  "ffffffffffffffffffffffffffffffff")
	V("all ones, 16 bytes",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	  "ffffffffffffffffffffffffffffffff",
	  "fbffff17faffff17faffff17faffff17")
	V("all ones, 32 bytes",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	  "5400801f3f00204f3900c07e330060ae")
	V("all ones, 48 bytes",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffff",
	  "5efc6a6b51fcec4c787c5075997c95e4")
	V("all ones, 64 bytes",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	  "900fe32bc15fa8d7bca8efe4c7e37eb1")
	V("all ones, 128 bytes",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	  "f8aaa2240c6c4b3a9de57476ea806eb4")
	V("all ones, 256 bytes",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	  "c30c8c6a3af35fc6645a7e3a51df3f04")
	V("all ones, 512 bytes",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	  "9e88d43de1910a5d696035588fbe6e1a"),

	V("all ones, 1024 bytes",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	  "25d4926a53bb480da228ec61e0a31a38")
	V("length 1",
	  "8eed9345efb24859e0c99c19f31db48083affb27f3d6c2fec4b1b6ec46079c3b",
	  "73",
	  "4df45c3dff221e737241efda246aa340")
	V("length 15",
	  "016cd82a1f296933b2412f15ce2d95612d299f8581e36e28a7c686a588604f31",
	  "882310a803f8753807b8105ce56086",
	  "c1af82e136a7ac8886b0f4ae3c850f44")
	V("length 16",
	  "2581a6736ca12778c5aea478ae7eb82a0f7d3b170a1833c37a6390db1e339c6f",
	  "58ea241ad0e5a3448520dda78a287870",
	  "61106b474766ce5693526c5d1758f884")
	V("length 17",
	  "e9344b69d2c024c0ec81913fa4c2bb1c72bd6fab1aaa8b02f94f03a93fd911a4",
	  "f916c07b20b57d6941b928fd2ad2e47fd9",
	  "28e4e6c5ae0872b30583af4fe4c4fbdc")
	V("length 31",
	  "f7794071cd1745c4129b03aa2da3bb8517e8764764fc31cbeb5c32240f938ac1",
	  "3d8e4fcec96ef547ad280c9cf5ba0ce8051c5f23f02202a0ad8a26c91ccf7c",
	  "361151def2ca0d0b62a44eea44c1ff2c")
	V("length 32",
	  "e2ef44670ff12cfc153b8b537238b70f3511c0ee9d734f5d0ca87ec8ffb0014b",
	  "bb0a6c162917f78654cf00d98c8f1a5d8e6226c5dd97df68096f939f6aef0146",
	  "e7659f9e7565f222a4c3a9b4a8bfbf63")
	V("length 33",
	  "6e07c33b383c31501a0a495cc18fea8c7df3149c658d48c6444e3e5945e53083",
	  "444cded81a651ee870297860e2c66767a6e76fb60dfc11fa38dd19a76c41eba3"
	  "56",
	  "80d3d3bdcddb7e9ab3505fe94bcdc665")
	V("length 63",
	  "eb993ecbb15f3a59971a7dfe41be52f2034abd7c5f2734d084b29dadca36fe37",
	  "2840b41ca3ea9fa11f974f5dc0a44e9a741cce000dd55e4640e6c87a8e5e9976"
	  "ec5d6b80590bb7f87231bcdc4166df018985ef7bf0181219fd2f5fc7739cdd",
	  "082e6e9ea305376879941b782dac1bee")
	V("length 64",
	  "46b604a962c9e41d4093a8d623276e014e8e0e6599cbc29b8797af7ca289b555",
	  "8436ba7eada31a53325219f229016e87fcd265877b3b2a95d75888f5c184a55b"
	  "e8aa0e9e15a068ada8ae876aeca95096d9fd0c9015decd38eb9da9bbd9d97702",
	  "0a9cc3d3bcbca8a30aa605a98fa30b64")
	V("length 65",
	  "a1ee75cda774edc41cb91d77297f8bb713db39ca45721f45a8b16adaa98ddcf5",
	  "f691c9e6dfbc1ae37ec2e6569e26bc6fde353c23389d4c338ee5bbf41d241a80"
	  "1180235027211de0cf80c27625da0c7d4b3d010af3aa4f24fa60f523af1aa0b6"
	  "c2",
	  "b410c49ae55c0d3508868484a5290eb9")
	V("length 127",
	  "f943f898571d40fce4062837c698e22ec82735117060e1134faf53f8f979397b",
	  "3588721ae894eeb7e403fc3fa36ddf309c8441e9944d5e1cdb5dc43c51d31643"
	  "36c6b91ff5b38a521097991d021dad4e69828e1e68fad8bdd1b3575751a83ed1"
	  "fa73ed1de3151b62f552e333f8dd3131d1a2c34fe6aa59e866d81acccc6a376c"
	  "0d46e19508c671963c75bdc6dafbe49a5c2d108288dc2d7bab7215afa4a611",
	  "a1b298f831d8e9a575f14da16a144f67")
	V("length 128",
	  "61a221d74e0b8a3fe4259486f3869de5c17177ab3f7b11af9150dc1243cf5085",
	  "1f9fad5c7e85e80c260141765830d17b30dcc74212d1a724d0d676dbf75cc9a0"
	  "56c257c2cae9c52252d82497891a9880e64c82715a62fa6dec5ad19bd7e9d7f1"
	  "40ccfc509a2c780ed8053c39567598a0d021a77aa5f325a720a21538c378af61"
	  "acfbfb31df37547ff73b8689f2be7487f8ce3e65f7156088f07232538ff45764",
	  "c068d7973101e6d368399b9cc691b9d2")
	V("length 129",
	  "6f0db4aa15209940bd1d83a668daddf639cb9350d53a08f1e42bcef013432150",
	  "33e8b13a2477bd6a38ea55bc00b0c6d0fe5bf40b39c795fac3d88d40f231d8a2"
	  "20964020280f4e1304ed15dea40397147206eeaf13a2211266eb8bfe63468c7f"
	  "df8c8bbe137ed37ca5188efc89e013c69bcbd50c22f2b8315d28ad1d4825f209"
	  "04e5251397eec3bb1d54682640306d573360724354c0f2ad44f26cb7949fe18a"
	  "8f",
	  "2f8accff8faf04bbade1b4aac8ac1c93")
	V("length 255",
	  "c6d0754ba40b08e32df37c7c5ece6897a1886a217111cf74a9145037d219f474",
	  "0e0507836898a22f4591ef4b8d1a60aa33f80c1e7fa8794d7b8105d7ff4b3125"
	  "d53df9b2bd75e23be2235cd82f2933fdd019e6f8e14208137bc0f70468c09b28"
	  "bb3c71f6c29355ee6e17f407cb94cf4305e679a795d8f0ec524b0f6bc1a59afa"
	  "6feebf7424b2e8f859495cca5a2b25c4d1f5750e697828b982c6c6cd30981d4b"
	  "47ebdc5dce8e0ba7dcac465bb62ce9a5f369dae5f4d265cb502b3c7a695ae2ae"
	  "df875fb258d3ea4a4a38e004df93a64e57ba6592c3444ed61f96d29db4ade161"
	  "2de9594fd025f1f76cc61b50b9a4a2a159381df4a96b02e077db94110be95f40"
	  "496748f30aa31dfa6d7be295c1a10a1ed120d16119fa63031683618bb22fa3",
	  "8d4a99d9fdb273480a1ae4342dc443aa")
	V("length 256",
	  "04cfcb15cbf99480eb9efe5b54a322ce2b6166375569c291dfa2a5f8aca6fca9",
	  "c5a41f52c201c6a72b54ad6f9982c2644dd598bd3765273178b846ff8ba52e98"
	  "e1da7fd32df6bdb8a67228616882d803776753324092383dfbc33111c6165e64"
	  "6f53627d7fe86bf40fb3ea8c52346b2eaadd0237d97bbd3cfa5a2ad757610cbc"
	  "57bc1e7dd2535553e18f9355ad5857d699aafcf5dea5887b72fe01b800f2c917"
	  "1b83ef95b96ccd64b1babc05990ab1f9c7dbff88251597b2b40e4ad929591a75"
	  "7fa92978c28c51793d9537d725c12c29f8e86339df462f192e80bf5aef00792d"
	  "48ec31bc1c4f4cf099a314039fbc63d6c05f00459e9d16f7ac8a56f7bafeae10"
	  "20c29c8bca21763ab3672ea19889f6a1d0641a19af15339b49b766127ac4d03a",
	  "afae3a15a02797e9ed28c012bf927a02")
	V("length 257",
	  "fb67355c8e155f2623011f20c6cae7f7cc7663d1061732ce9e72fc0d5b2d8fd6",
	  "8306c5806834feb82ea2003d63e74f00d8dac484df6174d95dafe9e979695196"
	  "709b231aa2b344d29aaf05ef09b1d02ef88359ede2517c82b6c92fa309e82285"
	  "cd2f6e61c85e1a516c57d0d2f486635dab5f7965675e1ded8a2bee403f6e59c1"
	  "b37b8cd5746f3efc6f88a3144c44c98e65c1d50830e07c87fddb702f5f1ac6d3"
	  "04c161ba7d282579a2daa9f04e4c04264abae0280ec6c0b559c6801d09438aa3"
	  "9e55fe3a8dbc66d111014aa703594ae2ca2f70f59a43bfe8060c603f8799aca3"
	  "423375852f8e92f7028ee255e84573336b1b433f86defd00dfa24a7fec67683a"
	  "3c68069cce9c22fe41fe410b424d1e58f112a886ed96ab9eb820be70f00dc3d7"
	  "a4",
	  "ffb4379440a3b47c8dc8d657bf95eb59")
	V("r = 1, sum near p",
	  "0100000000000000000000000000000000000000000000000000000000000000",
	  "fbffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"
	  "ffffffffffffffffffffffffffffffff",
	  "feffffffffffffffffffffffffffffff")
};

#undef V

/* Reads the vector at text. Returns the address of the next, or NULL at the end. */
static inline const char *poly1305_testvec_read(struct poly1305_testvec *vec,
						const char *text)
{
	if (!*text)
		return NULL;
	vec->why = text;
	vec->key = vec->why + strlen(vec->why) + 1;
	vec->msg = vec->key + strlen(vec->key) + 1;
	vec->tag = vec->msg + strlen(vec->msg) + 1;
	return vec->tag + strlen(vec->tag) + 1;
}

#define for_each_poly1305_testvec(i, text, vec)				\
	for (i = 0; i < 2; i++)						\
		for (text = poly1305_testvecs[i];			\
		     (text = poly1305_testvec_read(vec, text));)

#endif /* POLY1305_TESTMGR_VECTORS_H */
