/**
 * `npm run bench`, with `-- --help` for its options: runs the benchmarks and prints a table; figures in
 * docs/benchmarks.md come from here. Each compares in one run, in turn, and takes medians.
 */
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { buildPages } from "../../support/pages.ts";
import { type Bench, type BenchRow, machineLine, toTable } from "./measure.ts";
import { authBenches } from "./auth.ts";
import { benchDashboard } from "./dashboard.ts";
import { monitorBenches } from "./monitor.ts";
import { benchOpenid } from "./openid.ts";
import { benchPages } from "./pages.ts";
import { shopBenches } from "./shop.ts";
import { benchStore } from "./store.ts";
import { benchStoreEngines } from "./store-engines.ts";
import { benchStoreGrowth } from "./store-growth.ts";

const benches: Readonly<Record<string, Bench>> = {
  ...monitorBenches,
  ...authBenches,
  ...shopBenches,
  openid: benchOpenid,
  pages: benchPages,
  dashboard: benchDashboard,
  store: ({ rounds }) => benchStore({ quick: rounds < 3 }),
  "store-engines": benchStoreEngines,
  "store-growth": benchStoreGrowth,
};

const USAGE = `npm run bench [-- NAME …] [options]
  --seconds S   a round of a case (default 4)
  --rounds N    so many of them, in turn (default 5)
  --json FILE   the rows as JSON too
  --node FILE   another Node for our programs and what is bare

Names: ${Object.keys(benches).join(", ")}`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: "string", default: "4" },
    rounds: { type: "string", default: "5" },
    json: { type: "string" },
    node: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}
if (values.node !== undefined) process.env["BENCH_NODE"] = values.node;
const names = positionals.length === 0 ? Object.keys(benches) : positionals;
await buildPages();
const rows: BenchRow[] = [];
const cases = names.map((name) => {
  const bench = benches[name];
  if (bench !== undefined) return { name, bench };
  console.error(`There is no benchmark "${name}"; there are ${Object.keys(benches).join(", ")}`);
  process.exit(2);
});
for (const { name, bench } of cases) {
  const from = performance.now();
  try {
    const measured = await bench({
      seconds: Number(values.seconds),
      rounds: Number(values.rounds),
    });
    rows.push(...measured);
    // To stderr, so that the table alone can go into a file.
    const seconds = Math.round((performance.now() - from) / 1000);
    console.error(`${name}, ${seconds} s\n${toTable(measured)}\n`);
  } catch (error) {
    // What the others measured in half an hour is not lost with one.
    console.error(`"${name}" could not be measured:`, error);
    process.exitCode = 1;
  }
}
console.log(`${machineLine()}\n\n${toTable(rows)}`);
if (values.json !== undefined) {
  await writeFile(
    values.json,
    `${JSON.stringify({ machine: machineLine(), at: new Date().toISOString(), rows }, null, 2)}\n`,
  );
}
