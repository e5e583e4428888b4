/**
 * What is known of each server right now: state, last sign of life, latest sample. In memory; rebuilt at
 * start from the sample log. The service decides states by its own monotonic clock, never by an agent's.
 */
import type { Clock } from "../kit/clock.ts";
import type { ServerState } from "./schema.ts";

/** A stream that closed counts as gone after this. */
const CLOSED_GRACE_MS = 5_000;
/** Silence that counts as gone, at least; see monitor.md. */
const SILENCE_MS = 30_000;
const SILENT_INTERVALS = 3;
/** Assumed until a report tells its interval. */
const DEFAULT_INTERVAL_MS = 3_000;

export interface LatestSample {
  /** Time of collection by the agent's clock, epoch ms. */
  readonly collectedAt: number;
  /** Time of arrival by the service's clock, epoch ms. */
  readonly receivedAt: number;
  /** The report's object as it was parsed. */
  readonly sample: Readonly<Record<string, unknown>>;
  /** Values that were clamped, as dotted names. */
  readonly flags: readonly string[];
}

/** A server's live state; all times epoch ms by the service's clock. */
export interface LiveServer {
  readonly state: Exclude<ServerState, "disabled">;
  readonly stateSince: number;
  readonly lastSeenAt?: number;
  readonly latest?: LatestSample;
  /** The agent's clock minus the service's at the latest report. */
  readonly clockSkewMs?: number;
  readonly duplicateAgent: boolean;
  /** Reports stored since the server was made. */
  readonly reportsStored: number;
}

export interface Live {
  /** Never undefined: a server that nobody heard of is `never`. */
  get(serverId: string): LiveServer;
  /** Puts back what was known before a restart; a server heard of within its time-outs counts as online until they pass. */
  restore(serverId: string, known: { lastSeenAt: number; latest?: LatestSample; stateSince?: number; reportsStored: number }): void;
  /** A stream of the server is open, or was the last one to close. */
  connected(serverId: string): void;
  disconnected(serverId: string): void;
  /** Any sign of life on the stream. */
  heard(serverId: string): void;
  /** A report was stored. A sample older than the latest only counts as a sign of life. */
  reported(serverId: string, latest: LatestSample): void;
  flagDuplicate(serverId: string, duplicate: boolean): void;
  /** Looks for servers that fell silent; call it every second. */
  tick(): void;
  drop(serverId: string): void;
  /** Calls `listener` with the id of each server whose live state changed. */
  onChange(listener: (serverId: string) => void): void;
}

interface Entry extends LiveServer {
  readonly open: boolean;
  readonly heardMs: number;
  readonly closedMs: number;
  readonly intervalMs: number;
}

/** The time that orders samples: an agent's clock that runs ahead must not freeze "latest" when it is set right. */
function orderOf(sample: LatestSample): number {
  return Math.min(sample.collectedAt, sample.receivedAt);
}

function readInterval(sample: Readonly<Record<string, unknown>>): number {
  const value = sample["intervalMs"];
  return typeof value === "number" && value > 0 && value <= 86_400_000 ? value : DEFAULT_INTERVAL_MS;
}

function isGone(entry: Entry, monotonicNow: number): boolean {
  const closed = !entry.open && monotonicNow - entry.closedMs >= CLOSED_GRACE_MS;
  const silenceMs = Math.max(SILENCE_MS, SILENT_INTERVALS * entry.intervalMs);
  return closed || monotonicNow - entry.heardMs >= silenceMs;
}

/** Makes an empty live state. */
export function createLive(deps: { clock: Clock }): Live {
  const { clock } = deps;
  const entries = new Map<string, Entry>();
  const listeners: ((serverId: string) => void)[] = [];
  const startedAt = clock.now();
  const unknown: Entry = {
    state: "never",
    stateSince: startedAt,
    duplicateAgent: false,
    reportsStored: 0,
    open: false,
    heardMs: -Infinity,
    closedMs: -Infinity,
    intervalMs: DEFAULT_INTERVAL_MS,
  };

  function change(serverId: string, patch: Partial<Entry>): void {
    entries.set(serverId, { ...(entries.get(serverId) ?? unknown), ...patch });
    for (const listener of listeners) listener(serverId);
  }

  function alive(serverId: string): Partial<Entry> {
    const now = clock.now();
    const entry = entries.get(serverId) ?? unknown;
    const turn = entry.state === "online" ? {} : { state: "online" as const, stateSince: now };
    return { ...turn, lastSeenAt: now, heardMs: clock.monotonic() };
  }

  return {
    get: (serverId) => entries.get(serverId) ?? unknown,
    restore: (serverId, { lastSeenAt, latest, stateSince, reportsStored }) => {
      const silentMs = Math.max(0, clock.now() - lastSeenAt);
      const intervalMs = latest === undefined ? DEFAULT_INTERVAL_MS : readInterval(latest.sample);
      const entry: Entry = {
        ...unknown,
        state: "online",
        stateSince: stateSince ?? lastSeenAt,
        lastSeenAt,
        reportsStored,
        ...(latest === undefined ? {} : { latest, clockSkewMs: latest.collectedAt - latest.receivedAt }),
        open: true,
        heardMs: clock.monotonic() - silentMs,
        intervalMs,
      };
      const gone = isGone(entry, clock.monotonic());
      change(serverId, gone ? { ...entry, state: "offline", stateSince: lastSeenAt, open: false } : entry);
    },
    connected: (serverId) => change(serverId, { ...alive(serverId), open: true }),
    disconnected: (serverId) => change(serverId, { open: false, closedMs: clock.monotonic() }),
    heard: (serverId) => change(serverId, alive(serverId)),
    reported: (serverId, latest) => {
      const entry = entries.get(serverId) ?? unknown;
      const newer = entry.latest === undefined || orderOf(latest) >= orderOf(entry.latest);
      change(serverId, {
        ...alive(serverId),
        reportsStored: entry.reportsStored + 1,
        ...(newer
          ? {
              latest,
              intervalMs: readInterval(latest.sample),
              clockSkewMs: latest.collectedAt - latest.receivedAt,
            }
          : {}),
      });
    },
    flagDuplicate: (serverId, duplicate) => {
      if ((entries.get(serverId) ?? unknown).duplicateAgent !== duplicate) change(serverId, { duplicateAgent: duplicate });
    },
    tick: () => {
      const now = clock.monotonic();
      for (const [serverId, entry] of entries) {
        if (entry.state === "online" && isGone(entry, now)) {
          change(serverId, { state: "offline", stateSince: clock.now() });
        }
      }
    },
    drop: (serverId) => {
      entries.delete(serverId);
    },
    onChange: (listener) => {
      listeners.push(listener);
    },
  };
}
