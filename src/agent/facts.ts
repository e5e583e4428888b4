/**
 * Reads facts about a machine, one at a time. A fact that cannot be read is left out of the report and mentioned: once
 * in the log, and to the monitor in each report. It never prevents the report.
 */
import type { Log } from "../kit/observe/log.ts";
import { textOf } from "../kit/thrown.ts";
import type { ReadFault } from "./payload.ts";

const MOST_FAULTS = 32;
const MAX_NAME = 120;
const MAX_REASON = 200;

export interface FactReader {
  /** The result of `read`; undefined if it throws. `name` is a display name: "Network interfaces". */
  read<T>(name: string, read: () => T): T | undefined;
  /** The same for what takes time. */
  readLater<T>(name: string, read: () => T | Promise<T>): Promise<T | undefined>;
  /** Of the facts whose name begins with `prefix` only `names` are read from now on. */
  keep(prefix: string, names: ReadonlySet<string>): void;
  /** The facts that cannot be read at present; undefined when there is none. */
  faults(): readonly ReadFault[] | undefined;
}

/** Starts with no fault. */
export function createFactReader(log: Pick<Log, "warn">): FactReader {
  const faults = new Map<string, string>();

  function fail(name: string, error: unknown): undefined {
    const reason = textOf(error);
    if (!faults.has(name))
      log.warn(`${name} cannot be read; reports omit this value until it can`, { reason });
    faults.set(name, reason);
  }

  return {
    read(name, read) {
      try {
        const fact = read();
        faults.delete(name);
        return fact;
      } catch (error) {
        return fail(name, error);
      }
    },
    async readLater(name, read) {
      try {
        const fact = await read();
        faults.delete(name);
        return fact;
      } catch (error) {
        return fail(name, error);
      }
    },
    keep(prefix, names) {
      for (const name of faults.keys()) if (name.startsWith(prefix) && !names.has(name)) faults.delete(name);
    },
    faults() {
      if (faults.size === 0) return undefined;
      return [...faults].slice(0, MOST_FAULTS).map(([name, reason]) => ({
        name: name.slice(0, MAX_NAME),
        reason: reason.slice(0, MAX_REASON),
      }));
    },
  };
}
