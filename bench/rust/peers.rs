// SPDX-License-Identifier: GPL-2.0 OR MIT
//! ChaCha20-Poly1305 of three Rust crates, for peer_rust.c. The nonce is 0. A call from C costs a
//! crate's user nothing, but each of these functions is such a call.

use core::slice::{from_raw_parts, from_raw_parts_mut};

use aws_lc_rs::aead as aws_lc;
use chacha20poly1305::aead::inout::InOutBuf;
use chacha20poly1305::aead::AeadInOut;
use chacha20poly1305::{ChaCha20Poly1305, KeyInit};
use ring::aead as ring;

const NONCE: [u8; 12] = [0; 12];
const TAG: usize = 16;

struct Keys {
    aws_lc: aws_lc::LessSafeKey,
    ring: ring::LessSafeKey,
    rustcrypto: ChaCha20Poly1305,
}

static mut KEYS: Option<Keys> = None;

fn keys() -> &'static Keys {
    // SAFETY: the benchmark has one thread, which has called bench_rust_key().
    unsafe { (*(&raw const KEYS)).as_ref().unwrap() }
}

/// # Safety
/// key has 32 bytes; no other thread calls these functions.
#[no_mangle]
pub unsafe extern "C" fn bench_rust_key(key: *const u8) {
    let key = from_raw_parts(key, 32);
    KEYS = Some(Keys {
        aws_lc: aws_lc::LessSafeKey::new(
            aws_lc::UnboundKey::new(&aws_lc::CHACHA20_POLY1305, key).unwrap(),
        ),
        ring: ring::LessSafeKey::new(
            ring::UnboundKey::new(&ring::CHACHA20_POLY1305, key).unwrap(),
        ),
        rustcrypto: ChaCha20Poly1305::new_from_slice(key).unwrap(),
    });
}

/// A text of len bytes and, behind it, the tag
unsafe fn sealed<'a>(at: *const u8, len: usize) -> (&'a [u8], &'a [u8]) {
    from_raw_parts(at, len + TAG).split_at(len)
}

unsafe fn sealed_mut<'a>(at: *mut u8, len: usize) -> (&'a mut [u8], &'a mut [u8]) {
    from_raw_parts_mut(at, len + TAG).split_at_mut(len)
}

/// A function that seals or opens, as struct bench_packets says; the key has been set.
macro_rules! packets {
    ($name:ident, $result:ty, $run:expr) => {
        /// # Safety
        /// The sealed text has len + 16 bytes, the plain one len, ad has ad_len.
        #[no_mangle]
        pub unsafe extern "C" fn $name(
            dst: *mut u8,
            src: *const u8,
            len: usize,
            ad: *const u8,
            ad_len: usize,
            _key: *const u8,
        ) -> $result {
            $run(dst, src, len, from_raw_parts(ad, ad_len))
        }
    };
}

// In place: dst has the plaintext already.
packets!(bench_ring_seal, (), |dst, _, len, ad: &[u8]| {
    let (text, tag) = sealed_mut(dst, len);
    let nonce = ring::Nonce::assume_unique_for_key(NONCE);
    let made = keys().ring.seal_in_place_separate_tag(nonce, ring::Aad::from(ad), text);
    tag.copy_from_slice(made.unwrap().as_ref());
});

// Decrypts to the beginning of a buffer, whose end has the ciphertext and the tag. Where they do
// not overlap, that is out of place. dst and src are in the same buffer, dst in front.
packets!(bench_ring_open, bool, |dst: *mut u8, src: *const u8, len, ad: &[u8]| {
    let from = src.offset_from(dst) as usize;
    let buffer = from_raw_parts_mut(dst, from + len + TAG);
    let nonce = ring::Nonce::assume_unique_for_key(NONCE);
    keys().ring.open_within(nonce, ring::Aad::from(ad), buffer, from..).is_ok()
});

packets!(bench_aws_lc_seal, (), |dst, src, len, ad: &[u8]| {
    let (text, tag) = sealed_mut(dst, len);
    let nonce = aws_lc::Nonce::assume_unique_for_key(NONCE);
    let ad = aws_lc::Aad::from(ad);
    let src = from_raw_parts(src, len);
    keys().aws_lc.seal_out_of_place_scatter(nonce, ad, src, text, &[], tag).unwrap();
});

packets!(bench_aws_lc_open, bool, |dst, src, len, ad: &[u8]| {
    let (text, tag) = sealed(src, len);
    let nonce = aws_lc::Nonce::assume_unique_for_key(NONCE);
    let ad = aws_lc::Aad::from(ad);
    keys().aws_lc.open_separate_gather(nonce, ad, text, tag, from_raw_parts_mut(dst, len)).is_ok()
});

packets!(bench_rustcrypto_seal, (), |dst, src, len, ad: &[u8]| {
    let (text, tag) = sealed_mut(dst, len);
    let text = InOutBuf::new(from_raw_parts(src, len), text).unwrap();
    let made = keys().rustcrypto.encrypt_inout_detached(&NONCE.into(), ad, text);
    tag.copy_from_slice(&made.unwrap());
});

packets!(bench_rustcrypto_open, bool, |dst, src, len, ad: &[u8]| {
    let (text, tag) = sealed(src, len);
    let text = InOutBuf::new(text, from_raw_parts_mut(dst, len)).unwrap();
    let tag: [u8; TAG] = tag.try_into().unwrap();
    keys().rustcrypto.decrypt_inout_detached(&NONCE.into(), ad, text, &tag.into()).is_ok()
});
