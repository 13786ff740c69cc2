//! State shared by all instances: pinned tool definitions, stops, and settings.

use doorward_core::id::Digest;
use jiff::Timestamp;
use sqlx::Row as _;

use crate::db::{Store, time};
use crate::epochs::{Epochs, bump};
use crate::error::StoreError;
use crate::seals::{lift_text, pin_text};

/// A tool definition that was seen, and its approval state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pin {
    /// MCP server.
    pub server: String,
    /// Tool.
    pub tool: String,
    /// `pending`, `approved`, `changed`, `blocked`.
    pub state: String,
    /// Digest of the approved canonical definition; none before the first approval.
    pub digest: Option<Digest>,
    /// The definition.
    pub definition: String,
    /// Who set its state.
    pub by: String,
}

/// A stop, in effect until a person lifts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    /// `all`, `session:ID`, `agent:NAME`, `server:NAME`.
    pub scope: String,
    /// Who stopped it.
    pub by: String,
    /// Why.
    pub reason: String,
    /// When it was stopped.
    pub at: Timestamp,
}

impl Store {
    /// Stores a pin; replaces an earlier one for the same server and tool.
    pub async fn put_pin(&self, pin: &Pin) -> Result<(), StoreError> {
        let replace = "do update set state = $3, digest = $4, definition = $5, by_ = $6, at = $7, seal = $8";
        self.write_pin(pin, replace).await
    }

    /// Stores a pin unless there is one for this server and tool.
    pub async fn add_pin(&self, pin: &Pin) -> Result<(), StoreError> {
        self.write_pin(pin, "do nothing").await
    }

    async fn write_pin(&self, pin: &Pin, if_there_is_one: &str) -> Result<(), StoreError> {
        let text = format!(
            "insert into pin (server, tool, state, digest, definition, by_, at, seal)
             values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (server, tool) {if_there_is_one}"
        );
        sqlx::query(sqlx::AssertSqlSafe(text))
            .bind(pin.server.as_str())
            .bind(pin.tool.as_str())
            .bind(pin.state.as_str())
            .bind(pin.digest.as_ref().map_or("", Digest::as_str))
            .bind(pin.definition.as_str())
            .bind(pin.by.as_str())
            .bind(Timestamp::now().as_millisecond())
            .bind(self.sealed(&pin_text(pin)))
            .execute(&self.write)
            .await?;
        Ok(())
    }

    /// The pins of a server; of all servers if the name is empty.
    pub async fn pins(&self, server: &str) -> Result<Vec<Pin>, StoreError> {
        let rows = sqlx::query(
            "select server, tool, state, digest, definition, by_, seal from pin where server = $1 or $1 = '' order by \
             server, tool",
        )
        .bind(server)
        .fetch_all(&self.read)
        .await?;
        let mut pins = Vec::new();
        for row in &rows {
            let digest = Some(row.try_get::<String, _>("digest")?).filter(|text| !text.is_empty());
            let pin = Pin {
                server: row.try_get("server")?,
                tool: row.try_get("tool")?,
                state: row.try_get("state")?,
                digest: digest.map(Digest::from),
                definition: row.try_get("definition")?,
                by: row.try_get("by_")?,
            };
            let what = || format!("the definition of {}/{} is {}", pin.server, pin.tool, pin.state);
            if self.counts(&pin_text(&pin), &row.try_get::<String, _>("seal")?, what) {
                pins.push(pin);
            }
        }
        Ok(pins)
    }

    /// Stops a scope. An existing stop isn't changed.
    pub async fn stop(&self, scope: &str, by: &str, reason: &str) -> Result<(), StoreError> {
        let mut tx = self.begin().await?;
        sqlx::query(
            "insert into stopped (scope, by_, reason, at) values ($1, $2, $3, $4) on conflict (scope) do \
            nothing",
        )
        .bind(scope)
        .bind(by)
        .bind(reason)
        .bind(Timestamp::now().as_millisecond())
        .execute(&mut *tx)
        .await?;
        bump(&mut tx, Epochs::STOPS).await?;
        tx.commit().await?;
        self.answered.notify_waiters();
        Ok(())
    }

    /// Lifts a stop. `false` if there is none.
    pub async fn lift(&self, scope: &str) -> Result<bool, StoreError> {
        let mut tx = self.begin().await?;
        let began = sqlx::query("select at from stopped where scope = $1")
            .bind(scope)
            .fetch_optional(&mut *tx)
            .await?
            .map_or(Ok(0), |row| row.try_get::<i64, _>("at"))?;
        let at = began.max(Timestamp::now().as_millisecond());
        sqlx::query(
            "insert into lifted (scope, at, seal) values ($1, $2, $3)
             on conflict (scope) do update set at = $2, seal = $3",
        )
        .bind(scope)
        .bind(at)
        .bind(self.sealed(&lift_text(scope, at)))
        .execute(&mut *tx)
        .await?;
        let done = sqlx::query("delete from stopped where scope = $1").bind(scope).execute(&mut *tx).await?;
        bump(&mut tx, Epochs::STOPS).await?;
        tx.commit().await?;
        Ok(done.rows_affected() == 1)
    }

    /// All stops in effect.
    pub async fn stops(&self) -> Result<Vec<Stop>, StoreError> {
        let rows = sqlx::query("select scope, by_, reason, at from stopped order by at, scope")
            .fetch_all(&self.read)
            .await?;
        rows.iter()
            .map(|row| {
                Ok(Stop {
                    scope: row.try_get("scope")?,
                    by: row.try_get("by_")?,
                    reason: row.try_get("reason")?,
                    at: time(row.try_get("at")?)?,
                })
            })
            .collect()
    }

    /// Stores a setting.
    pub async fn set(&self, name: &str, value: &str, by: &str) -> Result<(), StoreError> {
        sqlx::query(
            "insert into setting (name, value, by_, at) values ($1, $2, $3, $4)
             on conflict (name) do update set value = $2, by_ = $3, at = $4",
        )
        .bind(name)
        .bind(value)
        .bind(by)
        .bind(Timestamp::now().as_millisecond())
        .execute(&self.write)
        .await?;
        Ok(())
    }

    /// The value of a setting.
    pub async fn get(&self, name: &str) -> Result<Option<String>, StoreError> {
        let row = sqlx::query("select value from setting where name = $1")
            .bind(name)
            .fetch_optional(&self.read)
            .await?;
        Ok(row.map(|row| row.try_get("value")).transpose()?)
    }
}
