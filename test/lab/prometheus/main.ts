/**
 * `npm run prometheus`: a real Prometheus scrapes the fleet's metrics. Starts the monitor with a few agents
 * and Debian's Prometheus (the system's, or its package unpacked into a temporary folder), lets promtool
 * check the text, waits until Prometheus has the values of every server, prints them, and stops everything.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { textOf } from "../../../src/kit/thrown.ts";
import { type DrivenAgent, startDrivenAgent } from "../fleet/driven-agent.ts";
import { type MonitorProgram, startMonitorProgram } from "../program.ts";
import {
  type Prometheus,
  checkAlertRules,
  checkMetricsText,
  findPrometheus,
  readDashboardQueries,
  startPrometheus,
} from "./program.ts";

const SERVERS = [
  { id: "web-1", cpuPercent: 12.5, memoryBytes: 1_500_000_000 },
  { id: "web-2", cpuPercent: 75, memoryBytes: 2_500_000_000 },
  { id: "db-1", cpuPercent: 41.2, memoryBytes: 3_999_999_999 },
] as const;
const WAIT_MS = 90_000;
const PAUSE_MS = 500;
const MEMORY_BYTES = 4_000_000_000;

type Server = (typeof SERVERS)[number];

function toPayload({ cpuPercent, memoryBytes }: Server): string {
  return JSON.stringify({
    v: 1,
    intervalMs: 3_000,
    cpu: { usagePercent: cpuPercent },
    load: { one: 0.5, five: 0.4, fifteen: 0.3 },
    memory: { totalBytes: MEMORY_BYTES, usedBytes: memoryBytes },
    disk: { totalBytes: 40_000_000_000, usedBytes: 10_000_000_000 },
    network: { rxTotalBytes: 1_000_000, txTotalBytes: 2_000_000 },
  });
}

function isKey(value: unknown): value is { id: string; agentKey: string } {
  return typeof value === "object" && value !== null && "id" in value && "agentKey" in value;
}

async function startAgents(monitor: MonitorProgram): Promise<{ stop(): Promise<void> }> {
  const agents: DrivenAgent[] = [];
  for (const server of SERVERS) {
    const key = await monitor.admin("POST", "/api/admin/servers", { id: server.id, name: server.id });
    if (!isKey(key)) throw new Error("A new server came without its key");
    const agent = startDrivenAgent({ ...key, address: monitor.grpc });
    agents.push(agent);
    await agent.send(toPayload(server));
  }
  // Never connected: it is down from the first.
  await monitor.admin("POST", "/api/admin/servers", { id: "never-1", name: "never-1" });
  return {
    async stop() {
      await Promise.all(agents.map((agent) => agent.stop()));
    },
  };
}

/** What Prometheus must come to: query → server → value. */
const expected: Readonly<Record<string, ReadonlyMap<string, number>>> = {
  trivet_server_up: new Map([...SERVERS.map(({ id }): [string, number] => [id, 1]), ["never-1", 0]]),
  trivet_server_cpu_usage_ratio: new Map(SERVERS.map(({ id, cpuPercent }) => [id, cpuPercent / 100])),
  trivet_server_memory_used_bytes: new Map(SERVERS.map(({ id, memoryBytes }) => [id, memoryBytes])),
  "trivet_server_memory_used_bytes / trivet_server_memory_size_bytes > 0.9": new Map([
    ["db-1", 3_999_999_999 / MEMORY_BYTES],
  ]),
  trivet_server_network_receive_bytes_total: new Map(SERVERS.map(({ id }) => [id, 1_000_000])),
};

/** Numbers go through float32 on the way: a part in a million is the same. */
function isSame(found: number | undefined, wanted: number): boolean {
  return found !== undefined && Math.abs(found - wanted) <= Math.abs(wanted) * 1e-6;
}

async function compare(prometheus: Prometheus): Promise<{ lines: string[]; isGood: boolean }> {
  const lines: string[] = [];
  let isGood = true;
  for (const [query, wanted] of Object.entries(expected)) {
    const found = await prometheus.query(query);
    for (const [server, value] of wanted) {
      const good = isSame(found.get(server), value) && found.size === wanted.size;
      isGood &&= good;
      lines.push(
        `${good ? "ok  " : "FAIL"} ${query}{server="${server}"} = ${found.get(server) ?? "nothing"}, to be ${value}`,
      );
    }
  }
  return { lines, isGood };
}

async function main(folder: string): Promise<number> {
  const tools = await findPrometheus(folder);
  console.log(`${tools.version}`);
  const monitor = await startMonitorProgram();
  const undo: (() => Promise<void>)[] = [() => monitor.stop()];
  try {
    const agents = await startAgents(monitor);
    undo.unshift(() => agents.stop());
    const prometheus = await startPrometheus(tools, {
      folder,
      target: new URL(monitor.url).host,
      token: monitor.adminToken,
    });
    undo.unshift(() => prometheus.stop());

    const headers = { authorization: `Bearer ${monitor.adminToken}` };
    const text = await (await fetch(`${monitor.url}/metrics`, { headers })).text();
    console.log(`promtool check metrics: ${await checkMetricsText(tools, { text, folder })}`);
    console.log(`promtool check rules: ${await checkAlertRules(tools, folder)}`);

    const endMs = performance.now() + WAIT_MS;
    let outcome = await compare(prometheus);
    while (!outcome.isGood && performance.now() < endMs) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      outcome = await compare(prometheus);
    }
    console.log(outcome.lines.join("\n"));
    const queries = await readDashboardQueries();
    // Throws when Prometheus does not understand one.
    for (const query of queries) await prometheus.query(query);
    console.log(`Prometheus understands the ${queries.length} queries of the Grafana dashboard`);
    if (!outcome.isGood) console.log(`Prometheus says of its target: ${await prometheus.describeTarget()}`);
    return outcome.isGood ? 0 : 1;
  } finally {
    for (const step of undo) await step();
  }
}

for (const [signal, number] of [
  ["SIGINT", 2],
  ["SIGTERM", 15],
] as const)
  process.once(signal, () => process.exit(128 + number));
const folder = await mkdtemp(join(tmpdir(), "trivet-prometheus-"));
try {
  process.exitCode = await main(folder);
} catch (error) {
  console.error(textOf(error));
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
