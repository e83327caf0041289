static void contract_chapoly_avx2_strides(struct chapoly_avx2 *frame, u8 *dst, const u8 *src, size_t strides, const u8 *mac, size_t rounds)
{
	NEED(section, "chapoly_avx2_strides: in an FPU section");
	NEED(readable(frame, (size_t)(96)), "chapoly_avx2_strides: frame[0, 96) is readable");
	NEED(readable((u8 *)frame + 128, (size_t)(152 - 128)), "chapoly_avx2_strides: frame[128, 152) is readable");
	NEED(readable((u8 *)frame + 152, (size_t)(168 - 152)), "chapoly_avx2_strides: frame[152, 168) is readable");
	NEED(readable((u8 *)frame + 184, (size_t)(192 - 184)), "chapoly_avx2_strides: frame[184, 192) is readable");
	NEED(readable((u8 *)frame + 192, (size_t)(200 - 192)), "chapoly_avx2_strides: frame[192, 200) is readable");
	NEED(readable(src, (size_t)(512 * strides)), "chapoly_avx2_strides: src[0, 512 strides) is readable");
	NEED(readable(mac, (size_t)(64 * rounds * strides)), "chapoly_avx2_strides: mac[0, 64 rounds strides) is readable");
	NEED(writable(dst, (size_t)(512 * strides)), "chapoly_avx2_strides: dst[0, 512 strides) is writable");
	NEED(writable((u8 *)frame + 64, (size_t)(96 - 64)), "chapoly_avx2_strides: frame[64, 96) is writable");
	NEED(writable((u8 *)frame + 96, (size_t)(128 - 96)), "chapoly_avx2_strides: frame[96, 128) is writable");
	NEED(writable((u8 *)frame + 128, (size_t)(152 - 128)), "chapoly_avx2_strides: frame[128, 152) is writable");
	NEED(strides >= 1UL && strides <= 4194303UL, "chapoly_avx2_strides: strides is at least 1 and at most 4194303");
	NEED(rounds <= 10UL, "chapoly_avx2_strides: rounds is at most 10");
	NEED(frame->mac.h[2] <= 9885365384200275968UL, "chapoly_avx2_strides: frame->mac.h[2] is at most 9885365384200275968");
	NEED(__CPROVER_POINTER_OFFSET(frame) % 32 == 0, "chapoly_avx2_strides: frame is aligned to 32 bytes");
	_Static_assert(_Alignof(struct chapoly_avx2) % 32 == 0, "");
	NEED(dst == src || apart(dst, (size_t)(512 * strides), src, (size_t)(512 * strides)), "chapoly_avx2_strides: dst is src or apart from it");
	NEED(apart(src, (size_t)(512 * strides), frame, sizeof(*frame)), "chapoly_avx2_strides: src and mac are apart from frame");
	NEED(apart(mac, (size_t)(64 * rounds * strides), frame, sizeof(*frame)), "chapoly_avx2_strides: src and mac are apart from frame");
	NEED(apart(dst, (size_t)(512 * strides), frame, offsetof(struct chapoly_avx2, stream)), "chapoly_avx2_strides: dst is apart from the members of frame before stream");
	NEED(apart(mac, (size_t)(64 * rounds * strides), dst, (size_t)(512 * strides)) || (__CPROVER_same_object(mac, dst) && (OFFSET(mac) == OFFSET(dst) + -512UL || OFFSET(mac) == OFFSET(dst) + 0UL || OFFSET(mac) == OFFSET(dst) + 128UL || OFFSET(mac) == OFFSET(dst) + 256UL || OFFSET(mac) == OFFSET(dst) + 384UL || OFFSET(mac) == OFFSET(dst) + 512UL) && rounds == 8) || (__CPROVER_same_object(mac, dst) && (OFFSET(mac) == OFFSET(dst) + 0UL || OFFSET(mac) == OFFSET(dst) + 128UL || OFFSET(mac) == OFFSET(dst) + 256UL || OFFSET(mac) == OFFSET(dst) + 384UL) && rounds == 10 && strides == 1), "chapoly_avx2_strides: mac is apart from dst, or mac = dst + d with d = -512, 0, 128, 256, 384 or 512 if rounds = 8, or with d = 0, 128, 256 or 384 if rounds = 10 and strides = 1");
	NEED(!(!(rounds == 0)) || (!(frame->mac.key[0] & ~POLY1305_CLAMP_LO) && !(frame->mac.key[1] & ~POLY1305_CLAMP_HI)), "chapoly_avx2_strides: frame->mac has r, clamped, q1 = 5 r1 / 4 and s0 = 5 r0");
	NEED(!(!(rounds == 0)) || (frame->mac.q1 == frame->mac.key[1] + frame->mac.key[1] / 4 && frame->mac.s0 == 5 * frame->mac.key[0]), "chapoly_avx2_strides: frame->mac has r, clamped, q1 = 5 r1 / 4 and s0 = 5 r0");
}
static void effect_chapoly_avx2_strides(struct chapoly_avx2 *frame, u8 *dst, const u8 *src, size_t strides, const u8 *mac, size_t rounds)
{
	if (1)
		forget((u8 *)frame + 64, 32);
	if (1)
		forget((u8 *)frame + 96, 32);
	if (1)
		forget((u8 *)frame + 128, 24);
	__CPROVER_assume(frame->mac.h[2] <= 9885365384200275968UL);
}

