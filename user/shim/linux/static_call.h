/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_LINUX_STATIC_CALL_H
#define SHIM_LINUX_STATIC_CALL_H

#define DEFINE_STATIC_CALL_NULL(name, fn)	static typeof(&(fn)) name
#define static_call(name)		(*(name))
#define static_call_update(name, fn)	((name) = (fn))

#endif
