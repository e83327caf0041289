/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_ASM_PROCESSOR_H
#define SHIM_ASM_PROCESSOR_H

#include <cpuid.h>
#include <linux/kernel.h>
#include <linux/types.h>

#define X86_VENDOR_INTEL	0
#define X86_VENDOR_AMD		2
#define X86_VENDOR_HYGON	9
#define X86_VENDOR_UNKNOWN	0xff

struct cpuinfo_x86 {
	u8 x86;
	u8 x86_vendor;
	u8 x86_model;
};

/* If not NULL, the CPU that boot_cpu_data shall describe */
extern const struct cpuinfo_x86 *shim_pretended_cpu;

/* Vendor, family and model, from CPUID, which takes microseconds in a virtual machine */
static inline struct cpuinfo_x86 shim_cpu(void)
{
	static const struct {
		char name[13];
		u8 vendor;
	} vendors[] = {
		{ "GenuineIntel", X86_VENDOR_INTEL },
		{ "AuthenticAMD", X86_VENDOR_AMD },
		{ "HygonGenuine", X86_VENDOR_HYGON },
	};
	static struct cpuinfo_x86 cpu = { .x86_vendor = X86_VENDOR_UNKNOWN };
	u32 eax = 0, name[3] = {}, ebx = 0, ecx = 0, edx = 0;
	unsigned int i;

	if (shim_pretended_cpu)
		return *shim_pretended_cpu;
	if (cpu.x86)
		return cpu;
	__get_cpuid(0, &eax, &name[0], &name[2], &name[1]);
	for (i = 0; i < ARRAY_SIZE(vendors); i++)
		if (!__builtin_memcmp(name, vendors[i].name, sizeof(name)))
			cpu.x86_vendor = vendors[i].vendor;
	if (__get_cpuid(1, &eax, &ebx, &ecx, &edx)) {
		cpu.x86 = (eax >> 8 & 15) + (eax >> 20 & 255);
		cpu.x86_model = (eax >> 4 & 15) | (eax >> 12 & 0xf0);
	}
	return cpu;
}

#define boot_cpu_data	shim_cpu()

#endif
