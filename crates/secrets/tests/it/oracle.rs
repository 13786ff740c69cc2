//! Passwords in connection strings without quotes, through the scanner's detector: each notation's password is
//! found, and nothing else.

use doorward_secrets::Detector;

/// A random password, another in each run.
fn password() -> String {
    use std::hash::{BuildHasher as _, Hasher as _};
    let mut state = std::hash::RandomState::new().build_hasher();
    state.write_u8(1);
    format!("q{:x}Tz7", state.finish())
}

const NOTATIONS: &[&str] = &[
    // Oracle.
    "jdbc:oracle:thin:scott/{p}@//db:1521/orcl",
    "jdbc:oracle:thin:scott/{p}@db:1521:orcl",
    "url = \"jdbc:oracle:oci:scott/{p}@orcl\"",
    "jdbc:oracle:thin:@//db:1521/orcl?user=scott&password={p}",
    "url: jdbc:oracle:thin:scott/{p}@(DESCRIPTION=(ADDRESS=(HOST=db)))",
    "cx_Oracle.connect(\"scott/{p}@db:1521/orcl\")",
    "oracledb.connect('scott/{p}@orcl')",
    "sqlplus -s scott/{p}@//db:1521/orcl @report.sql",
    "impdp scott/{p}@orcl directory=d",
    "rman target sys/{p}@orcl",
    "User Id=scott;Password={p};Data Source=(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=db)))",
    "oracle+cx_oracle://scott:{p}@db:1521/?service_name=orcl",
    // ADO.NET, ODBC.
    "Server=db.corp;Database=shop;User Id=sa;Password={p};Encrypt=True",
    "ConnectionStrings__Main=Server=db.corp;User Id=sa;Password={p}",
    "<add connectionString=\"Data Source=db;Initial Catalog=x;User ID=sa;Password={p}\" />",
    "Driver={ODBC Driver 17 for SQL Server};Server=db;Uid=sa;Pwd={p};",
    // libpq.
    "host=db user=app password={p} dbname=shop",
    "DATABASE_URL=host=db user=app password={p} dbname=shop",
    "postgresql:///shop?host=/var/run&password={p}",
    // JDBC.
    "jdbc:postgresql://db:5432/shop?user=app&password={p}",
    "jdbc:mysql://app:{p}@db:3306/shop",
    "jdbc:sqlserver://db:1433;databaseName=shop;user=sa;password={p}",
    "spring.datasource.url=jdbc:mysql://db/shop?user=a&password={p}",
    "jdbc:db2://db:50000/shop:user=a;password={p};",
    // Without any quotes.
    "password = {p}",
    "password: {p}  # of the test machine",
    "export DB_PASSWORD={p}",
    "spring.datasource.password={p}",
    "ENV MYSQL_PASSWORD {p}",
    "machine x.example.com login u password {p}",
];

#[test]
fn every_notation_gives_its_password_away_and_only_that() {
    let mut wrong = Vec::new();
    for notation in NOTATIONS {
        let password = password();
        let text = notation.replace("{p}", &password);
        let at = text.find(&password).unwrap();
        let hits = Detector::shared().find(&text);
        let exact = hits.iter().any(|hit| (hit.start, hit.end) == (at, at + password.len()));
        if !exact || hits.len() != 1 {
            let spans: Vec<&str> = hits.iter().map(|hit| &text[hit.start..hit.end]).collect();
            wrong.push(format!("{notation}: {spans:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_only_looks_like_a_login_is_none() {
    for text in [
        "sqlplus /nolog @script.sql",
        "sqlplus scott@db",
        "sqlplus $DB_USER/$DB_PASSWORD@db",
        "sqlplus scott/${PASSWORD}@db",
        "jdbc:oracle:thin:@//db:1521/orcl",
        "docker pull container-registry.oracle.com/database/express@sha256:0123",
        "npm i @oracle/suitecloud-cli@1.9.0",
        "oracledb.connect(user=user, password=password, dsn=dsn)",
        "the german/austrian team@example.com",
    ] {
        let hits = Detector::shared().find(text);
        assert!(hits.is_empty(), "{text}: {hits:?}");
    }
}
