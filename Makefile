# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Builds the modules. "make help" lists all targets.

# The kernel to build for: where its headers are unpacked
KDIR ?= /lib/modules/$(shell uname -r)/build

# make passes LLVM, V, W, C, FAULT and INSTALL_MOD_PATH on to Kbuild by itself.
# LLVM=1 needs a kernel tree that was configured with LLVM=1.
kbuild = $(MAKE) -C $(KDIR) M=$(CURDIR)

all: modules

help:
	@echo 'make [modules]        poly1305.ko for the running kernel'
	@echo 'make KDIR=DIR         for the kernel whose build tree is DIR'
	@echo 'make LLVM=1           with clang, for a kernel configured with it'
	@echo 'make modules_install  install the modules (as root), for modprobe'
	@echo 'make user-lib         build/user/libpoly1305.a'
	@echo 'make check            tests of ten minutes: tools/check'
	@echo 'make bench            beside other implementations: tools/bench'
	@echo 'make demo             see it work in a virtual machine: tools/demo'
	@echo 'make clean            remove the modules and build/{user,kcapi_test}'

# One line instead of make's three when there is no prepared kernel tree
kernel-tree:
	@test -e '$(KDIR)/Makefile' || { \
		echo 'No kernel build tree at $(KDIR): install linux-headers-$(shell uname -r) (Debian, Ubuntu), or type make KDIR=DIR' >&2; \
		exit 1; }
	@test -e '$(KDIR)/include/generated/autoconf.h' || { \
		echo 'The kernel tree $(KDIR) is not prepared: run make modules_prepare there, or install linux-headers-$(shell uname -r)' >&2; \
		exit 1; }

modules: kernel-tree
	+$(kbuild) modules

modules_install: modules
	+$(kbuild) modules_install

user-lib:
	+$(MAKE) -C user

check:
	./tools/check

bench:
	./tools/bench

demo:
	./tools/demo

# To clean, Kbuild searches every folder. Folders below build/ hold kernels with
# modules of their own, so they are left out.
not_build = \( -name .git -o -path $(CURDIR)/build -o -path ./build \) -prune -o

clean:
	@if test -e '$(KDIR)/Makefile'; then \
		$(kbuild) clean RCS_FIND_IGNORE='$(not_build)'; fi
	$(RM) -r build/user build/kcapi_test

.PHONY: all help kernel-tree modules modules_install user-lib check bench demo clean
