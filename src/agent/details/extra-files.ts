/**
 * Values that programs of the machine leave in a folder, one JSON file each: the way for what no file of the kernel
 * says, such as SMART, NVIDIA or a UPS. The agent only reads them.
 */
import { readFile, readdir, stat } from "node:fs/promises";
import { textOf } from "../../kit/thrown.ts";
import type { DiskHealth, ExtraGroup, ExtraValue } from "../payload.ts";
import type { DetailReading } from "./details.ts";
import { toLine, valueAt } from "./json.ts";
import { isSmart, toDiskHealth } from "./smart.ts";

const MOST_FILES = 16;
const MOST_VALUES = 64;
const MAX_BYTES = 16 * 1024;
/** Maximum size of smartctl's output for a disk. */
const MAX_SMART_BYTES = 256 * 1024;
/** How the names of its files begin. */
const SMART_NAME = "smart";
const DEFAULT_AGE_SECONDS = 86_400;
const MAX_AGE_SECONDS = 7 * 86_400;
const states = ["ok", "warning", "critical", "unknown"] as const;

export interface ExtraFilesOptions {
  readonly folder: string;
  /** Epoch milliseconds, by the clock of the file system. */
  readonly now: () => number;
  /** Called with what is wrong with a file, once until it changes. */
  readonly onFault: (text: string) => void;
}

function toValue(item: unknown, at: number): ExtraValue {
  const name = toLine(valueAt(item, "name"), 64);
  if (name === undefined) throw new Error(`values[${at}].name must be a string`);
  const value = valueAt(item, "value");
  const text = toLine(value, 64);
  if (text === undefined && (typeof value !== "number" || !Number.isFinite(value)))
    throw new Error(`values[${at}].value must be a number or a string`);
  const state = states.find((one) => one === (valueAt(item, "state") ?? "ok"));
  if (state === undefined) throw new Error(`values[${at}].state must be one of ${states.join(", ")}`);
  const unit = toLine(valueAt(item, "unit"), 16);
  return typeof value === "number" ? { name, value, unit, state } : { name, text, unit, state };
}

/** Reads the text of one file; undefined when it is too old. @throws Error that says what is wrong */
export function parseExtraFile(
  text: string,
  { writtenAtUnixMs, nowUnixMs }: { writtenAtUnixMs: number; nowUnixMs: number },
): ExtraGroup | undefined {
  const file: unknown = JSON.parse(text);
  const title = toLine(valueAt(file, "title"), 64);
  if (title === undefined) throw new Error("title must be a string");
  const maxAge = valueAt(file, "maxAgeSeconds") ?? DEFAULT_AGE_SECONDS;
  if (typeof maxAge !== "number" || !(maxAge >= 1 && maxAge <= MAX_AGE_SECONDS))
    throw new Error(`maxAgeSeconds must be a number from 1 to ${MAX_AGE_SECONDS}`);
  const values = valueAt(file, "values");
  if (!Array.isArray(values)) throw new Error("values must be a list");
  if (nowUnixMs - writtenAtUnixMs > maxAge * 1_000) return undefined;
  return { title, writtenAtUnixMs, values: values.slice(0, MOST_VALUES).map(toValue) };
}

function countState(groups: readonly ExtraGroup[], wanted: ExtraValue["state"]): number {
  return groups.reduce((sum, { values }) => sum + values.filter(({ state }) => state === wanted).length, 0);
}

/** Keeps as many values as a report has room for. */
function limitValues(groups: readonly ExtraGroup[]): ExtraGroup[] {
  let left = MOST_VALUES;
  return groups.flatMap((group) => {
    const values = group.values.slice(0, left);
    left -= values.length;
    return values.length === 0 ? [] : [{ ...group, values }];
  });
}

/** Creates the reader; a folder that is not there holds nothing. */
export function createExtraFiles(options: ExtraFilesOptions): () => Promise<DetailReading> {
  const { folder, now, onFault } = options;
  const faults = new Map<string, string>();

  function parse(
    text: string,
    times: { writtenAtUnixMs: number; nowUnixMs: number },
  ): ExtraGroup | DiskHealth | undefined {
    const file: unknown = JSON.parse(text);
    if (!isSmart(file)) return parseExtraFile(text, times);
    const { nowUnixMs, writtenAtUnixMs } = times;
    return nowUnixMs - writtenAtUnixMs > DEFAULT_AGE_SECONDS * 1_000 ? undefined : toDiskHealth(file);
  }

  async function readOne(name: string): Promise<ExtraGroup | DiskHealth | undefined> {
    const path = `${folder}/${name}`;
    try {
      const { size, mtimeMs, isFile } = await stat(path).then((found) => ({
        size: found.size,
        mtimeMs: found.mtimeMs,
        isFile: found.isFile(),
      }));
      // A pipe would never end.
      if (!isFile) throw new Error("is not a file");
      const limit = name.startsWith(SMART_NAME) ? MAX_SMART_BYTES : MAX_BYTES;
      if (size > limit) throw new Error(`is larger than ${limit} bytes`);
      const writtenAtUnixMs = Math.min(Math.round(mtimeMs), now());
      const group = parse(await readFile(path, "utf8"), { writtenAtUnixMs, nowUnixMs: now() });
      faults.delete(name);
      return group;
    } catch (error) {
      const fault = textOf(error);
      if (faults.get(name) !== fault) onFault(`"${path}" is ignored: ${fault}`);
      faults.set(name, fault);
      return undefined;
    }
  }

  return async () => {
    const names = await readdir(folder).catch(() => []);
    const chosen = names
      .filter((name) => name.endsWith(".json") && !name.startsWith("."))
      .toSorted()
      .slice(0, MOST_FILES);
    for (const name of faults.keys()) if (!chosen.includes(name)) faults.delete(name);
    const found = (await Promise.all(chosen.map(readOne))).filter((one) => one !== undefined);
    const extras = limitValues(found.filter((one) => "values" in one));
    const disks = found.flatMap((one) => ("values" in one ? [] : [one]));
    if (found.length === 0) return {};
    return {
      extra: { warnings: countState(extras, "warning"), criticals: countState(extras, "critical") },
      details: {
        extras: extras.length > 0 ? extras : undefined,
        disks: disks.length > 0 ? disks : undefined,
      },
    };
  };
}
