/** What happens to the history of a program that is stopped and killed under load; used on both stores. */
import assert from "node:assert/strict";
import { runFleet } from "./lab/fleet/run.ts";
import { createTiers } from "../src/monitor/history/tiers.ts";
import { retentionSchema } from "../src/monitor/base/schema.ts";
import type { RollupStore } from "../src/store/series/rollups/rollups.ts";
import { type Program, type Programs, terminate } from "./support/program.ts";

const TOKEN = "a-token-for-this-suite";
const headers = { "x-admin-token": TOKEN };
/** The tiers of a new installation. */
export const tiers = createTiers(retentionSchema.parse({}));

/** Resolves when the program that listens on `http` has stored so many reports since its start. */
async function reach(http: number, count: number): Promise<void> {
  for (let stored = 0; stored < count; await new Promise((resolve) => setTimeout(resolve, 20))) {
    const text = await (await fetch(`http://127.0.0.1:${http}/metrics`, { headers })).text();
    stored = Number(/trivet_reports_total\{result="stored"\} (\d+)/u.exec(text)?.[1] ?? 0);
  }
}

async function readServer(http: number, id: string): Promise<{ key: string; stored: number }> {
  const answer = await fetch(`http://127.0.0.1:${http}/api/admin/servers/${id}`, { headers });
  const { createdAt, agent }: { createdAt: string; agent: { reportsStored: number } } = await answer.json();
  return { key: `${id}.${Date.parse(createdAt).toString(36)}`, stored: agent.reportsStored };
}

async function countReports(rollups: RollupStore, tier: string, key: string): Promise<number> {
  const { buckets } = await rollups.read({ tier, key, from: 0, to: Number.MAX_SAFE_INTEGER });
  return buckets.reduce((sum, { stats }) => sum + (stats[0] ?? 0), 0);
}

/** Stops and kills a program while agents report, then compares what `open` finds with what it had acknowledged. */
export async function assertHistorySurvives(
  programs: Programs,
  more: Record<string, string>,
  open: () => Promise<RollupStore>,
): Promise<void> {
  const env = { ADMIN_TOKEN: TOKEN, LOG_LEVEL: "warn", ...more };
  let program: Program = programs.run(env);
  const { http, grpc } = await programs.ports(program);
  const restart = async (): Promise<void> => {
    await program.ended;
    program = programs.run({ ...env, MONITOR_PORT: String(http), GRPC_PORT: String(grpc) });
    await programs.ports(program);
  };
  const stop = new AbortController();
  const fleet = runFleet({
    agents: 6,
    seconds: 90,
    intervalMs: 100,
    viewers: 0,
    server: `127.0.0.1:${grpc}`,
    url: `http://127.0.0.1:${http}`,
    adminToken: TOKEN,
    mode: "delta",
    connections: 2,
    signal: stop.signal,
  });
  await reach(http, 40);
  // A stop flushes, a kill leaves the rest to the sample log.
  terminate(program);
  await restart();
  await reach(http, 40);
  program.child.kill("SIGKILL");
  await restart();
  await reach(http, 20);
  stop.abort();
  const { accounts, lost } = await fleet;
  assert.equal(lost, 0);
  const servers = await Promise.all(accounts.map(({ id }) => readServer(http, id)));
  // What was on its way when the agents were stopped may be stored without an answer having arrived.
  for (const [index, { acknowledged }] of accounts.entries())
    assert.ok((servers[index]?.stored ?? 0) >= acknowledged, `${acknowledged} acknowledged`);
  terminate(program);
  assert.equal(await program.ended, 0);
  const rollups = await open();
  try {
    for (const { name } of tiers) {
      const counted = await Promise.all(servers.map(({ key }) => countReports(rollups, name, key)));
      assert.deepEqual(
        counted,
        servers.map(({ stored }) => stored),
        `tier ${name}`,
      );
    }
  } finally {
    await rollups.close();
  }
}
