use encoding_rs::{BIG5, EUC_KR, GBK, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use proptest::prelude::*;

use super::*;

fn text_kind(bytes: &[u8], hints: &Hints<'_>) -> TextKind {
    match classify(bytes, hints) {
        Classified::Text(kind) => kind,
        Classified::Binary(kind) => panic!("binary: {kind}"),
    }
}

fn given(label: &str) -> Hints<'static> {
    Hints { given: Some(Label::parse(label).unwrap()), ..Hints::none() }
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

#[test]
fn the_encoding_and_how_it_was_found_are_named() {
    let long = "// 这是一个用来测试编码识别的比较长的注释，包含足够多的汉字\n";
    let check = |bytes: &[u8], hints: &Hints<'_>, expected: &str| {
        assert_eq!(text_kind(bytes, hints).describe(), expected);
    };
    check(b"plain\n", &Hints::none(), "utf-8");
    check(b"", &Hints::none(), "utf-8");
    check("é\n".as_bytes(), &Hints::none(), "utf-8");
    check(b"\xEF\xBB\xBFx", &Hints::none(), "utf-8 (bom)");
    check(b"\xFF\xFEx\0", &Hints::none(), "utf-16le (bom)");
    check(b"\xFE\xFF\0x", &Hints::none(), "utf-16be (bom)");
    check(&utf16("let x = 1;\r\n"), &Hints::none(), "utf-16le (no bom)");
    check(&GBK.encode(long).0, &Hints::none(), "gbk (guessed)");
    check(&GBK.encode("a 中\n").0, &given("gb2312"), "gbk (given)");
    let declared = || Label::parse("big5").ok();
    let hints = Hints { declared: Some(&declared), ..Hints::none() };
    check(&BIG5.encode("中文\n").0, &hints, "big5 (declared by the project)");
    check(b"caf\xE9\n", &Hints::none(), "windows-1252 (guessed from few bytes)");
}

