/** The checks that the reader may see, requested when the live feed says that something changed. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ShownCheck, ShownChecks } from "../../monitor/checks/shown-schema.ts";
import { request } from "./api.ts";

export interface Checks {
  /** By group and name; the same object for a check that did not change. */
  readonly items: readonly ShownCheck[];
  readonly byId: ReadonlyMap<string, ShownCheck>;
  readonly loaded: boolean;
}

const none: Checks = { items: [], byId: new Map(), loaded: false };
export const checks = signal<Checks>(none);
/** Shares of time in 90 days that checks were up, as far as they were requested: see check-items/uptime.ts. */
export const checkRatios = signal<ReadonlyMap<string, number | undefined>>(new Map());

/** Many visitors must not ask in the same moment. */
const SPREAD_MS = 1_000;
/** Response times and maintenance are not news of the feed. */
const REFRESH_MS = 60_000;

/** The feed's number for which the list was requested. */
let revision: number | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

async function refresh(): Promise<void> {
  const wanted = revision;
  try {
    const { items } = await request<ShownChecks>("/api/checks");
    if (wanted !== revision) return;
    const known = checks.peek().byId;
    const next = items.map((item) => {
      const before = known.get(item.id);
      return before !== undefined && JSON.stringify(before) === JSON.stringify(item) ? before : item;
    });
    checks.value = { items: next, byId: new Map(next.map((item) => [item.id, item])), loaded: true };
  } catch {
    // Without an answer the page shows what it knows; the next frame asks again.
    if (wanted === revision) revision = undefined;
  }
}

/** Takes the number of the feed's frame: the first one, and another one, are news. `isUrgent`: without a pause. */
export function takeChecksRevision(next: number | undefined, isUrgent: boolean): void {
  if (next === undefined || next === revision) return;
  const isFirst = revision === undefined;
  revision = next;
  clearTimeout(timer);
  timer = setTimeout(() => void refresh(), isFirst || isUrgent ? 0 : Math.random() * SPREAD_MS);
}

/** The connection is new: what was known may be of another reader, or of an earlier start of the service. */
export function forgetChecksRevision(): void {
  revision = undefined;
}

/** Shows no checks: the reader may not look. */
export function dropChecks(): void {
  clearTimeout(timer);
  revision = undefined;
  checks.value = none;
}

/** Keeps response times fresh while they are shown. */
export function usePolledChecks(): void {
  useEffect(() => {
    const poll = setInterval(() => {
      if (document.visibilityState === "visible" && revision !== undefined) void refresh();
    }, REFRESH_MS);
    return () => clearInterval(poll);
  }, []);
}
