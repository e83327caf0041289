/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_ASM_CPUFEATURE_H
#define SHIM_ASM_CPUFEATURE_H

#define X86_FEATURE_XMM2	"sse2"
#define X86_FEATURE_BMI2	"bmi2"
#define X86_FEATURE_ADX		"adx"
#define X86_FEATURE_AVX		"avx"
#define X86_FEATURE_AVX2	"avx2"
#define X86_FEATURE_AVX512F	"avx512f"
#define X86_FEATURE_AVX512VL	"avx512vl"
#define X86_FEATURE_AVX512BW	"avx512bw"
#define X86_FEATURE_AVX512DQ	"avx512dq"
#define X86_FEATURE_AVX512IFMA	"avx512ifma"
#define X86_FEATURE_AVX512_VBMI2 "avx512vbmi2"

#define boot_cpu_has(feature)	__builtin_cpu_supports(feature)

#endif
