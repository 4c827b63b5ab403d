//! The scanner: from the bytes of a file to its tokens, for every language.
//!
//! Comments, blank lines, docstrings, directives of the C preprocessor, commas and semicolons vanish; so does the indentation
//! of Python. The scanner accepts any bytes. It never goes back further than the start of a token, and looks a bounded number
//! of bytes ahead, so its time is linear in the length of the file.

mod literals;
#[cfg(test)]
mod tests;

use rustc_hash::FxHashMap;

use super::language::{Form, Language, Syntax};
use super::token::{Kind, Token};

/// Operators of more than one byte, of all languages. The longer ones come first.
const OPERATORS: [&[u8]; 33] = [
    b"===", b"!==", b"**=", b"//=", b"<<=", b">>=", b"&&=", b"||=", b"??=", b"...", b"..=", b"->",
    b"=>", b"::", b"==", b"!=", b"<=", b">=", b"&&", b"||", b"??", b"?.", b"++", b"--", b"+=",
    b"-=", b"*=", b"/=", b"%=", b"**", b"<<", b":=", b"..",
];

/// Reads the tokens of a file: all of them, or, of more than `most`, a few more than `most`.
pub(crate) fn scan(language: Language, text: &[u8], most: usize) -> Vec<Token> {
    let syntax = language.syntax();
    let words = syntax.words.split(' ').map(|word| (word, false));
    let library = syntax.library.split(' ').map(|word| (word, true));
    let words = words.chain(library).zip(0..);
    let mut scanner = Scanner {
        language,
        syntax,
        words: words.map(|((word, in_library), index)| (word, (index, in_library))).collect(),
        text,
        at: 0,
        line: 1,
        depth: 0,
        statement: 0,
        templates: Vec::new(),
        tokens: Vec::new(),
    };
    while scanner.at < text.len() && scanner.tokens.len() <= most {
        scanner.step();
    }
    scanner.end_statement();
    scanner.tokens
}

struct Scanner<'a> {
    language: Language,
    syntax: &'static Syntax,
    /// For each known word, its index, and whether it belongs to the library.
    words: FxHashMap<&'static str, (u8, bool)>,
    text: &'a [u8],
    at: usize,
    line: u32,
    /// Number of open brackets; only the statements of Python depend on it.
    depth: u32,
    /// The index of the first token of the statement.
    statement: usize,
    /// For each template literal around this place, the number of open braces in its code.
    templates: Vec<u32>,
    tokens: Vec<Token>,
}