#[test]
fn binary_is_recognised_with_its_kind_whatever_follows() {
    let check = |bytes: &[u8], expected: &str| match classify(bytes, &Hints::none()) {
        Classified::Binary(kind) => assert_eq!(kind.to_string(), expected),
        Classified::Text(kind) => panic!("{bytes:?} read as {}", kind.describe()),
    };
    check(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "PNG image");
    check(b"\x7FELF\x02\x01\x01\0", "ELF executable");
    check(b"PK\x03\x04\x14\0\0\0", "ZIP archive");
    check(b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n", "PDF document");
    check(b"text\0text", "unknown binary data");
    check(b"\xFF\xFE\0\0a\0\0\0", "UTF-32 text");
    check(b"\xFF\xFEa\0\0\0b\0", "unknown binary data");
    check(b"\x01\x02\x03\x90\x91\x92\x05\x06", "unknown binary data");
    check(b"\0\0\0\x20ftypheic", "MP4 or HEIF media");
    // Small counters in 16 bits look like UTF-16 but hold control characters.
    check(&[1, 0, 2, 0, 3, 0, 65, 0], "unknown binary data");
}

#[test]
fn few_bytes_of_one_file_are_settled_by_its_project() {
    let short = GBK.encode("// 打开文件\n").0.into_owned();
    let alone = text_kind(&short, &Hints::none());
    assert_eq!(alone.found(), Found::Guessed, "ten bytes settle nothing");

    let mut samples = LegacySamples::default();
    for (name, text) in [("a", "// 读取配置，失败时退出\n"), ("b", "// 关闭所有的窗口和线程\n")]
    {
        let bytes = GBK.encode(text).0;
        samples.remember(name, &bytes, text_kind(&bytes, &Hints::none()));
        assert!(samples.knows(name, &bytes));
    }
    let together = text_kind(&short, &Hints { samples: Some(&samples), ..Hints::none() });
    assert_eq!((together.encoding(), together.found()), (GBK, Found::Settled));
}

#[test]
fn the_region_decides_between_equally_good_guesses_but_settles_nothing() {
    let bytes = GBK.encode("// 打开\n").0;
    let kind = text_kind(&bytes, &Hints { region: Some("cn"), ..Hints::none() });
    assert_eq!((kind.encoding(), kind.is_settled()), (GBK, false));
    let bytes = BIG5.encode("// 開啟\n").0;
    let kind = text_kind(&bytes, &Hints { region: Some("tw"), ..Hints::none() });
    assert_eq!((kind.encoding(), kind.is_settled()), (BIG5, false));
    // What is no region is no hint.
    text_kind(&bytes, &Hints { region: Some("T.W"), ..Hints::none() });
}

#[test]
fn a_label_overrules_utf8_only_where_chance_explains_it() {
    let by_chance = b"// \xC4\xA3\n";
    assert_eq!(text_kind(by_chance, &Hints::none()).encoding(), UTF_8);
    assert_eq!(text_kind(by_chance, &given("gbk")).encoding(), GBK);
    let certain = "// 这一行显然是用统一码写成的\n".as_bytes();
    assert_eq!(text_kind(certain, &given("gbk")).encoding(), UTF_8);
}

#[test]
fn mostly_utf8_stays_utf8_and_is_not_settled() {
    let mut bytes = "注释注释注释注释注释".as_bytes().to_vec();
    bytes.extend_from_slice(b"\n\xFF\n");
    let kind = text_kind(&bytes, &Hints::none());
    assert_eq!((kind.encoding(), kind.is_settled()), (UTF_8, false));
    let decoded = Decoded::new(&bytes, kind);
    let fault = decoded.text().find('\u{FFFD}').unwrap();
    assert_eq!(decoded.byte_range(fault..fault + 3), Some(31..32));
    assert!(!decoded.round_trips(fault..fault + 3));
    assert!(decoded.round_trips(0..30));

    bytes.splice(0..0, *b"\xEF\xBB\xBF");
    let marked = text_kind(&bytes, &Hints::none());
    assert!(!marked.is_settled() && decode(&bytes, marked).starts_with('注'), "the mark stays invisible");
}

#[test]
fn a_character_that_the_encoding_lacks_is_named_with_its_place() {
    let kind = text_kind(b"caf\xE9", &given("latin1"));
    let error = encode_like(kind, "né 中").unwrap_err();
    assert_eq!((error.character, error.offset, error.encoding.as_str()), ('中', 4, "windows-1252"));
    // The yen sign would become a backslash.
    let sjis = text_kind(&SHIFT_JIS.encode("日本").0, &given("shift_jis"));
    assert_eq!(encode_like(sjis, "a¥").unwrap_err().character, '¥');
}

#[test]
fn lines_and_their_ends_are_counted_one_way() {
    let check = |text: &str, ending: &str, count: usize| {
        assert_eq!(LineEnding::of(text).as_str(), ending, "{text:?}");
        assert_eq!(Lines::count_in(text), count, "{text:?}");
        let index = LineIndex::new(text);
        assert_eq!(index.count(), count, "{text:?}");
        let lines: Vec<&str> = Lines::new(text).collect();
        assert_eq!(lines.concat(), text);
        for (number, line) in lines.iter().enumerate() {
            assert_eq!(&text[index.range(number + 1).unwrap()], *line);
        }
    };
    check("", "none", 0);
    check("a", "none", 1);
    check("a\n", "lf", 1);
    check("a\nb", "lf", 2);
    check("a\r\nb\r\n", "crlf", 2);
    check("a\rb\r", "cr", 2);
    check("a\r\nb\n", "mixed", 2);
    check("a\rb\n", "lf", 1);
    check("\n\n", "lf", 2);
}

/// Text that the encodings have, with line ends of every kind.
fn legacy_text() -> impl Strategy<Value = String> {
    prop::collection::vec(
        prop_oneof![
            Just("中".to_owned()),
            Just("文字".to_owned()),
            Just("\n".to_owned()),
            Just("\r\n".to_owned()),
            Just("日本".to_owned()),
            "[ -~]{0,8}",
        ],
        0..24,
    )
    .prop_map(|parts| parts.concat())
}

proptest! {
    /// Every character boundary of the text is found again in the bytes.
    #[test]
    fn places_in_the_text_are_places_in_the_bytes(text in legacy_text(), which in 0..7_usize) {
        let encoding = [GBK, BIG5, SHIFT_JIS, EUC_KR, UTF_8, UTF_16LE, UTF_16BE][which];
        let kind = TextKind::unmarked(encoding, Found::Given);
        prop_assume!(encode_like(kind, &text).is_ok());
        let bytes = encode_like(kind, &text).unwrap();
        let decoded = Decoded::new(&bytes, kind);
        prop_assert_eq!(decoded.text(), text.as_str());
        for (place, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let head = encode_like(kind, &text[..place]).unwrap().len();
            prop_assert_eq!(decoded.byte_range(place..place), Some(head..head));
        }
    }

    /// Any bytes decode line by line as they decode at once, and places come back in order.
    #[test]
    fn any_bytes_decode_the_same_with_and_without_a_map(
        bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'\n'), 0x81..0xFE_u8], 0..48),
        which in 0..6_usize,
    ) {
        let encoding = [GBK, BIG5, SHIFT_JIS, EUC_KR, WINDOWS_1252, UTF_16LE][which];
        let kind = TextKind::unmarked(encoding, Found::Given);
        let decoded = Decoded::new(&bytes, kind);
        let whole = decode(&bytes, kind);
        prop_assert_eq!(decoded.text(), whole.as_ref());
        let places: Vec<usize> = whole
            .char_indices()
            .filter_map(|(place, _)| decoded.byte_range(place..place))
            .map(|range| range.start)
            .collect();
        prop_assert!(places.is_sorted_by(|a, b| a < b), "{:?}", places);
        prop_assert_eq!(decoded.byte_range(0..whole.len()), Some(0..bytes.len()));
    }
}
