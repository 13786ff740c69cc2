// Answering: one question, marked ones together, taking a yes back. Approving is dead for half a second after the question
// changes or the window gets the focus back; denying works at once.

import { type Approval, Refusal, call, said } from "./api";
import { chosen, marked, online, queue, recallable, refresh } from "./state";
import { go, href, route } from "./route";
import { t } from "./words";

const GUARD = 500;
let since = 0;
export const guarded = (): boolean => performance.now() - since < GUARD;
export const guard = (): void => { since = performance.now(); };
window.addEventListener("focus", guard);

export const typed = { value: "", reason: "" };

// What the question that is shown can be told by keys.
export const dialog: { say: (text: string) => void; raw: () => void; why: () => void; always: () => void; task: () => void; edit: () => void } = {
  say: () => {}, raw: () => {}, why: () => {}, always: () => {}, task: () => {}, edit: () => {},
};

// The question that an edited one came from: a yes to it answers that one with no.
export const editedFrom = new Map<string, string>();

const send = (approval: Approval, yes: boolean, more: Record<string, unknown>) => {
  const reason = !yes && typed.reason.trim() ? { reason: typed.reason.trim() } : {};
  const phrase = yes && approval.phrase ? { typed: typed.value } : {};
  const first = editedFrom.get(approval.id);
  const instead = yes && first ? { instead_of: first } : {};
  const body = { answer: yes ? "yes" : "no", shown: approval.shown, ...phrase, ...reason, ...instead, ...more };
  return call<{ state?: string; have?: number; need?: number }>("POST", `/v1/approvals/${encodeURIComponent(approval.id)}/answer`, body);
};

// What was answered here is left for the next one.
function leave(): void {
  const { page, id } = route.value;
  if (page === "queue" && id !== null && !queue.value.some((one) => one.id === id)) go(href("queue"), true);
}

export async function answer(yes: boolean, more: Record<string, unknown> = {}): Promise<boolean> {
  const approval = queue.value.find((one) => one.id === chosen.value);
  if (!approval || !online.value) return false;
  if (yes && guarded()) { dialog.say(t("wait")); return false; }
  if (yes && approval.phrase && typed.value.trim() !== approval.phrase) { dialog.say(`${t("typePhrase")} ${approval.phrase}`); return false; }
  try {
    const answered = await send(approval, yes, more);
    if (answered.state === "pending") { dialog.say(`${answered.have} / ${answered.need}`); return true; }
    recallable.value = yes ? approval.id : null;
    typed.value = ""; typed.reason = "";
    await refresh();
    leave();
    return true;
  } catch (error) {
    // Someone else, or the clock, was first: what is recorded is shown.
    const late = error instanceof Refusal && error.status === 409 && typeof error.body.state === "string";
    dialog.say(late ? `${t("old")} ${String(error.body.state)} ${String(error.body.answered_by ?? "")}` : said(error));
    if (late) setTimeout(() => void refresh(), 1500);
    return false;
  }
}

// "This was needless": recorded and counted; the narrow rule that would have spared it is proposed.
export async function needless(): Promise<void> {
  const approval = queue.value.find((one) => one.id === chosen.value);
  if (!approval || !online.value) return;
  try {
    await call("POST", `/v1/approvals/${encodeURIComponent(approval.id)}/needless`, {});
    dialog.say(t("needlessSaid"));
    if (approval.security_warning.level !== "CRITICAL") dialog.always();
  } catch (error) { dialog.say(said(error)); }
}

// The yes that is being taken back: a second press asks for nothing more.
let recalling: string | null = null;

// The offer stays until the service says what became of it: a yes that is in force isn't shown as taken back.
export async function recall(): Promise<void> {
  const id = recallable.value;
  if (!id || id === recalling) return;
  recalling = id;
  let answered = true;
  try {
    await call("POST", `/v1/approvals/${encodeURIComponent(id)}/recall`, {});
  } catch (error) {
    answered = error instanceof Refusal;
    dialog.say(said(error));
  }
  if (answered && recallable.value === id) recallable.value = null;
  recalling = null;
}

// Only what is below HIGH, needs no phrase, and was asked by the same rule at the same level is answered together.
export const batchable = (one: Approval, first: Approval | undefined): boolean =>
  !["HIGH", "CRITICAL"].includes(one.security_warning.level) && !one.phrase && one.level <= 1
  && (!first || (one.security_warning.level === first.security_warning.level && one.policies.join() === first.policies.join()));

export function mark(): void {
  const one = queue.value.find((own) => own.id === chosen.value);
  if (!one) return;
  const all = new Set(marked.value);
  if (all.delete(one.id)) { marked.value = all; return; }
  const first = queue.value.find((own) => all.has(own.id));
  if (!batchable(one, first)) { dialog.say(t("noMark")); return; }
  marked.value = all.add(one.id);
}

// Those of a session that may be answered together: like the first of them that may.
export function together(session: Approval[]): Approval[] {
  const first = session.find((one) => batchable(one, undefined));
  return first ? session.filter((one) => batchable(one, first)) : [];
}

export async function answerMarked(yes: boolean): Promise<void> {
  if (!online.value || (yes && guarded())) { dialog.say(t("wait")); return; }
  const all = queue.value.filter((one) => marked.value.has(one.id) && batchable(one, undefined));
  await answerEach(all, yes);
  marked.value = new Set();
}

// Denying is always open, whatever the level.
export async function answerEach(all: Approval[], yes: boolean): Promise<void> {
  const failures: string[] = [];
  for (const one of all) await send(one, yes, {}).catch((error) => { failures.push(said(error)); });
  await refresh();
  leave();
  if (failures[0]) dialog.say(failures[0]);
}
