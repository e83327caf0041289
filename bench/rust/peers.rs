// SPDX-License-Identifier: GPL-2.0 OR MIT
//! ChaCha20-Poly1305 of the crate aws-lc-rs, for peer_rust.c. The nonce is 0. A call from C costs
//! the crate's user nothing, but each of these functions is such a call.

use core::slice::{from_raw_parts, from_raw_parts_mut};

use aws_lc_rs::aead::{Aad, LessSafeKey, Nonce, UnboundKey, CHACHA20_POLY1305};

const TAG: usize = 16;

static mut KEY: Option<LessSafeKey> = None;

fn key() -> &'static LessSafeKey {
    // SAFETY: the benchmark has one thread, which has called bench_rust_key().
    unsafe { (*(&raw const KEY)).as_ref().unwrap() }
}

fn nonce() -> Nonce {
    Nonce::assume_unique_for_key([0; 12])
}

/// # Safety
/// key has 32 bytes; no other thread calls these functions.
#[no_mangle]
pub unsafe extern "C" fn bench_rust_key(key: *const u8) {
    let key = UnboundKey::new(&CHACHA20_POLY1305, from_raw_parts(key, 32));
    KEY = Some(LessSafeKey::new(key.unwrap()));
}

/// # Safety
/// dst has len + 16 bytes, src len, ad ad_len, as struct bench_packets says.
#[no_mangle]
pub unsafe extern "C" fn bench_aws_lc_seal(
    dst: *mut u8,
    src: *const u8,
    len: usize,
    ad: *const u8,
    ad_len: usize,
    _key: *const u8,
) {
    let (text, tag) = from_raw_parts_mut(dst, len + TAG).split_at_mut(len);
    let ad = Aad::from(from_raw_parts(ad, ad_len));
    let src = from_raw_parts(src, len);
    key().seal_out_of_place_scatter(nonce(), ad, src, text, &[], tag).unwrap();
}

/// # Safety
/// dst has len bytes, src len + 16, ad ad_len.
#[no_mangle]
pub unsafe extern "C" fn bench_aws_lc_open(
    dst: *mut u8,
    src: *const u8,
    len: usize,
    ad: *const u8,
    ad_len: usize,
    _key: *const u8,
) -> bool {
    let (text, tag) = from_raw_parts(src, len + TAG).split_at(len);
    let ad = Aad::from(from_raw_parts(ad, ad_len));
    let dst = from_raw_parts_mut(dst, len);
    key().open_separate_gather(nonce(), ad, text, tag, dst).is_ok()
}
