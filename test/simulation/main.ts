/** `npm run simulate`: runs seeds of a whole install, searches for seeds that fail, and shrinks what it finds. */
import { spawnSync } from "node:child_process";
import process from "node:process";
import { parseArgs } from "node:util";
import { findMutants, runControl } from "./controls/run-controls.ts";
import type { Mutant } from "./controls/mutant.ts";
import { type Fault, describeFault } from "./faults/plan.ts";
import { loadSimulation } from "./load.ts";
import { shrinkFaults } from "./search/shrink.ts";
import type { SceneName, SimulationOptions, SimulationResult } from "./simulate.ts";

const USAGE = `Usage: npm run simulate -- [OPTIONS]
  --seed N        runs this seed (default: 1), and with --runs the seeds from it on
  --runs N        runs so many seeds and prints those that fail
  --minutes M     stops after M minutes
  --hours H       virtual hours of a run (default: 1); --days D is 24 as many
  --faults LEVEL  none, rare, light, heavy or storm (default: heavy)
  --scene NAME    install (shop and accounts on one machine; the default), monitor, or nodes
  --agents N      agents of the monitor (default: 20)
  --nodes N       nodes that share a database (default: 2)
  --buyers N      buyers at once (default: 8)
  --people N      accounts (default: 6); 0: the shop without an auth center
  --pause M       mean minutes between two actions of a buyer or a person (default: 2)
  --trace         tells what happens, line by line
  --controls      runs programs that are known to be broken until that is noticed, or --runs times (default: 10000),
                  each in short runs of a shop under a storm; --only WORDS chooses those whose name has the words
  --coverage      tells which lines of each room of src the runs reach (on Node.js)
  --shrink        leaves out faults of a seed that fails, as long as it fails with the same error`;

const { values } = parseArgs({
  options: {
    help: { type: "boolean", short: "h", default: false },
    seed: { type: "string", default: "1" },
    runs: { type: "string" },
    minutes: { type: "string" },
    hours: { type: "string" },
    days: { type: "string" },
    faults: { type: "string", default: "heavy" },
    buyers: { type: "string", default: "8" },
    people: { type: "string", default: "6" },
    scene: { type: "string", default: "install" },
    agents: { type: "string" },
    nodes: { type: "string" },
    pause: { type: "string", default: "2" },
    trace: { type: "boolean", default: false },
    shrink: { type: "boolean", default: false },
    coverage: { type: "boolean", default: false },
    controls: { type: "boolean", default: false },
    only: { type: "string", default: "" },
  },
});

function toNumber(text: string, name: string): number {
  const number = Number(text);
  if (!Number.isFinite(number) || number < 0) throw new Error(`--${name} takes a number`);
  return number;
}

function toLevel(text: string): SimulationOptions["level"] {
  if (text === "none" || text === "rare" || text === "light" || text === "heavy" || text === "storm")
    return text;
  throw new Error("--faults takes none, rare, light, heavy or storm");
}

function toScene(text: string): SceneName {
  if (text === "install" || text === "monitor" || text === "nodes") return text;
  throw new Error("--scene takes install, monitor or nodes");
}

function toOptional(text: string | undefined, name: string): number | undefined {
  return text === undefined ? undefined : toNumber(text, name);
}

function readOptions(seed: number, faults?: readonly Fault[]): SimulationOptions {
  const { hours, days } = values;
  const length = days === undefined ? toNumber(hours ?? "1", "hours") : 24 * toNumber(days, "days");
  return {
    seed,
    hours: length,
    level: toLevel(values.faults),
    buyers: toNumber(values.buyers, "buyers"),
    people: toNumber(values.people, "people"),
    pauseMs: 60_000 * toNumber(values.pause, "pause"),
    scene: toScene(values.scene),
    agents: toOptional(values.agents, "agents"),
    nodes: toOptional(values.nodes, "nodes"),
    faults,
    onTrace: values.trace ? (line) => console.log(line) : undefined,
  };
}

function describe({ seed, hash, failure, faults, ...result }: SimulationResult): string {
  const { virtualMs, orders, acknowledged, starts } = result;
  const hours = (virtualMs / 3_600_000).toFixed(1);
  const facts = `${hours} virtual hours, ${faults.length} faults, ${starts} starts, ${orders} orders, ${acknowledged} acknowledged operations, trace ${hash}`;
  if (failure === undefined) return `seed ${seed}: passed; ${facts}`;
  return `seed ${seed}: FAILED; ${facts}\n  ${failure.name}: ${failure.message}\n${failure.stack}`;
}

