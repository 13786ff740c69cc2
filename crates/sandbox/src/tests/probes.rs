//! The probe suite at each tier.

use doorward_core::Tier;

use crate::probe::{PROBES, ProbeState};
use crate::{Engine, ProbeConfig, probe, probe_cached};

#[test]
fn every_door_that_must_be_closed_is_closed() {
    for engine in [Engine::new(), Engine::new().without_cgroup()] {
        for tier in [Tier::Full, Tier::Restricted] {
            let report = probe(&engine, &ProbeConfig { tier, ..ProbeConfig::default() }).unwrap();
            let open: Vec<&String> = report
                .probes
                .iter()
                .filter(|(_, probe)| probe.state == ProbeState::Open)
                .map(|(name, _)| name)
                .collect();
            let absent: Vec<&String> = report
                .probes
                .iter()
                .filter(|(_, probe)| probe.state == ProbeState::NotApplicable)
                .map(|(name, _)| name)
                .collect();
            eprintln!(
                "{tier:?} as uid {}: {:?} closed; open {open:?}; not here {absent:?}",
                report.uid,
                report.closed()
            );
            assert_eq!(report.failures(), [""; 0], "{tier:?}: {:#?}", report.probes);
            assert_eq!(report.probes.len(), PROBES.len(), "every probe answered, none unknown");
        }
    }
}

#[test]
fn what_was_found_is_kept_for_this_kernel_and_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("probes.json");
    let engine = Engine::new();
    let config = ProbeConfig::default();
    let first = probe_cached(&engine, &config, &cache).unwrap();
    let text = std::fs::read_to_string(&cache).unwrap();
    // The answer comes from the cache: an edit of the file shows.
    std::fs::write(&cache, text.replacen("\"closed\"", "\"open\"", 1)).unwrap();
    assert_ne!(probe_cached(&engine, &config, &cache).unwrap(), first);
    std::fs::write(&cache, "not json").unwrap();
    assert_eq!(probe_cached(&engine, &config, &cache).unwrap().failures(), [""; 0]);
}
