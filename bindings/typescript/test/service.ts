// A running service with a state folder and rules of its own. DOORWARD names the built binary.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "../src/index.js";

const RULES = `
[rules]
allow = ["shell(echo *)"]
ask = [{ rule = "shell(git push *)", reason = "A push is for a person." }]
deny = [{ rule = "shell(curl *)", reason = "Nothing is fetched here." }]

[policy]
packs = ["coding-agent"]
files = ["STATE/own.cedar"]
`;

const POLICY = `
@id("own.declared")
permit(principal, action == Action::"shell:execute", resource)
when {
    context.effects.executes.contains("eslint") && context.sandbox has declares &&
    context.sandbox.declares has wall_s && context.sandbox.declares.wall_s <= 30 && !context.sandbox.verified
};
`;

export class Service {
  readonly state = mkdtempSync(join(tmpdir(), "doorward-ts-"));
  #process: ChildProcess | undefined;
  url = "";

  async start(): Promise<this> {
    const program = process.env["DOORWARD"];
    if (!program) throw new Error("DOORWARD has to name the built binary");
    writeFileSync(join(this.state, "doorward.toml"), RULES.replace("STATE", this.state));
    writeFileSync(join(this.state, "own.cedar"), POLICY);
    const port = await freePort();
    this.url = `http://127.0.0.1:${port}`;
    this.#process = spawn(program, ["serve", "--state", this.state, "--port", String(port)], { stdio: "ignore" });
    for (let tries = 0; tries < 600; tries++) {
      const up = await new Client({ state: this.state }).health().then(() => true, () => false);
      if (up) return this;
      await sleep(50);
    }
    throw new Error("the service doesn't answer");
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#process?.once("exit", resolve));
    this.#process?.kill();
    await ended;
    rmSync(this.state, { recursive: true, force: true });
  }
}

export const user = userInfo().username;

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
