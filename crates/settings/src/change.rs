//! Changes of the settings file that leave everything else in it, comments included, as the person wrote it.

use std::io;
use std::path::Path;

use toml_edit::{DocumentMut, Item, Table, Value};

use crate::{Environment, Folders, Settings, SettingsError, SettingsFile, write_private};

/// Takes the members of `change` over into the file at `path` and returns what the file then says. Members that are
/// not set stay as they are; an empty text or list takes its key out. The file is replaced all or nothing, and only
/// if the result is valid.
///
/// # Errors
/// The file is damaged or cannot be read or written, or a value does not fit.
pub fn change_settings(path: &Path, change: &SettingsFile) -> Result<SettingsFile, SettingsError> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(source) => return Err(SettingsError::Unreadable { path: path.to_owned(), source }),
    };
    let changed =
        merged(&text, change).map_err(|reason| SettingsError::Invalid { path: path.to_owned(), reason })?;
    let file = SettingsFile::parse(path, &changed)?;
    let folders = Folders { data: path.parent().unwrap_or(Path::new(".")).to_owned(), home: None };
    Settings::resolve(folders, &Environment::default(), file.clone())?;
    if changed != text {
        write_private(path, &changed)
            .map_err(|source| SettingsError::Unwritable { path: path.to_owned(), source })?;
    }
    Ok(file)
}

fn merged(text: &str, change: &SettingsFile) -> Result<String, String> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| error.to_string())?;
    let change = toml_edit::ser::to_document(change).map_err(|error| error.to_string())?;
    merge(document.as_table_mut(), change.as_table());
    Ok(document.to_string())
}

fn merge(into: &mut Table, from: &Table) {
    for (key, item) in from {
        match (members(item), is_empty(item)) {
            (Some(members), _) => {
                let known = into.entry(key).or_insert_with(|| {
                    let mut table = Table::new();
                    table.set_implicit(true);
                    Item::Table(table)
                });
                // A person may write `{ … }` where we would write a section.
                if let Some(inline) = known.as_inline_table() {
                    *known = Item::Table(inline.clone().into_table());
                }
                if let Some(table) = known.as_table_mut() {
                    merge(table, &members);
                }
            }
            (None, true) => drop(into.remove(key)),
            (None, false) => set(into, key, item),
        }
    }
}

fn members(item: &Item) -> Option<Table> {
    match item {
        Item::Table(table) => Some(table.clone()),
        Item::Value(Value::InlineTable(table)) => Some(table.clone().into_table()),
        _ => None,
    }
}

fn is_empty(item: &Item) -> bool {
    match item {
        Item::Value(Value::String(text)) => text.value().is_empty(),
        Item::Value(Value::Array(list)) => list.is_empty(),
        _ => false,
    }
}

/// Puts the new value where the old one stood, with the spaces and comments around it.
fn set(into: &mut Table, key: &str, item: &Item) {
    let Item::Value(value) = item else { return };
    let mut value = value.clone();
    match into.get_mut(key) {
        Some(Item::Value(old)) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        _ => drop(into.insert(key, Item::Value(value.decorated(" ", "")))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desktop::{DesktopSection, NewProjectsSection, Theme};

    fn desktop(section: DesktopSection) -> SettingsFile {
        SettingsFile { desktop: section, ..SettingsFile::default() }
    }

    #[test]
    fn a_change_keeps_comments_and_everything_else() {
        let text = "# mine\naddr = \"127.0.0.1:9\" # fixed\n\n[mcp]\nbudget_secs = 30\n\n[desktop]\n# dark at night\ntheme = \"dark\" # !\n";
        let change = desktop(DesktopSection { theme: Some(Theme::Light), ..DesktopSection::default() });
        let changed = merged(text, &change).unwrap();
        assert_eq!(changed, text.replace("\"dark\"", "\"light\""));
    }

    #[test]
    fn sections_are_made_and_empty_texts_take_keys_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        let mut change = desktop(DesktopSection {
            new_projects: Some(NewProjectsSection { ask_first: Some(true), permission: None }),
            ..DesktopSection::default()
        });
        change.public_url = Some("https://code.example.org".to_owned());
        let file = change_settings(&path, &change).unwrap();
        assert_eq!(file, change);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("[desktop.new_projects]\nask_first = true"), "{text}");
        change.public_url = Some(String::new());
        assert_eq!(change_settings(&path, &change).unwrap().public_url, None);
    }

    #[test]
    fn a_value_that_does_not_fit_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.toml");
        std::fs::write(&path, "addr = \"127.0.0.1:9\"\n").unwrap();
        let change = SettingsFile { addr: Some("0.0.0.0:1".to_owned()), ..SettingsFile::default() };
        assert!(change_settings(&path, &change).unwrap_err().to_string().contains("loopback"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "addr = \"127.0.0.1:9\"\n");
        std::fs::write(&path, "addr = \n").unwrap();
        assert!(
            change_settings(&path, &SettingsFile::default()).is_err(),
            "a damaged file is not written over"
        );
    }
}
