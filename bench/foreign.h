/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Functions and structures of packages that declare them in no header. A static
 * link reaches them.
 */

#ifndef FOREIGN_H
#define FOREIGN_H

#include "bench.h"

/* OpenSSL */
extern unsigned int OPENSSL_ia32cap_P[4];
size_t Poly1305_ctx_size(void);
void Poly1305_Init(void *ctx, const unsigned char key[32]);
void Poly1305_Update(void *ctx, const unsigned char *inp, size_t len);
void Poly1305_Final(void *ctx, unsigned char mac[16]);

/* nettle */
struct poly1305_ctx;
union nettle_block16;

void _nettle_poly1305_set_key(struct poly1305_ctx *ctx, const uint8_t key[16]);
void _nettle_poly1305_block(struct poly1305_ctx *ctx, const uint8_t *m,
			    unsigned int high);
void _nettle_poly1305_digest(struct poly1305_ctx *ctx, union nettle_block16 *s);

/* ipsec-mb */
struct IMB_JOB;

void poly1305_mac_scalar(struct IMB_JOB *job);
void poly1305_mac_plain_avx512(struct IMB_JOB *job);
void poly1305_mac_fma_avx512(struct IMB_JOB *job);

/* Linux, its assembly with a prefix */
void linux_poly1305_init_x86_64(void *ctx, const uint8_t key[16]);
typedef void (linux_blocks)(void *ctx, const uint8_t *inp, size_t len, uint32_t padbit);
typedef void (linux_emit)(void *ctx, uint8_t mac[16], const uint32_t nonce[4]);
linux_blocks linux_poly1305_blocks_x86_64, linux_poly1305_blocks_avx, linux_poly1305_blocks_avx2,
	     linux_poly1305_blocks_avx512;
linux_emit linux_poly1305_emit_x86_64, linux_poly1305_emit_avx;

/* Go, peer_go.go */
void bench_go_key(const uint8_t key[KEY_SIZE]);
bool bench_go_packets(bool seal, uint8_t *dst, const uint8_t *src, size_t len, const uint8_t *ad,
		      size_t ad_len, size_t n);

/* The Rust crate, rust/peers.rs */
void bench_rust_key(const uint8_t key[KEY_SIZE]);
bench_seal bench_aws_lc_seal;
bench_open bench_aws_lc_open;

#endif
