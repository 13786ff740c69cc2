// The message catalogues. A key that a language lacks falls back to English.

import { signal } from "@preact/signals";

const en = {
  queue: "Queue", timeline: "Timeline", sessions: "Sessions", rules: "Rules", guardian: "Guardian", settings: "Settings",
  nothing: "Nothing waits for you.", allow: "Allow once", allowSession: "Allow for session", deny: "Deny",
  denyStop: "Deny and stop session", stopAll: "Stop everything", stopped: "Everything is stopped", lift: "Lift the stop",
  typePhrase: "Type to approve:", why: "Why asked", expires: "expires in", lapsed: "lapsed", offline: "Not connected: nothing shown here can be approved. Data of",
  signIn: "Sign in with a one-time link: run", passphrase: "Passphrase", unlock: "Unlock approving", set: "Set passphrase",
  locked: "Locked: HIGH takes your passphrase", unlocked: "Unlocked", reason: "Reason for the agent", simulate: "Simulate",
  validate: "Validate", verify: "Verify the ledger", help: "Keys", invisible: "invisible characters", more: "more characters",
  wait: "Just appeared: keys are dead for half a second", analyzer: "Security analyzer", details: "details", sure: "Press again to stop everything",
  undo: "Take back", given: "Allowed. It can be taken back until it is used.", loaded: "intact", raw: "raw", pretty: "pretty",
};
const de: Partial<typeof en> = {
  queue: "Warteschlange", timeline: "Verlauf", sessions: "Sitzungen", rules: "Regeln", settings: "Einstellungen",
  nothing: "Nichts wartet auf Sie.", allow: "Einmal erlauben", allowSession: "Für die Sitzung erlauben", deny: "Ablehnen",
  denyStop: "Ablehnen und Sitzung anhalten", stopAll: "Alles anhalten", stopped: "Alles ist angehalten", lift: "Wieder freigeben",
  typePhrase: "Zum Bestätigen eintippen:", why: "Warum gefragt wird", expires: "verfällt in", lapsed: "verfallen",
  offline: "Keine Verbindung: hier ist nichts zu genehmigen. Stand",
  signIn: "Anmelden mit einem Einmal-Link:", passphrase: "Passphrase", unlock: "Genehmigen entsperren", set: "Passphrase setzen",
  locked: "Gesperrt: HIGH braucht Ihre Passphrase", unlocked: "Entsperrt", reason: "Grund für den Agenten", simulate: "Simulieren",
  validate: "Prüfen", verify: "Protokoll prüfen", help: "Tasten", invisible: "unsichtbare Zeichen", more: "weitere Zeichen",
  wait: "Gerade erschienen: Tasten eine halbe Sekunde ohne Wirkung", analyzer: "Sicherheits-Analyse", details: "Einzelheiten",
  sure: "Noch einmal drücken, um alles anzuhalten", undo: "Zurücknehmen", given: "Erlaubt. Bis zur Verwendung rücknehmbar.", loaded: "unversehrt",
};
const catalogues: Record<string, Partial<typeof en>> = { en, de };

export const language = signal(navigator.language.startsWith("de") ? "de" : "en");
export const t = (key: keyof typeof en): string => catalogues[language.value]?.[key] ?? en[key];
