//! Settings that parse and still mean nothing: lists of hosts, egress rules, credentials and keys. A service that reads
//! them would start with closed doors or not at all, so they are refused where settings are loaded, and `config check`
//! refuses them too.

use doorward_net::proxy::EgressRules;
use doorward_net::{ConfigError, Guard};
use doorward_settings::Settings;

use crate::problem::Problem;
use crate::{egress, seals};

pub(crate) fn check(settings: &Settings) -> Result<(), Problem> {
    let in_section = |section: &'static str, code: &'static str| {
        move |error: ConfigError| Problem::new(code, format!("{section}: {error}"))
    };
    Guard::new(settings.net.clone()).map_err(in_section("net", "settings.net"))?;
    EgressRules::new(&settings.egress).map_err(in_section("egress", "settings.egress"))?;
    for (name, credential) in &settings.egress.credentials {
        egress::readable(name, credential)
            .map_err(|error| Problem::new("settings.egress", error.to_string()))?;
    }
    seals::verifiers(&settings.store.signers)
        .map_err(|key| Problem::new("store.signers", crate::OpenError::Signer(key).to_string()))?;
    Ok(())
}