static void contract_chapoly_avx2_key(struct chapoly_avx2 *frame, u8 *dst, const u8 *src)
{
	NEED(section, "chapoly_avx2_key: in an FPU section");
	NEED(readable(frame, (size_t)(96)), "chapoly_avx2_key: frame[0, 96) is readable");
	NEED(readable(src, (size_t)(512)), "chapoly_avx2_key: src[0, 512) is readable");
	NEED(writable(dst, (size_t)(512)), "chapoly_avx2_key: dst[0, 512) is writable");
	NEED(writable((u8 *)frame + 64, (size_t)(96 - 64)), "chapoly_avx2_key: frame[64, 96) is writable");
	NEED(writable((u8 *)frame + 96, (size_t)(128 - 96)), "chapoly_avx2_key: frame[96, 128) is writable");
	NEED(writable((u8 *)frame + 152, (size_t)(184 - 152)), "chapoly_avx2_key: frame[152, 184) is writable");
	NEED(writable((u8 *)frame + 128, (size_t)(144 - 128)), "chapoly_avx2_key: frame[128, 144) is writable");
	NEED(__CPROVER_POINTER_OFFSET(frame) % 32 == 0, "chapoly_avx2_key: frame is aligned to 32 bytes");
	_Static_assert(_Alignof(struct chapoly_avx2) % 32 == 0, "");
	NEED(dst == src || apart(dst, (size_t)(512), src, (size_t)(512)), "chapoly_avx2_key: dst is src or apart from it");
	NEED(apart(src, (size_t)(512), frame, sizeof(*frame)), "chapoly_avx2_key: src is apart from frame, and dst from the members of frame before stream");
	NEED(apart(dst, (size_t)(512), frame, offsetof(struct chapoly_avx2, stream)), "chapoly_avx2_key: dst is apart from the members of frame before stream");
}
static void effect_chapoly_avx2_key(struct chapoly_avx2 *frame, u8 *dst, const u8 *src)
{
	if (1)
		forget((u8 *)dst + 0, 512);
	if (1)
		forget((u8 *)frame + 64, 32);
	if (1)
		forget((u8 *)frame + 96, 32);
	if (1)
		forget((u8 *)frame + 152, 32);
	if (1)
		forget((u8 *)frame + 128, 16);
}

