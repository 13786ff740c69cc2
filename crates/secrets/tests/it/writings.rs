//! Ways of writing a secret, each with a generated value, and harmless look-alikes.

use doorward_secrets::{Detector, redact_text};

/// A generated password.
fn password() -> String {
    ["Vq7", "mZx", "2Lp"].concat()
}

fn noise() -> String {
    ["zX8kq2LmWv93", "Tb7Rp0YdaBcDeF1g"].concat()
}

#[test]
fn a_password_is_found_in_every_writing() {
    let (password, noise) = (password(), noise());
    for text in [
        format!("new NetworkCredential(\"build\", \"{password}\");"),
        format!("new DirectoryEntry(\"LDAP://corp\",\n    \"corp\\\\svc\",\n    \"{password}\");"),
        format!("auth = HTTPBasicAuth('svc', '{password}')"),
        format!("ConvertTo-SecureString \"{password}\" -AsPlainText -Force"),
        format!("ConvertTo-SecureString -String '{password}' -AsPlainText"),
        format!("if (password !== \"{password}\") {{"),
        format!("if (\"{password}\" == my_password) {{"),
        format!("\"{password}\".equals(password)"),
        format!("PASSWORD = os.environ.get(\"PASSWORD\") or \"{password}\""),
        format!("const password = process.env.DB_PASSWORD || '{password}';"),
        format!("<a href=\"?token=&quot;{noise}&quot;\">"),
        format!("psexec \\\\\\\\host -u corp\\\\svc -p {password} cmd"),
        "$host = \"db\";\n$user = \"app\"; $password = \"wolkenbruch\";".to_owned(),
        "$host = \"db\"; $user = \"app\"; $password = wolkenbruch;".to_owned(),
        format!("DefaultEndpointsProtocol=https;AccountName=a;AccountKey={}==;", noise.repeat(3)),
        format!("\u{1b}[33mghp_{}\u{1b}[0m", [&noise, "aBcDeF12"].concat()),
        format!("apiVersion: v1\ndata:\n  login: {}\nkind: Secret\n", base64("admin:wolkenbruch")),
    ] {
        let hits = Detector::shared().find(&text);
        assert_eq!(hits.len(), 1, "{text}: {hits:?}");
        assert_ne!(redact_text(&text), text);
    }
}

#[test]
fn what_looks_like_it_and_is_none() {
    let noise = noise();
    for text in [
        "new NetworkCredential(user, password)".to_owned(),
        "new NetworkCredential(\"user\", Environment.Get(\"X\"))".to_owned(),
        "ConvertTo-SecureString $env:PW -AsPlainText".to_owned(),
        "if (\"password\" == field) {".to_owned(),
        "ssh -u root -p 2222 host".to_owned(),
        "$user = \"app\"; $title = \"x\"; $label = \"wolkenbruch\";".to_owned(),
        "apiVersion: v1\ndata:\n  mode: verbose\n  level: warning\nkind: ConfigMap\n".to_owned(),
        format!("!function(){{init({{appId:\"x\",apiKey:\"{}\"}})", "9f86d081884c7d659a2feaa0c55ad015"),
        format!("Not the API key: {noise}"),
    ] {
        let hits = Detector::shared().find(&text);
        assert!(hits.is_empty(), "{text}: {hits:?}");
    }
}

#[test]
fn what_is_nearly_of_a_format_is_masked_and_not_reported() {
    let noise = noise();
    let spoiled = "eyJzdWIiOiJhbm5hIi".to_owned() + "wiFtZSI6IkpvaG4i";
    for text in [
        format!("AIzay{}", &(noise.clone() + &noise)[..34]),
        format!("tskey-api-{}-{}", "A".repeat(12), "B".repeat(24)),
        format!("eyJhbGciOiJIUzI1NiJ9.{spoiled}.{noise}{noise}"),
        format!("client_key: pk_live_{noise}"),
    ] {
        let hits = Detector::shared().find(&text);
        assert!(hits.is_empty(), "{text}: {hits:?}");
        assert_ne!(redact_text(&text), text);
    }
}

#[test]
fn a_line_that_begins_with_not_says_nothing_of_a_name_further_on() {
    let noise = noise();
    for (text, found) in [
        (format!("Not sure why it fails, api_key = {noise}"), 1),
        (format!("not working: api_key = {noise}"), 1),
        (format!("// Not the real key: {noise}"), 0),
        (format!("not a token: {noise}"), 0),
    ] {
        assert_eq!(Detector::shared().find(&text).len(), found, "{text}");
        assert_ne!(redact_text(&text), text);
    }
}

fn base64(text: &str) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(text)
}
