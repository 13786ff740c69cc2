//! The schema, forward only. Released versions are never edited; each change is a new version.
//!
//! Portable between SQLite and PostgreSQL: only TEXT, BIGINT and BYTEA/BLOB, no nulls (an empty text or −1 means
//! "none"), times in milliseconds since 1970.

/// Statements by version, starting with version 1. `{bytes}` and `{strict}` differ between the two databases.
pub(crate) const VERSIONS: &[&[&str]] = &[
    &[
    "create table ask (id text primary key, state text not null, version bigint not null, decision text not null,
        caller text not null, session text not null, tool text not null, level text not null, body text not null,
        strict bigint not null, asked_at bigint not null, expires_at bigint not null, answered_by text not null,
        presence text not null, via text not null, answered_at bigint not null, reason text not null,
        nonce text not null){strict}",
    "create index ask_by_state on ask (state, asked_at)",
    "create index ask_by_session on ask (session, asked_at)",
    "create table ask_vote (ask text not null, by_ text not null, presence text not null, at bigint not null,
        primary key (ask, by_)){strict}",
    "create table grant_ (nonce text primary key, ask text not null, caller text not null, session text not null,
        tool text not null, args_digest text not null, severity bigint not null, at bigint not null,
        expires_at bigint not null, uses_left bigint not null, revoked bigint not null, used_at bigint not null,
        body text not null){strict}",
    "create index grant_by_call on grant_ (caller, tool, at)",
    "create table rule_ (id text primary key, text text not null, caller text not null, project text not null,
        ask text not null, by_ text not null, at bigint not null, expires_at bigint not null){strict}",
    "create table session (id text primary key, instance text not null, fence bigint not null, view text not null,
        updated_at bigint not null){strict}",
    "create table workflow_counter (workflow text not null, name text not null, bucket bigint not null,
        n bigint not null, primary key (workflow, name, bucket)){strict}",
    "create table policy_bundle (hash text primary key, content {bytes} not null, by_ text not null,
        at bigint not null){strict}",
    "create table head (name text primary key, epoch bigint not null, value text not null, by_ text not null,
        at bigint not null){strict}",
    "create table pin (server text not null, tool text not null, state text not null, digest text not null,
        definition text not null, by_ text not null, at bigint not null, primary key (server, tool)){strict}",
    "create table stopped (scope text primary key, by_ text not null, reason text not null, at bigint not \
     null){strict}",
    "create table account (name text primary key, role text not null, groups text not null, disabled bigint not null,
        passphrase text not null, fails bigint not null, locked_until bigint not null, at bigint not null){strict}",
    "create table token (hash text primary key, id text not null, account text not null, label text not null,
        uses_left bigint not null, created_at bigint not null, expires_at bigint not null, \
        used_at bigint not null){strict}",
    "create index token_by_account on token (account)",
    "create table log_head (origin text primary key, vkey text not null, size bigint not null, root text not null,
        at bigint not null){strict}",
    "create table log_batch (origin text not null, first_index bigint not null, n bigint not null,
        entries {bytes} not null, primary key (origin, first_index)){strict}",
    "create table setting (name text primary key, value text not null, by_ text not null, at bigint not null){strict}",
    ],
    // "Always" rules are settings, stored with the settings. Requests for access refer to their question.
    &[
        "drop table rule_",
        "create table access_request (caller text not null, key text not null, digest text not null, ask text not null,
            at bigint not null, primary key (caller, key)){strict}",
    ],
    // The machine and state folder of a ledger, so that a replacement is noticed.
    &["alter table log_head add column home text not null default ''"],
    // Memories of sessions, separate from their histories, which other tables reference.
    &["create table session_memory (name text primary key, version bigint not null, content text not null,
        updated_at bigint not null){strict}"],
    // Any program that can write a row could forge an approval, so a grant counts only with the seal of the service
    // that saw the person.
    &["alter table grant_ add column seal text not null default ''"],
    // The same for a role, a pin, and the end of a stop.
    &[
        "alter table account add column seal text not null default ''",
        "alter table pin add column seal text not null default ''",
        "create table lifted (scope text primary key, at bigint not null, seal text not null){strict}",
    ],
    // Nothing reads these any more.
    &["drop table session", "drop table workflow_counter", "drop table policy_bundle", "drop table log_batch"],
];
