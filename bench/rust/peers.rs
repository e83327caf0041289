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

/// Seals in place: dst has the plaintext already.
///
/// # Safety
/// dst has len + 16 bytes, ad has ad_len.
#[no_mangle]
pub unsafe extern "C" fn bench_ring_seal(dst: *mut u8, len: usize, ad: *const u8, ad_len: usize) {
    let tag = keys()
        .ring
        .seal_in_place_separate_tag(
            ring::Nonce::assume_unique_for_key(NONCE),
            ring::Aad::from(from_raw_parts(ad, ad_len)),
            from_raw_parts_mut(dst, len),
        )
        .unwrap();
    from_raw_parts_mut(dst.add(len), TAG).copy_from_slice(tag.as_ref());
}

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

/// # Safety
/// dst has len + 16 bytes, src has len, ad has ad_len.
#[no_mangle]
pub unsafe extern "C" fn bench_aws_lc_seal(
    dst: *mut u8,
    src: *const u8,
    len: usize,
    ad: *const u8,
    ad_len: usize,
) {
    keys()
        .aws_lc
        .seal_out_of_place_scatter(
            aws_lc::Nonce::assume_unique_for_key(NONCE),
            aws_lc::Aad::from(from_raw_parts(ad, ad_len)),
            from_raw_parts(src, len),
            from_raw_parts_mut(dst, len),
            &[],
            from_raw_parts_mut(dst.add(len), TAG),
        )
        .unwrap();
}

/// # Safety
/// dst has len bytes, src has len + 16, ad has ad_len.
#[no_mangle]
pub unsafe extern "C" fn bench_aws_lc_open(
    dst: *mut u8,
    src: *const u8,
    len: usize,
    ad: *const u8,
    ad_len: usize,
) -> bool {
    keys()
        .aws_lc
        .open_separate_gather(
            aws_lc::Nonce::assume_unique_for_key(NONCE),
            aws_lc::Aad::from(from_raw_parts(ad, ad_len)),
            from_raw_parts(src, len),
            from_raw_parts(src.add(len), TAG),
            from_raw_parts_mut(dst, len),
        )
        .is_ok()
}

/// # Safety
/// dst has len + 16 bytes, src has len, ad has ad_len.
#[no_mangle]
pub unsafe extern "C" fn bench_rustcrypto_seal(
    dst: *mut u8,
    src: *const u8,
    len: usize,
    ad: *const u8,
    ad_len: usize,
) {
    let text = InOutBuf::new(from_raw_parts(src, len), from_raw_parts_mut(dst, len)).unwrap();
    let tag = keys()
        .rustcrypto
        .encrypt_inout_detached(&NONCE.into(), from_raw_parts(ad, ad_len), text)
        .unwrap();
    from_raw_parts_mut(dst.add(len), TAG).copy_from_slice(&tag);
}

/// # Safety
/// dst has len bytes, src has len + 16, ad has ad_len.
#[no_mangle]
pub unsafe extern "C" fn bench_rustcrypto_open(
    dst: *mut u8,
    src: *const u8,
    len: usize,
    ad: *const u8,
    ad_len: usize,
) -> bool {
    let text = InOutBuf::new(from_raw_parts(src, len), from_raw_parts_mut(dst, len)).unwrap();
    let tag: [u8; TAG] = from_raw_parts(src.add(len), TAG).try_into().unwrap();
    keys()
        .rustcrypto
        .decrypt_inout_detached(&NONCE.into(), from_raw_parts(ad, ad_len), text, &tag.into())
        .is_ok()
}
