//! Remarks on flawed answers, in words.

use game::pacman::Orders;
use game::pyrat;
use language::Language;
use referee::{Cause, Transport};
use serde_json::Value;

use crate::export::Export;
use crate::turn::{Answer, AnswerFault, Flaw, Given};

/// The expected form of a malformed message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// The same letters as capitals.
    Capitals,
    /// Two letters: the pacman's direction and the ghost's.
    TwoLetters,
    /// One letter.
    OneLetter,
    /// Other letters.
    Letters,
}

impl Hint {
    /// Returns the word of the hint for programs.
    pub fn key(self) -> &'static str {
        match self {
            Self::Capitals => "capitals",
            Self::TwoLetters => "two",
            Self::OneLetter => "one",
            Self::Letters => "letters",
        }
    }

    fn words(self, letters: &str, language: Language) -> String {
        let what = match self {
            Self::Capitals => language.say("capitals", "majuscules"),
            Self::TwoLetters => language.say(
                "two letters, the pacman's and the ghost's, of",
                "deux lettres, pacman puis fantôme, parmi",
            ),
            Self::OneLetter => language.say("one letter of", "une seule lettre parmi"),
            Self::Letters => language.say("expected", "attendu"),
        };
        format!("{what} {letters}")
    }
}

impl Given {
    /// The fault as a number, the cause and the excerpt in a film; 0 and `null` for none.
    pub(crate) fn film_remark(&self) -> [Value; 3] {
        [
            self.fault().map_or(0, |fault| fault as u8).into(),
            self.cause.map(|cause| Export::Film.cause(cause)).into(),
            Export::Film.excerpt(self).into(),
        ]
    }

    /// Returns the expected form of the message; `None` if no malformed message was kept.
    pub fn hint(&self) -> Option<Hint> {
        let excerpt = self.excerpt.filter(|excerpt| excerpt.flaw == Flaw::Malformed)?;
        let capitals = excerpt.bytes().to_ascii_uppercase();
        match self.answer {
            Answer::Orders(_) => Some(match Orders::decode(&capitals) {
                Orders { pacman: Some(_), ghost: Some(_) } => Hint::Capitals,
                _ if capitals.len() < 2 => Hint::TwoLetters,
                _ => Hint::Letters,
            }),
            Answer::Action(_) => Some(match pyrat::Action::decode(&capitals) {
                pyrat::Action::Malformed if capitals.len() != 1 => Hint::OneLetter,
                pyrat::Action::Malformed => Hint::Letters,
                _ => Hint::Capitals,
            }),
            Answer::Missed | Answer::Unasked | Answer::Disconnected => None,
        }
    }

    /// Returns the fault and its evidence as a line without control characters; `None` for a flawless answer.
    ///
    /// ```
    /// use language::Language;
    /// use referee::Cause;
    /// use replay::{Answer, Excerpt, Flaw, Given};
    ///
    /// let mut given = Given::nothing(Answer::Missed);
    /// given.cause = Some(Cause::Bot);
    /// given.excerpt = Some(Excerpt::new(Flaw::Late, b"NE"));
    /// let remark = given.remark(Language::English);
    /// assert_eq!(remark.as_deref(), Some(r#"nothing came in time (bot), late answer "NE""#));
    /// ```
    pub fn remark(&self, language: Language) -> Option<String> {
        let (what, letters) = match self.answer {
            Answer::Action(_) => {
                (language.say("malformed answer", "réponse mal formée"), "N E S O X")
            }
            _ => (language.say("malformed order", "ordre mal formé"), "N E S O"),
        };
        let fault = match self.fault() {
            Some(AnswerFault::Missed) => {
                let missed = language.say("nothing came in time", "rien n'est arrivé à temps");
                let cause = self.cause.map(|cause| format!(" ({})", evidence(cause, language)));
                Some(format!("{missed}{}", cause.unwrap_or_default()))
            }
            Some(AnswerFault::Disconnected) => {
                Some(language.say("no connection", "pas de connexion").to_owned())
            }
            Some(AnswerFault::Malformed)
                if self.excerpt.is_none_or(|excerpt| excerpt.flaw == Flaw::Late) =>
            {
                Some(what.to_owned())
            }
            _ => None,
        };
        let excerpt = self.excerpt.map(|excerpt| match excerpt.flaw {
            Flaw::Late => {
                format!("{} {excerpt}", language.say("late answer", "réponse en retard"))
            }
            Flaw::Malformed => {
                let colon = language.say(":", " :");
                let hint = self.hint().map(|hint| hint.words(letters, language));
                let hint = hint.map(|hint| format!("{colon} {hint}"));
                format!("{what} {excerpt}{}", hint.unwrap_or_default())
            }
        });
        let parts: Vec<String> = fault.into_iter().chain(excerpt).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// Returns a cause with its evidence, in words.
fn evidence(cause: Cause, language: Language) -> String {
    let [network, host, colon] = match language {
        Language::English => ["network", "host", ":"],
        Language::French => ["réseau", "machine", " :"],
    };
    match cause {
        Cause::Bot => cause.word().to_owned(),
        Cause::Network(Transport { rtt, unacknowledged, retransmits, queued }) => {
            let unanswered = language.say("unacknowledged", "sans accusé");
            let retransmitted = language.say("retransmits", "retransmissions");
            let waiting = language.say("bytes queued", "octets en attente");
            let rtt = rtt.as_millis();
            format!(
                "{network}{colon} rtt {rtt} ms, {unacknowledged} {unanswered}, \
                 {retransmits} {retransmitted}, {queued} {waiting}"
            )
        }
        Cause::Host(stalled) => {
            let what = language.say("stalled for", "arrêtée");
            format!("{host}{colon} {what} {} ms", stalled.as_millis())
        }
    }
}
