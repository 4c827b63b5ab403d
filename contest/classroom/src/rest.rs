//! Hours of rest, in which the machine is for others.

use std::str::FromStr;

use jiff::civil::Time;
use language::said;

/// A part of each day, by the local clock. It may go over midnight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rest {
    from: Time,
    to: Time,
}

/// A text that is no part of a day.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", said!(
    "{_0:?}: expected two times of the day, as 08:00-12:30",
    "{_0:?} : deux heures de la journée sont attendues, comme 08:00-12:30"
))]
pub struct NoRest(String);

impl Rest {
    /// Tests if a time of the day is in this part.
    pub fn holds(&self, time: Time) -> bool {
        if self.from <= self.to {
            (self.from..self.to).contains(&time)
        } else {
            time >= self.from || time < self.to
        }
    }

    /// Tests if the present time is in one of these parts.
    pub(crate) fn is_now(all: &[Self]) -> bool {
        !all.is_empty() && all.iter().any(|rest| rest.holds(jiff::Zoned::now().time()))
    }
}

impl FromStr for Rest {
    type Err = NoRest;

    fn from_str(text: &str) -> Result<Self, NoRest> {
        let no_rest = || NoRest(text.to_owned());
        let (from, to) = text.split_once('-').ok_or_else(no_rest)?;
        let time = |text: &str| {
            let (hour, minute) = text.trim().split_once(':').ok_or_else(no_rest)?;
            let number = |digits: &str| digits.parse().map_err(|_| no_rest());
            Time::new(number(hour)?, number(minute)?, 0, 0).map_err(|_| no_rest())
        };
        let rest = Self { from: time(from)?, to: time(to)? };
        if rest.from == rest.to { Err(no_rest()) } else { Ok(rest) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_of_rest_may_go_over_midnight() {
        let at = |hour, minute| Time::new(hour, minute, 0, 0).unwrap();
        let morning: Rest = "08:00-12:30".parse().unwrap();
        let night: Rest = "22:00 - 6:15".parse().unwrap();
        for (rest, time, expected) in [
            (morning, at(7, 59), false),
            (morning, at(8, 0), true),
            (morning, at(12, 29), true),
            (morning, at(12, 30), false),
            (night, at(23, 0), true),
            (night, at(0, 0), true),
            (night, at(6, 14), true),
            (night, at(6, 15), false),
            (night, at(21, 59), false),
        ] {
            assert_eq!(rest.holds(time), expected, "{rest:?} {time}");
        }
        for text in ["", "8-12", "08:00", "08:00-24:00", "08:60-09:00", "08:00-08:00", "a:b-c:d"] {
            assert!(text.parse::<Rest>().is_err(), "{text}");
        }
    }
}
