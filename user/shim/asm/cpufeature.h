/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_ASM_CPUFEATURE_H
#define SHIM_ASM_CPUFEATURE_H

#include <cpuid.h>
#include <linux/types.h>

/* A feature bit of CPUID: leaf, register (0 to 3 for eax to edx), bit */
#define SHIM_FEATURE(leaf, reg, bit)	((leaf) << 8 | (reg) << 5 | (bit))

#define X86_FEATURE_XMM2		SHIM_FEATURE(1, 3, 26)
#define X86_FEATURE_OSXSAVE		SHIM_FEATURE(1, 2, 27)
#define X86_FEATURE_AVX			SHIM_FEATURE(1, 2, 28)
#define X86_FEATURE_AVX2		SHIM_FEATURE(7, 1, 5)
#define X86_FEATURE_BMI2		SHIM_FEATURE(7, 1, 8)
#define X86_FEATURE_AVX512F		SHIM_FEATURE(7, 1, 16)
#define X86_FEATURE_AVX512DQ		SHIM_FEATURE(7, 1, 17)
#define X86_FEATURE_AVX512IFMA		SHIM_FEATURE(7, 1, 21)
#define X86_FEATURE_AVX512BW		SHIM_FEATURE(7, 1, 30)
#define X86_FEATURE_AVX512VL		SHIM_FEATURE(7, 1, 31)
#define X86_FEATURE_AVX512_VBMI2	SHIM_FEATURE(7, 2, 6)

/* Not a bit of CPUID, but the kernel's own. Programs choose a tier themselves. */
#define X86_FEATURE_PREFER_YMM		SHIM_FEATURE(0x7f, 0, 0)

/* For tests: the features that the CPU has, instead of those of CPUID; 0 ends them */
extern const unsigned int *shim_features;

/*
 * Whether the CPU has the feature. Unlike the kernel's function, this does not know
 * whether the system lets programs use it; x86_saves() does.
 */
static inline bool boot_cpu_has(unsigned int feature)
{
	const unsigned int *known = shim_features;
	unsigned int regs[4];

	if (known) {
		while (*known && *known != feature)
			known++;
		return *known;
	}
	if (!__get_cpuid_count(feature >> 8, 0, &regs[0], &regs[1], &regs[2],
			       &regs[3]))
		return false;
	return regs[feature >> 5 & 3] >> (feature & 31) & 1;
}

#endif
