/**
 * What a durable change costs in the JSON store, beside plain lowdb on the same disk in the same run: 500-byte
 * records, 64 callers, and what either has lost after a power cut. Run alone:
 * node --import tsx test/lab/bench/store.ts [--quick] [--folder F]
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { nodeOptions } from "../../../src/runtime/start-options.ts";
import { type BenchRow, machineLine, median, toTable } from "./measure.ts";
import { measurePowerCuts } from "./store-power-cut.ts";
import type { Round } from "./store-subject.ts";

interface Side {
  readonly round: (milliseconds: number) => Promise<Round>;
  readonly close: () => Promise<void>;
}

/** Starts one side in a process of its own. */
async function startSide(kind: "ours" | "lowdb" | "bare", folder: string, count: number): Promise<Side> {
  const child = fork(new URL("store-subject.ts", import.meta.url), [kind, folder, String(count)], {
    execArgv: [...process.execArgv, ...nodeOptions],
  });
  const gone = once(child, "exit");
  await once(child, "message");
  return {
    round: async (milliseconds) => {
      const answer = once(child, "message");
      child.send(milliseconds);
      const values: readonly unknown[] = await answer;
      return values[0] as Round; // the other end of the channel is store-subject.ts
    },
    close: async () => {
      child.send(0);
      await gone;
    },
  };
}

async function measureSize(count: number, options: { quick: boolean; parent: string }): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(options.parent, "trivet-bench-"));
  const sides = [
    await startSide("ours", folder, count),
    await startSide("lowdb", folder, count),
    await startSide("bare", folder, count),
  ];
  const rounds: Round[][] = [[], [], []];
  for (let round = 0; round < (options.quick ? 2 : 7); round += 1) {
    for (const [index, side] of sides.entries())
      rounds[index]?.push(await side.round(options.quick ? 300 : 2000));
  }
  for (const side of sides) await side.close();
  await rm(folder, { recursive: true });
  const [ours = [], lowdb = [], bare = []] = rounds;
  const of = (list: readonly Round[], key: keyof Round): number => median(list.map((round) => round[key]));
  const target = count > 50_000 ? 35_000 : 45_000;
  const size = count.toLocaleString("en");
  const best = Math.max(...ours.map(({ perSecond }) => perSecond));
  return [
    {
      name: `store: changes/s, ${size} records, 64 callers`,
      unit: "/s",
      ours: of(ours, "perSecond"),
      other: { name: "plain lowdb", value: of(lowdb, "perSecond") },
      target: `≥ ${target.toLocaleString("en")}`,
      isReached: of(ours, "perSecond") >= target,
      note: `best round ${Math.round(best).toLocaleString("en")}; bare write + fdatasync ${Math.round(of(bare, "perSecond")).toLocaleString("en")}; ${of(ours, "cpuMicrosecondsEach").toFixed(1)} µs CPU each`,
    },
    {
      name: `store: p99 of a change, ${size} records`,
      unit: "ms",
      ours: of(ours, "p99Ms"),
      other: { name: "plain lowdb", value: of(lowdb, "p99Ms") },
    },
  ];
}

/** All cases of the store. */
export async function benchStore(options: { quick: boolean; folder?: string }): Promise<BenchRow[]> {
  const parent = options.folder ?? tmpdir();
  const sizes = options.quick ? [1000] : [10_000, 100_000];
  const rows: BenchRow[] = [];
  for (const size of sizes) rows.push(...(await measureSize(size, { quick: options.quick, parent })));
  rows.push(await measurePowerCuts(options.quick ? 10 : 100));
  return rows;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { quick: { type: "boolean", default: false }, folder: { type: "string" } },
  });
  const rows = await benchStore({
    quick: values.quick,
    ...(values.folder === undefined ? {} : { folder: values.folder }),
  });
  console.log(`${machineLine()}\n\n${toTable(rows)}`);
}