static void contract_chapoly_avx2_rows_key(struct chapoly_avx2 *frame, size_t blocks)
{
	NEED(section, "chapoly_avx2_rows_key: in an FPU section");
	NEED(readable(frame, (size_t)(64)), "chapoly_avx2_rows_key: frame[0, 64) is readable");
	NEED(readable((u8 *)frame + 64, (size_t)(88 - 64)), "chapoly_avx2_rows_key: frame[64, 88) is readable");
	NEED(writable((u8 *)frame + 288, (size_t)(672 - 288)), "chapoly_avx2_rows_key: frame[288, 672) is writable");
	NEED(writable((u8 *)frame + 96, (size_t)(128 - 96)), "chapoly_avx2_rows_key: frame[96, 128) is writable");
	NEED(writable((u8 *)frame + 152, (size_t)(184 - 152)), "chapoly_avx2_rows_key: frame[152, 184) is writable");
	NEED(writable((u8 *)frame + 128, (size_t)(144 - 128)), "chapoly_avx2_rows_key: frame[128, 144) is writable");
	NEED(blocks >= 1UL && blocks <= 6UL, "chapoly_avx2_rows_key: blocks is at least 1 and at most 6");
	NEED(__CPROVER_POINTER_OFFSET(frame) % 32 == 0, "chapoly_avx2_rows_key: frame is aligned to 32 bytes");
	_Static_assert(_Alignof(struct chapoly_avx2) % 32 == 0, "");
}
static void effect_chapoly_avx2_rows_key(struct chapoly_avx2 *frame, size_t blocks)
{
	if (1)
		forget((u8 *)frame + 288, 384);
	if (1)
		forget((u8 *)frame + 96, 32);
	if (1)
		forget((u8 *)frame + 152, 32);
	if (1)
		forget((u8 *)frame + 128, 16);
}

static void contract_chapoly_avx2_rows(struct chapoly_avx2 *frame, size_t blocks)
{
	NEED(section, "chapoly_avx2_rows: in an FPU section");
	NEED(readable(frame, (size_t)(64)), "chapoly_avx2_rows: frame[0, 64) is readable");
	NEED(readable((u8 *)frame + 64, (size_t)(80 - 64)), "chapoly_avx2_rows: frame[64, 80) is readable");
	NEED(writable((u8 *)frame + 288, (size_t)(544 - 288)), "chapoly_avx2_rows: frame[288, 544) is writable");
	NEED(blocks >= 1UL && blocks <= 4UL, "chapoly_avx2_rows: blocks is at least 1 and at most 4");
	NEED(__CPROVER_POINTER_OFFSET(frame) % 32 == 0, "chapoly_avx2_rows: frame is aligned to 32 bytes");
	_Static_assert(_Alignof(struct chapoly_avx2) % 32 == 0, "");
}
static void effect_chapoly_avx2_rows(struct chapoly_avx2 *frame, size_t blocks)
{
	if (1)
		forget((u8 *)frame + 288, 256);
}

static void contract_chapoly_avx2_rows_mac(struct chapoly_avx2 *frame, const u8 *mac)
{
	NEED(section, "chapoly_avx2_rows_mac: in an FPU section");
	NEED(readable(frame, (size_t)(64)), "chapoly_avx2_rows_mac: frame[0, 64) is readable");
	NEED(readable((u8 *)frame + 64, (size_t)(80 - 64)), "chapoly_avx2_rows_mac: frame[64, 80) is readable");
	NEED(readable((u8 *)frame + 128, (size_t)(152 - 128)), "chapoly_avx2_rows_mac: frame[128, 152) is readable");
	NEED(readable((u8 *)frame + 152, (size_t)(168 - 152)), "chapoly_avx2_rows_mac: frame[152, 168) is readable");
	NEED(readable((u8 *)frame + 184, (size_t)(192 - 184)), "chapoly_avx2_rows_mac: frame[184, 192) is readable");
	NEED(readable((u8 *)frame + 192, (size_t)(200 - 192)), "chapoly_avx2_rows_mac: frame[192, 200) is readable");
	NEED(readable(mac, (size_t)(512)), "chapoly_avx2_rows_mac: mac[0, 512) is readable");
	NEED(writable((u8 *)frame + 288, (size_t)(544 - 288)), "chapoly_avx2_rows_mac: frame[288, 544) is writable");
	NEED(writable((u8 *)frame + 96, (size_t)(128 - 96)), "chapoly_avx2_rows_mac: frame[96, 128) is writable");
	NEED(writable((u8 *)frame + 128, (size_t)(152 - 128)), "chapoly_avx2_rows_mac: frame[128, 152) is writable");
	NEED(frame->mac.h[2] <= 9885365384200275968UL, "chapoly_avx2_rows_mac: frame->mac.h[2] is at most 9885365384200275968");
	NEED(__CPROVER_POINTER_OFFSET(frame) % 32 == 0, "chapoly_avx2_rows_mac: frame is aligned to 32 bytes");
	_Static_assert(_Alignof(struct chapoly_avx2) % 32 == 0, "");
	NEED(apart(mac, (size_t)(512), frame, sizeof(*frame)), "chapoly_avx2_rows_mac: mac is apart from frame");
	NEED(!(frame->mac.key[0] & ~POLY1305_CLAMP_LO) && !(frame->mac.key[1] & ~POLY1305_CLAMP_HI), "chapoly_avx2_rows_mac: frame->mac has r, clamped, q1 = 5 r1 / 4 and s0 = 5 r0");
	NEED(frame->mac.q1 == frame->mac.key[1] + frame->mac.key[1] / 4 && frame->mac.s0 == 5 * frame->mac.key[0], "chapoly_avx2_rows_mac: frame->mac has r, clamped, q1 = 5 r1 / 4 and s0 = 5 r0");
}
static void effect_chapoly_avx2_rows_mac(struct chapoly_avx2 *frame, const u8 *mac)
{
	if (1)
		forget((u8 *)frame + 288, 256);
	if (1)
		forget((u8 *)frame + 96, 32);
	if (1)
		forget((u8 *)frame + 128, 24);
	__CPROVER_assume(frame->mac.h[2] <= 9885365384200275968UL);
}

