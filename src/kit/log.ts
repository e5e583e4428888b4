/** Log lines: JSON for machines, one readable line on a terminal. Hidden here: format, levels, escaping. */
import type { Clock } from "./clock.ts";
import { systemClock } from "./clock.ts";

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];
export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A log whose lines all carry `fields`. */
  child(fields: LogFields): Log;
}

export interface LogOptions {
  readonly level: LogLevel;
  /** One line, without its end. */
  readonly write: (line: string) => void;
  readonly pretty?: boolean;
  readonly clock?: Clock;
  readonly fields?: LogFields;
}

function describeError(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  return { name: value.name, message: value.message, stack: value.stack };
}

function toPretty(time: string, level: string, entry: { message: string; fields: LogFields }): string {
  const rest = Object.entries(entry.fields)
    .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(describeError(value))}`)
    .join(" ");
  const line = `${time.slice(11, 19)} ${level.toUpperCase().padEnd(5)} ${entry.message}${rest === "" ? "" : `  ${rest}`}`;
  // Control characters could forge a second line or move the cursor.
  return line.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/gu, (c) => JSON.stringify(c).slice(1, -1));
}

/** Makes a log that writes lines of `level` and above. */
export function createLog(options: LogOptions): Log {
  const clock = options.clock ?? systemClock;
  const threshold = logLevels.indexOf(options.level);
  const base = options.fields ?? {};
  function emit(level: LogLevel, message: string, fields: LogFields = {}): void {
    if (logLevels.indexOf(level) < threshold) return;
    const time = new Date(clock.now()).toISOString();
    const all = { ...base, ...fields };
    if (options.pretty === true) {
      options.write(toPretty(time, level, { message, fields: all }));
      return;
    }
    const plain = Object.fromEntries(Object.entries(all).map(([key, value]) => [key, describeError(value)]));
    options.write(JSON.stringify({ time, level, message, ...plain }));
  }
  return {
    debug: (message, fields) => emit("debug", message, fields),
    info: (message, fields) => emit("info", message, fields),
    warn: (message, fields) => emit("warn", message, fields),
    error: (message, fields) => emit("error", message, fields),
    child: (fields) => createLog({ ...options, fields: { ...base, ...fields } }),
  };
}

/** A log that says nothing, for tests. */
export const silentLog: Log = createLog({ level: "silent", write: () => undefined });
