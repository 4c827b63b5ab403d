//! The tables of the file, and how files of earlier versions are brought up to date.

use rusqlite::Connection;

/// Marks a `SQLite` file as a course: "pIUC".
pub(crate) const APPLICATION_ID: i64 = 0x7049_5543;

/// The steps from each version of the format to the next one. A step never changes once it is released.
///
/// Times (`at`, `handed_in`, …) are seconds since 1970, a `day` is one since 1970. Processor times (`cpu`, `c0`, `credit`,
/// `charged` …) are microseconds; `charged` is `cpu` with the least charge of each game. Seeds are the
/// signed numbers with the same bits. A player (`p0` …) is the id of a version, or a house level as the negative of its
/// id. `members`, `verdict`, `deed`, the `players` of a challenge and the `result` of a comparison are JSON. A name in `alias` is in lower case.
const STEPS: &[&str] = &[
    "
CREATE TABLE course (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    begun INTEGER NOT NULL,
    ended INTEGER,
    token BLOB NOT NULL
) STRICT;

CREATE TABLE team (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    cohort TEXT NOT NULL,
    members TEXT NOT NULL,
    mail TEXT,
    pseudonym TEXT,
    token BLOB NOT NULL,
    disqualified TEXT,
    served INTEGER NOT NULL DEFAULT 0,
    credit INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE alias (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    team INTEGER NOT NULL REFERENCES team (id)
) STRICT;
CREATE INDEX alias_of_team ON alias (team);

CREATE TABLE invitation (
    code BLOB PRIMARY KEY,
    cohort TEXT NOT NULL,
    uses INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    team INTEGER,
    deed TEXT NOT NULL
) STRICT;

CREATE TABLE version (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    team INTEGER NOT NULL REFERENCES team (id),
    handed_in INTEGER NOT NULL,
    content BLOB NOT NULL,
    about TEXT NOT NULL,
    has_files INTEGER NOT NULL DEFAULT 1,
    state TEXT NOT NULL,
    withdrawn INTEGER NOT NULL DEFAULT 0,
    verdict TEXT,
    games INTEGER NOT NULL DEFAULT 0,
    cpu INTEGER NOT NULL DEFAULT 0,
    charged INTEGER NOT NULL DEFAULT 0,
    house_games INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX version_of_team ON version (team, handed_in);
CREATE INDEX version_state ON version (state) WHERE state IN ('received', 'checking');
CREATE INDEX version_content ON version (content) WHERE has_files = 1;

CREATE TABLE map (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

CREATE TABLE house (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    games INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE game (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key BLOB NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    map INTEGER NOT NULL REFERENCES map (id),
    seed INTEGER NOT NULL,
    recorded INTEGER NOT NULL,
    p0 INTEGER NOT NULL, r0 INTEGER NOT NULL, o0 INTEGER NOT NULL, f0 TEXT, c0 INTEGER NOT NULL,
    p1 INTEGER NOT NULL, r1 INTEGER NOT NULL, o1 INTEGER NOT NULL, f1 TEXT, c1 INTEGER NOT NULL,
    p2 INTEGER NOT NULL, r2 INTEGER NOT NULL, o2 INTEGER NOT NULL, f2 TEXT, c2 INTEGER NOT NULL,
    p3 INTEGER NOT NULL, r3 INTEGER NOT NULL, o3 INTEGER NOT NULL, f3 TEXT, c3 INTEGER NOT NULL
) STRICT;
CREATE INDEX game_recorded ON game (recorded) WHERE recorded > 0;

CREATE TABLE seat (
    version INTEGER NOT NULL REFERENCES version (id),
    game INTEGER NOT NULL REFERENCES game (id),
    PRIMARY KEY (version, game)
) STRICT, WITHOUT ROWID;

CREATE TABLE challenge (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    team INTEGER NOT NULL REFERENCES team (id),
    at INTEGER NOT NULL,
    players TEXT NOT NULL,
    asked INTEGER NOT NULL,
    games INTEGER NOT NULL
) STRICT;
CREATE INDEX challenge_of_team ON challenge (team, at);
CREATE INDEX challenge_open ON challenge (players) WHERE games > 0;

CREATE TABLE comparison (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    team INTEGER NOT NULL REFERENCES team (id),
    at INTEGER NOT NULL,
    newer INTEGER NOT NULL REFERENCES version (id),
    older INTEGER NOT NULL REFERENCES version (id),
    result TEXT
) STRICT;
CREATE INDEX comparison_of_team ON comparison (team, at);
CREATE INDEX comparison_open ON comparison (id) WHERE result IS NULL;

CREATE TABLE recording (
    game INTEGER PRIMARY KEY REFERENCES game (id),
    bytes BLOB NOT NULL
) STRICT;

CREATE TABLE output (
    game INTEGER NOT NULL REFERENCES game (id),
    version INTEGER NOT NULL REFERENCES version (id),
    bytes BLOB NOT NULL,
    PRIMARY KEY (game, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE rating_day (
    team INTEGER NOT NULL REFERENCES team (id),
    day INTEGER NOT NULL,
    version INTEGER NOT NULL REFERENCES version (id),
    rating REAL NOT NULL,
    low REAL NOT NULL,
    high REAL NOT NULL,
    games INTEGER NOT NULL,
    PRIMARY KEY (day, team)
) STRICT, WITHOUT ROWID;
",
    "
ALTER TABLE output ADD COLUMN thoughts BLOB NOT NULL DEFAULT x'';
ALTER TABLE course ADD COLUMN paused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE house ADD COLUMN plays INTEGER NOT NULL DEFAULT 1;
",
];

/// The version of the format that this program writes.
pub(crate) fn version() -> i64 {
    number_of(STEPS)
}

/// Brings the tables from a version up to date, each step in one transaction with its number.
pub(crate) fn upgrade(db: &mut Connection, from: i64) -> rusqlite::Result<()> {
    apply(db, STEPS, from)
}

fn number_of(steps: &[&str]) -> i64 {
    i64::try_from(steps.len()).unwrap_or(i64::MAX)
}

fn apply(db: &mut Connection, steps: &[&str], from: i64) -> rusqlite::Result<()> {
    for (number, step) in (1..).zip(steps).skip_while(|(number, _)| *number <= from) {
        let transaction = db.transaction()?;
        transaction.execute_batch(step)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", number)?;
        transaction.commit()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_any_earlier_version_is_brought_up_to_date() {
        let steps =
            ["CREATE TABLE a (x)", "ALTER TABLE a ADD COLUMN y", "INSERT INTO a VALUES (1, 2)"];
        for from in 0..3_i64 {
            let mut db = Connection::open_in_memory().unwrap();
            apply(&mut db, &steps[..from.try_into().unwrap()], 0).unwrap();
            apply(&mut db, &steps, from).unwrap();
            apply(&mut db, &steps, 3).unwrap();
            let read = |what| db.query_row(what, [], |row| row.get::<_, i64>(0)).unwrap();
            assert_eq!(read("SELECT sum(y) FROM a"), 2);
            assert_eq!(read("PRAGMA user_version"), 3);
        }
    }

    #[test]
    fn a_step_that_fails_leaves_the_version_before() {
        let mut db = Connection::open_in_memory().unwrap();
        apply(&mut db, &["CREATE TABLE a (x)", "CREATE TABLE b (x); nonsense"], 0).unwrap_err();
        let tables = "SELECT group_concat(name) FROM sqlite_schema";
        assert_eq!(db.query_row(tables, [], |row| row.get::<_, String>(0)).unwrap(), "a");
        assert_eq!(db.query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0)).unwrap(), 1);
    }
}
