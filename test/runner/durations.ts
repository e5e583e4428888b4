/**
 * How long test files take, kept in test/durations.json, so that the longest start first: one that starts last costs
 * its whole length, while the other cores have nothing to do. `npm test -- --durations` updates it.
 */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { projectFolder } from "../support/process.ts";

const tablePath = join(projectFolder, "test", "durations.json");
const table = z.record(z.string(), z.number());

/** Test files that share a process. */
export interface Timed {
  readonly runtime: { readonly name: string };
  readonly files: readonly string[];
}

export interface Durations {
  /** The longest first; unmeasured ones in the middle. */
  sort<T extends Timed>(tasks: readonly T[]): T[];
  /** Seconds that a file takes. */
  expect(runtime: string, file: string): number;
  /** Seconds after which a process counts as hung: two minutes, or ten times what it took, so that a busy machine is no fault. */
  limitSeconds(task: Timed): number;
  /** Keeps how many seconds a file took this time. */
  note(runtime: string, options: { file: string; seconds: number }): void;
  /** Writes what is known. */
  save(): Promise<void>;
}

const toPath = (key: string): string => join(projectFolder, key.slice(key.indexOf(" ") + 1));

/** Reads the seconds measured before. @throws Error when the file is not a table of numbers */
export async function createDurations(): Promise<Durations> {
  const before = table.parse(JSON.parse(await readFile(tablePath, "utf8")));
  const known = new Map(Object.entries(before));
  const sorted = [...known.values()].toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 1;
  const measured = new Map<string, number>();
  // On the other runtime it is long, too.
  const expect = (runtime: string, file: string): number =>
    known.get(`${runtime} ${file}`) ?? known.get(`node ${file}`) ?? median;
  const expectAll = ({ runtime, files }: Timed): number =>
    files.reduce((sum, file) => sum + expect(runtime.name, file), 0);
  return {
    sort: (tasks) => tasks.toSorted((a, b) => expectAll(b) - expectAll(a)),
    expect,
    limitSeconds: (task) => Math.max(120, 10 * expectAll(task)),
    note: (runtime, { file, seconds }) =>
      void measured.set(`${runtime} ${file}`, Math.round(seconds * 10) / 10),
    save: async () => {
      const rows = [...new Map([...known, ...measured])].filter(([key]) => existsSync(toPath(key)));
      const ordered = Object.fromEntries(rows.toSorted(([a], [b]) => (a < b ? -1 : 1)));
      await writeFile(tablePath, `${JSON.stringify(ordered, undefined, 2)}\n`);
    },
  };
}
