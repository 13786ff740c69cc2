//! Secrets recognised by their structure or name instead of a provider's prefix.

use doorward_core::Severity::{Critical, High, Medium};

use super::{Rule, row};
use crate::checksum::Check;

pub(super) const ROWS: &[Rule] = &[
    row(
        "jwt",
        High,
        "JSON Web Token",
        "the issuer: expire the session or rotate the signing key",
        &["eyJ W{8,} .eyJ W{4,} . W{0,}", "ewog W{8,} .ey W{4,} . W{0,}", "eyJ W{30,} .eyJ W{30,}"],
        &[],
    )
    .checked(Check::Jwt),
    row(
        "paseto",
        High,
        "PASETO token",
        "the issuer: expire the session or rotate the key",
        &["v(1|2|3|4).local. W{40,}", "v(1|2|3|4).public. W{64,}"],
        &[],
    )
    .checked(Check::Mixed),
    row(
        "private-key",
        Critical,
        "private key",
        "replace the key pair and remove the public half everywhere",
        &[],
        &[],
    ),
    row("vapid-key", High, "VAPID key pair", "a new pair, and subscribe again", &["W{43} :B W{86}"], &[]),
    row("putty-key", Critical, "PuTTY private key", "replace the key pair", &[], &[]),
    row(
        "google-service-account",
        Critical,
        "Google service account key",
        "IAM, service account keys",
        &[],
        &["oauth2.googleapis.com", "www.googleapis.com", "storage.googleapis.com"],
    ),
    row(
        "db-uri",
        Critical,
        "database URL with a password",
        "change the password of the database user",
        &[],
        &[],
    ),
    row("basic-auth", High, "URL or header with a password", "change the password", &[], &[]),
    row("password", High, "password", "change it", &[], &[]),
    row("bearer-token", High, "bearer token", "the service it belongs to", &[], &[]),
    row("session-cookie", High, "session cookie", "sign out of all sessions", &[], &[]),
    row("azure-sas", High, "Azure shared access signature", "rotate the signing key", &[], &[]),
    row("kubernetes-secret", High, "value of a Kubernetes secret", "change the value, apply again", &[], &[]),
    row("generic-api-key", Medium, "API key", "the service it belongs to", &[], &[]),
    row("generic-token", Medium, "token", "the service it belongs to", &[], &[]),
    row("generic-secret", Medium, "secret", "the service it belongs to", &[], &[]),
    row(
        "undecoded-text",
        Medium,
        "encoded text that couldn't be looked into within bounds",
        "what it holds, if it is a secret",
        &[],
        &[],
    ),
    row("known-value", Critical, "known secret", "the place it is kept in", &[], &[]),
];
