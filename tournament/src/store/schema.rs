//! The tables of the file.

/// Marks a `SQLite` file as ours: "pIUT".
pub(super) const APPLICATION_ID: i64 = 0x7049_5554;

/// Of the format; a file with a higher one is not read.
pub(super) const VERSION: i64 = 1;

/// Times are milliseconds since 1970 (`begun`, `began`, `at`); durations, microseconds. Seeds are the
/// signed number with the same bits.
pub(super) const TABLES: &str = "
PRAGMA application_id = 0x70495554;
PRAGMA user_version = 1;

CREATE TABLE tournament (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    conditions TEXT NOT NULL,
    schedule TEXT NOT NULL,
    limits TEXT NOT NULL,
    begun INTEGER NOT NULL
) STRICT;

CREATE TABLE map (
    place INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    text TEXT NOT NULL
) STRICT;

CREATE TABLE team (
    place INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    team TEXT NOT NULL
) STRICT;

CREATE TABLE game (
    key BLOB PRIMARY KEY,
    matchup BLOB NOT NULL,
    round INTEGER NOT NULL,
    map TEXT NOT NULL,
    seed INTEGER NOT NULL,
    turns INTEGER NOT NULL,
    elapsed INTEGER NOT NULL,
    began INTEGER NOT NULL,
    took INTEGER NOT NULL,
    recording BLOB NOT NULL
) STRICT;

CREATE TABLE seat (
    game BLOB NOT NULL REFERENCES game (key),
    seat INTEGER NOT NULL,
    team TEXT NOT NULL,
    version TEXT NOT NULL,
    is_house INTEGER NOT NULL,
    points INTEGER NOT NULL,
    rank INTEGER NOT NULL,
    first INTEGER NOT NULL,
    others INTEGER NOT NULL,
    answers INTEGER NOT NULL,
    longest INTEGER NOT NULL,
    missed INTEGER NOT NULL,
    malformed INTEGER NOT NULL,
    fault TEXT,
    fault_turn INTEGER,
    fault_detail TEXT,
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE conflict (
    game BLOB NOT NULL REFERENCES game (key),
    at INTEGER NOT NULL,
    kept TEXT NOT NULL,
    received TEXT NOT NULL
) STRICT;

CREATE TABLE run (
    mark TEXT PRIMARY KEY
) STRICT;
";
