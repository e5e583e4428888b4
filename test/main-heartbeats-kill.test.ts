/** The monitor in a process of its own that is killed under pings: each acknowledged one counts once. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, it } from "node:test";
import { createPingLoad } from "./monitor/heartbeats/ping-load.ts";
import { createTestDatabase } from "./support/postgres.ts";
import { type Programs, createPrograms, terminate } from "./support/program.ts";

const ADMIN_TOKEN = "a-token-for-this-suite";

let programs: Programs;
beforeEach(async () => {
  programs = await createPrograms(["monitor"]);
});
afterEach(() => programs.dispose());

/** Kills the monitor after so many more acknowledgements in each life. */
async function killUnderPings(lives: readonly number[], env: Record<string, string> = {}): Promise<void> {
  const load = createPingLoad({ heartbeats: 12, token: ADMIN_TOKEN });
  const start = async () => {
    const program = programs.run({ ADMIN_TOKEN, ...env });
    const { http } = await programs.ports(program);
    return { program, url: `http://127.0.0.1:${http}` };
  };
  for (const [life, pings] of lives.entries()) {
    const { program, url } = await start();
    if (life === 0) await load.prepare(url);
    const until = load.acknowledged() + pings;
    let isOver = false;
    const going = load.go(url, () => {
      if (load.acknowledged() >= until && !isOver) {
        isOver = true;
        program.child.kill("SIGKILL");
      }
      return isOver;
    });
    await Promise.all([going, program.ended]);
  }
  assert.ok(load.acknowledged() >= lives.reduce((sum, pings) => sum + pings, 0));
  const { program, url } = await start();
  await load.verify(url);
  terminate(program);
  assert.equal(await program.ended, 0);
}

describe("SIGKILL under pings", () => {
  it("loses none and counts none twice, on the JSON store", () => killUnderPings([1, 100, 250]));

  it("loses none and counts none twice, on PostgreSQL", async () => {
    const { url, drop } = await createTestDatabase();
    await killUnderPings([60], { DATABASE_URL: url });
    await drop();
  });
});
