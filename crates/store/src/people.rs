//! Accounts with roles, their tokens (stored only as hashes), one-time codes, and the approver's passphrase
//! (argon2id).

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use doorward_core::id::QuestionId;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use sqlx::Row as _;

use crate::db::{Store, from_json, from_word, random_hex, time, to_json, word};
use crate::epochs::{Epochs, bump};
use crate::error::StoreError;
use crate::seals::role_text;

/// What an account may do. Each role includes the earlier ones, except `agent`, which may only request decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Request decisions.
    Agent,
    /// Read.
    Viewer,
    /// Answer questions.
    Approver,
    /// Change rules, accounts and settings.
    Admin,
}

/// An account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonAccount {
    /// Principal id, such as `user:ana`.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// Its groups.
    pub groups: Vec<String>,
    /// Whether it is locked.
    pub disabled: bool,
    /// Whether a passphrase is set.
    pub has_passphrase: bool,
}

/// A token in a listing. The token itself is never included; only its hash is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenInfo {
    /// Id, for revoking it.
    pub id: String,
    /// Its account.
    pub account: String,
    /// Its purpose.
    pub label: String,
    /// When it was created.
    pub created: Timestamp,
    /// Exclusive end.
    pub expires: Timestamp,
    /// When it was last used.
    pub used: Option<Timestamp>,
}

/// What a token is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenLabel {
    /// A one-time link to the console.
    Login,
    /// A one-time link to the console, shown on a person's terminal.
    LoginAtTerminal,
    /// A one-time link to one question, which its denial printed: it answers that question only.
    LoginFor(QuestionId),
    /// A console that is signed in.
    Console,
    /// A console signed in by a link that was shown on a person's terminal.
    ConsoleFromTerminal,
    /// A console that answers one question only.
    ConsoleFor(QuestionId),
    /// A program's.
    Program,
}

impl TokenLabel {
    /// Its word in the store.
    #[must_use]
    pub fn word(&self) -> String {
        match self {
            Self::Login => "login".to_owned(),
            Self::LoginAtTerminal => "login-at-terminal".to_owned(),
            Self::LoginFor(question) => format!("{LOGIN_FOR}{question}"),
            Self::Console => "console".to_owned(),
            Self::ConsoleFromTerminal => "console-from-terminal".to_owned(),
            Self::ConsoleFor(question) => format!("{CONSOLE_FOR}{question}"),
            Self::Program => "program".to_owned(),
        }
    }

    /// From its word; all other words mean a program.
    #[must_use]
    pub fn from_word(word: &str) -> Self {
        if let Some(question) = word.strip_prefix(LOGIN_FOR) {
            return Self::LoginFor(question.into());
        }
        if let Some(question) = word.strip_prefix(CONSOLE_FOR) {
            return Self::ConsoleFor(question.into());
        }
        let all = [Self::Login, Self::LoginAtTerminal, Self::Console, Self::ConsoleFromTerminal];
        all.into_iter().find(|label| label.word() == word).unwrap_or(Self::Program)
    }

    /// The one question that a console may answer; `None` for one that may answer all.
    #[must_use]
    pub fn only(self) -> Option<QuestionId> {
        if let Self::ConsoleFor(question) = self { Some(question) } else { None }
    }

    /// What the code of a one-time link is exchanged for; `None` for anything else.
    #[must_use]
    pub fn signs_in(self) -> Option<Self> {
        match self {
            Self::Login => Some(Self::Console),
            Self::LoginAtTerminal => Some(Self::ConsoleFromTerminal),
            Self::LoginFor(question) => Some(Self::ConsoleFor(question)),
            Self::Console | Self::ConsoleFromTerminal | Self::ConsoleFor(_) | Self::Program => None,
        }
    }
}

/// A new token; it can't be read later.
#[derive(Clone, PartialEq, Eq)]
pub struct NewToken {
    /// Id, for revoking it.
    pub id: String,
    /// The token.
    pub secret: String,
}

impl std::fmt::Debug for NewToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewToken").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Consecutive wrong passphrases before the account is locked for a while.
const TRIES: i64 = 5;
/// Before the question, in the words of labels.
const LOGIN_FOR: &str = "login-for ";
const CONSOLE_FOR: &str = "console-for ";
const LOCKED: SignedDuration = SignedDuration::from_secs(30);

