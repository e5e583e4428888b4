/**
 * `npm run check`: everything that must hold before a change goes in. Runs all steps, also after one
 * failed, and closes with a table. `--static` leaves the tests out.
 */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { projectFolder, runNode } from "./process.ts";

interface Step {
  readonly name: string;
  /** Path of a program below node_modules or the project, then its arguments. */
  readonly script: readonly [string, ...string[]];
  readonly tests?: boolean;
  readonly typescript?: boolean;
}

/** Tests of browser code import what has the types of a DOM, which Deno's compiler does not know: `tsc` checks them. */
const testsForDeno = readdirSync(join(projectFolder, "test"), { withFileTypes: true })
  .filter((entry) => (entry.isDirectory() ? entry.name !== "web" : entry.name.endsWith(".ts")))
  .map(({ name }) => `test/${name}`);

const lintArgs = ["--type-aware", "--deny-warnings", "--report-unused-disable-directives"];
const steps: readonly Step[] = [
  { name: "format", script: ["node_modules/oxfmt/bin/oxfmt", "--check"] },
  { name: "lint", script: ["node_modules/oxlint/bin/oxlint", ...lintArgs] },
  { name: "types (tsc)", script: ["node_modules/typescript-native/bin/tsc", "--noEmit"] },
  {
    name: "types (deno)",
    script: ["node_modules/deno/bin.cjs", "check", "--quiet", "src", "scripts", ...testsForDeno],
  },
  { name: "protocol code", script: ["scripts/proto.ts", "--check"], typescript: true },
  { name: "texts", script: ["scripts/texts.ts", "--check"], typescript: true },
  { name: "reference", script: ["scripts/reference.ts", "--check"], typescript: true },
  { name: "start options", script: ["scripts/start-options.ts", "--check"], typescript: true },
  { name: "OpenAPI", script: ["scripts/openapi-lint.ts"], typescript: true },
  { name: "bundles", script: ["scripts/build.ts", "--check"], typescript: true },
  { name: "packages", script: ["scripts/licences.ts", "--check"], typescript: true },
  { name: "tests (node)", script: ["test/runner/main.ts", "--node"], typescript: true, tests: true },
  { name: "tests (deno)", script: ["test/runner/main.ts", "--deno"], typescript: true, tests: true },
];

interface Outcome {
  readonly name: string;
  readonly seconds: number;
  readonly good: boolean;
}

async function runStep({ name, script, tests = false, typescript = false }: Step): Promise<Outcome> {
  console.log(`… ${name}`);
  const [program, ...args] = script;
  const started = performance.now();
  const line = [...(typescript ? ["--import", "tsx"] : []), join(projectFolder, program), ...args];
  // The tests have a time-out for each file, and say what they do; the other steps are done in seconds.
  const { code, output } = tests
    ? { code: spawnSync(process.execPath, line, { cwd: projectFolder, stdio: "inherit" }).status, output: "" }
    : await runNode(line, { cwd: projectFolder, timeoutMs: 300_000 });
  if (code !== 0) console.log(`${name}:\n${output.trimEnd()}`);
  return { name, seconds: (performance.now() - started) / 1_000, good: code === 0 };
}

/** Two at a time, in their order: most of them use one core, and more at once would need much memory. */
async function runBesideEachOther(chosen: readonly Step[]): Promise<Outcome[]> {
  const queue = [...chosen];
  const done = new Map<string, Outcome>();
  async function work(): Promise<void> {
    for (let step = queue.shift(); step !== undefined; step = queue.shift())
      done.set(step.name, await runStep(step));
  }
  await Promise.all([work(), work()]);
  return chosen.flatMap(({ name }) => done.get(name) ?? []);
}

function toTable(outcomes: readonly Outcome[]): string {
  const width = Math.max(...outcomes.map(({ name }) => name.length));
  return outcomes
    .map(
      ({ name, seconds, good }) =>
        `${name.padEnd(width)}  ${seconds.toFixed(1).padStart(6)} s  ${good ? "ok" : "FAILED"}`,
    )
    .join("\n");
}

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { static: { type: "boolean", default: false } } });
  // Several steps read the pages.
  const outcomes = [await runStep({ name: "pages", script: ["scripts/pages.js"] })];
  outcomes.push(...(await runBesideEachOther(steps.filter(({ tests }) => tests !== true))));
  // These fill the machine by themselves.
  for (const step of steps) if (!values.static && step.tests === true) outcomes.push(await runStep(step));
  console.log(`\n${toTable(outcomes)}`);
  return outcomes.every(({ good }) => good) ? 0 : 1;
}

process.exitCode = await main();
