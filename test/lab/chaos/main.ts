/**
 * `npm run chaos`: what the services promise about faults, tried on the real programs, each promise beside a control
 * that is known to break it. Exit code 1 when a promise was broken, or a control went unnoticed.
 */
import { rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import process from "node:process";
import { parseArgs } from "node:util";
import { nodeOptions } from "../../../src/runtime/start-options.ts";
import { denoRunner } from "../../support/own-runtime.ts";
import { buildPages } from "../../support/pages.ts";
import { machineLine } from "../bench/measure.ts";
import { makeBundle } from "../bundle.ts";
import { breakOff, type ChaosRow } from "./case.ts";
import { chaosCases } from "./cases.ts";
import { hasFailed, runChaos } from "./run.ts";
import { toLine, toTable } from "./table.ts";

const help = `Harms the services as the world does, and looks whether they keep their promises.

  npm run chaos                 every case, about ten minutes
  npm run chaos -- --quick      fewer rounds and shorter outages, about three minutes
  npm run chaos -- CASE …       these alone

  --list        the cases, with what they promise
  --seed N      other random moments (default 1)
  --rounds N    so many kills, cuts or flips in each part
  --kills N     so many kills in a case "many" (default 500)
  --cuts N      so many power cuts there (default 50)
  --compact N   on Node, journals are compacted at N KiB and not at 64 MiB, so that faults meet that often
  --slack N     multiplies limits of time, where others want the same cores (default 1)
  --deno        the programs run on Deno
  --json FILE   writes the rows
  --help        print this`;

function fail(text: string): never {
  console.error(text);
  process.exit(2);
}

function readOptions() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        list: { type: "boolean", default: false },
        quick: { type: "boolean", default: false },
        deno: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
        seed: { type: "string", default: "1" },
        rounds: { type: "string" },
        kills: { type: "string", default: "500" },
        cuts: { type: "string", default: "50" },
        compact: { type: "string" },
        slack: { type: "string", default: "1" },
        json: { type: "string" },
      },
    });
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
  }
}

/** Options that mean nothing as 0. */
const MORE_THAN_NONE = new Set(["rounds", "slack", "compact"]);

/** A whole number of an option. */
function toWhole(name: string, text: string): number {
  if (!/^\d{1,9}$/u.test(text) || (MORE_THAN_NONE.has(name) && Number(text) === 0))
    fail(`--${name} takes a whole number, not "${text}"`);
  return Number(text);
}

/** Programs, mounts and folders of a run that is stopped go with it. */
function clearUpOnSignal(): void {
  for (const [signal, number] of [
    ["SIGINT", 2],
    ["SIGTERM", 15],
  ] as const)
    process.once(signal, () => void breakOff().finally(() => process.exit(128 + number)));
}

async function main(): Promise<void> {
  const { values, positionals } = readOptions();
  if (values.help) return console.log(help);
  if (values.list)
    return console.log(chaosCases.map((one) => `${one.name.padEnd(16)}${one.promise}`).join("\n"));
  const unknown = positionals.filter((name) => !chaosCases.some((one) => one.name === name));
  if (unknown.length > 0) fail(`There is no case "${unknown.join('", "')}": see --list`);
  const cases = chaosCases.filter(({ name, isAsked }) =>
    positionals.length === 0 ? isAsked !== true : positionals.includes(name),
  );
  const seed = toWhole("seed", values.seed);
  const rounds = values.rounds === undefined ? undefined : toWhole("rounds", values.rounds);
  const slack = toWhole("slack", values.slack);
  const compactKib = values.compact === undefined ? undefined : toWhole("compact", values.compact);
  const startedMs = performance.now();
  clearUpOnSignal();
  await buildPages();
  const bundle = values.deno ? undefined : await makeBundle({ compactKib });
  process.once("exit", () => bundle !== undefined && rmSync(bundle, { force: true }));
  const rows = await runChaos({
    cases,
    seed,
    rounds,
    slack,
    kills: toWhole("kills", values.kills),
    cuts: toWhole("cuts", values.cuts),
    isQuick: values.quick,
    isDeno: values.deno,
    entry: bundle ?? "src/main.ts",
    runner: values.deno ? denoRunner() : [process.execPath, ...nodeOptions, "--import", "tsx"],
    onRow: (row: ChaosRow) => console.error(toLine(row)),
  });
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  // Times mean little where others want the same cores.
  const load = Math.round(loadavg()[0] ?? 0);
  const where = `${machineLine()}${values.deno ? ", programs on Deno" : ""}, load ${load}${slack === 1 ? "" : `, limits of time times ${slack}`}`;
  const machine = `${where}; seed ${seed}; ${seconds} s`;
  console.log(`${machine}\n\n${toTable(rows)}`);
  const { json } = values;
  if (json !== undefined)
    await writeFile(json, `${JSON.stringify({ machine, seed, seconds, rows }, undefined, 2)}\n`);
  // Sockets of a case that went wrong must not keep the run alive.
  process.exit(hasFailed(rows) ? 1 : 0);
}

await main();
