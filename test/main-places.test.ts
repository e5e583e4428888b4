/** A target that is down from one place only: the whole program, and an agent with the file that it shows. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import { eventually } from "./support/eventually.ts";
import { toRunArguments } from "./support/own-runtime.ts";
import { type Programs, createPrograms } from "./support/program.ts";

const TOKEN = "a-token-for-this-suite";

interface Target {
  readonly url: string;
  /** Answers 500 to a User-Agent with this prefix, 200 to all others. */
  refuse(userAgent?: string): void;
  stop(): void;
}

async function startTarget(): Promise<Target> {
  let refused: string | undefined;
  const server = createServer(({ headers }, response) => {
    const isRefused = refused !== undefined && (headers["user-agent"] ?? "").startsWith(refused);
    response.statusCode = isRefused ? 500 : 200;
    response.end("ok");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/`,
    refuse: (userAgent) => (refused = userAgent),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe("a check of the monitor and of a machine", () => {
  let programs: Programs;
  const targets: Target[] = [];
  let url: string;
  let agent: ChildProcess;

  before(async () => {
    targets.push(await startTarget(), await startTarget());
    programs = await createPrograms(["monitor"]);
    const program = programs.run({ ADMIN_TOKEN: TOKEN, LOG_LEVEL: "warn", CHECKS_PRIVATE: "1" });
    const { http, grpc } = await programs.ports(program);
    url = `http://127.0.0.1:${http}`;
    const { agentKey } = await admin("POST", "/api/admin/servers", { id: "web-1", name: "Web 1" });
    const folder = join(programs.folder, "agent");
    await mkdir(folder);
    agent = spawn(process.execPath, toRunArguments("src/agent/main.ts"), {
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: folder,
        TRIVET_DATA: folder,
        TRIVET_INTERVAL: "1",
        TRIVET_SERVER: `127.0.0.1:${grpc}`,
        TRIVET_ID: "web-1",
        TRIVET_KEY: String(agentKey),
      },
      stdio: "ignore",
    });
  });
  after(async () => {
    const ended = once(agent, "close");
    agent.kill("SIGKILL");
    await ended;
    await programs.dispose();
    for (const { stop } of targets) stop();
  });

  async function admin(method: string, path: string, body?: object) {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { "content-type": "application/json", "x-admin-token": TOKEN },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    assert.ok(response.ok, JSON.stringify(answer));
    return answer;
  }

  /** Adds a check of a target from the monitor and from web-1. @returns its id */
  async function addCheck(target: Target): Promise<string> {
    const { id } = await admin("POST", "/api/admin/checks", {
      name: "Website",
      intervalSeconds: 20,
      failures: 1,
      target: { kind: "http", url: target.url },
      places: { center: true, serverIds: ["web-1"] },
    });
    return id;
  }

  /** Waits until a check says so, and that these of its two places are down. */
  async function stands(id: string, state: string, down: readonly string[]): Promise<void> {
    await eventually(async () => {
      const { standing } = await admin("GET", `/api/admin/checks/${id}`);
      const places: { place: string; counts: boolean; isDown: boolean }[] = standing.places;
      const counting = places.filter(({ counts }) => counts);
      assert.deepEqual(counting.map(({ place }) => place).toSorted(), ["center", "web-1"]);
      const saying = counting.filter(({ isDown }) => isDown).map(({ place }) => place);
      assert.deepEqual([standing.state, saying.toSorted()], [state, down]);
    });
  }

  it("is partial while it is down from there alone, and down when both say so", async () => {
    const [first, second] = targets;
    assert.ok(first !== undefined && second !== undefined);
    // Two checks at once, since each change waits for the next try: 20 s, the shortest there is.
    const [a, b] = [await addCheck(first), await addCheck(second)];
    const file = "/api/admin/servers/web-1/check-file";
    const { text } = await admin("GET", `${file}?allow=private`);
    await writeFile(join(programs.folder, "agent", "checks.json"), text);
    await eventually(async () => {
      const { state, allow } = await admin("GET", file);
      assert.deepEqual([state, allow], ["current", ["private"]]);
    });
    await Promise.all([stands(a, "up", []), stands(b, "up", [])]);
    first.refuse("Trivet-Agent/");
    second.refuse("Trivet");
    await Promise.all([stands(a, "partial", ["web-1"]), stands(b, "down", ["center", "web-1"])]);
    first.refuse("Trivet");
    second.refuse();
    await Promise.all([stands(a, "down", ["center", "web-1"]), stands(b, "up", [])]);
  });
});
