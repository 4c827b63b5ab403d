//! The proofs with which the teams of a hall get their places back after a restart.

use std::collections::BTreeMap;

use arena::hall::{SeatClaim, SecretHash};
use protocol::Name;
use rusqlite::{OptionalExtension, params};

use super::{Store, StoreError, schema};

impl Store {
    /// The salt of the hashes of secrets; `new`, a secret random number, if the file has none yet.
    ///
    /// # Errors
    ///
    /// When the salt cannot be read or written.
    pub fn salt(&mut self, new: u64) -> Result<u64, StoreError> {
        self.write(|transaction| {
            transaction.execute_batch(schema::CLAIMS)?;
            transaction.execute(
                "INSERT OR IGNORE INTO hall (id, salt) VALUES (1, ?)",
                [new.cast_signed()],
            )?;
            let select = "SELECT salt FROM hall";
            transaction.query_row(select, [], |row| Ok(row.get::<_, i64>(0)?.cast_unsigned()))
        })
    }

    /// The claims of teams, by their names.
    ///
    /// # Errors
    ///
    /// When the claims cannot be read.
    pub fn claims(&self) -> Result<BTreeMap<String, SeatClaim>, StoreError> {
        let table = "SELECT 1 FROM sqlite_schema WHERE name = 'claim'";
        if self.sql(self.db.query_row(table, [], |_| Ok(())).optional())?.is_none() {
            return Ok(BTreeMap::new());
        }
        let claims = self.rows("SELECT team, wanted, secret FROM claim", |row| {
            let (wanted, secret) = (row.get::<_, String>(1)?, row.get::<_, Option<_>>(2)?);
            let secret = secret.map(SecretHash::from_bytes);
            Ok((row.get(0)?, SeatClaim { wanted: Name::new(&wanted), secret }))
        })?;
        Ok(claims.into_iter().collect())
    }

    /// Keeps the claims of teams, by their names, instead of earlier ones.
    ///
    /// # Errors
    ///
    /// When the claims cannot be written; then none of them is.
    pub fn keep_claims<'a>(
        &mut self,
        claims: impl IntoIterator<Item = (&'a str, &'a SeatClaim)>,
    ) -> Result<(), StoreError> {
        self.write(|transaction| {
            transaction.execute_batch(schema::CLAIMS)?;
            let replace = "INSERT OR REPLACE INTO claim (team, wanted, secret) VALUES (?, ?, ?)";
            let mut replace = transaction.prepare(replace)?;
            for (team, SeatClaim { wanted, secret }) in claims {
                let secret = secret.as_ref().map(SecretHash::as_bytes);
                replace.execute(params![team, wanted.as_str(), secret])?;
            }
            Ok(())
        })
    }
}
