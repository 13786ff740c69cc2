// The message catalogues. Every language has every key: the compiler checks it, and a test.

import { signal } from "@preact/signals";

const en = {
  overview: "Overview", queue: "Queue", timeline: "Timeline", sessions: "Sessions", rules: "Rules", guardian: "Guardian", findings: "Findings", settings: "Settings",
  pages: "Pages", nothing: "Nothing waits for you.", waiting: "waiting", allow: "Allow once", allowSession: "Allow for session", always: "Always …", deny: "Deny",
  denyStop: "Deny and stop session", stopAll: "Stop everything", stopped: "Everything is stopped", lift: "Lift the stop", arrived: "New question:", critical: "Critical question:",
  typePhrase: "Type to approve:", why: "Why asked", expires: "expires in", lapsed: "lapsed", offline: "Not connected: nothing shown here can be approved. Data of",
  signIn: "Sign in with a one-time link: run", passphrase: "Passphrase", unlock: "Unlock approving", set: "Set passphrase", from: "from", folder: "in", session: "session",
  setAtTerminal: "No passphrase is set yet: answer HIGH at a terminal, or set one there:",
  locked: "Locked: HIGH takes your passphrase", unlocked: "Unlocked", reason: "Reason for the agent", simulate: "Simulate", simulateHelp: "Paste a call, or pick one that was decided:",
  validate: "Check", verify: "Verify the ledger", help: "Keys", invisible: "invisible characters", invisibleOne: "invisible character", alike: "look-alike characters", alikeOne: "look-alike character", more: "more characters of",
  host: "host", userInfo: "names a user before it", outsideRoot: "outside root", insideRoot: "inside root", loopback: "this machine", linkLocal: "link-local or metadata", privateNet: "private network", anyAddress: "any address", filter: "Filter", all: "all",
  wait: "Just appeared: approving is dead for half a second", analyzer: "Security analyzer", sure: "Press again to stop everything",
  undo: "Take back", given: "Allowed. It can be taken back until it is used.", intact: "Intact. Records:", raw: "raw", pretty: "pretty", mark: "Mark", marked: "marked",
  allowMarked: "Allow marked", denyMarked: "Deny marked", noMark: "Only questions below HIGH with the rule and level of the first one marked are answered together.",
  diff: "Change", ruleTitle: "Save a rule", ruleText: "Rules, one a line", scope: "For", lasts: "For how long", forSession: "this session", forAgent: "this agent in this project",
  forProject: "everyone in this project", forUser: "everyone, everywhere", hour: "an hour", today: "today", month: "30 days", ever: "until taken back", never: "Deny instead of allow",
  matches: "Would match", nearMiss: "Would not match", past: "Past calls it covers", pastOf: "of", pastDenied: "denied then", pastAsked: "asked then", reaches: "Reaches further:",
  save: "Save rule and answer", saveSure: "It reaches further than this call. Press again to save", noRule: "No rule for this one:", close: "Close", inFile: "Written to your rules:",
  savedRules: "Saved rules", noSaved: "Nobody saved a rule yet.", revoke: "Take back", inForce: "In force", editor: "Policy editor", line: "line", loads: "It loads.", form: "Language of the text",
  decisions: "Decisions over time", allowed: "allowed", denied: "denied", asked: "asked", topRules: "What decides", latency: "Time to decide", answers: "How people answer", touched: "Which tools touch what",
  tool: "Tool", how: "How", what: "What", count: "Calls", seconds: "s", nothingYet: "Nothing recorded yet.", hours: "Hours", time: "Time", kind: "Kind", code: "Code",
  calls: "calls", denials: "denials", minutes: "min", experiences: "Safety experiences", loaded: "experiences are loaded", shipped: "shipped", own: "own", ruleOfTool: "One rule a line",
  keep: "Keep", kept: "Kept.", secrets: "Secrets", network: "Network", language: "Language", theme: "Colours", auto: "as the system", light: "light", dark: "dark", keysOn: "Single keys",
  notify: "Browser notifications", on: "on", off: "off", accounts: "Accounts", tokens: "Tokens", name: "Name", role: "Role", groups: "Groups", disabled: "locked out", makeToken: "Make a token",
  tokenOnce: "This token is shown once:", change: "Change", label: "Label", values: "Values in force", nearest: "Nearest rule that would change it", effects: "Effects", pick: "Pick a call",
  asking: "When people are asked", mode: "Mode calls begin in", confirmWhen: "Confirm", threshold: "from risk", confirmUnknown: "also where the risk isn't known", edit: "Edit …", editTitle: "Other arguments", editHelp: "The call with these arguments is judged anew and asked as a question of its own. The agent is told to make that call.",
  judge: "Judge this call", editedFrom: "Edited: a yes answers the first question with no and tells the agent to make this call.", passes: "The rules let the edited call pass: the agent was told to make it.", found: "What it touches", notUnderstood: "not understood", findingsOf: "Findings",
  configure: "In doorward.toml:", guardianSettings: "Guardian", retry: "Try again", list: "List", details: "Details", toQueue: "Skip to the content", old: "Answered elsewhere:", levels: "Levels",
};
export type Key = keyof typeof en;
const de: Record<Key, string> = {
  overview: "Übersicht", queue: "Warteschlange", timeline: "Verlauf", sessions: "Sitzungen", rules: "Regeln", guardian: "Wächter", findings: "Funde", settings: "Einstellungen",
  pages: "Seiten", nothing: "Nichts wartet auf Sie.", waiting: "warten", allow: "Einmal erlauben", allowSession: "Für die Sitzung erlauben", always: "Immer …", deny: "Ablehnen",
  denyStop: "Ablehnen und Sitzung anhalten", stopAll: "Alles anhalten", stopped: "Alles ist angehalten", lift: "Wieder freigeben", arrived: "Neue Frage:", critical: "Kritische Frage:",
  typePhrase: "Zum Bestätigen eintippen:", why: "Warum gefragt wird", expires: "verfällt in", lapsed: "verfallen", offline: "Keine Verbindung: hier ist nichts zu genehmigen. Stand",
  signIn: "Anmelden mit einem Einmal-Link:", passphrase: "Passphrase", unlock: "Genehmigen entsperren", set: "Passphrase setzen", from: "von", folder: "in", session: "Sitzung",
  setAtTerminal: "Noch keine Passphrase gesetzt: HIGH am Terminal beantworten oder dort eine setzen:",
  locked: "Gesperrt: HIGH braucht Ihre Passphrase", unlocked: "Entsperrt", reason: "Grund für den Agenten", simulate: "Simulieren", simulateHelp: "Einen Aufruf einfügen oder einen entschiedenen wählen:",
  validate: "Prüfen", verify: "Protokoll prüfen", help: "Tasten", invisible: "unsichtbare Zeichen", invisibleOne: "unsichtbares Zeichen", alike: "verwechselbare Zeichen", alikeOne: "verwechselbares Zeichen", more: "weitere Zeichen von",
  host: "Host", userInfo: "davor steht ein Benutzer", outsideRoot: "außerhalb der Wurzel", insideRoot: "in der Wurzel", loopback: "dieser Rechner", linkLocal: "link-local oder Metadaten", privateNet: "privates Netz", anyAddress: "jede Adresse", filter: "Filter", all: "alle",
  wait: "Gerade erschienen: Genehmigen wirkt erst nach einer halben Sekunde", analyzer: "Sicherheits-Analyse", sure: "Noch einmal drücken, um alles anzuhalten",
  undo: "Zurücknehmen", given: "Erlaubt. Bis zur Verwendung rücknehmbar.", intact: "Unversehrt. Einträge:", raw: "roh", pretty: "gegliedert", mark: "Markieren", marked: "markiert",
  allowMarked: "Markierte erlauben", denyMarked: "Markierte ablehnen", noMark: "Gemeinsam beantwortet werden nur Fragen unter HIGH mit Regel und Stufe der ersten markierten.",
  diff: "Änderung", ruleTitle: "Eine Regel speichern", ruleText: "Regeln, eine je Zeile", scope: "Für", lasts: "Wie lange", forSession: "diese Sitzung", forAgent: "diesen Agenten in diesem Projekt",
  forProject: "alle in diesem Projekt", forUser: "alle, überall", hour: "eine Stunde", today: "heute", month: "30 Tage", ever: "bis auf Widerruf", never: "Ablehnen statt erlauben",
  matches: "Würde passen", nearMiss: "Würde nicht passen", past: "Frühere Aufrufe, die sie abdeckt", pastOf: "von", pastDenied: "damals abgelehnt", pastAsked: "damals gefragt", reaches: "Reicht weiter:",
  save: "Regel speichern und antworten", saveSure: "Sie reicht weiter als dieser Aufruf. Zum Speichern noch einmal drücken", noRule: "Hierfür keine Regel:", close: "Schließen", inFile: "In Ihre Regeln geschrieben:",
  savedRules: "Gespeicherte Regeln", noSaved: "Noch hat niemand eine Regel gespeichert.", revoke: "Zurücknehmen", inForce: "In Kraft", editor: "Regel-Editor", line: "Zeile", loads: "Lässt sich laden.", form: "Sprache des Textes",
  decisions: "Entscheidungen im Lauf der Zeit", allowed: "erlaubt", denied: "abgelehnt", asked: "gefragt", topRules: "Was entscheidet", latency: "Dauer der Entscheidung", answers: "Wie Menschen antworten", touched: "Welche Werkzeuge was berühren",
  tool: "Werkzeug", how: "Wie", what: "Was", count: "Aufrufe", seconds: "s", nothingYet: "Noch nichts aufgezeichnet.", hours: "Stunden", time: "Zeit", kind: "Art", code: "Code",
  calls: "Aufrufe", denials: "Ablehnungen", minutes: "Min.", experiences: "Sicherheits-Erfahrungen", loaded: "Erfahrungen sind geladen", shipped: "mitgeliefert", own: "eigene", ruleOfTool: "Eine Regel je Zeile",
  keep: "Behalten", kept: "Behalten.", secrets: "Geheimnisse", network: "Netz", language: "Sprache", theme: "Farben", auto: "wie das System", light: "hell", dark: "dunkel", keysOn: "Einzelne Tasten",
  notify: "Meldungen des Browsers", on: "an", off: "aus", accounts: "Konten", tokens: "Token", name: "Name", role: "Rolle", groups: "Gruppen", disabled: "ausgesperrt", makeToken: "Token ausstellen",
  tokenOnce: "Dieses Token wird nur einmal gezeigt:", change: "Ändern", label: "Zweck", values: "Werte in Kraft", nearest: "Nächste Regel, die es ändern würde", effects: "Wirkungen", pick: "Aufruf wählen",
  asking: "Wann Menschen gefragt werden", mode: "Modus am Anfang", confirmWhen: "Bestätigen", threshold: "ab Risiko", confirmUnknown: "auch bei unbekanntem Risiko", edit: "Bearbeiten …", editTitle: "Andere Argumente", editHelp: "Der Aufruf mit diesen Argumenten wird neu beurteilt und als eigene Frage gestellt. Dem Agenten wird gesagt, er solle diesen Aufruf machen.",
  judge: "Diesen Aufruf beurteilen", editedFrom: "Bearbeitet: ein Ja beantwortet die erste Frage mit Nein und sagt dem Agenten, er solle diesen Aufruf machen.", passes: "Die Regeln lassen den bearbeiteten Aufruf durch: dem Agenten wurde gesagt, er solle ihn machen.", found: "Was er berührt", notUnderstood: "nicht verstanden", findingsOf: "Funde",
  configure: "In doorward.toml:", guardianSettings: "Wächter", retry: "Noch einmal", list: "Liste", details: "Einzelheiten", toQueue: "Zum Inhalt springen", old: "Anderswo beantwortet:", levels: "Stufen",
};
export const catalogues: Record<string, Record<Key, string>> = { en, de };

const kept = (name: string) => { try { return localStorage.getItem(name); } catch { return null; } };
export const language = signal(kept("language") ?? (navigator.language.startsWith("de") ? "de" : "en"));
export const t = (key: Key): string => (catalogues[language.value] ?? en)[key];
