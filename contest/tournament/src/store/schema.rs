//! The tables of the file.

/// Marks a `SQLite` file as ours: "pIUT".
pub(super) const APPLICATION_ID: i64 = 0x7049_5554;

/// Version of the format; files with another version are not read.
pub(super) const VERSION: i64 = 3;

/// Turns that a seat missed (`missed`) are the fault of the network (`missed_network`), of the host (`missed_host`), or
/// else of the player. Times (`begun`, `began`, `at`) are milliseconds since 1970; durations are microseconds. Seeds are
/// the signed numbers with the same bits. An attempt is a game that the host has spoilt, with the outcome that does not
/// count, if there was one. A voided result is a game with another key (`key`); its own key is `game`. `conditions`,
/// `schedule`, `limits`, `notes`, `team`, `fault_detail`, `usage` and `outcome` are JSON.
pub(super) const TABLES: &str = "
PRAGMA application_id = 0x70495554;
PRAGMA user_version = 3;

CREATE TABLE tournament (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    conditions TEXT NOT NULL,
    schedule TEXT NOT NULL,
    limits TEXT NOT NULL,
    begun INTEGER NOT NULL,
    notes TEXT NOT NULL DEFAULT '[]'
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
    missed_network INTEGER NOT NULL DEFAULT 0,
    missed_host INTEGER NOT NULL DEFAULT 0,
    malformed INTEGER NOT NULL,
    fault TEXT,
    fault_turn INTEGER,
    fault_detail TEXT,
    usage TEXT,
    PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;

CREATE TABLE conflict (
    game BLOB NOT NULL REFERENCES game (key),
    at INTEGER NOT NULL,
    kept TEXT NOT NULL,
    received TEXT NOT NULL
) STRICT;

CREATE TABLE attempt (
    game BLOB NOT NULL,
    at INTEGER NOT NULL,
    fault TEXT NOT NULL,
    outcome TEXT
) STRICT;

CREATE TABLE void (
    key BLOB PRIMARY KEY REFERENCES game (key),
    game BLOB NOT NULL,
    at INTEGER NOT NULL,
    reason TEXT NOT NULL
) STRICT;
";

/// Tables of tournaments whose teams connect to a hall, made when they are needed: versions that do not know them leave
/// them alone. `salt` is the unsigned number with the same bits; `secret` is a hash with this salt.
pub(super) const CLAIMS: &str = "
CREATE TABLE IF NOT EXISTS hall (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    salt INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS claim (
    team TEXT PRIMARY KEY,
    wanted TEXT NOT NULL,
    secret BLOB
) STRICT, WITHOUT ROWID;
";
