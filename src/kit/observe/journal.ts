/** Lines for systemd's journal, which takes their priority from a prefix: sd-daemon(3). */
import { fstatSync } from "node:fs";
import type { LogLevel } from "./log.ts";

const priorities: Readonly<Record<LogLevel, string>> = {
  debug: "<7>",
  info: "<6>",
  warn: "<4>",
  error: "<3>",
  silent: "",
};

/** Whether the stream is the one that systemd connected to its journal: programs inherit the variable, not the stream. */
function isJournal(stream: string | undefined, descriptor: number): boolean {
  if (stream === undefined || stream === "") return false;
  try {
    const { dev, ino } = fstatSync(descriptor);
    return stream === `${dev}:${ino}`;
  } catch {
    return false;
  }
}

/** Creates what puts the priority before each line where `descriptor` leads to the journal, and nothing elsewhere. */
export function createLinePrefix(
  env: Readonly<Record<string, string | undefined>>,
  descriptor: number,
): (text: string, level: LogLevel) => string {
  if (!isJournal(env["JOURNAL_STREAM"], descriptor)) return (text) => text;
  return (text, level) => text.replace(/^/gmu, priorities[level]);
}
