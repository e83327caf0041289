/* SPDX-License-Identifier: GPL-2.0 OR MIT */
#ifndef SHIM_LINUX_STATIC_CALL_H
#define SHIM_LINUX_STATIC_CALL_H

#define DEFINE_STATIC_CALL_NULL(name, fn)	static typeof(&(fn)) shim_call_##name
#define static_call(name)		(*shim_call_##name)
#define static_call_update(name, fn)	(shim_call_##name = (fn))

#endif
