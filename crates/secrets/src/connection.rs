//! Passwords in connection strings, next to fields that locate the database.
//!
//! Three notations: ADO.NET and ODBC (`Server=h;User Id=u;Password=v;`), libpq (`host=h user=u password=v`) and the
//! query of a JDBC URL (`jdbc:postgresql://h/d?user=u&password=v`, `jdbc:sqlserver://h;password=v`). In program
//! text the whole string is quoted, so the value has no quotes of its own.

use crate::charset::{at, before};

/// Names of the field, in lower case.
const NAMES: &[&[u8]] = &[b"password", b"pwd", b"passwd"];
/// Fields that locate a database, in lower case with their separator. Sources: SqlConnection.ConnectionString
/// (.NET), the ODBC drivers of SQL Server and PostgreSQL, Npgsql, MySQL Connector/NET.
const PLACES: &[&[u8]] = &[
    b"server=",
    b"data source=",
    b"datasource=",
    b"address=",
    b"addr=",
    b"network address=",
    b"host=",
    b"hostname=",
    b"initial catalog=",
    b"database=",
    b"driver=",
    b"jdbc:",
];
/// The same for libpq (PostgreSQL manual, "Connection Strings").
const LIBPQ: &[&[u8]] = &[b"host=", b"hostaddr=", b"dbname=", b"port=", b"service=", b"sslmode="];
/// Distance within which the other fields are searched.
const AROUND: usize = 400;

/// The password whose field name is at the given range, if it is part of a connection string.
pub(crate) fn password(text: &[u8], (start, end): (usize, usize)) -> Option<(usize, usize)> {
    let own = text.get(start..end)?.to_ascii_lowercase();
    if !NAMES.contains(&own.as_slice()) || at(text, end) != b'=' {
        return None;
    }
    let head = text.get(start.saturating_sub(AROUND)..start)?;
    let head = head.rsplit(|byte| matches!(byte, b'\n' | b'"' | b'`')).next()?;
    let head = head.to_ascii_lowercase();
    let rest = text.get(end + 1..(end + 1 + AROUND).min(text.len()))?;
    let rest = rest.split(|byte| matches!(byte, b'\n' | b'"' | b'`')).next()?;
    let notation = Notation::of(&head, rest)?;
    let length = notation.value(rest);
    let after = rest.get(length..)?.to_ascii_lowercase();
    let known = notation.places().iter().any(|place| names(&head, place) || names(&after, place));
    let quote = usize::from(matches!(rest.first(), Some(b'\'')) && length >= 2);
    let value = (end + 1 + quote, end + 1 + length - quote);
    (known && value.0 < value.1).then_some(value)
}

/// Whether a field occurs in this part of the string.
fn names(part: &[u8], field: &[u8]) -> bool {
    memchr::memmem::find_iter(part, field).any(|place| !before(part, place).is_ascii_alphanumeric())
}

/// How fields are separated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Notation {
    Semicolons,
    Spaces,
    Query,
}

impl Notation {
    fn of(head: &[u8], rest: &[u8]) -> Option<Self> {
        match head.trim_ascii_end().last() {
            Some(b';') => Some(Self::Semicolons),
            Some(b'?' | b'&') => names(head, b"jdbc:").then_some(Self::Query),
            // The first field of the string: the text after its value shows the notation.
            None | Some(b'\'' | b'=') => {
                let sign = rest.iter().find(|byte| matches!(byte, b';' | b' '))?;
                Some(if *sign == b';' { Self::Semicolons } else { Self::Spaces })
            }
            // Arguments of a call (`connect(host=h, password=p)`).
            Some(b',' | b'(') => None,
            Some(_) => head.last().is_some_and(|last| *last == b' ').then_some(Self::Spaces),
        }
    }

    const fn places(self) -> &'static [&'static [u8]] {
        match self {
            Self::Semicolons | Self::Query => PLACES,
            Self::Spaces => LIBPQ,
        }
    }

    /// Length of the value, its quotes included.
    fn value(self, rest: &[u8]) -> usize {
        if rest.first() == Some(&b'\'')
            && let Some(close) = rest.iter().skip(1).position(|byte| *byte == b'\'')
        {
            return close + 2;
        }
        let ends = |byte: &u8| match self {
            Self::Semicolons => *byte == b';',
            Self::Spaces => byte.is_ascii_whitespace() || *byte == b'\'',
            Self::Query => matches!(byte, b'&' | b';' | b'\'') || byte.is_ascii_whitespace(),
        };
        rest.iter().position(ends).unwrap_or(rest.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<&str> {
        let start = text.to_ascii_lowercase().find("pwd=").or(text.to_ascii_lowercase().find("password="))?;
        let end = start + text.get(start..)?.find('=')?;
        let (from, to) = password(text.as_bytes(), (start, end))?;
        text.get(from..to)
    }

    #[test]
    fn a_password_beside_a_place_is_a_field_of_a_connection_string() {
        for (text, expected) in [
            (r#"c = "Server=db.corp;Database=shop;User Id=sa;Password=aB3;Encrypt=True""#, Some("aB3")),
            (r#"c = "Data Source=10.0.0.3,1433;UID=app;PWD=aB3""#, Some("aB3")),
            (r#"c = "Password=aB3;Server=db""#, Some("aB3")),
            (r#"c = "Server=db;Password='a;B3';""#, Some("a;B3")),
            (r#"connect("host=db user=app password=aB3 sslmode=require")"#, Some("aB3")),
            (r#"connect("password=aB3 host=db")"#, Some("aB3")),
            ("connect('dbname=shop user=app password=aB3')", Some("aB3")),
            (r#"connect("host=db password='a B3'")"#, Some("a B3")),
            ("url=jdbc:postgresql://db:5432/shop?user=app&password=aB3&ssl=true", Some("aB3")),
            (
                r#""jdbc:sqlserver://db:1433;databaseName=shop;user=sa;password=aB3;encrypt=true""#,
                Some("aB3"),
            ),
            // Without a location, or another kind of text.
            (r#"f("user=app&password=aB3")"#, None),
            ("let password=aB3;", None),
            ("if password=aB3 then", None),
            ("connect(host=host, user=user, password=aB3)", None),
            ("connect(password=aB3, host=host)", None),
            ("mysql --host=db --password=aB3", None),
            (r#"c = "Server=db;Password=""#, None),
            ("server = 1; password=aB3;", None),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }
}
