//! Faults of uploads as a whole.

use language::{Language, Note, note};

use crate::{Format, LeftOut, Quoted, left_out};

/// A fault of an uploaded file, or of an archive as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArchiveFault {
    /// The upload has no bytes.
    Empty,
    /// The upload has more bytes than this limit.
    UploadTooLarge(u64),
    /// The file has this name and is none of the formats that are taken.
    UnknownKind(Quoted),
    /// The name of the file promises a text, and the file is none.
    NotText(Quoted),
    /// The content is not of the format that the name promises.
    Not(Format),
    /// The name promises a program, but the content is an archive of this format.
    Disguised(Quoted, Format),
    /// The archive ends too early.
    Truncated(Format),
    /// The archive is damaged.
    Damaged(Format),
    /// Other bytes follow the end of the archive.
    Trailing(Format),
    /// There are more files or folders than this limit from this entry on.
    TooManyFiles(Quoted, usize),
    /// There are more bytes than this limit from this entry on, if it is known.
    TooManyBytes(Option<Quoted>, u64),
    /// The archive has no file but those that were left out.
    NoFiles(Vec<LeftOut>),
}

impl ArchiveFault {
    /// The fault in words.
    pub fn words(&self) -> Note {
        match self {
            Self::Empty => note!(
                "the file is empty; expected a program or an archive",
                "le fichier est vide ; un programme ou une archive est attendu",
            ),
            Self::UploadTooLarge(limit) => {
                let [en, fr] = sizes(*limit);
                Note::new(
                    format!("the file is too large; expected at most {en}"),
                    format!("le fichier est trop grand ; {fr} au plus sont attendus"),
                )
            }
            Self::UnknownKind(name) => note!(
                "`{name}` is of no known kind; expected .zip, .tar.gz, .tgz, .tar, .py, .js, .java, .jar, or a program for \
                 Linux (ELF or a `#!` line)",
                "`{name}` est d'un type inconnu ; .zip, .tar.gz, .tgz, .tar, .py, .js, .java, .jar, ou un programme \
                 pour Linux (ELF ou une ligne `#!`) est attendu",
            ),
            Self::NotText(name) => note!(
                "`{name}` is no text; expected the source of a program in UTF-8",
                "`{name}` n'est pas un texte ; la source d'un programme en UTF-8 est attendue",
            ),
            Self::Not(format) => in_both(*format, |format| {
                note!(
                    "the file is not {format}, as its name says; pack it again",
                    "le fichier n'est pas {format}, comme le dit son nom ; refaites l'archive",
                )
            }),
            Self::Disguised(name, format) => in_both(*format, |format| {
                note!(
                    "`{name}` is {format}; give it the name of one",
                    "`{name}` est {format} ; donnez-lui un nom qui le dit",
                )
            }),
            Self::Truncated(format) => in_both(*format, |format| {
                note!(
                    "{format} that ends too early; pack or send it again",
                    "{format} qui s'arrête trop tôt ; refaites l'archive ou renvoyez-la",
                )
            }),
            Self::Damaged(format) => in_both(*format, |format| {
                note!(
                    "{format} that is damaged; pack or send it again",
                    "{format} qui ne se lit pas ; refaites l'archive ou renvoyez-la",
                )
            }),
            Self::Trailing(format) => in_both(*format, |format| {
                note!(
                    "{format} with other bytes after its end; pack it again",
                    "{format} avec d'autres octets après sa fin ; refaites l'archive",
                )
            }),
            Self::TooManyFiles(name, limit) => note!(
                "more than {limit} files or folders, the first one too many is `{name}`; leave out what does not play",
                "plus de {limit} fichiers ou dossiers, le premier de trop est `{name}` ; retirez ce qui ne joue pas",
            ),
            Self::TooManyBytes(name, limit) => too_many_bytes(name.as_ref(), *limit),
            Self::NoFiles(left) => {
                let why = note!(
                    "no file is in the archive; expected at least one",
                    "l'archive ne contient aucun fichier ; un au moins est attendu",
                );
                left_out::words(left).map_or(why.clone(), |left| why.because(&left))
            }
        }
    }
}

/// A text with a format in it, in both languages.
fn in_both(format: Format, text: impl Fn(&str) -> Note) -> Note {
    let of = |language| text(format.words().say(language));
    Note::new(of(Language::English).en, of(Language::French).fr)
}

fn too_many_bytes(name: Option<&Quoted>, limit: u64) -> Note {
    let [en, fr] = sizes(limit);
    let why = Note::new(
        format!("more than {en} once unpacked; leave out what does not play"),
        format!("plus de {fr} une fois décompressé ; retirez ce qui ne joue pas"),
    );
    name.map_or(why.clone(), |name| Note::same(format!("`{name}`")).because(&why))
}

/// A number of bytes in English and in French.
fn sizes(bytes: u64) -> [String; 2] {
    let size = |language: Language| {
        let megabyte = 1_000_000;
        if bytes >= megabyte && bytes.is_multiple_of(megabyte) {
            let unit = language.say("MB", "Mo");
            format!("{} {unit}", language.whole(bytes / megabyte))
        } else {
            let unit = language.plural(bytes, "byte", "bytes");
            let unit = language.say(unit, language.plural(bytes, "octet", "octets"));
            format!("{} {unit}", language.whole(bytes))
        }
    };
    [size(Language::English), size(Language::French)]
}
