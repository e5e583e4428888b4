/** Uptime of checks by hour or day: requested for those that are shown, all that are new at once. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ShownUptimes, UptimeSpan } from "../../monitor/checks/shown-schema.ts";
import { serviceNow } from "../ui/server-clock.ts";
import { request } from "../app/api.ts";
import { checkRatios } from "../app/checks.ts";

export interface CheckUptime {
  /** Shares, 0 to 1, the oldest first; null where nothing is known. */
  readonly shares: readonly (number | null)[];
  readonly ratio: number | undefined;
  /** As in `toUptimeFigure`. */
  readonly knownMs: number | undefined;
}

/** As many as one request takes. */
const AT_ONCE = 200;
/** Those that come into view one after the other go together. */
const GATHER_MS = 60;
const REFRESH_MS: Readonly<Record<UptimeSpan, number>> = { "24h": 60_000, "90d": 300_000 };
/** The same while nothing is known: the first result of a new check comes soon. */
const SOON_MS = 10_000;

type Known = ReadonlyMap<string, CheckUptime>;

/** What is known, by span and ID. */
export const checkUptime = {
  "24h": signal<Known>(new Map()),
  "90d": signal<Known>(new Map()),
} as const;

const wanted: Readonly<Record<UptimeSpan, Set<string>>> = { "24h": new Set(), "90d": new Set() };
const askedAt: Readonly<Record<UptimeSpan, Map<string, number>>> = { "24h": new Map(), "90d": new Map() };
let timer: ReturnType<typeof setTimeout> | undefined;

async function load(ids: readonly string[], span: UptimeSpan): Promise<void> {
  const query = new URLSearchParams([["span", span], ...ids.map((id) => ["id", id])]);
  try {
    const { items } = await request<ShownUptimes>(`/api/checks/uptime?${query.toString()}`);
    const next = new Map(checkUptime[span].peek());
    for (const { id, upPercents, upPercent, knownSince } of items)
      next.set(id, {
        shares: upPercents.map((percent) => (percent === null ? null : percent / 100)),
        ratio: upPercent === null ? undefined : upPercent / 100,
        knownMs: knownSince === undefined ? undefined : serviceNow() - Date.parse(knownSince),
      });
    checkUptime[span].value = next;
    if (span === "90d") checkRatios.value = new Map([...next].map(([id, { ratio }]) => [id, ratio]));
  } catch {
    // Bars stay as they are; asked again when they are shown again, or after a while.
    for (const id of ids) askedAt[span].delete(id);
  }
}

async function pump(): Promise<void> {
  for (const span of ["24h", "90d"] as const) {
    const ids = [...wanted[span]];
    wanted[span].clear();
    for (let at = 0; at < ids.length; at += AT_ONCE) await load(ids.slice(at, at + AT_ONCE), span);
  }
}

function want(id: string, span: UptimeSpan): void {
  const now = performance.now();
  const isKnown = checkUptime[span].peek().get(id)?.ratio !== undefined;
  if (now - (askedAt[span].get(id) ?? -Infinity) < (isKnown ? REFRESH_MS[span] : SOON_MS)) return;
  askedAt[span].set(id, now);
  wanted[span].add(id);
  clearTimeout(timer);
  timer = setTimeout(() => void pump(), GATHER_MS);
}

/** Keeps the uptime of these checks fresh while they are shown. */
export function useCheckUptime(ids: readonly string[], span: UptimeSpan): void {
  const key = ids.join(" ");
  useEffect(() => {
    if (ids.length === 0) return undefined;
    const ask = (): void => {
      for (const id of ids) want(id, span);
    };
    ask();
    const poll = setInterval(ask, SOON_MS);
    return () => clearInterval(poll);
  }, [key, span]);
}