impl Scanner<'_> {
    /// Goes on by a token, a comment or a blank.
    fn step(&mut self) {
        let byte = self.text[self.at];
        match byte {
            b'\n' => {
                if self.depth == 0 {
                    self.end_statement();
                }
                self.advance(1);
            }
            b'\\' => self.advance(2),
            _ if byte.is_ascii_whitespace() || byte.is_ascii_control() => self.advance(1),
            _ if self.comment() || self.form() || self.quote() => {}
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_ascii_digit() => self.number(),
            _ if is_word(byte) => self.word(),
            _ => self.sign(),
        }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn starts(&self, with: &[u8]) -> bool {
        self.text[self.at..].starts_with(with)
    }

    fn has(&self, form: Form) -> bool {
        self.syntax.forms.contains(&form)
    }

    /// Goes on by some bytes, and counts their lines.
    fn advance(&mut self, bytes: usize) {
        let end = (self.at + bytes).min(self.text.len());
        for byte in &self.text[self.at..end] {
            self.line += u32::from(*byte == b'\n');
        }
        self.at = end;
    }

    /// Goes on behind the next `mark`, or to the end of the file.
    fn advance_behind(&mut self, mark: &[u8]) {
        while self.at < self.text.len() && !self.starts(mark) {
            self.advance(1);
        }
        self.advance(mark.len());
    }

    /// Adds a token that began at `line`. Of literals of a kind in a row, only the first one counts: tables are all alike.
    fn push(&mut self, kind: Kind, line: u32) {
        let code = kind.code(self.language);
        let is_literal = matches!(kind, Kind::Text | Kind::Number);
        let repeats = self.tokens[self.statement..].last().is_some_and(|last| last.code == code);
        if !(is_literal && repeats) {
            self.tokens.push(Token { code, line });
        }
    }

    /// Ends a statement, and drops it if it is only a string.
    fn end_statement(&mut self) {
        let text = Kind::Text.code(self.language);
        if self.has(Form::Docstrings)
            && self.tokens[self.statement..].iter().all(|token| token.code == text)
        {
            self.tokens.truncate(self.statement);
        }
        self.statement = self.tokens.len();
    }

    fn comment(&mut self) -> bool {
        let is_directive = self.has(Form::Directives) && self.starts(b"#");
        if is_directive
            || self.starts(self.syntax.line_comment)
            || (self.at == 0 && self.starts(b"#!/"))
        {
            while self.at < self.text.len() && self.text[self.at] != b'\n' {
                // A backslash continues a directive on the next line.
                self.advance(if is_directive && self.starts(b"\\") { 2 } else { 1 });
            }
            return true;
        }
        let Some([open, close]) = self.syntax.block_comment else { return false };
        if !self.starts(open) {
            return false;
        }
        let mut depth = 0_u32;
        loop {
            if self.starts(open) && (depth == 0 || self.syntax.nested_comments) {
                depth += 1;
                self.advance(open.len());
            } else if self.starts(close) {
                depth -= 1;
                self.advance(close.len());
            } else {
                self.advance(1);
            }
            if depth == 0 || self.at == self.text.len() {
                return true;
            }
        }
    }

    /// Reads a number with its suffix; it may have a sign in its exponent.
    fn number(&mut self) {
        self.push(Kind::Number, self.line);
        let is_hexadecimal = self.peek(0) == b'0' && matches!(self.peek(1), b'x' | b'X');
        let mut before = 0;
        while self.at < self.text.len() {
            let byte = self.text[self.at];
            let goes_on = is_word(byte)
                || (byte == b'.'
                    && before != b'.'
                    && self.peek(1) != b'.'
                    && !self.peek(1).is_ascii_alphabetic())
                || (byte == b'\'' && self.language == Language::C && self.peek(1).is_ascii_digit())
                || (matches!(byte, b'+' | b'-')
                    && matches!(before, b'e' | b'E')
                    && !is_hexadecimal);
            if !goes_on {
                return;
            }
            before = byte;
            self.advance(1);
        }
    }

    fn word(&mut self) {
        let length = self.text[self.at..].iter().take_while(|byte| is_word(**byte)).count();
        let word = str::from_utf8(&self.text[self.at..self.at + length]).unwrap_or_default();
        let behind_dot =
            self.tokens.last().is_some_and(|last| last.code == sign(b".").code(self.language));
        let is_member = behind_dot || self.peek(length) == b'(';
        self.push(self.known(word, is_member).unwrap_or(Kind::Name), self.line);
        self.advance(length);
    }

    /// The kind of a word that is no name.
    fn known(&self, word: &str, is_member: bool) -> Option<Kind> {
        let &(index, in_library) = self.words.get(word)?;
        (is_member || !in_library).then_some(Kind::Word(index))
    }

    fn sign(&mut self) {
        let byte = self.text[self.at];
        match byte {
            b'(' | b'[' | b'{' => self.depth += 1,
            b')' | b']' | b'}' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        let operator = OPERATORS.iter().find(|operator| self.starts(operator));
        let length = operator.map_or(1, |operator| operator.len());
        if !matches!(byte, b',' | b';') {
            self.push(sign(&self.text[self.at..self.at + length]), self.line);
        }
        self.advance(length);
    }
}

/// A sign of at most three bytes.
fn sign(bytes: &[u8]) -> Kind {
    Kind::Sign(std::array::from_fn(|index| bytes.get(index).copied().unwrap_or(0)))
}

/// Tests if a byte may be in a name. All bytes of letters beyond ASCII may.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}
