/** What a status page costs that many people reload: from memory, plain and gzipped, as 304, and a badge. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readProcessUsage } from "../fleet/process-usage.ts";
import { assertAll, runLoad } from "./load.ts";
import { type BenchRow, type Effort, median } from "./measure.ts";
import { startOwnProgram } from "./own-program.ts";

const TOKEN = "a-token-of-the-benchmarks";
const COMPONENTS = 20;
const CONNECTIONS = 64;

async function seed(url: string): Promise<void> {
  const components = Array.from({ length: COMPONENTS }, (_, at) => ({
    name: `Component ${at}`,
    source: { type: "manual" },
  }));
  const answer = await fetch(`${url}/api/admin/status-pages`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-admin-token": TOKEN },
    body: JSON.stringify({ slug: "main", title: "Northwind status", components }),
  });
  assert.equal(answer.status, 201, await answer.text());
}

/** Each answer as fast as it is given. */
export async function benchStatusPage({ seconds, rounds }: Effort): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-bench-status-"));
  const program = await startOwnProgram("monitor", { DATA_DIR: folder, GRPC_PORT: "0", ADMIN_TOKEN: TOKEN });
  const rows: BenchRow[] = [];
  try {
    await seed(program.url);
    const cases: { name: string; path: string; headers: Record<string, string> }[] = [
      { name: "plain", path: "/status", headers: {} },
      { name: "gzipped", path: "/status", headers: { "accept-encoding": "gzip" } },
      { name: "badge", path: "/status/main/badge.svg", headers: {} },
    ];
    for (const { name, path, headers } of cases) {
      const request = { url: program.url + path, headers: { accept: "text/html", ...headers } };
      await runLoad({ ...request, connections: CONNECTIONS, seconds: 3 });
      const rates: number[] = [];
      const before = readProcessUsage(program.pid)?.cpuSeconds ?? 0;
      let answers = 0;
      for (let round = 0; round < rounds; round += 1) {
        const result = assertAll(await runLoad({ ...request, connections: CONNECTIONS, seconds }), 200);
        answers += Object.values(result.statuses).reduce((sum, count) => sum + count, 0);
        rates.push(result.perSecond);
      }
      const cpu = (readProcessUsage(program.pid)?.cpuSeconds ?? 0) - before;
      const ours = median(rates);
      rows.push({
        name: `status page of ${COMPONENTS} components, ${name}, ${CONNECTIONS} callers`,
        unit: "/s",
        ours,
        note: `${((cpu * 1e6) / answers).toFixed(0)} µs of processor time each`,
        ...(name === "badge" ? {} : { target: "≥ 3,000/s", isReached: ours >= 3_000 }),
      });
    }
    return rows;
  } finally {
    await program.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
