//! The names of entries: which ones become names of files, on every system.

use protocol::is_invisible;

use crate::Limits;
use crate::name_fault::NameFault;

/// Characters that Windows allows in no name; `:` also names drives and streams.
const RESERVED_CHARACTERS: [char; 7] = ['<', '>', ':', '"', '|', '?', '*'];
/// Names that mean devices on Windows, whatever extension follows.
const DEVICES: [&str; 6] = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
/// Names that mean devices on Windows if one of these digits follows.
const NUMBERED_DEVICES: [&str; 2] = ["COM", "LPT"];
const DEVICE_DIGITS: [char; 13] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '¹', '²', '³'];

/// A name that was checked in part: it leads nowhere out of its archive.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Name {
    /// The folders and the last name; none for the folder of the archive itself.
    pub(crate) parts: Vec<String>,
    /// True if a separator ends the name.
    pub(crate) is_folder: bool,
}

/// Splits the raw name of an entry, which stays inside its archive and is printable.
///
/// A backslash separates names too, as in archives of old Windows programs. One `./` may come first, as `tar` writes it.
///
/// # Errors
///
/// If the name is empty, no UTF-8, absolute, leads out of the archive, or has invisible characters or empty parts.
pub(crate) fn split(raw: &[u8]) -> Result<Name, NameFault> {
    let text = std::str::from_utf8(raw).map_err(|_| NameFault::NotUtf8)?;
    if let Some(character) = text.chars().find(|&c| is_invisible(c)) {
        return Err(NameFault::Invisible(character));
    }
    let text = text.replace('\\', "/");
    let has_drive = matches!(text.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    if text.starts_with('/') || has_drive {
        return Err(NameFault::Absolute);
    }
    let is_folder = text.ends_with('/');
    let text = text.strip_prefix("./").unwrap_or(&text);
    let text = text.strip_suffix('/').unwrap_or(text);
    if text.is_empty() && is_folder {
        return Ok(Name { parts: Vec::new(), is_folder });
    }
    let parts: Vec<String> = text.split('/').map(str::to_owned).collect();
    for part in &parts {
        match part.as_str() {
            "" => return Err(NameFault::Empty),
            "." => return Err(NameFault::Dot),
            ".." => return Err(NameFault::Climbs),
            _ => {}
        }
    }
    Ok(Name { parts, is_folder })
}

/// Tests if a name can be the name of a file on every system, within the limits.
///
/// # Errors
///
/// If a part of the name is reserved, ends with a dot or a blank, or has a character that a system forbids; if it is too
/// long or too deep.
pub(crate) fn check(name: &Name, limits: &Limits) -> Result<(), NameFault> {
    let folders = name.parts.len() - usize::from(!name.is_folder && !name.parts.is_empty());
    if folders > limits.depth {
        return Err(NameFault::TooDeep(limits.depth));
    }
    for part in &name.parts {
        check_part(part, limits)?;
    }
    let separators = name.parts.len().saturating_sub(1);
    let length = name.parts.iter().map(String::len).sum::<usize>() + separators;
    if length > limits.path {
        return Err(NameFault::PathTooLong(limits.path));
    }
    Ok(())
}

fn check_part(part: &str, limits: &Limits) -> Result<(), NameFault> {
    if part.len() > limits.name {
        return Err(NameFault::TooLong(limits.name));
    }
    if let Some(character) = part.chars().find(|c| RESERVED_CHARACTERS.contains(c)) {
        return Err(NameFault::Character(character));
    }
    if part.ends_with(['.', ' ']) {
        return Err(NameFault::End);
    }
    if is_device(part) {
        return Err(NameFault::Device);
    }
    Ok(())
}

fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or_default().trim_end().to_uppercase();
    let is_numbered = |device| {
        let digit = stem.strip_prefix(device).unwrap_or_default();
        digit.chars().count() == 1 && digit.contains(DEVICE_DIGITS)
    };
    DEVICES.contains(&stem.as_str()) || NUMBERED_DEVICES.into_iter().any(is_numbered)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(raw: &[u8]) -> Result<String, NameFault> {
        let name = split(raw)?;
        check(&name, &Limits::default())?;
        Ok(name.parts.join("/"))
    }

    #[test]
    fn usual_names_are_kept() {
        for (raw, kept) in [
            ("bot.py", "bot.py"),
            ("./bot.py", "bot.py"),
            ("./", ""),
            ("a/b/", "a/b"),
            ("a\\b.py", "a/b.py"),
            (".gitignore", ".gitignore"),
            ("Stratégie d'Ada (2).py", "Stratégie d'Ada (2).py"),
            ("...x", "...x"),
            ("com10.txt", "com10.txt"),
            ("console.js", "console.js"),
            ("auxiliaire.py", "auxiliaire.py"),
        ] {
            assert_eq!(read(raw.as_bytes()), Ok(kept.to_owned()), "{raw}");
        }
    }

    #[test]
    fn names_of_devices_are_refused_with_any_extension() {
        for raw in ["con", "AUX.py", "nul.tar.gz", "Com1", "lpt9.x", "COM¹", "prn .txt", "a/NUL/b"]
        {
            assert_eq!(read(raw.as_bytes()), Err(NameFault::Device), "{raw}");
        }
    }
}
