//! The programs that are compared, as files.

/// A file of a program (*fichier source*).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name, whose extension tells the language. Files without a known language are not read.
    pub name: String,
    /// The content: any bytes.
    pub text: Vec<u8>,
}

impl Source {
    /// A file with this name and content.
    pub fn new(name: impl Into<String>, text: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), text: text.into() }
    }
}

/// A program (*programme*): the files of a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The name, for people.
    pub name: String,
    /// The files.
    pub sources: Vec<Source>,
}