async function shrink(simulate: Simulate, failed: SimulationResult): Promise<void> {
  const name = failed.failure?.name;
  const { faults, tries } = await shrinkFaults(failed.faults, async (fewer) => {
    const { failure } = await simulate({ ...readOptions(failed.seed, fewer), onTrace: undefined });
    return failure?.name === name;
  });
  console.log(`  fails with ${faults.length} of ${failed.faults.length} faults (${tries} more runs):`);
  for (const fault of faults) console.log(`  - ${describeFault(fault)}`);
}

async function control(mutant: Mutant): Promise<void> {
  const most = toNumber(values.runs ?? "10000", "runs");
  const startUsage = process.cpuUsage();
  const { name, runs, found, needed = [] } = await runControl(mutant, { most, shrinks: values.shrink });
  if (found === undefined) process.exitCode = 1;
  const { user, system } = process.cpuUsage(startUsage);
  const seconds = ((user + system) / 1e6).toFixed(0);
  console.log(`${name}: ${found === undefined ? "NOT FOUND" : "found"} after ${runs} runs, ${seconds} s`);
  if (found !== undefined) console.log(`  ${found.split("\n")[0]}`);
  for (const fault of needed) console.log(`  - ${describeFault(fault)}`);
}

/** Each in a process of its own, as a bundle that was loaded stays in memory. */
async function controls(): Promise<void> {
  const chosen = findMutants(values.only);
  const [first] = chosen;
  if (first !== undefined && chosen.length === 1) return control(first);
  for (const { name } of chosen) {
    const args = [...process.execArgv, ...process.argv.slice(1), "--only", name];
    const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
    if (status !== 0) process.exitCode = 1;
  }
}

type Simulate = Awaited<ReturnType<typeof loadSimulation>>["simulate"];

async function coverage(): Promise<void> {
  const { measureCoverage } = await import("./search/coverage.ts");
  const [first, runs] = [toNumber(values.seed, "seed"), toNumber(values.runs ?? "1", "runs")];
  const rooms = await measureCoverage(async (simulate) => {
    for (let seed = first; seed < first + runs; seed += 1)
      console.log(describe(await simulate(readOptions(seed))));
  });
  for (const { room, lines, reached } of rooms)
    console.log(`${room}: ${reached} of ${lines} lines (${((100 * reached) / lines).toFixed(0)} %)`);
}

async function main(): Promise<void> {
  if (values.help) return console.log(USAGE);
  if (values.controls) return controls();
  if (values.coverage) return coverage();
  const { simulate } = await loadSimulation();
  const first = toNumber(values.seed, "seed");
  const runs =
    values.runs === undefined ? (values.minutes === undefined ? 1 : Infinity) : toNumber(values.runs, "runs");
  const endMs = Date.now() + 60_000 * toNumber(values.minutes ?? "1e9", "minutes");
  const startMs = Date.now();
  const startUsage = process.cpuUsage();
  const sum = { runs: 0, failed: 0, hours: 0, faults: 0, acknowledged: 0 };
  for (let seed = first; seed < first + runs && Date.now() < endMs; seed += 1) {
    const result = await simulate(readOptions(seed));
    sum.runs += 1;
    sum.hours += result.virtualMs / 3_600_000;
    sum.faults += result.faults.length;
    sum.acknowledged += result.acknowledged;
    if (runs === 1 || result.failure !== undefined) console.log(describe(result));
    if (result.failure === undefined) continue;
    sum.failed += 1;
    process.exitCode = 1;
    if (values.shrink) await shrink(simulate, result);
  }
  if (runs === 1) return;
  const minutes = (Date.now() - startMs) / 60_000;
  const { user, system } = process.cpuUsage(startUsage);
  const busyMinutes = (user + system) / 60_000_000;
  console.log(
    `${sum.runs} runs, ${sum.failed} failed, ${sum.faults} faults, ${sum.acknowledged} acknowledged operations, ${sum.hours.toFixed(0)} virtual hours in ${minutes.toFixed(1)} minutes (${(sum.hours / busyMinutes).toFixed(0)} for each minute of processor time)`,
  );
}

await main();
