/** Small programs that count and say so, for checks that compare the last number said with what is on the disk. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openJournalStore } from "../../../src/store/journal/journal-store.ts";
import { counters, items } from "../../contract/store-fixtures.ts";
import type { Surroundings } from "./case.ts";

/** "ours" is the JSON store; the others are what careless-writer.ts can be. */
export type WriterKind = "ours" | "no-wait" | "no-sync" | "no-look";

export interface Writer {
  /** The highest number that it called stored. */
  acknowledged(): number;
  kill(): Promise<void>;
  /** Its exit code when it has ended by itself. */
  exitCode(): number | null;
}

/** Starts one on a folder; it ends with the part. */
export function startWriter(around: Surroundings, kind: WriterKind, folder: string): Writer {
  const [command, ...before] = around.runner;
  const file = kind === "ours" ? "../../store/journal/kill-writer.ts" : "careless-writer.ts";
  const args = kind === "ours" ? [folder] : [kind, folder];
  const path = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(command, [...before, path, ...args], { stdio: ["ignore", "pipe", "ignore"] });
  const closed = once(child, "close");
  let highest = 0;
  let rest = "";
  child.stdout.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) highest = Math.max(highest, Number(line));
  });
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await closed;
  };
  around.onEnd(kill);
  return { acknowledged: () => highest, kill, exitCode: () => child.exitCode };
}

/** The number that is found on the disk; throws when it cannot be read. */
export async function readCount(kind: WriterKind, folder: string): Promise<number> {
  if (kind !== "ours") {
    const text = await readFile(join(folder, "careless.json"), "utf8").catch(() => "");
    const found: unknown = text === "" ? undefined : Reflect.get(Object(JSON.parse(text)), "value");
    return Number(found ?? 0);
  }
  const store = await openJournalStore({ folder, name: "killed", collections: [items, counters] });
  try {
    return (await store.read((tx) => tx.get(counters, "n")))?.value ?? 0;
  } finally {
    await store.close();
  }
}
