// The icons, from Lucide: lines without colour, and never the only way something is told.

import { h } from "preact";
import {
  ArrowRight, Ban, Bell, Bot, Brain, Check, ChevronLeft, ChevronRight, CircleCheck, CircleDot, CircleQuestionMark, CircleStop, Clock, Download, Ellipsis, Eye, FlaskConical,
  Folder, Funnel, Gauge, GitBranch, Globe, Hourglass, Inbox, KeyRound, Keyboard, ListTree, LockOpen, OctagonX, Package, Pencil, Plug, Save, Scale, Search, Settings, ShieldAlert,
  ShieldCheck, Sparkles, Terminal, Trash, TriangleAlert, Undo2, Workflow, Wrench, X,
} from "lucide";

const ICONS = {
  allow: CircleCheck, deny: Ban, ask: CircleQuestionMark, ran: Check, wait: Hourglass, queue: Inbox, timeline: ListTree, sessions: Workflow, overview: Gauge, rules: Scale, guardian: ShieldCheck,
  findings: ShieldAlert, settings: Settings, keys: Keyboard, stop: OctagonX, deletes: Trash, writes: Pencil, reads: Eye, contacts: Globe, installs: Package, privilege: KeyRound, loses: GitBranch,
  unknown: TriangleAlert, search: Search, filter: Funnel, download: Download, next: ChevronRight, back: ChevronLeft, close: X, more: Ellipsis, terminal: Terminal, tools: Wrench, agent: Bot, model: Brain, test: Plug,
  try: FlaskConical, save: Save, unlocked: LockOpen, bell: Bell, undo: Undo2, folder: Folder, clock: Clock, halt: CircleStop, arrow: ArrowRight, spark: Sparkles, dot: CircleDot,
} as const;
export type IconName = keyof typeof ICONS;

export function Icon({ name, small = false, class: own = "" }: { name: IconName; small?: boolean; class?: string }) {
  return (
    <svg class={`icon ${small ? "small" : ""} ${own}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {ICONS[name].map(([shape, attributes], at) => h(shape, { key: at, ...attributes }))}
    </svg>
  );
}

export const Shield = () => (
  <svg viewBox="0 0 32 32" aria-hidden="true"><path fill="currentColor" d="M16 1 29 6v10c0 8-6 13-13 15C9 29 3 24 3 16V6z" /><path fill="none" stroke="var(--surface)" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round" d="m10.5 16 4 4 7.5-8" /></svg>
);
