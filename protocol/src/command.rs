//! The words of a command that starts a client: placeholders in them stand for its name and for the address of its server.

/// The placeholders of the name, the address and the port, in the order of the arguments of the example bots.
pub const PLACEHOLDERS: [&str; 3] = ["{nom}", "{serveur}", "{port}"];
/// The same in English.
const ENGLISH: [&str; 3] = ["{name}", "{server}", "{port}"];

/// Tests if a word of a command has a placeholder.
///
/// ```
/// use protocol::command::has_placeholder;
///
/// assert!(has_placeholder("--port={port}") && has_placeholder("{name}"));
/// assert!(!has_placeholder("{bot}.py"));
/// ```
pub fn has_placeholder(word: &str) -> bool {
    PLACEHOLDERS.iter().chain(&ENGLISH).any(|placeholder| word.contains(placeholder))
}

/// A word of a command with the name of the team, the address of the server and its port in place of the placeholders.
///
/// ```
/// use protocol::command::filled;
///
/// assert_eq!(filled("{server}:{port}", "Ada", "127.0.0.1", 1111), "127.0.0.1:1111");
/// assert_eq!(filled("--equipe={nom}", "{port}", "127.0.0.1", 1111), "--equipe={port}");
/// ```
pub fn filled(word: &str, name: &str, server: &str, port: u16) -> String {
    // The name comes last, so that nothing in it is replaced.
    let values = [(2, &*port.to_string()), (1, server), (0, name)];
    values.into_iter().fold(word.to_owned(), |word, (index, value)| {
        word.replace(PLACEHOLDERS[index], value).replace(ENGLISH[index], value)
    })
}
