// The client against the built service, over the socket and over HTTP, and inside an agent of the Vercel AI SDK.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import openapi, { astToString } from "openapi-typescript";
import { agent } from "../examples/vercel-ai.js";
import { type Call, Client, ConfirmationRequired, ConfirmationTimedOut, Denied, guarded, Unavailable } from "../src/index.js";
import { Service } from "./service.js";

const service = new Service();
before(() => service.start());
after(() => service.stop());

const clients = () => [new Client({ state: service.state }), new Client({ url: service.url, state: service.state })];
const shell = (command: string) => ({ tool: "shell:execute", args: { command } });

test("an allowed call runs once it is recorded, and is closed", async () => {
  for (const client of clients()) {
    assert.equal(await client.guard(shell("echo one"), () => "one"), "one");
    const permit = await client.admit(shell("echo two"));
    await permit.report("ran");
    const again = client.request("post", "/v1/decisions/{id}/outcome", { path: { id: permit.id }, body: { outcome: "ran" } });
    await assert.rejects(again, (error: Unavailable) => error.code === "outcome.unknown");
  }
});

test("a function that throws is reported as failed", async () => {
  const [client] = clients();
  assert.ok(client);
  await assert.rejects(client.guard(shell("echo x"), () => { throw new Error("broken"); }), /broken/);
  const health = (await client.health()) as unknown as { open_permits: number };
  assert.equal(health.open_permits, 0);
});

test("a denied call never runs and says why", async () => {
  for (const client of clients()) {
    let ran = false;
    const denied = client.guard(shell("curl https://example.com"), () => { ran = true; });
    await assert.rejects(denied, (error: Denied) => error instanceof Denied && error.reason.includes("Nothing is fetched"));
    assert.equal(ran, false);
  }
});

test("a declared sandbox is read as declared, and its bounds count", async () => {
  for (const client of clients()) {
    const linted: Call = { ...shell("eslint ."), sandbox: { tier: "full", wall_s: 30, hosts: [] } };
    await (await client.admit(linted)).report("ran");
    for (const sandbox of [false, true, { wall_s: 31 }]) {
      await assert.rejects(client.admit({ ...shell("eslint ."), sandbox }), Denied);
    }
  }
});

async function person(yes: boolean, part: string): Promise<void> {
  const looker = new Client({ state: service.state });
  for (let tries = 0; tries < 200; tries++) {
    const question = (await looker.approvals()).find(({ args }) => JSON.stringify(args).includes(part));
    if (question) return looker.answer(question.id, yes, yes ? {} : { reason: "not today" });
    await sleep(50);
  }
}

test("a question waits for a person: yes, no, and nobody", async () => {
  for (const [nth, client] of clients().entries()) {
    await assert.rejects(client.admit(shell(`git push origin open${nth}`)), ConfirmationRequired);
    await assert.rejects(client.admit(shell(`git push origin late${nth}`), 0.1), ConfirmationTimedOut);
    const [answer] = await Promise.all([client.guard(shell(`git push origin yes${nth}`), () => "pushed", 20), person(true, `yes${nth}`)]);
    assert.equal(answer, "pushed");
    const refused = client.admit(shell(`git push origin no${nth}`), 20);
    await Promise.all([assert.rejects(refused, (error: Denied) => error.reason === "not today"), person(false, `no${nth}`)]);
  }
});

test("what can't be reached, or not with this token, allows nothing", async () => {
  await assert.rejects(new Client({ socket: "/nowhere/doorward.sock" }).admit(shell("echo 1")), Unavailable);
  const wrong = new Client({ url: service.url, token: "wrong" }).admit(shell("echo 1"));
  await assert.rejects(wrong, (error: Unavailable) => error.code === "service.unauthorized");
});

test("the types are those of the service's own document", async () => {
  const [client] = clients();
  const document = await client?.request("get", "/v1/openapi.json");
  const made = astToString(await openapi(JSON.parse(JSON.stringify(document)), { emptyObjectsUnknown: true }));
  const kept = readFileSync(new URL("../../src/api.ts", import.meta.url), "utf8");
  assert.ok(kept.endsWith(made), "the service's document changed: run `DOORWARD=target/debug/doorward npm run generate` with the path of the built binary");
});

test("an agent of the Vercel AI SDK passes the door", async () => {
  const commands = ["echo one", "curl https://example.com", "git push origin agent"];
  const results: string[] = [];
  const model = createServer((request, response) => {
    let text = "";
    request.on("data", (part) => { text += part; });
    request.on("end", () => {
      const { messages } = JSON.parse(text) as { messages: { role: string; content: string }[] };
      const told = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
      results.splice(0, results.length, ...told);
      const command = commands[told.length];
      const call = { id: `call_${told.length}`, type: "function", function: { name: "run", arguments: JSON.stringify({ command }) } };
      const message = command ? { role: "assistant", content: null, tool_calls: [call] } : { role: "assistant", content: "Done." };
      const choices = [{ index: 0, message, finish_reason: command ? "tool_calls" : "stop" }];
      const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify({ id: "c", object: "chat.completion", created: 1, model: "scripted", choices, usage }));
    });
  });
  await new Promise<void>((resolve) => model.listen(0, "127.0.0.1", resolve));
  const baseURL = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
  const ran: string[] = [];
  const run = async (command: string) => { ran.push(command); return `did ${command}`; };
  const client = new Client({ state: service.state });
  const answered = person(true, "origin agent");
  const provider = createOpenAICompatible({ name: "scripted", baseURL, apiKey: "none" });
  const told = await agent(client, provider("scripted"), "Please.", run);
  await answered;
  model.close();
  assert.equal(told, "Done.");
  assert.deepEqual(ran, ["echo one", "git push origin agent"]);
  assert.match(results[1] ?? "", /Nothing is fetched here/);
  assert.match(results[2] ?? "", /did git push/);
});

test("a tool that streams is closed when its stream has ended, and one without code is refused", async () => {
  const client = new Client({ state: service.state });
  const parts: string[] = [];
  const streamed = {
    async *execute({ command }: { command: string }) {
      for (const part of ["half of ", "all of "]) {
        parts.push(part);
        yield part + command;
      }
    },
  };
  const guard = guarded(client, streamed, { tool: "shell:execute" });
  const execute = guard.execute as unknown as (args: { command: string }, options: unknown) => Promise<string>;
  assert.equal(await execute({ command: "echo x" }, {}), "all of echo x");
  assert.deepEqual(parts.splice(0), ["half of ", "all of "]);
  assert.match(await execute({ command: "curl https://example.com" }, {}), /Nothing is fetched here/);
  assert.deepEqual(parts, [], "nothing of it ran");
  assert.throws(() => guarded(client, {}, { tool: "shell:execute" }), /execute/);
});