static void contract_chapoly_x86_begin(struct chapoly_blocks *frame, const u8 key[CHAPOLY_KEY_SIZE], const u8 nonce[CHAPOLY_NONCE_SIZE], u32 first, u32 second)
{
	NEED(section, "chapoly_x86_begin: in an FPU section");
	NEED(readable(key, (size_t)(32)), "chapoly_x86_begin: key[0, 32) is readable");
	NEED(readable(nonce, (size_t)(12)), "chapoly_x86_begin: nonce[0, 12) is readable");
	NEED(writable(frame, (size_t)(64)), "chapoly_x86_begin: frame[0, 64) is writable");
	NEED(writable((u8 *)frame + 64, (size_t)(96 - 64)), "chapoly_x86_begin: frame[64, 96) is writable");
	NEED(__CPROVER_POINTER_OFFSET(frame) % 32 == 0, "chapoly_x86_begin: frame is aligned to 32 bytes, and apart from key and nonce");
	_Static_assert(_Alignof(struct chapoly_blocks) % 32 == 0, "");
	NEED(apart(frame, sizeof(*frame), key, (size_t)(32)), "chapoly_x86_begin: frame is apart from key and nonce");
	NEED(apart(frame, sizeof(*frame), nonce, (size_t)(12)), "chapoly_x86_begin: frame is apart from key and nonce");
}
static void effect_chapoly_x86_begin(struct chapoly_blocks *frame, const u8 key[CHAPOLY_KEY_SIZE], const u8 nonce[CHAPOLY_NONCE_SIZE], u32 first, u32 second)
{
	if (1)
		forget((u8 *)frame + 0, 64);
	if (1)
		forget((u8 *)frame + 64, 32);
}

static void contract_chapoly_x86_wipe(void *frame, size_t size)
{
	NEED(section, "chapoly_x86_wipe: in an FPU section");
	NEED(writable(frame, (size_t)(size)), "chapoly_x86_wipe: frame[0, size) is writable");
	NEED(size >= 32UL && size <= 1073741824UL, "chapoly_x86_wipe: size is at least 32 and at most 1073741824");
	NEED(__CPROVER_POINTER_OFFSET(frame) % 32 == 0, "chapoly_x86_wipe: frame is aligned to 32 bytes");
	NEED(size % 32 == 0, "chapoly_x86_wipe: size is a multiple of 32");
}
static void effect_chapoly_x86_wipe(void *frame, size_t size)
{

}

