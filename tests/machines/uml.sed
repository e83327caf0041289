# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# For sed -i, on the source of User-Mode Linux. Doing it twice changes nothing.

# Use the ChaCha20 and Poly1305 for x86-64 of the kernel's library, as any other kernel for
# that CPU does. UML only leaves them out because it has no cpu_has_xfeatures(); its CPU
# flags are those that /proc/cpuinfo has below it, and a kernel lists no vector extension
# there whose registers it does not save.

# lib/crypto/Kconfig, lib/crypto/Makefile
/^	depends on CRYPTO_LIB_\(CHACHA\|POLY1305\) /s/ && !UML//
/^obj-$(CONFIG_CRYPTO_LIB_\(CHACHA\|POLY1305\))/,/^endif # CONFIG_CRYPTO_LIB_/{
	s/(SRCARCH)/(SRCARCH:um=x86)/
	s/(CONFIG_X86)/(CONFIG_X86_64)/
}

# lib/crypto/x86/chacha.h, lib/crypto/x86/poly1305.h
s/^#include <asm\/\(simd\|cpu_device_id\)\.h>/#include <asm\/cpufeature.h>\
#include <asm\/fpu\/api.h>\
#include <asm\/processor.h>/
s/cpu_has_xfeatures([^()]*)/true/
s/boot_cpu_data.x86_vfm != INTEL_SKYLAKE_X/true/

# arch/um/os-Linux/smp.c: a change of local interrupts is a system call, for the signal by which
# another CPU calls. With one CPU nobody sends it.
s/^	__local_ipi_set([01]);/	if (uml_ncpus > 1)\
	&/
