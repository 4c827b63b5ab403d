//! Values of the tables: ids, and columns that hold JSON.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, Type, ValueRef};
use rusqlite::{Error, Row};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A time in seconds since 1970 (UTC).
pub type Seconds = u64;

/// Makes a number of a table an id.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub(crate) u32);

        impl $name {
            /// The id with this number, which may come from a link; there may be nothing of this id.
            #[must_use]
            pub fn from_number(number: u32) -> Self {
                Self(number)
            }

            /// The number, for links.
            pub fn number(self) -> u32 {
                self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(self.0.into())
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                u32::column_result(value).map(Self)
            }
        }
    };
}

id! {
    /// A team of a course.
    TeamId
}
id! {
    /// A version of a team's bot. A later version has a greater number.
    VersionId
}

/// A value that a column keeps as JSON.
pub(crate) fn json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text)
        .map_err(|error| Error::FromSqlConversionFailure(column, Type::Text, error.into()))
}

/// A value of a table that this program does not know.
pub(crate) fn unknown(value: &str) -> FromSqlError {
    FromSqlError::Other(format!("{value:?}?").into())
}

/// A whole number that is not negative.
pub(crate) fn unsigned(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let value = row.get(column)?;
    u64::try_from(value).map_err(|_| Error::IntegralValueOutOfRange(column, value))
}