static void contract_chapoly_x86_xor(u8 *dst, const u8 *src, const u8 *stream, size_t len)
{
	NEED(section, "chapoly_x86_xor: in an FPU section");
	NEED(readable(src, (size_t)(len)), "chapoly_x86_xor: src[0, len) is readable");
	NEED(readable(stream, (size_t)(len)), "chapoly_x86_xor: stream[0, len) is readable");
	NEED(writable(dst, (size_t)(len)), "chapoly_x86_xor: dst[0, len) is writable");
	NEED(len <= 2147483647UL, "chapoly_x86_xor: len is at most 2147483647");
	NEED(dst == src || apart(dst, (size_t)(len), src, (size_t)(len)), "chapoly_x86_xor: dst is src or apart from it, and apart from stream");
	NEED(apart(dst, (size_t)(len), stream, (size_t)(len)), "chapoly_x86_xor: dst is apart from stream");
}
static void effect_chapoly_x86_xor(u8 *dst, const u8 *src, const u8 *stream, size_t len)
{

}

static void contract_chapoly_mulx(struct poly1305_packet *mac, const u8 *data, size_t blocks, const u8 *end, size_t end_blocks, u8 *tag)
{
	NEED(readable(mac, (size_t)(24)), "chapoly_mulx: mac[0, 24) is readable");
	NEED(readable((u8 *)mac + 24, (size_t)(56 - 24)), "chapoly_mulx: mac[24, 56) is readable");
	NEED(readable((u8 *)mac + 56, (size_t)(64 - 56)), "chapoly_mulx: mac[56, 64) is readable");
	NEED(readable((u8 *)mac + 64, (size_t)(72 - 64)), "chapoly_mulx: mac[64, 72) is readable");
	NEED(readable((u8 *)mac + 72, (size_t)(80 - 72)), "chapoly_mulx: mac[72, 80) is readable");
	NEED(readable(data, (size_t)(16 * blocks)), "chapoly_mulx: data[0, 16 blocks) is readable");
	NEED(readable(end, (size_t)(16 * end_blocks)), "chapoly_mulx: end[0, 16 end_blocks) is readable");
	NEED(writable(mac, (size_t)(24)), "chapoly_mulx: mac[0, 24) is writable");
	NEED(writable(tag, (size_t)(16)), "chapoly_mulx: tag[0, 16) is writable");
	NEED(blocks <= 2147483648UL, "chapoly_mulx: blocks is at most 2147483648");
	NEED(end_blocks <= 2147483648UL, "chapoly_mulx: end_blocks is at most 2147483648");
	NEED(blocks + end_blocks >= 1UL, "chapoly_mulx: blocks + end_blocks is at least 1");
	NEED(mac->h[2] <= 9885365384200275968UL, "chapoly_mulx: mac->h[2] is at most 9885365384200275968");
	NEED(!(mac->key[0] & ~POLY1305_CLAMP_LO) && !(mac->key[1] & ~POLY1305_CLAMP_HI), "chapoly_mulx: mac->key is r, clamped, and s");
	NEED(mac->q1 == mac->key[1] + mac->key[1] / 4 && mac->s0 == 5 * mac->key[0], "chapoly_mulx: mac->q1 = 5 r1 / 4, mac->s0 = 5 r0");
	NEED(apart(data, (size_t)(16 * blocks), mac, (size_t)(MAC_END)), "chapoly_mulx: data, end and tag are apart from mac[0, MAC_END), and tag from data and end");
	NEED(apart(end, (size_t)(16 * end_blocks), mac, (size_t)(MAC_END)), "chapoly_mulx: data, end and tag are apart from mac[0, MAC_END), and tag from data and end");
	NEED(apart(tag, (size_t)(16), mac, (size_t)(MAC_END)), "chapoly_mulx: data, end and tag are apart from mac[0, MAC_END), and tag from data and end");
	NEED(apart(tag, (size_t)(16), data, (size_t)(16 * blocks)), "chapoly_mulx: tag is apart from data and end");
	NEED(apart(tag, (size_t)(16), end, (size_t)(16 * end_blocks)), "chapoly_mulx: tag is apart from data and end");
}
static void effect_chapoly_mulx(struct poly1305_packet *mac, const u8 *data, size_t blocks, const u8 *end, size_t end_blocks, u8 *tag)
{
	if (1)
		forget((u8 *)mac + 0, 24);
	if (1)
		forget((u8 *)tag + 0, 16);
	__CPROVER_assume(mac->h[2] <= 9885365384200275968UL);
}
