//! The languages whose programs are compared, and what the scanner knows of each.

/// A programming language (*langage*). Programs in different languages have no tokens in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// Python 3.
    Python,
    /// Java.
    Java,
    /// JavaScript and TypeScript.
    JavaScript,
    /// Rust.
    Rust,
    /// C and C++.
    C,
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 5] = [Self::Python, Self::Java, Self::JavaScript, Self::Rust, Self::C];

    /// The language of a file, by the extension of its name; `None` for any other extension.
    ///
    /// ```
    /// use similarity::Language;
    ///
    /// assert_eq!(Language::of("bots/ada.py"), Some(Language::Python));
    /// assert_eq!(Language::of("notes.txt"), None);
    /// ```
    pub fn of(file: &str) -> Option<Self> {
        let (_, extension) = file.rsplit_once('.')?;
        Self::ALL.into_iter().find(|language| {
            language.syntax().extensions.iter().any(|known| known.eq_ignore_ascii_case(extension))
        })
    }

    pub(crate) fn syntax(self) -> &'static Syntax {
        match self {
            Self::Python => &PYTHON,
            Self::Java => &JAVA,
            Self::JavaScript => &JAVASCRIPT,
            Self::Rust => &RUST,
            Self::C => &C,
        }
    }
}

/// A form of string literals.
pub(crate) struct Quote {
    pub open: &'static [u8],
    pub close: &'static [u8],
    /// False if the end of the line ends the literal, too: it is an error there, and the scanner recovers.
    pub spans_lines: bool,
}

/// The lexical rules of a language.
pub(crate) struct Syntax {
    pub extensions: &'static [&'static str],
    pub line_comment: &'static [u8],
    pub block_comment: Option<[&'static [u8]; 2]>,
    /// True if block comments contain block comments.
    pub nested_comments: bool,
    /// Longer opening marks come first.
    pub quotes: &'static [Quote],
    /// Words that belong to the string literal which they precede, in lower case.
    pub string_prefixes: &'static [&'static str],
    /// Forms that only this language has.
    pub forms: &'static [Form],
    /// Keywords, and types of the standard library, between blanks.
    pub words: &'static str,
    /// Functions and methods of the standard library, between blanks. They have these names behind a dot or before a bracket;
    /// elsewhere a variable may be called so.
    pub library: &'static str,
}

/// A form of literals or lines that needs its own code in the scanner.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A statement that is only a string is a comment.
    Docstrings,
    /// `r#"…"#`, with any number of `#`.
    RustRawStrings,
    /// `R"mark(…)mark"`.
    CppRawStrings,
    /// `'a` without a closing quote.
    Lifetimes,
    /// `` `…${code}…` ``.
    Templates,
    /// `/…/flags`.
    Regexes,
    /// Lines that begin with `#`.
    Directives,
}

const fn line(quote: &'static [u8]) -> Quote {
    Quote { open: quote, close: quote, spans_lines: false }
}

const fn lines(quote: &'static [u8]) -> Quote {
    Quote { open: quote, close: quote, spans_lines: true }
}

const C_COMMENT: Option<[&[u8]; 2]> = Some([b"/*", b"*/"]);

static PYTHON: Syntax = Syntax {
    extensions: &["py", "pyw"],
    line_comment: b"#",
    block_comment: None,
    nested_comments: false,
    quotes: &[lines(b"\"\"\""), lines(b"'''"), line(b"\""), line(b"'")],
    string_prefixes: &["b", "br", "f", "fr", "r", "rb", "rf", "t", "u"],
    forms: &[Form::Docstrings],
    words: "False None True and as assert async await break class continue def del elif else except finally for \
        from global if import in is lambda match nonlocal not or pass raise return self try while with yield",
    library: "abs all any append choice copy deque dict enumerate extend filter float get heappop heappush index \
        insert int items join keys len list map max min next open pop popleft print random range remove \
        replace reversed round set sorted split str strip sum super tuple values zip",
};