impl Store {
    /// Adds an account, or changes an account's role and groups.
    pub async fn put_account(&self, name: &str, role: Role, groups: &[String]) -> Result<(), StoreError> {
        let (role_word, group_list) = (word(&role), to_json(&groups)?);
        let seal = self.sealed(&role_text(name, &role_word, &group_list));
        let mut tx = self.begin().await?;
        sqlx::query(
            "insert into account (name, role, groups, disabled, passphrase, fails, locked_until, at, seal)
             values ($1, $2, $3, 0, '', 0, -1, $4, $5)
             on conflict (name) do update set role = $2, groups = $3, seal = $5",
        )
        .bind(name)
        .bind(role_word.as_str())
        .bind(group_list.as_str())
        .bind(Timestamp::now().as_millisecond())
        .bind(seal)
        .execute(&mut *tx)
        .await?;
        bump(&mut tx, Epochs::PEOPLE).await?;
        tx.commit().await?;
        self.people_changed();
        Ok(())
    }

    /// Locks or unlocks an account. `false` if it doesn't exist.
    pub async fn disable_account(&self, name: &str, disabled: bool) -> Result<bool, StoreError> {
        let mut tx = self.begin().await?;
        let done = sqlx::query("update account set disabled = $2 where name = $1")
            .bind(name)
            .bind(i64::from(disabled))
            .execute(&mut *tx)
            .await?;
        bump(&mut tx, Epochs::PEOPLE).await?;
        tx.commit().await?;
        self.people_changed();
        Ok(done.rows_affected() == 1)
    }

    /// All accounts.
    pub async fn accounts(&self) -> Result<Vec<PersonAccount>, StoreError> {
        let rows =
            sqlx::query("select name, role, groups, disabled, passphrase, seal from account order by name")
                .fetch_all(&self.read)
                .await?;
        rows.iter().map(|row| self.account(row)).collect()
    }

