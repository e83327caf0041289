static void contract_poly1305_packet_avx512(struct poly1305_packet *mac, const u8 *text, size_t len, u8 tag[POLY1305_MAC_TAG_SIZE])
{
	NEED(section, "poly1305_packet_avx512: in an FPU section");
	NEED(readable(mac, (size_t)(24)), "poly1305_packet_avx512: mac[0, 24) is readable");
	NEED(readable((u8 *)mac + 24, (size_t)(56 - 24)), "poly1305_packet_avx512: mac[24, 56) is readable");
	NEED(readable((u8 *)mac + 80, (size_t)(144 - 80)), "poly1305_packet_avx512: mac[80, 144) is readable");
	NEED(readable(text, (size_t)(len)), "poly1305_packet_avx512: text[0, len) is readable");
	NEED(writable(mac, (size_t)(24)), "poly1305_packet_avx512: mac[0, 24) is writable");
	NEED(writable(tag, (size_t)(16)), "poly1305_packet_avx512: tag[0, 16) is writable");
	NEED(len >= 128UL && len <= 8589934592UL, "poly1305_packet_avx512: len is at least 128 and at most 8589934592");
	NEED(mac->h[2] <= 9885365384200275968UL, "poly1305_packet_avx512: mac->h[2] is at most 9885365384200275968");
	NEED(!(mac->key[0] & ~POLY1305_CLAMP_LO) && !(mac->key[1] & ~POLY1305_CLAMP_HI), "poly1305_packet_avx512: mac->key has r, clamped, and s");
	NEED(zeros48(mac->end), "poly1305_packet_avx512: mac->end has 48 zeros and the lengths");
}
static void effect_poly1305_packet_avx512(struct poly1305_packet *mac, const u8 *text, size_t len, u8 tag[POLY1305_MAC_TAG_SIZE])
{
	if (1)
		forget((u8 *)mac + 0, 24);
	if (1)
		forget((u8 *)tag + 0, 16);
}

static void contract_chacha20_avx512(const u32 state[16], u8 *dst, const u8 *src, size_t len, u8 key[POLY1305_MAC_KEY_SIZE], bool with_key)
{
	NEED(section, "chacha20_avx512: in an FPU section");
	NEED(readable(state, (size_t)(64)), "chacha20_avx512: state[0, 64) is readable");
	NEED(readable(src, (size_t)(len)), "chacha20_avx512: src[0, len) is readable");
	NEED(writable(dst, (size_t)(len)), "chacha20_avx512: dst[0, len) is writable");
	NEED(!(with_key) || (writable(key, (size_t)(32))), "chacha20_avx512: key[0, 32) is writable");
	NEED(len <= 2147483647UL, "chacha20_avx512: len is at most 2147483647");
	NEED(dst == src || apart(dst, (size_t)(len), src, (size_t)(len)), "chacha20_avx512: dst is src or apart from it");
	NEED(apart(dst, (size_t)(len), state, (size_t)(64)), "chacha20_avx512: dst is apart from state");
	NEED(!(with_key) || (apart(key, (size_t)(32), dst, (size_t)(len))), "chacha20_avx512: key is apart from dst, src and state");
	NEED(!(with_key) || (apart(key, (size_t)(32), src, (size_t)(len))), "chacha20_avx512: key is apart from dst, src and state");
	NEED(!(with_key) || (apart(key, (size_t)(32), state, (size_t)(64))), "chacha20_avx512: key is apart from dst, src and state");
}
static void effect_chacha20_avx512(const u32 state[16], u8 *dst, const u8 *src, size_t len, u8 key[POLY1305_MAC_KEY_SIZE], bool with_key)
{
	if (with_key)
		forget((u8 *)key + 0, 32);
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
