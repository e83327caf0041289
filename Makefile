# SPDX-License-Identifier: GPL-2.0 OR MIT
#
# Builds the modules. "make help" lists all targets.

ifneq ($(words $(CURDIR)),1)
$(error make cannot work in a folder with a space in its path: $(CURDIR))
endif

# The build tree, or the unpacked headers, of the kernel to build for
KDIR ?= /lib/modules/$(shell uname -r)/build

# make passes LLVM, V, W, C and INSTALL_MOD_PATH on to Kbuild by itself.
# LLVM=1 needs a kernel tree that was configured with LLVM=1.
kbuild = $(MAKE) -C $(KDIR) M=$(CURDIR)

all: modules

help:
	@echo 'make [modules]        the modules, for the running kernel'
	@echo 'make KDIR=DIR         for the kernel whose build tree is DIR'
	@echo 'make LLVM=1           with clang, for a kernel configured with it'
	@echo 'make modules_install  install the modules (as root), for modprobe'
	@echo 'make user-lib         build/user/libpoly1305.a'
	@echo 'make -C user install  that library, its headers and libpoly1305.pc, below PREFIX'
	@echo 'make dkms-install     have DKMS build and install them, also for each new kernel'
	@echo 'make dkms-remove      undo that'
	@echo 'make deb              build/deb/*.deb: poly1305-dkms, poly1305-tools'
	@echo 'make dist             build/dist/poly1305-VERSION.tar.gz'
	@echo 'make check            the short form of the tests: tools/check'
	@echo 'make bench            compare with other implementations: tools/bench'
	@echo 'make demo             see it work in a virtual machine: tools/demo'
	@echo 'make clean            remove the modules and build/{user,kcapi_test,deb,dist}'

# Without a prepared kernel tree, print one line that says what to do.
kernel-tree:
	@test -e '$(KDIR)/Makefile' || { \
		echo 'No kernel build tree at $(KDIR): install headers (Debian, Ubuntu: apt install $$(packaging/poly1305ctl headers)), or type make KDIR=DIR' >&2; \
		exit 1; }
	@test -e '$(KDIR)/include/generated/autoconf.h' || { \
		echo 'The kernel tree $(KDIR) is not prepared: run make modules_prepare there, or install headers' >&2; \
		exit 1; }

modules: kernel-tree
	+$(kbuild) modules

# For dkms.conf: print the modules that Kbuild builds for the kernel in KDIR or, if KDIR has no
# configuration, for a kernel that has all they ask for.
ifneq ($(filter modules-list,$(MAKECMDGOALS)),)
ifeq ($(wildcard $(KDIR)/include/config/auto.conf),)
$(foreach name,X86_64 CRYPTO_AEAD CRYPTO_LIB_CHACHA CRYPTO_LIB_CHACHA20POLY1305 LIVEPATCH,\
	$(eval CONFIG_$(name) := y))
else
include $(KDIR)/include/config/auto.conf
endif
src := .
include Kbuild
modules-list:
	@echo $(obj-m:.o=)
endif

# DKMS fails unless each module of its list is there. If an optional one does not compile,
# poly1305.ko must be installed all the same, and so must the kernel that it is built for. So
# packaging/dkms_placeholder.c stands in for that module. Its copies stay in DKMS's build folder.
dkms-modules: kernel-tree
	+@$(kbuild) modules || { left_out=; \
	for name in $$($(MAKE) -s --no-print-directory KDIR='$(KDIR)' modules-list); do \
		case $$name in *_chapoly|*_wireguard) calls=chapoly ;; *) calls= ;; esac; \
		[ "$$name" = poly1305 ] || \
		$(kbuild) POLY1305_ONLY="poly1305 $$calls $$name" modules || { \
			left_out="$$left_out $$name"; \
			cp packaging/dkms_placeholder.c "left_out_$$name.c"; }; \
	done; \
	$(kbuild) POLY1305_LEFT_OUT="$$left_out" modules && \
		echo "poly1305: left out, as they do not compile for this kernel:$$left_out"; }

modules_install: modules
	+$(kbuild) modules_install

# The sources that DKMS builds from, and other files that the packages install
version = $(shell packaging/version)
dkms_source = $(DESTDIR)/usr/src/poly1305-$(version)
modprobe_d = $(DESTDIR)/etc/modprobe.d/poly1305-softdep.conf
ctl = $(DESTDIR)/usr/sbin/poly1305ctl
ctl_manual = $(DESTDIR)/usr/share/man/man8/poly1305ctl.8
ctl_completion = $(DESTDIR)/usr/share/bash-completion/completions/poly1305ctl

