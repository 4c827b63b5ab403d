//! What everybody may see.

use crate::{CourseError, CourseReader, LadderRating, Player};

/// A course as everybody sees it.
#[derive(Clone, Copy, Debug)]
pub struct PublicView<'a> {
    course: &'a CourseReader,
}

/// A row of the public ladder.
#[derive(Clone, Debug, PartialEq)]
pub struct PublicRating {
    /// The name or pseudonym of the team, or the name of the house level.
    pub name: String,
    /// The group of the team; empty for the house.
    pub group: String,
    /// True for a level of the house.
    pub is_house: bool,
    /// The rating; 1500 for the mean of the house levels.
    pub rating: f64,
    /// The lower end of its 95 % confidence interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// Number of games of the version that plays.
    pub games: u32,
}

impl CourseReader {
    /// The course as everybody sees it.
    pub fn public(&self) -> PublicView<'_> {
        PublicView { course: self }
    }
}

impl PublicView<'_> {
    /// The ladder, best first; of equals, by name.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn ladder(&self) -> Result<Vec<PublicRating>, CourseError> {
        let mut rows = Vec::new();
        for LadderRating { player, team, rating, low, high, games } in self.course.ratings()? {
            let team = team.map(|team| self.course.team(team)).transpose()?;
            let is_house = team.is_none();
            let (name, group) = match (team, player) {
                (Some(team), _) => (team.public_name().to_owned(), team.about.group),
                (None, Player::House(name)) => (name, String::new()),
                (None, Player::Version(_)) => continue,
            };
            rows.push(PublicRating { name, group, is_house, rating, low, high, games });
        }
        rows.sort_by(|one, other| {
            other.rating.total_cmp(&one.rating).then_with(|| one.name.cmp(&other.name))
        });
        Ok(rows)
    }

    /// Number of games that were played.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn games(&self) -> Result<u64, CourseError> {
        self.course.game_count()
    }
}
