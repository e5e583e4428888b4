/**
 * How long test files take, kept in test/durations.json, so that the longest start first: one that starts last
 * costs its whole length, while the other cores have nothing to do. `npm test -- --durations` writes it anew.
 */
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { projectFolder } from "../support/process.ts";

const tablePath = join(projectFolder, "test", "durations.json");
const table = z.record(z.string(), z.number());

/** A test file on a runtime. */
export interface Timed {
  readonly runtime: { readonly name: string };
  readonly file: string;
}

export interface Durations {
  /** The longest first; what has never been measured stands at the average. */
  sort<T extends Timed>(tasks: readonly T[]): T[];
  /** Seconds after which a file counts as hung: two minutes, or ten times what it took, so that a busy machine is no fault. */
  limitSeconds(task: Timed): number;
  /** Keeps how many seconds it took this time. */
  note(task: Timed, seconds: number): void;
  /** Writes what is known. */
  save(): Promise<void>;
}

const toPath = (key: string): string => join(projectFolder, key.slice(key.indexOf(" ") + 1));
const toKey = ({ runtime, file }: Timed): string => `${runtime.name} ${file}`;

/** Reads the seconds measured before. @throws Error when the file is not a table of numbers */
export async function createDurations(): Promise<Durations> {
  const before = table.parse(JSON.parse(await readFile(tablePath, "utf8")));
  const known = new Map(Object.entries(before));
  const average = [...known.values()].reduce((sum, seconds) => sum + seconds, 0) / Math.max(1, known.size);
  const measured = new Map<string, number>();
  // On the other runtime it is long, too.
  const expected = ({ file, runtime }: Timed): number =>
    known.get(toKey({ runtime, file })) ?? known.get(`node ${file}`) ?? average;
  return {
    sort: (tasks) => tasks.toSorted((a, b) => expected(b) - expected(a)),
    limitSeconds: (task) => Math.max(120, 10 * expected(task)),
    note: (task, seconds) => void measured.set(toKey(task), Math.round(seconds * 10) / 10),
    save: async () => {
      const rows = [...new Map([...known, ...measured])].filter(([key]) => existsSync(toPath(key)));
      const sorted = Object.fromEntries(rows.toSorted(([a], [b]) => (a < b ? -1 : 1)));
      await writeFile(tablePath, `${JSON.stringify(sorted, undefined, 2)}\n`);
    },
  };
}
