//! Properties of the parsers that read what others send. The fuzz targets and the property tests share them.

use bytes::Bytes;
use serde_json::Value;
use webcodex_contracts::{MAX_SAFE_INTEGER, ReadRevision};
use webcodex_link::Frame;

/// Reading any message ends in a frame or an error, and what a frame says is the same after another round trip.
pub fn link_frame_is_stable(message: &[u8]) {
    let Ok(frame) = Frame::decode(Bytes::copy_from_slice(message)) else { return };
    let written = match frame.encode() {
        Ok(written) => written,
        Err(error) => panic!("a frame that was read cannot be written: {error}"),
    };
    let again = Frame::decode(written.clone()).and_then(|frame| frame.encode());
    assert_eq!(again.ok(), Some(written), "a second round trip changed the frame");
}

/// A revision is a whole number from 1 to 2^53−1, however it is written; everything else is refused, and what is
/// accepted is exactly the number that was sent.
pub fn revision_is_exact(json: &str) {
    let Ok(read) = serde_json::from_str::<ReadRevision>(json) else { return };
    let number = read.get();
    assert!((1..=MAX_SAFE_INTEGER).contains(&number), "{json} became {number}");
    let sent = serde_json::from_str::<Value>(json).ok();
    let exact = sent.is_some_and(|sent| match sent.as_u64() {
        Some(whole) => whole == number,
        None => sent.as_f64().is_some_and(|float| float.fract() == 0.0 && float as u64 == number),
    });
    assert!(exact, "{json} became {number}");
    assert_eq!(serde_json::to_string(&read).ok(), Some(number.to_string()), "written as a JSON integer");
}
