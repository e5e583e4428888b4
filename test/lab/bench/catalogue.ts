/**
 * The catalogue: pages, filters and searches in memory, over HTTP on the program itself, and what a moving
 * stock costs.
 *
 *   node --import tsx test/lab/bench/catalogue.ts [--products=10000] [--seconds=5] [--connections=32] [--memory]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { silentLog } from "../../../src/kit/observe/log.ts";
import { createCatalogue } from "../../../src/shop/catalogue/catalogue.ts";
import { search } from "../../../src/shop/catalogue/search.ts";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { stock } from "../../../src/shop/products/records.ts";
import { openJournalStore } from "../../../src/store/journal/journal-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { createQueries, pickQuery, toSearch } from "./catalogue-queries.ts";
import { createRandom, seedCatalogue } from "./catalogue-seed.ts";
import { runLoad } from "./load.ts";
import { machineLine, quantile } from "./measure.ts";
import { startOwnProgram } from "./own-program.ts";

const { values: given } = parseArgs({
  options: {
    products: { type: "string", default: "10000" },
    seconds: { type: "string", default: "5" },
    connections: { type: "string", default: "32" },
    memory: { type: "boolean", default: false },
  },
});
const count = Number(given.products);
const random = createRandom(99);

const queries = createQueries(random, count);

async function perSecond(store: Store, total: number): Promise<number> {
  const startMs = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: 64 }, async () => {
      while (next < total) {
        const id = `prd_${String((next * 7919) % count).padStart(8, "0")}-M`;
        next += 1;
        await store.transact(async (tx) => {
          await tx.adjust(stock, id, { field: "reserved", by: 1 });
          await tx.adjust(stock, id, { field: "sold", by: 1 });
        });
      }
    }),
  );
  return (total / (performance.now() - startMs)) * 1_000;
}

async function measureMemory(folder: string): Promise<void> {
  const clock = { now: () => Date.now(), monotonic: () => performance.now() };
  const options = { name: "shop", collections: shopCollections, clock, log: silentLog };
  const store = await openJournalStore({ folder, ...options });
  const catalogue = createCatalogue({ store, clock, log: silentLog, isShared: false });
  const startMs = performance.now();
  const before = process.cpuUsage();
  await catalogue.load();
  const cpuMs = Math.round(process.cpuUsage(before).user / 1_000);
  console.log(`load: ${Math.round(performance.now() - startMs)} ms, ${cpuMs} ms of CPU`);
  console.log("\n| in memory | median µs | p99 µs | mean found |\n|---|---|---|---|");
  for (const [name, toQuery] of Object.entries(queries)) {
    const times: number[] = [];
    let found = 0;
    for (let i = 0; i < 3_000; i += 1) {
      const asked = toSearch(toQuery());
      const beganMs = performance.now();
      found += search(catalogue, asked).total;
      // The first ones are not compiled yet.
      if (i >= 1_000) times.push((performance.now() - beganMs) * 1_000);
    }
    const figures = [quantile(times, 0.5), quantile(times, 0.99), found / 3_000].map(Math.round);
    console.log(`| ${name} | ${figures.join(" | ")} |`);
  }
  await perSecond(store, 20_000);
  const bare = await perSecond(store, 40_000);
  const observed = await perSecond(catalogue.store, 40_000);
  console.log(
    `\nchanges of stock: ${Math.round(observed)}/s with the catalogue, ${Math.round(bare)}/s without`,
  );
  await store.close();
}

async function measureHttp(dataDir: string): Promise<void> {
  const env = { DATA_DIR: dataDir, ADMIN_TOKEN: "a-token-of-the-benchmarks" };
  const { url, startMs, stop } = await startOwnProgram("shop", env);
  try {
    console.log(`\nstart of the program: ${Math.round(startMs)} ms`);
    console.log("\n| over HTTP | requests/s | p50 ms | p99 ms | client CPU |\n|---|---|---|---|---|");
    const cases = { ...queries, "all of these": () => pickQuery(queries, random) };
    for (const [name, toQuery] of Object.entries(cases)) {
      const result = await runLoad({
        url: `${url}/api/products?{value}`,
        values: Array.from({ length: 20_000 }, toQuery),
        connections: Number(given.connections),
        seconds: Number(given.seconds),
        warmupSeconds: 1,
      });
      const { p50Ms, p99Ms, clientCpuShare } = result;
      const rest = [p50Ms, p99Ms, clientCpuShare].map((value) => value.toFixed(2));
      const wrong =
        Object.keys(result.statuses).join() === "200" ? "" : ` ${JSON.stringify(result.statuses)}`;
      console.log(`| ${name} | ${Math.round(result.perSecond)} | ${rest.join(" | ")} |${wrong}`);
    }
  } finally {
    await stop();
  }
}

const dataDir = await mkdtemp(join(tmpdir(), "trivet-catalogue-"));
try {
  console.log(`${count} products × 3 variants; ${machineLine()}`);
  await seedCatalogue(join(dataDir, "shop"), count);
  await measureMemory(join(dataDir, "shop"));
  if (!given.memory) await measureHttp(dataDir);
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