    /// Creates a token for an account. `uses`: 1 for a one-time code. `label`: a word of [`TokenLabel`], or any other
    /// word for tokens of programs.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for an unknown account.
    pub async fn new_token(
        &self,
        name: &str,
        label: &str,
        expires: Timestamp,
        uses: Option<u32>,
    ) -> Result<NewToken, StoreError> {
        if !self.accounts().await?.iter().any(|account| account.name == name) {
            return Err(StoreError::NotFound(name.to_owned()));
        }
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|error| StoreError::Unavailable(error.to_string()))?;
        let token =
            NewToken { id: random_hex(8)?, secret: format!("dw_{}", BASE64_URL_SAFE_NO_PAD.encode(bytes)) };
        sqlx::query(
            "insert into token (hash, id, account, label, uses_left, created_at, expires_at, used_at)
             values ($1, $2, $3, $4, $5, $6, $7, -1)",
        )
        .bind(hash(&token.secret))
        .bind(token.id.as_str())
        .bind(name)
        .bind(label)
        .bind(uses.map_or(-1, i64::from))
        .bind(Timestamp::now().as_millisecond())
        .bind(expires.as_millisecond())
        .execute(&self.write)
        .await?;
        Ok(token)
    }

    /// The account of a valid token. Exactly one caller can use a one-time code.
    pub async fn authenticate(
        &self,
        secret: &str,
        now: Timestamp,
    ) -> Result<Option<(PersonAccount, TokenLabel)>, StoreError> {
        let clock = self.clock(now).await?;
        let hash = hash(secret);
        let row = sqlx::query(
            "select account.name, account.role, account.groups, account.disabled, account.passphrase, account.seal,
             token.uses_left,
             token.used_at, token.label from token join account on account.name = token.account
             where token.hash = $1 and token.expires_at > $2 and token.uses_left <> 0 and account.disabled = 0",
        )
        .bind(hash.as_str())
        .bind(clock)
        .fetch_optional(&self.read)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let (uses, used): (i64, i64) = (row.try_get("uses_left")?, row.try_get("used_at")?);
        // The time of use is written at most once a minute, unless uses are counted, so that hooks needn't wait for
        // it.
        if uses > 0 || clock.saturating_sub(used) > 60_000 {
            let taken = sqlx::query(
                "update token set used_at = $2, \
                 uses_left = case when uses_left > 0 then uses_left - 1 else uses_left end
                 where hash = $1 and uses_left <> 0",
            )
            .bind(hash.as_str())
            .bind(clock)
            .execute(&self.write)
            .await?;
            if taken.rows_affected() == 0 {
                return Ok(None);
            }
        }
        Ok(Some((self.account(&row)?, TokenLabel::from_word(&row.try_get::<String, _>("label")?))))
    }

    /// All tokens.
    pub async fn tokens(&self) -> Result<Vec<TokenInfo>, StoreError> {
        let rows = sqlx::query(
            "select id, account, label, created_at, expires_at, used_at from token where uses_left <> 0 order by \
             created_at, id",
        )
        .fetch_all(&self.read)
        .await?;
        rows.iter()
            .map(|row| {
                let used: i64 = row.try_get("used_at")?;
                Ok(TokenInfo {
                    id: row.try_get("id")?,
                    account: row.try_get("account")?,
                    label: row.try_get("label")?,
                    created: time(row.try_get("created_at")?)?,
                    expires: time(row.try_get("expires_at")?)?,
                    used: if used < 0 { None } else { Some(time(used)?) },
                })
            })
            .collect()
    }

    /// Revokes a token by id. `false` if it doesn't exist.
    pub async fn revoke_token(&self, id: &str) -> Result<bool, StoreError> {
        let done = sqlx::query("delete from token where id = $1").bind(id).execute(&self.write).await?;
        Ok(done.rows_affected() == 1)
    }

    /// Sets the passphrase of an account.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] for an unknown account.
    pub async fn set_passphrase(&self, name: &str, passphrase: &str) -> Result<(), StoreError> {
        let passphrase = passphrase.to_owned();
        let hashed = blocking(move || {
            Argon2::default().hash_password(passphrase.as_bytes()).ok().map(|hash| hash.to_string())
        })
        .await?;
        let hashed =
            hashed.ok_or_else(|| StoreError::Unavailable("the passphrase could not be hashed".to_owned()))?;
        let mut tx = self.begin().await?;
        let done =
            sqlx::query("update account set passphrase = $2, fails = 0, locked_until = -1 where name = $1")
                .bind(name)
                .bind(hashed)
                .execute(&mut *tx)
                .await?;
        bump(&mut tx, Epochs::PEOPLE).await?;
        tx.commit().await?;
        self.people_changed();
        if done.rows_affected() == 1 { Ok(()) } else { Err(StoreError::NotFound(name.to_owned())) }
    }

    /// Checks an account's passphrase. After five wrong ones in a row, every answer is `false` for thirty seconds.
    pub async fn check_passphrase(
        &self,
        name: &str,
        passphrase: &str,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let clock = self.clock(now).await?;
        // Counted before checking, so that concurrent attempts don't get more tries.
        let row = sqlx::query(
            "update account set fails = fails + 1, \
             locked_until = case when fails + 1 >= $3 then $2 + $4 else locked_until end
             where name = $1 and disabled = 0 and passphrase <> '' and locked_until <= $2 returning passphrase",
        )
        .bind(name)
        .bind(clock)
        .bind(TRIES)
        .bind(i64::try_from(LOCKED.as_millis()).unwrap_or(0))
        .fetch_optional(&self.write)
        .await?;
        let Some(row) = row else { return Ok(false) };
        let stored: String = row.try_get("passphrase")?;
        let passphrase = passphrase.to_owned();
        let right = blocking(move || {
            PasswordHash::new(&stored)
                .is_ok_and(|hash| Argon2::default().verify_password(passphrase.as_bytes(), &hash).is_ok())
        })
        .await?;
        if right {
            sqlx::query("update account set fails = 0, locked_until = -1 where name = $1")
                .bind(name)
                .execute(&self.write)
                .await?;
        }
        Ok(right)
    }

    /// A role that no known service sealed is none: such an account may do what an agent may.
    fn account(&self, row: &sqlx::any::AnyRow) -> Result<PersonAccount, StoreError> {
        let (name, role, groups): (String, String, String) =
            (row.try_get("name")?, row.try_get("role")?, row.try_get("groups")?);
        let (passphrase, seal): (String, String) = (row.try_get("passphrase")?, row.try_get("seal")?);
        let disabled: i64 = row.try_get("disabled")?;
        let what = || format!("the account {name} has the role {role}");
        let counts =
            role == word(&Role::Agent) || self.counts(&role_text(&name, &role, &groups), &seal, what);
        Ok(PersonAccount {
            role: if counts { from_word(&role)? } else { Role::Agent },
            groups: if counts { from_json(&groups)? } else { Vec::new() },
            name,
            disabled: disabled != 0,
            has_passphrase: !passphrase.is_empty(),
        })
    }
}

/// Tokens have 256 random bits, so they can't be guessed and a plain hash is enough.
fn hash(secret: &str) -> String {
    Sha256::digest(secret.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, StoreError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| StoreError::Unavailable(error.to_string()))
}