dkms-source:
	rm -rf '$(dkms_source)'
	mkdir -p '$(dkms_source)'
	cp --parents -t '$(dkms_source)' Kbuild Makefile \
		$(filter-out %.mod.c,$(wildcard *.[ch] arch/x86/*.[chS] chapoly/*.[chS] \
		bench/kernel/measure.c bench/kernel/samples.h packaging/dkms_placeholder.c)) \
		packaging/dkms_leftovers
	sed -i 's/^version := .*/version := $(version)/' '$(dkms_source)/Kbuild'
	sed 's/#MODULE_VERSION#/$(version)/' dkms.conf >'$(dkms_source)/dkms.conf'

ctl-install:
	install -D -m 755 packaging/poly1305ctl '$(ctl)'
	install -D -m 755 packaging/poly1305ctl-advise '$(ctl)-advise'
	install -D -m 644 packaging/poly1305ctl.8 '$(ctl_manual)'
	ln -sf poly1305ctl.8 '$(ctl_manual:.8=-advise.8)'
	install -D -m 644 packaging/bash-completion/poly1305ctl '$(ctl_completion)'

# Refuse if DKMS cannot run, or if the package poly1305-dkms has installed the modules.
dkms-tool:
	@command -v dkms >/dev/null || { echo 'dkms is missing: install the package of that name' >&2; exit 1; }
	@test "$$(id -u)" = 0 || { echo 'DKMS needs root' >&2; exit 1; }
	@! test -e /var/lib/dpkg/info/poly1305-dkms.list || { \
		echo 'The package poly1305-dkms is installed: apt remove poly1305-dkms' >&2; \
		exit 1; }

dkms-install: dkms-remove
	$(MAKE) dkms-source
	install -D -m 644 packaging/modprobe.d/poly1305-softdep.conf $(modprobe_d)
	$(MAKE) ctl-install
	dkms install poly1305/$(version)
	$(ctl) apply

dkms-remove: dkms-tool
	packaging/poly1305ctl off
	packaging/dkms_leftovers
	for folder in /var/lib/dkms/poly1305/[0-9]*; do test ! -e $$folder || \
		dkms remove poly1305/$${folder##*/} --all || exit; done
	rm -rf '$(DESTDIR)'/usr/src/poly1305-[0-9]* '$(modprobe_d)' \
		'$(ctl)' '$(ctl)-advise' '$(ctl_manual)' '$(ctl_manual:.8=-advise.8)' '$(ctl_completion)'

# The tracked files; in an unpacked archive, which has no .git, all files. Equal files
# give equal archives: names are sorted, and times are those of debian/changelog.
dist_name = poly1305-$(version)
dist:
	@rm -rf build/dist
	@mkdir -p 'build/dist/$(dist_name)'
	@if test -e .git; then git -c safe.directory='*' ls-files -z; else \
		find . -path ./build -prune -o ! -type d -printf '%P\0'; fi | \
		xargs -0 cp -P --parents -t 'build/dist/$(dist_name)'
	@packaging/version 'build/dist/$(dist_name)'
	@cd build/dist && LC_ALL=C tar -cf '$(dist_name).tar' --sort=name --format=gnu \
		--owner=0 --group=0 --numeric-owner --mode=u+rw,go=u-w \
		--mtime="$$(sed -n '/^ -- /{s/.*>  //p;q}' */debian/changelog)" '$(dist_name)'
	@gzip -9n 'build/dist/$(dist_name).tar'
	@rm -r 'build/dist/$(dist_name)'
	@cd build/dist && sha256sum '$(dist_name).tar.gz'

deb: dist
	@command -v dpkg-buildpackage >/dev/null || { \
		echo 'make deb is for Debian, and needs dpkg-dev debhelper dh-dkms' >&2; \
		exit 1; }
	rm -rf build/deb
	mkdir -p build/deb
	tar -C build/deb -xf build/dist/$(dist_name).tar.gz
	cd build/deb/$(dist_name) && DEB_BUILD_OPTIONS=noautodbgsym dpkg-buildpackage -us -uc
	ls build/deb/*.deb
	@! grep -q '^Maintainer:.*[.]invalid>' debian/control || \
		echo 'warning: debian/control has no address: a fork sets Maintainer there' >&2

user-lib:
	+$(MAKE) -C user

check:
	./tools/check

bench:
	./tools/bench

demo:
	./tools/demo

# Kbuild's clean searches every folder. It must not enter build/, where there are
# kernels with modules of their own.
not_build = \( -name .git -o -path $(CURDIR)/build -o -path ./build \) -prune -o

# What Kbuild writes next to the sources, to clean without a kernel tree
kbuild_made = Module.symvers $(foreach folder,. arch/x86 chapoly,\
	$(addprefix $(folder)/,*.ko *.o *.o.d *.mod *.mod.c *.order .*.cmd))

clean:
	@if test -e '$(KDIR)/Makefile'; then \
		$(kbuild) clean RCS_FIND_IGNORE='$(not_build)'; else $(RM) $(kbuild_made); fi
	$(RM) -r build/user build/kcapi_test build/deb build/dist

.PHONY: all help kernel-tree modules modules_install user-lib check bench demo clean \
	modules-list dkms-modules dkms-source ctl-install dkms-tool dkms-install dkms-remove dist deb
