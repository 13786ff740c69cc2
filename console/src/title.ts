// What a call is called: the command, the file or the address it is about, and who made it where. Nothing here judges.

import type { Tree } from "./api";
import { spell } from "./exact";
import { type Key, language, t } from "./words";

const TOOLS: Record<string, Key> = { "shell:execute": "toolShell", "fs:read": "toolRead", "fs:write": "toolWrite", "fs:delete": "toolDelete", "net:fetch": "toolFetch", "python:execute": "toolPython" };
const AGENTS: Record<string, string> = { "claude-code": "Claude Code", codex: "Codex", gemini: "Gemini CLI", "gemini-cli": "Gemini CLI", openhands: "OpenHands", cursor: "Cursor", opencode: "OpenCode" };

const KINDS: [Title["kind"], string[]][] = [
  ["command", ["command", "cmd", "script", "cmdline"]], ["file", ["path", "file_path", "filename", "file"]], ["address", ["url", "uri", "href"]],
];

// `name` is the argument that the text is, empty where no argument says it all.
export interface Title { text: string; name: string; kind: "command" | "file" | "address" | "other" }

export function title(tool: string, args: Tree): Title {
  for (const [kind, names] of KINDS) {
    for (const name of names) {
      const value = args[name];
      if (typeof value === "string" && value !== "") return { text: value, name, kind };
    }
  }
  return { text: toolName(tool, args), name: "", kind: "other" };
}

// A call on one line, for lists.
export function brief(tool: string, args: Tree): string {
  const own = title(tool, args);
  return (own.kind === "other" ? `${tool} ${spell(args).slice(0, 300)}` : own.text.slice(0, 300)).replace(/^\s+/, "");
}

export function toolName(tool: string, args: Tree = {}): string {
  if (tool === "fs:write" && ["old_string", "old_str", "edits", "patch"].some((key) => key in args)) return t("toolEdit");
  const known = TOOLS[tool];
  return known ? t(known) : tool;
}

export const agentName = (agent: string): string => AGENTS[agent] ?? agent;
export const projectName = (path: string): string => path.replace(/\/+$/, "").slice(path.replace(/\/+$/, "").lastIndexOf("/") + 1) || path;

// A path as one says it inside its project.
export const within = (path: string, project: string): string => (project && path.startsWith(`${project}/`) ? path.slice(project.length + 1) : path === project && project ? "." : path);

export function ago(time: string, now: number): string {
  const seconds = Math.round((now - Date.parse(time)) / 1000);
  if (seconds < 10) return t("justNow");
  const units: [number, Intl.RelativeTimeFormatUnit][] = [[86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]];
  const [size, unit] = units.find(([size]) => seconds >= size) ?? [1, "second" as const];
  return new Intl.RelativeTimeFormat(language.value, { style: "short", numeric: "always" }).format(-Math.floor(seconds / size), unit);
}

// The time of day; of another day, its date.
export function clock(time: string): string {
  const at = new Date(time);
  return Date.now() - at.getTime() < 86_400_000 ? at.toLocaleTimeString([], { hour12: false }) : at.toLocaleDateString(language.value, { day: "numeric", month: "short" });
}

export function left(expires: string, now: number): string {
  const seconds = Math.max(0, Math.round((Date.parse(expires) - now) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

const CODE = /\s*[[(]((?:[a-z][a-z0-9_-]*\.)+[a-z0-9_.-]+)[\])]/g;

// A reason as a sentence, its codes apart: what the service says stays what it says.
export function sentence(reason: string): { text: string; codes: string[] } {
  const codes = [...reason.matchAll(CODE)].map((found) => found[1] ?? "");
  const plain = upper(reason.replace(CODE, "").trim());
  return { text: plain && !/[.!?…]$/.test(plain) ? `${plain}.` : plain, codes };
}

const upper = (text: string): string => text.replace(/^(`?)(\p{Ll})/u, (_, tick: string, letter: string) => (tick ? `${tick}${letter}` : letter.toUpperCase()));

