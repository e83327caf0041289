// SPDX-License-Identifier: GPL-2.0 OR MIT

// Go's golang.org/x/crypto/chacha20poly1305. A call from C into Go costs more than a short packet,
// so one such call makes many; the time is that of a Go program.
package main

// #include <stddef.h>
import "C"

import (
	"crypto/cipher"
	"unsafe"

	"golang.org/x/crypto/chacha20poly1305"
)

var (
	aead  cipher.AEAD
	nonce [chacha20poly1305.NonceSize]byte
)

//export bench_go_key
func bench_go_key(key unsafe.Pointer) {
	aead, _ = chacha20poly1305.New(unsafe.Slice((*byte)(key), chacha20poly1305.KeySize))
}

//export bench_go_packets
func bench_go_packets(seal bool, dst, src unsafe.Pointer, length C.size_t, ad unsafe.Pointer, adLen, n C.size_t) bool {
	out := unsafe.Slice((*byte)(dst), int(length)+chacha20poly1305.Overhead)[:0]
	text := unsafe.Slice((*byte)(src), int(length)+chacha20poly1305.Overhead)
	data := unsafe.Slice((*byte)(ad), int(adLen))
	for i := 0; i < int(n); i++ {
		if seal {
			aead.Seal(out, nonce[:], text[:length], data)
		} else if _, err := aead.Open(out, nonce[:], text, data); err != nil {
			return false
		}
	}
	return true
}

func main() {}
