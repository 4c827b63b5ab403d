//! Literals: strings with their prefixes, raw strings, characters, template literals and regular expressions.

use super::{Scanner, is_word, sign};
use crate::language::Form;
use crate::token::Kind;

/// The longest regular expression in bytes. A `/` without its end within this length is a division.
const MAX_REGEX: usize = 400;

impl Scanner<'_> {
    /// Reads a literal that has its own form in this language, if one begins here.
    pub(super) fn form(&mut self) -> bool {
        self.syntax.forms.iter().any(|form| match form {
            Form::Lifetimes => self.starts(b"'") && self.lifetime_or_character(),
            Form::RustRawStrings => self.rust_raw_string(),
            Form::CppRawStrings => self.cpp_raw_string(),
            Form::Templates => self.template(),
            Form::Regexes => self.starts(b"/") && self.regex(),
            Form::Docstrings | Form::Directives => false,
        })
    }

    /// Reads a string literal with its prefix, if one begins here.
    pub(super) fn quote(&mut self) -> bool {
        let letters = (0..2).take_while(|&ahead| self.peek(ahead).is_ascii_alphanumeric()).count();
        let prefix = self.text[self.at..self.at + letters].to_ascii_lowercase();
        if letters > 0
            && !self.syntax.string_prefixes.iter().any(|known| known.as_bytes() == prefix)
        {
            return false;
        }
        let rest = &self.text[self.at + letters..];
        let Some(quote) = self.syntax.quotes.iter().find(|quote| rest.starts_with(quote.open))
        else {
            return false;
        };
        let line = self.line;
        self.advance(letters + quote.open.len());
        while self.at < self.text.len() && !self.starts(quote.close) {
            if self.starts(b"\n") && !quote.spans_lines {
                self.push(Kind::Text, line);
                return true;
            }
            self.advance(if self.starts(b"\\") { 2 } else { 1 });
        }
        self.advance(quote.close.len());
        self.push(Kind::Text, line);
        true
    }

    /// Reads a character of Rust, or drops a lifetime.
    fn lifetime_or_character(&mut self) -> bool {
        let line = self.line;
        let scalar = 1 + (2..5).take_while(|&ahead| self.peek(ahead) & 0xC0 == 0x80).count();
        if self.peek(1) != b'\\' && self.peek(1 + scalar) != b'\'' {
            self.advance(1);
            while self.at < self.text.len() && is_word(self.text[self.at]) {
                self.advance(1);
            }
            return true;
        }
        self.advance(if self.peek(1) == b'\\' { 3 } else { 1 + scalar });
        while self.at < self.text.len() && !self.starts(b"'") && !self.starts(b"\n") {
            self.advance(1);
        }
        self.advance(usize::from(self.starts(b"'")));
        self.push(Kind::Text, line);
        true
    }

    fn rust_raw_string(&mut self) -> bool {
        let prefix = if self.starts(b"r") { 1 } else { 2 };
        if prefix == 2 && !self.starts(b"br") && !self.starts(b"cr") {
            return false;
        }
        // More than 255 of these marks are an error in Rust.
        let marks = (0..256).take_while(|mark| self.peek(prefix + mark) == b'#').count();
        if self.peek(prefix + marks) != b'"' {
            return false;
        }
        let line = self.line;
        self.advance(prefix + marks + 1);
        self.advance_behind(&[b"\"", &*vec![b'#'; marks]].concat());
        self.push(Kind::Text, line);
        true
    }

    fn cpp_raw_string(&mut self) -> bool {
        if !self.starts(b"R\"") {
            return false;
        }
        // A mark has at most 16 bytes.
        let Some(mark) = (0..17).find(|&length| self.peek(2 + length) == b'(') else {
            return false;
        };
        let close = [b")", &self.text[self.at + 2..self.at + 2 + mark], b"\""].concat();
        let line = self.line;
        self.advance(3 + mark);
        self.advance_behind(&close);
        self.push(Kind::Text, line);
        true
    }

    /// Reads a part of a template literal, which ends where its code begins, or a brace in its code.
    fn template(&mut self) -> bool {
        match (self.text[self.at], self.templates.last_mut()) {
            (b'`', _) => {}
            (b'}', Some(0)) => {
                self.templates.pop();
            }
            (b'{', Some(open)) => {
                *open += 1;
                return false;
            }
            (b'}', Some(open)) => {
                *open -= 1;
                return false;
            }
            _ => return false,
        }
        let line = self.line;
        self.advance(1);
        while self.at < self.text.len() && !self.starts(b"`") && !self.starts(b"${") {
            self.advance(if self.starts(b"\\") { 2 } else { 1 });
        }
        if self.starts(b"${") {
            self.templates.push(0);
        }
        self.advance(if self.starts(b"${") { 2 } else { 1 });
        self.push(Kind::Text, line);
        true
    }

    /// Reads a regular expression, if this `/` begins one and does not divide.
    fn regex(&mut self) -> bool {
        if self.tokens.last().is_some_and(|last| self.is_operand(last.code)) {
            return false;
        }
        let (mut length, mut in_class) = (1, false);
        loop {
            match self.peek(length) {
                0 | b'\n' => return false,
                _ if length > MAX_REGEX => return false,
                b'\\' => length += 1,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => break,
                _ => {}
            }
            length += 1;
        }
        self.push(Kind::Text, self.line);
        self.advance(length + 1);
        while self.at < self.text.len() && is_word(self.text[self.at]) {
            self.advance(1);
        }
        true
    }

    /// Tests if a `/` behind this token divides.
    fn is_operand(&self, code: u32) -> bool {
        let operands = [Kind::Name, Kind::Number, Kind::Text, sign(b")"), sign(b"]"), sign(b"}")];
        let words = ["length", "size", "this"];
        let words = words.into_iter().filter_map(|word| self.known(word, true));
        operands.into_iter().chain(words).any(|kind| kind.code(self.language) == code)
    }
}
