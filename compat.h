/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * All differences between kernels, from 5.10 on. All other code is written for the newest kernel.
 */

#ifndef POLY1305_COMPAT_H
#define POLY1305_COMPAT_H

#include <linux/version.h>

#ifdef __ASSEMBLER__

#include <linux/linkage.h>

/*
 * Start a function that C may call through a pointer. CPUs that track indirect branches need a
 * landing pad there. Kernels that check types (kCFI, since 6.1) need the type before it.
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

#ifdef CONFIG_X86_64
#include <asm/cpufeature.h>
#endif
/* Whether 512-bit registers lower the clock of this CPU. Linux 6.12 does not know, 7.2 does. */
#ifdef X86_FEATURE_PREFER_YMM
#define poly1305_prefers_ymm()	boot_cpu_has(X86_FEATURE_PREFER_YMM)
#else
#define poly1305_prefers_ymm()	false
#endif

/*
 * In FIPS mode the kernel panics if a module whose signature it does not know registers an
 * algorithm, so no module loads. None logs that: the kernel tries again for each AF_ALG socket of
 * any user, and a module that does not load cannot know that it has already logged this.
 */
static inline bool poly1305_fips_mode(void)
{
	return fips_enabled;
}

/*
 * Whether the kernel saves the registers of these extensions. A series on linux-crypto removes
 * cpu_has_xfeatures() after 7.3. This weak symbol is then NULL, and the CPU flags decide alone, as
 * in User-Mode Linux, whose host hides extensions whose registers it does not save.
 */
#ifdef CONFIG_UML
#define x86_saves(mask)		true
#elif defined(CONFIG_X86_64) && !defined(POLY1305_USER_INTERNAL)
int __weak cpu_has_xfeatures(u64 xfeatures_mask, const char **feature_name);

static inline bool x86_saves(u64 mask)
{
	return !cpu_has_xfeatures || cpu_has_xfeatures(mask, NULL);
}
#endif

/*
 * In 6.4 crypto_memneq() left crypto/algapi.h, and kernel_fpu_begin() started to save nothing for
 * threads of io_uring, as for kernel threads.
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 4, 0)
#include <crypto/utils.h>
#define POLY1305_PF_NO_FPU	(PF_KTHREAD | PF_USER_WORKER)
#else
#include <crypto/algapi.h>
#define POLY1305_PF_NO_FPU	PF_KTHREAD
#endif

/*
 * In 6.12 asm/unaligned.h became linux/unaligned.h. After 6.12 linux/kernel.h no longer includes
 * linux/hex.h, for hex2bin().
 */
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
#include <linux/hex.h>
#include <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif

/*
 * In 5.12 single-block ciphers moved to crypto/internal/cipher.h and a namespace of symbols. In
 * 6.13 namespaces became strings.
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

/* For large variables that need not be zeroed. Updates of kernels from 6.1 on define it. */
#ifndef __uninitialized
#define __uninitialized
#endif

/* In 6.16 the state of ChaCha's library became a structure. */
#include <crypto/chacha.h>
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
struct chacha_state {
	u32 x[CHACHA_STATE_WORDS];
};

#define chacha_init(state, key, iv)		((chacha_init)((state)->x, key, iv))
#define hchacha_block(state, out, rounds)	((hchacha_block)((state)->x, out, rounds))
#define chacha20_crypt(state, dst, src, len)	((chacha20_crypt)((state)->x, dst, src, len))
#endif

#endif /* __ASSEMBLER__ */

#endif /* POLY1305_COMPAT_H */
