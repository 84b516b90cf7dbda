//! Tells the program what it was built for.

fn main() {
    for name in ["TARGET", "PROFILE"] {
        let value = std::env::var(name).unwrap_or_default();
        println!("cargo::rustc-env=WEBCODEX_BUILD_{name}={value}");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
