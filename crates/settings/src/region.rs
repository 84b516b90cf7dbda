//! The region that the user's system is set to.

/// The two-letter code of the user's region, as `cn`, where the system says one. It only decides between guesses that
/// are otherwise equally good.
pub fn region() -> Option<String> {
    sys_locale::get_locales().find_map(|locale| region_of(&locale))
}

/// The region of a locale written as `zh-CN`, `zh-Hans-CN` or `zh_CN.UTF-8`.
fn region_of(locale: &str) -> Option<String> {
    let name = locale.split(['.', '@']).next()?;
    let mut parts = name.split(['-', '_']).skip(1);
    let region = parts.find(|part| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_alphabetic()))?;
    Some(region.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_region_is_found_in_every_spelling() {
        for (locale, region) in [
            ("zh-CN", Some("cn")),
            ("zh-Hans-CN", Some("cn")),
            ("zh_TW.UTF-8", Some("tw")),
            ("de_AT@euro", Some("at")),
            ("en", None),
            ("C", None),
            ("C.UTF-8", None),
            ("es-419", None),
        ] {
            assert_eq!(region_of(locale).as_deref(), region, "{locale}");
        }
    }
}
