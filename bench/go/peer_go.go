// SPDX-License-Identifier: GPL-2.0 OR MIT

// Go's golang.org/x/crypto/poly1305. A call from C into Go costs more than a short
// MAC, so one such call computes many; what a Go program pays is what is measured.
package main

// #include <stddef.h>
import "C"

import (
	"unsafe"

	"golang.org/x/crypto/poly1305"
)

//export bench_go_many
func bench_go_many(tag, msg unsafe.Pointer, length C.size_t, keys unsafe.Pointer, nkeys, n C.size_t) {
	out := (*[16]byte)(tag)
	data := unsafe.Slice((*byte)(msg), int(length))
	array := unsafe.Slice((*[32]byte)(keys), int(nkeys))
	for i, key := 0, 0; i < int(n); i++ {
		poly1305.Sum(out, data, &array[key])
		key++
		if key == len(array) {
			key = 0
		}
	}
}

func main() {}
