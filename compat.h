/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * All differences between kernels, from 5.10 on. The rest of the code is written for the
 * newest kernel.
 */

#ifndef POLY1305_COMPAT_H
#define POLY1305_COMPAT_H

#include <linux/version.h>

#ifdef __ASSEMBLER__

#include <linux/linkage.h>

/*
 * Begin a function that C calls through a pointer. If the CPU tracks indirect branches, it
 * needs a landing pad; if the kernel checks types (kCFI, since 6.1), its type before that.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 1, 0)
#include <linux/cfi_types.h>
#else
#define SYM_TYPED_FUNC_START(name)	SYM_FUNC_START(name)
#endif

/* Kernels that have neither return thunks nor traps after returns define no RET. */
#ifndef RET
#define RET	ret
#endif

#else

#include <linux/fips.h>
#include <linux/kernel.h>

/* Whether 512-bit registers lower the clock of this CPU. Linux 6.12 does not know, 7.2 does. */
#ifdef CONFIG_X86_64
#include <asm/cpufeature.h>
static inline bool poly1305_prefers_ymm(void)
{
#ifdef X86_FEATURE_PREFER_YMM
	return boot_cpu_has(X86_FEATURE_PREFER_YMM);
#else
	return false;
#endif
}
#endif

/*
 * In FIPS mode the kernel panics if a module whose signature it does not know registers an
 * algorithm. So every module asks this first, and does not load.
 */
static inline bool poly1305_fips_mode(void)
{
	if (fips_enabled)
		pr_info("not loaded: the kernel is in FIPS mode, and stays as it is\n");
	return fips_enabled;
}

/* The threads for which kernel_fpu_begin() saves nothing: from 6.4 on those of io_uring, too */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
#define POLY1305_PF_NO_FPU	(PF_KTHREAD | PF_USER_WORKER)
#else
#define POLY1305_PF_NO_FPU	PF_KTHREAD
#endif

/*
 * Whether the kernel saves the registers of these extensions. A series on linux-crypto removes
 * cpu_has_xfeatures() after 7.3. This weak symbol is then NULL, and the CPU flags decide alone.
 */
#if defined(CONFIG_X86_64) && !defined(POLY1305_USER_INTERNAL)
int __weak cpu_has_xfeatures(u64 xfeatures_mask, const char **feature_name);

static inline bool x86_saves(u64 mask)
{
	return !cpu_has_xfeatures || cpu_has_xfeatures(mask, NULL);
}
#endif

/* asm/unaligned.h became linux/unaligned.h in 6.12 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#include <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif

/* hex2bin() is in linux/hex.h, which linux/kernel.h still includes in 6.12, but not in 7.2 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#include <linux/hex.h>
#endif

/* crypto_memneq() left crypto/algapi.h in 6.4 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
#include <crypto/utils.h>
#else
#include <crypto/algapi.h>
#endif

/*
 * Single-block ciphers moved to crypto/internal/cipher.h and a namespace of
 * symbols in 5.12. The namespace became a string in 6.13.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(5, 12, 0)
#include <crypto/internal/cipher.h>
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
#define POLY1305_PACKETS	"POLY1305_PACKETS"
#define IMPORT_CRYPTO_INTERNAL	MODULE_IMPORT_NS("CRYPTO_INTERNAL")
#elif LINUX_VERSION_CODE >= KERNEL_VERSION(5, 12, 0)
#define IMPORT_CRYPTO_INTERNAL	MODULE_IMPORT_NS(CRYPTO_INTERNAL)
#else
#define IMPORT_CRYPTO_INTERNAL
#endif

/* For large variables that need not be zeroed. Kernels define it since 6.1, by updates. */
#ifndef __uninitialized
#define __uninitialized
#endif

/* The state of ChaCha's library became a structure in 6.16 */
#include <crypto/chacha.h>
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
struct chacha_state {
	u32 x[CHACHA_STATE_WORDS];
};

#define chacha_init(state, key, iv)					\
	((chacha_init)((state)->x, key, iv))
#define hchacha_block(state, out, rounds)				\
	((hchacha_block)((state)->x, out, rounds))
#define chacha20_block(state, out)	((chacha20_block)((state)->x, out))
#define chacha20_crypt(state, dst, src, len)				\
	((chacha20_crypt)((state)->x, dst, src, len))
#endif

#endif /* __ASSEMBLER__ */

#endif /* POLY1305_COMPAT_H */
