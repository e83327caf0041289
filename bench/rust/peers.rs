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

/// A function that seals, or opens: $run gets slices of what the caller passes, which is what
/// struct bench_packets says.
macro_rules! seal {
    ($name:ident, $run:expr) => {
        /// # Safety
        /// dst has len + 16 bytes, src has len, ad has ad_len.
        #[no_mangle]
        pub unsafe extern "C" fn $name(
            dst: *mut u8,
            src: *const u8,
            len: usize,
            ad: *const u8,
            ad_len: usize,
            _key: *const u8,
        ) {
            let (dst, tag) = from_raw_parts_mut(dst, len + TAG).split_at_mut(len);
            $run(dst, tag, from_raw_parts(src, len), from_raw_parts(ad, ad_len))
        }
    };
}

macro_rules! open {
    ($name:ident, $run:expr) => {
        /// # Safety
        /// dst has len bytes, src has len + 16, ad has ad_len.
        #[no_mangle]
        pub unsafe extern "C" fn $name(
            dst: *mut u8,
            src: *const u8,
            len: usize,
            ad: *const u8,
            ad_len: usize,
            _key: *const u8,
        ) -> bool {
            let (src, tag) = from_raw_parts(src, len + TAG).split_at(len);
            $run(from_raw_parts_mut(dst, len), src, tag, from_raw_parts(ad, ad_len))
        }
    };
}

// In place: dst has the plaintext already.
seal!(bench_ring_seal, |dst: &mut [u8], tag: &mut [u8], _: &[u8], ad: &[u8]| {
    let nonce = ring::Nonce::assume_unique_for_key(NONCE);
    let made = keys().ring.seal_in_place_separate_tag(nonce, ring::Aad::from(ad), dst);
    tag.copy_from_slice(made.unwrap().as_ref());
});

/// Decrypts to the beginning of a buffer, whose end has the ciphertext and the tag. Where they do
/// not overlap, that is out of place.
///
/// # Safety
/// From dst to src + len + 16 there is one buffer; ad has ad_len bytes.
#[no_mangle]
pub unsafe extern "C" fn bench_ring_open(
    dst: *mut u8,
    src: *const u8,
    len: usize,
    ad: *const u8,
    ad_len: usize,
    _key: *const u8,
) -> bool {
    let from = src.offset_from(dst) as usize;
    keys()
        .ring
        .open_within(
            ring::Nonce::assume_unique_for_key(NONCE),
            ring::Aad::from(from_raw_parts(ad, ad_len)),
            from_raw_parts_mut(dst, from + len + TAG),
            from..,
        )
        .is_ok()
}

seal!(bench_aws_lc_seal, |dst: &mut [u8], tag: &mut [u8], src: &[u8], ad: &[u8]| {
    let nonce = aws_lc::Nonce::assume_unique_for_key(NONCE);
    let ad = aws_lc::Aad::from(ad);
    keys().aws_lc.seal_out_of_place_scatter(nonce, ad, src, dst, &[], tag).unwrap();
});

open!(bench_aws_lc_open, |dst: &mut [u8], src: &[u8], tag: &[u8], ad: &[u8]| {
    let nonce = aws_lc::Nonce::assume_unique_for_key(NONCE);
    keys().aws_lc.open_separate_gather(nonce, aws_lc::Aad::from(ad), src, tag, dst).is_ok()
});

seal!(bench_rustcrypto_seal, |dst: &mut [u8], tag: &mut [u8], src: &[u8], ad: &[u8]| {
    let text = InOutBuf::new(src, dst).unwrap();
    let made = keys().rustcrypto.encrypt_inout_detached(&NONCE.into(), ad, text);
    tag.copy_from_slice(&made.unwrap());
});

open!(bench_rustcrypto_open, |dst: &mut [u8], src: &[u8], tag: &[u8], ad: &[u8]| {
    let text = InOutBuf::new(src, dst).unwrap();
    let tag: [u8; TAG] = tag.try_into().unwrap();
    keys().rustcrypto.decrypt_inout_detached(&NONCE.into(), ad, text, &tag.into()).is_ok()
});
