//! The view of a course that everybody may have.

use std::collections::BTreeMap;

use crate::{CourseError, CourseReader, LadderRating, Player, RatingDay};

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

/// The public rating of a team on a day.
#[derive(Clone, Debug, PartialEq)]
pub struct PublicRatingDay {
    /// The name or pseudonym of the team.
    pub name: String,
    /// The day, in days since 1970 (UTC).
    pub day: u32,
    /// The rating; 1500 for the mean of the house levels.
    pub rating: f64,
    /// The lower end of its 95 % confidence interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// Number of games of the version that played.
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

    /// The ratings of all teams that are not disqualified, by day.
    ///
    /// # Errors
    ///
    /// When the course cannot be read.
    pub fn rating_days(&self) -> Result<Vec<PublicRatingDay>, CourseError> {
        let teams = self.course.teams()?.into_iter().filter(|team| team.disqualified.is_none());
        let names: BTreeMap<_, _> =
            teams.map(|team| (team.id, team.public_name().to_owned())).collect();
        let public = |RatingDay { team, day, rating, low, high, games, .. }| {
            let name = names.get(&team)?.clone();
            Some(PublicRatingDay { name, day, rating, low, high, games })
        };
        Ok(self.course.rating_days()?.into_iter().filter_map(public).collect())
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
