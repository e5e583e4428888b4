/** Clients of all services at the proxy whose port is given, as they come from outside. Ends with 1 unless all is well. */
import "./loopback-names.ts";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:https";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { WebSocket } from "ws";
import { z } from "zod";
import { createVisitor } from "../../support/page-visitor.ts";
import { projectFolder } from "../../support/process.ts";
import { signUp } from "../../support/sign-up.ts";
import { TOKEN } from "./proxies.ts";

const [port = "", folder = ""] = process.argv.slice(2);
const at = (name: string, path = ""): string => `https://${name}.example.org:${port}${path}`;
const admin = { "x-admin-token": TOKEN, "content-type": "application/json" };
/** Longer than the minute after which most proxies end a silent connection. */
const SILENCE_MS = 70_000;
const say = (text: string): void => console.log(text);
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 120; tries += 1) {
    if (await isSo().catch(() => false)) return;
    await pause(500);
  }
  throw new Error(`${what}: not within a minute`);
}

const serversSchema = z.object({
  items: z.array(z.object({ state: z.string(), agent: z.object({ reportsStored: z.number() }) })),
});
/** How many reports each server has sent, in rising order. */
async function readReports(): Promise<number[]> {
  const response = await fetch(at("status", "/api/admin/servers"), { headers: admin });
  const { items } = serversSchema.parse(await response.json());
  return items.map(({ agent }) => agent.reportsStored).toSorted((a, b) => a - b);
}

async function visitHosts(): Promise<void> {
  await until("Health through the proxy", async () => (await fetch(at("status", "/api/health"))).ok);
  for (const name of ["status", "accounts", "shop"])
    assert.equal((await fetch(at(name, "/api/health"))).status, 200, name);
  say("all services answer at their host names");
}

/** An agent by the enrollment of the console. */
async function runAgent(intervalSeconds: number): Promise<() => Promise<void>> {
  const body = JSON.stringify({ uses: 1, lifeSeconds: 3_600 });
  const made = await fetch(at("status", "/api/admin/enrolments"), { method: "POST", headers: admin, body });
  const { code } = z.object({ code: z.string() }).parse(await made.json());
  const names = ["--import", "tsx", "--import", "./test/lab/worlds/loopback-names.ts"];
  const options = [
    "--enrol",
    code,
    "--url",
    at("status"),
    "--interval",
    String(intervalSeconds),
    "--ca",
    join(folder, "ca.pem"),
  ];
  const child = spawn(process.execPath, [...names, "src/agent/main.ts", ...options], {
    cwd: projectFolder,
    env: { PATH: process.env["PATH"], TRIVET_DATA: join(folder, `agent-${intervalSeconds}`) },
    stdio: "ignore",
  });
  return async () => {
    child.kill("SIGTERM");
    await once(child, "exit");
  };
}

/** A live feed that stays open, and gets a frame for reports. */
async function watchFeed(): Promise<() => void> {
  const socket = new WebSocket(`wss://status.example.org:${port}/api/ws/monitor`, {
    ca: await readFile(join(folder, "ca.pem")),
    origin: at("status"),
  });
  let frames = 0;
  let ended: number | undefined;
  socket.on("message", () => (frames += 1));
  socket.on("close", (code) => (ended = code));
  await until("Frames of the live feed", async () => frames >= 2);
  return () => {
    assert.equal(ended, undefined, `the live feed ended with ${ended}`);
    assert.ok(frames > 10, `${frames} frames`);
    say(`the live feed stays open, ${frames} frames`);
    socket.close();
  };
}

/** A client that claims another address: what the service makes of it is in its log. */
async function forgeAddress(): Promise<void> {
  const path = "/api/auth/login";
  const body = JSON.stringify({ identifier: "nobody-here", password: "wrong password" });
  const sent = request(at("accounts", path), {
    method: "POST",
    localAddress: "127.0.0.7",
    headers: { "content-type": "application/json", "x-forwarded-for": "203.0.113.9" },
  });
  sent.end(body);
  const [answer] = await once(sent, "response");
  answer.resume();
}

async function signIn(): Promise<void> {
  const account = { username: "ann", password: "correct horse battery staple" };
  await signUp({ authUrl: at("accounts"), adminToken: TOKEN, ...account });
  const visitor = createVisitor();
  await visitor.open(at("accounts", "/sign-in"));
  const form = { identifier: account.username, password: account.password };
  const page = await visitor.open(at("accounts", "/sign-in"), form);
  assert.equal(page.url.pathname, "/account", page.body.slice(0, 300));
  say("a person signs in over the pages");
}

/** Uploads of any size reach the program, and one that it does not read breaks nothing. */
async function upload(): Promise<void> {
  for (const bytes of [1_048_576, 40_000_000]) {
    const response = await fetch(at("shop", "/api/admin/uploads/upl_none"), {
      method: "PUT",
      headers: { ...admin, "content-type": "application/octet-stream" },
      body: new Uint8Array(bytes),
    });
    const text = await response.text();
    assert.match(text, /requestId/u, `${bytes} bytes: ${response.status} ${text.slice(0, 200)}`);
    assert.equal((await fetch(at("shop", "/api/health"))).status, 200);
  }
  say("uploads of 40 MB reach the shop, and the next request is answered");
}

await visitHosts();
const stopSlow = await runAgent(75);
await until("The first report", async () => (await readReports()).length === 1);
const stopAgent = await runAgent(2);
await until("Reports", async () => ((await readReports())[1] ?? 0) >= 3);
say("agents enroll and report over gRPC with TLS");
const endFeed = await watchFeed();
const begin = performance.now();
await forgeAddress();
await signIn();
await upload();
await pause(Math.max(0, SILENCE_MS - (performance.now() - begin)));
endFeed();
await until("The next report of the slow agent", async () => (await readReports()).includes(2));
await stopAgent();
await stopSlow();
process.exit(0);
