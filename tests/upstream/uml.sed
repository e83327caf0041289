# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# For sed -i, on a tree with the series: tests/machines/uml.sed, and ChaCha20-Poly1305 likewise. UML
# leaves x86-64's code out only because it has no cpu_has_xfeatures().

/^	depends on CRYPTO_LIB_\(CHACHA\|POLY1305\|CHACHA20POLY1305\) /s/ && !UML//
/^obj-$(CONFIG_CRYPTO_LIB_\(CHACHA\|POLY1305\|CHACHA20POLY1305\))/,/^endif # CONFIG_CRYPTO_LIB_/{
	s/(SRCARCH)/(SRCARCH:um=x86)/
	s/(CONFIG_X86)/(CONFIG_X86_64)/
}
s/^#include <asm\/\(simd\|cpu_device_id\)\.h>/#include <asm\/cpufeature.h>\
#include <asm\/fpu\/api.h>\
#include <asm\/processor.h>/
s/cpu_has_xfeatures([^()]*)/true/
s/boot_cpu_data.x86_vfm != INTEL_SKYLAKE_X/true/