static JAVA: Syntax = Syntax {
    extensions: &["java"],
    line_comment: b"//",
    block_comment: C_COMMENT,
    nested_comments: false,
    quotes: &[lines(b"\"\"\""), line(b"\""), line(b"'")],
    string_prefixes: &[],
    forms: &[],
    words: "ArrayDeque ArrayList HashMap HashSet Integer List Map Math Override PriorityQueue Set String \
        StringBuilder System abstract assert boolean break byte case catch char class continue default do \
        double else enum extends false final finally float for if implements import instanceof int interface \
        long new null package private protected public record return short static super switch this throw \
        throws true try var void while",
    library: "abs add append charAt contains containsKey equals get isEmpty length max min poll put remove size \
        split",
};

static JAVASCRIPT: Syntax = Syntax {
    extensions: &["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx"],
    line_comment: b"//",
    block_comment: C_COMMENT,
    nested_comments: false,
    quotes: &[line(b"\""), line(b"'")],
    string_prefixes: &[],
    forms: &[Form::Templates, Form::Regexes],
    words: "Array Infinity Map Math Number Object Set String as async await boolean break case catch class const \
        continue default delete do else enum export extends false finally for from function if implements \
        import in instanceof interface let new null number of private public readonly return static string \
        super switch this throw true try type typeof undefined var void while yield",
    library: "abs add concat entries every filter find floor forEach get has includes indexOf join keys length map \
        max min pop push random reduce set shift size slice some sort splice split values",
};

static RUST: Syntax = Syntax {
    extensions: &["rs"],
    line_comment: b"//",
    block_comment: C_COMMENT,
    nested_comments: true,
    quotes: &[lines(b"\"")],
    string_prefixes: &["b", "c"],
    forms: &[Form::RustRawStrings, Form::Lifetimes],
    words: "BinaryHeap Err HashMap HashSet None Ok Option Result Reverse Self Some String Vec VecDeque as async \
        await bool break char const continue crate dyn else enum extern f32 f64 false fn for i32 i64 i8 if \
        impl in let loop match mod move mut pub ref return self static str struct super trait true type u16 \
        u32 u64 u8 unsafe use usize vec where while",
    library: "abs clone collect contains copied extend filter find fold get insert is_empty iter len map max \
        max_by_key min min_by_key new pop pop_front push push_back sum unwrap zip",
};

static C: Syntax = Syntax {
    extensions: &["c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx"],
    line_comment: b"//",
    block_comment: C_COMMENT,
    nested_comments: false,
    quotes: &[line(b"\""), line(b"'")],
    string_prefixes: &["l", "u", "u8"],
    forms: &[Form::CppRawStrings, Form::Directives],
    words: "NULL auto bool break case catch char class const constexpr continue default delete do double else \
        enum extern false float for goto if inline int long namespace new nullptr operator private public \
        return short signed size_t sizeof static std string struct switch template this throw true try \
        typedef typename uint8_t union unsigned using virtual void volatile while",
    library: "abs begin calloc end free malloc map memcpy memset pair printf push push_back queue rand set size \
        strchr strcmp strlen vector",
};

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_word_is_in_one_list() {
        for language in Language::ALL {
            let Syntax { words, library, .. } = language.syntax();
            let all: Vec<&str> = words.split(' ').chain(library.split(' ')).collect();
            let distinct: BTreeSet<&str> = all.iter().copied().collect();
            assert!(all.len() == distinct.len() && all.len() <= 256, "{language:?}");
            assert!(!distinct.contains(""), "{language:?}");
        }
    }

    #[test]
    fn extensions_tell_languages() {
        for (file, language) in [
            ("a.py", Some(Language::Python)),
            ("src/Bot.JAVA", Some(Language::Java)),
            ("x.tsx", Some(Language::JavaScript)),
            ("main.rs", Some(Language::Rust)),
            ("bot.hpp", Some(Language::C)),
            ("Makefile", None),
            ("bot.pyc", None),
            ("", None),
        ] {
            assert_eq!(Language::of(file), language, "{file}");
        }
    }
}
