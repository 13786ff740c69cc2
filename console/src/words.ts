// The words that the console says, in the language that is chosen.

import { signal } from "@preact/signals";
import { de } from "./words/de";
import { en } from "./words/en";

export type Key = keyof typeof en;
export const catalogues: Record<string, Record<Key, string>> = { en, de };

const kept = (name: string) => { try { return localStorage.getItem(name); } catch { return null; } };
export const language = signal(kept("language") ?? (navigator.language.startsWith("de") ? "de" : "en"));
export const t = (key: Key): string => (catalogues[language.value] ?? en)[key];
