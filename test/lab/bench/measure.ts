/** What the benchmarks share: medians, servers in processes of their own, results as rows. */
import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { cpus, totalmem } from "node:os";
import process from "node:process";
import { nodeOptions } from "../../../src/runtime/start-options.ts";

/** One line of the result. */
export interface BenchRow {
  readonly name: string;
  readonly unit: string;
  /** Median of ours. */
  readonly ours: number;
  /** Median of what it is compared with, in the same run, and what that is. */
  readonly other?: { readonly name: string; readonly value: number };
  /** The target figure in the design. */
  readonly target?: string;
  readonly isReached?: boolean;
  readonly note?: string;
}

/** How much to measure: seconds of load in each round, and rounds of each side in turn. */
export interface Effort {
  readonly seconds: number;
  readonly rounds: number;
}

/** A case: measures and returns its rows. */
export type Bench = (effort: Effort) => Promise<BenchRow[]>;

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/**
 * The Node that our programs and what is bare run on; `--node` names another than that of the bench. Peers and loads
 * stay on the bench's: their binaries are for it.
 */
export function measuredNode(): string {
  return process.env["BENCH_NODE"] ?? process.execPath;
}

export function machineLine(): string {
  const gib = Math.round(totalmem() / 1024 ** 3);
  const version = execFileSync(measuredNode(), ["-p", "process.versions.node"], { encoding: "utf8" }).trim();
  return `${cpus().length} × ${cpus()[0]?.model.trim() ?? "CPU"}, ${gib} GiB, ${process.platform} ${process.arch}, Node ${version}`;
}

/** Options of Node for both sides of a comparison, those of `npm start`; with BENCH_PROFILE_DIR it writes a CPU profile there when it ends, for Chromium's developer tools. */
export function toNodeFlags(): string[] {
  const folder = process.env["BENCH_PROFILE_DIR"];
  return [...nodeOptions, ...(folder === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${folder}`])];
}

/** A server in a process of its own. */
export interface BenchServer<I> {
  readonly info: I;
  send(command: string, data?: string): void;
  usage(): Promise<{ cpuMicroseconds: number; rssBytes: number }>;
  stop(): Promise<void>;
}

function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void =>
      reject(new Error(`A server of the benchmark ended with ${code}`));
    child.once("exit", onExit);
    child.once("message", (message) => {
      child.off("exit", onExit);
      resolve(message as T); // Both ends of the channel are in this folder.
    });
  });
}

/** Starts a script, or a bundle (.mjs), which needs no tsx; it sends one message when it is ready and answers `usage`. */
export async function startServer<I>(script: URL, args: readonly string[]): Promise<BenchServer<I>> {
  const before = script.pathname.endsWith(".mjs") ? [] : process.execArgv;
  const execArgv = [...before, ...toNodeFlags()];
  const child = fork(script, args, { execPath: measuredNode(), execArgv });
  const info = await nextMessage<I>(child);
  return {
    info,
    send: (command, data) => void child.send({ command, ...(data === undefined ? {} : { data }) }),
    usage: () => {
      const answer = nextMessage<{ cpuMicroseconds: number; rssBytes: number }>(child);
      child.send({ command: "usage" });
      return answer;
    },
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.disconnect();
      }),
  };
}

/** Numbers for people: three significant digits, thousands with a comma. */
function toText(value: number): string {
  if (!Number.isFinite(value)) return "—";
  return value >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(3)));
}

/** A table of rows in Markdown. */
export function toTable(rows: readonly BenchRow[]): string {
  const lines = rows.map(({ name, unit, ours, other, target, isReached, note }) => {
    const ratio = other === undefined ? "" : toText(ours / other.value);
    const compared = other === undefined ? "" : `${toText(other.value)} (${other.name})`;
    const mark = isReached === undefined ? "" : isReached ? " ✓" : " ✗";
    return `| ${name} | ${toText(ours)} ${unit} | ${compared} | ${ratio} | ${target ?? ""}${mark} | ${note ?? ""} |`;
  });
  return [
    "| case | Trivet | compared with | ratio | to reach | |",
    "|---|---|---|---|---|---|",
    ...lines,
  ].join("\n");
}
