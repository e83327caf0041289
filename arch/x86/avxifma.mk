# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Every Kbuild with the tiers includes this. poly1305-avxifma needs tools that know
# AVX-IFMA: an assembler (binutils from 2.40 on) and, where objtool reads what was
# assembled, that of Linux 6.10 or newer. x86-left-out is what they cannot build.

x86-left-out :=
ifeq ($(CONFIG_X86_64),y)
avxifma := $(call as-instr,{vex} vpmadd52luq %ymm0$(comma)%ymm0$(comma)%ymm0,y)
ifneq ($(CONFIG_OBJTOOL)$(CONFIG_STACK_VALIDATION),)
avxifma := $(filter $(avxifma),$(shell \
	[ $$(($(or $(VERSION),0) * 100 + $(or $(PATCHLEVEL),0))) -lt 610 ] || echo y))
endif
ifeq ($(avxifma),y)
ccflags-y += -DPOLY1305_AVXIFMA
else
x86-left-out := %/poly1305-avxifma.o
# Kbuild also reads this where it does not compile.
$(if $(value as-instr),$(info poly1305-avxifma is left out: the assembler or objtool does not know AVX-IFMA))
endif
endif
