//! `docs/settings.md` is written from the declared variables.

use std::fmt::Write;

use webcodex_settings::VARIABLES;

#[test]
fn the_page_of_settings_is_what_the_code_declares() {
    let mut page = String::from(
        "# Settings\n\nEnvironment variables come before `settings.toml` in the data folder, which comes before the default.\n\n\
         | Variable | Default | Meaning |\n| --- | --- | --- |\n",
    );
    for variable in VARIABLES {
        let secret = if variable.secret { " Never shown or logged." } else { "" };
        writeln!(page, "| `{}` | {} | {}{secret} |", variable.name, variable.default, variable.about)
            .unwrap();
    }
    page.push_str(
        "\n`settings.toml`:\n\n```toml\naddr = \"127.0.0.1:8790\"\npublic_url = \"https://code.example.org\"\n\
         allowed_roots = [\"/home/me/projects\"]\n\n[mcp]\nhost_profile = \"direct\"   # or \"host_code_mode\"\n\
         budget_secs = 55\ntext_json_compat = false\n```\n\n\
         The window of the desktop app keeps its choices in the same file, under `[desktop]`, and leaves everything \
         else in it, comments included, as it is.\n",
    );
    webcodex_testkit::check_document("settings.md", &page);
}
