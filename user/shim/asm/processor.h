/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_ASM_PROCESSOR_H
#define SHIM_ASM_PROCESSOR_H

#include <cpuid.h>
#include <linux/types.h>

#define X86_VENDOR_INTEL	0
#define X86_VENDOR_UNKNOWN	0xff

struct cpuinfo_x86 {
	u8 x86;
	u8 x86_vendor;
	u8 x86_model;
};

/* Vendor, family and model, from CPUID */
static inline struct cpuinfo_x86 shim_cpu(void)
{
	struct cpuinfo_x86 cpu = { .x86_vendor = X86_VENDOR_UNKNOWN };
	u32 eax = 0, ebx = 0, ecx = 0, edx = 0;

	if (__get_cpuid(0, &eax, &ebx, &ecx, &edx) &&
	    ebx == signature_INTEL_ebx && ecx == signature_INTEL_ecx &&
	    edx == signature_INTEL_edx)
		cpu.x86_vendor = X86_VENDOR_INTEL;
	if (__get_cpuid(1, &eax, &ebx, &ecx, &edx)) {
		cpu.x86 = (eax >> 8 & 15) + (eax >> 20 & 255);
		cpu.x86_model = (eax >> 4 & 15) | (eax >> 12 & 0xf0);
	}
	return cpu;
}

#define boot_cpu_data	shim_cpu()

#endif
