/** Log lines: JSON for machines, one readable line on a terminal. */
import { causesOf, codeOf, textOf } from "../thrown.ts";
import { type Clock, systemClock } from "../time/clock.ts";

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
  /** One line, without its end, and its level. */
  readonly write: (line: string, level: LogLevel) => void;
  readonly pretty?: boolean;
  readonly clock?: Clock;
  readonly fields?: LogFields;
}

function describeError(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const causes = [...causesOf(value)].slice(1).map((cause) => ({
    name: cause.name,
    message: textOf(cause),
    code: codeOf(cause),
  }));
  const described = { name: value.name, message: textOf(value), stack: value.stack };
  return causes.length === 0 ? described : { ...described, causes };
}

/** Control characters could forge a second line or move a terminal's cursor; JSON escapes only the first 32. */
function escapeControls(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/gu,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** JSON that never throws: a log line must not end the work that it is about. */
function toJson(value: unknown): string {
  // Most values are short plain texts, for which JSON.stringify is the larger part of a line's cost.
  if (typeof value === "string" && /^[ !#-[\]-~]*$/u.test(value)) return `"${value}"`;
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  try {
    return escapeControls(JSON.stringify(describeError(value)) ?? "null");
  } catch {
    return toJson(`${typeof value} that JSON cannot hold`);
  }
}

function toPretty(time: string, level: string, entry: { message: string; fields: LogFields }): string {
  const rest = Object.entries(entry.fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${typeof value === "string" ? value : toJson(value)}`)
    .join(" ");
  const line = `${time.slice(11, 19)} ${level.toUpperCase().padEnd(5)} ${entry.message}${rest === "" ? "" : `  ${rest}`}`;
  return escapeControls(line);
}

const reserved = new Set(["time", "level", "message"]);

/** Beginnings of members by their names, which are few: our code's. */
const memberStarts = new Map<string, string>();
const MAX_STARTS = 1_000;

/** The beginning of a member, with a comma before it. A field cannot pose as time, level or message. */
function toMemberStart(key: string): string {
  const known = memberStarts.get(key);
  if (known !== undefined) return known;
  const start = `,${toJson(reserved.has(key) ? `${key}_` : key)}:`;
  if (memberStarts.size < MAX_STARTS) memberStarts.set(key, start);
  return start;
}

/** The members of a JSON object, each with a comma before it. */
function toMembers(fields: LogFields): string {
  let text = "";
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined) text += toMemberStart(key) + toJson(value);
  }
  return text;
}

const MINUTE_MS = 60_000;

/** ISO 8601 in UTC. Busy services ask often within one minute, which is worked out once. */
function createTimeText(clock: Clock): () => string {
  let minute = Number.NaN;
  let start = "";
  return () => {
    const now = Math.floor(clock.now());
    const inMinute = ((now % MINUTE_MS) + MINUTE_MS) % MINUTE_MS;
    if (now - inMinute !== minute) {
      minute = now - inMinute;
      start = new Date(minute).toISOString().slice(0, -7);
    }
    return `${start}${String(100_000 + inMinute).slice(1, 3)}.${String(100_000 + inMinute).slice(3)}Z`;
  };
}

/** Creates a log that writes lines of `level` and above. */
export function createLog(options: LogOptions): Log {
  const toTime = createTimeText(options.clock ?? systemClock);
  const threshold = logLevels.indexOf(options.level);
  const base = options.fields ?? {};
  const baseMembers = toMembers(base);
  function emit(level: LogLevel, message: string, fields: LogFields = {}): void {
    if (logLevels.indexOf(level) < threshold) return;
    if (options.pretty === true) {
      options.write(toPretty(toTime(), level, { message, fields: { ...base, ...fields } }), level);
      return;
    }
    const head = `{"time":"${toTime()}","level":"${level}","message":${toJson(message)}`;
    options.write(`${head}${baseMembers}${toMembers(fields)}}`, level);
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
