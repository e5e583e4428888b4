/**
 * What the JSON store costs as it grows: start, memory, one read, one durable write, and how long a snapshot takes and
 * holds up the process. `npm run bench -- store-growth`
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bench, type BenchRow, startServer } from "./measure.ts";
import type { Growth } from "./store-growth-subject.ts";

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const subject = new URL("store-growth-subject.ts", import.meta.url);

/** Runs one part in a process of its own, whose memory is nothing but its own. */
async function run<I>(part: "seed" | "measure", folder: string, count: number): Promise<I> {
  const server = await startServer<I>(subject, [part, folder, String(count)]);
  await server.stop();
  return server.info;
}

async function measureSize(count: number): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "trivet-bench-growth-"));
  try {
    await run("seed", folder, count);
    const growth = await run<Growth>("measure", folder, count);
    const name = (what: string): string => `${count.toLocaleString("en")} records: ${what}`;
    return [
      {
        name: name("open"),
        unit: "ms",
        ours: growth.openMs,
        note: `${growth.openCpuMs.toFixed(0)} ms of CPU`,
      },
      {
        name: name("resident memory when open"),
        unit: "MiB",
        ours: growth.rssMib,
        note: `${growth.heapMib.toFixed(0)} MiB of heap`,
      },
      { name: name("one record by chance"), unit: "µs", ours: growth.readMicroseconds },
      { name: name("one durable write alone"), unit: "ms", ours: growth.writeMs },
      {
        name: name("a whole snapshot"),
        unit: "ms",
        ours: growth.snapshotMs,
        note: `longest pause ${growth.pauseMs.toFixed(0)} ms`,
      },
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The rows for 1,000 to 1,000,000 records of 500 bytes with an ordered index. */
export const benchStoreGrowth: Bench = async () => {
  const rows: BenchRow[] = [];
  for (const count of SIZES) rows.push(...(await measureSize(count)));
  return rows;
};
