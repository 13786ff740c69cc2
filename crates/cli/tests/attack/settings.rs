//! Settings that look like protection.

use crate::world::World;
use crate::{Attack, Tried, judged};

pub const ATTACKS: &[Attack] = &[Attack {
    class: "settings",
    tries: "a remote policy engine is configured, accepted and never asked",
    run: remote_engine,
}];

fn remote_engine(world: &World) -> Tried {
    let user = world.user();
    user.settings("[policy]\nremote = { kind = \"seed\", url = \"http://127.0.0.1:1/decide\" }\n");
    let said = user.shell("default", "ls");
    let (code, text) = user.doorward(&["config", "check"]);
    judged(
        said.decision() == "deny" && code != 0 && text.contains("policy.remote"),
        format!("hook: {} {}; config check: {code}", said.decision(), said.reason()),
    )
}
