/** Days that servers were up, asked once for all and again now and then. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { UptimeDays } from "../../monitor/fleet/days-schema.ts";
import { request } from "./api.ts";

export const UPTIME_DAYS = 90;
const REFRESH_MS = 5 * 60_000;

export interface ServerUptime {
  /** Share of each day, oldest first; null when nothing is known of it. */
  readonly days: readonly (number | null)[];
  /** The calendar of the days; undefined from a monitor of an older version. */
  readonly timeZone: string | undefined;
  /** Of all days together. */
  readonly ratio: number | undefined;
  readonly knownMs: number;
}

export interface Uptime {
  readonly byId: ReadonlyMap<string, ServerUptime>;
  readonly failed: boolean;
}

/** Uptime of past days. */
export const uptime = signal<Uptime>({ byId: new Map(), failed: false });
let askedAt = Number.NEGATIVE_INFINITY;

async function refresh(): Promise<void> {
  if (performance.now() - askedAt < REFRESH_MS) return;
  askedAt = performance.now();
  try {
    const { servers } = await request<UptimeDays>(`/api/uptime?days=${UPTIME_DAYS}`);
    const byId = new Map(
      servers.map(({ id, timeZone, days, ratio, knownMinutes }): [string, ServerUptime] => [
        id,
        { timeZone, days, ratio: ratio ?? undefined, knownMs: knownMinutes * 60_000 },
      ]),
    );
    uptime.value = { byId, failed: false };
  } catch {
    askedAt = Number.NEGATIVE_INFINITY;
    uptime.value = { ...uptime.peek(), failed: true };
  }
}

/** Keeps {@link uptime} fresh while it is `wanted`. */
export function usePolledUptime(wanted: boolean): void {
  useEffect(() => {
    if (!wanted) return undefined;
    void refresh();
    const timer = setInterval(() => void refresh(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [wanted]);
}
