/** Names of run files: `<tier>.<segment>.<first flush>-<last flush>.run`. */
import { join } from "node:path";

export interface RunName {
  readonly tier: string;
  /** Number of the segment: its start divided by the tier's segment width. */
  readonly segment: number;
  /** Flushes whose spans it holds. */
  readonly first: number;
  readonly last: number;
}

const DIGITS = 12;
const PATTERN = /^([a-z0-9]+)\.(\d{12})\.(\d{12})-(\d{12})\.run$/u;

function pad(value: number): string {
  return String(value).padStart(DIGITS, "0");
}

export function runPath(folder: string, { tier, segment, first, last }: RunName): string {
  return join(folder, `${tier}.${pad(segment)}.${pad(first)}-${pad(last)}.run`);
}

/** Parses a file's name; undefined if it is not a run. */
export function parseRunName(name: string): RunName | undefined {
  const [, tier, segment, first, last] = PATTERN.exec(name) ?? [];
  if (tier === undefined) return undefined;
  return { tier, segment: Number(segment), first: Number(first), last: Number(last) };
}

/** Whether `wide` was merged from `narrow` and others. */
export function covers(wide: RunName, narrow: RunName): boolean {
  const isSamePlace = wide.tier === narrow.tier && wide.segment === narrow.segment;
  const isWider = wide.last - wide.first > narrow.last - narrow.first;
  return isSamePlace && isWider && wide.first <= narrow.first && narrow.last <= wide.last;
}
