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

/** What a restart knows of a server. */
export interface RestoredServer {
  readonly lastSeenAt: number;
  readonly stateSince?: number;
  readonly latest?: LatestSample;
  readonly reportsStored: number;
}

export interface Live {
  /** Never undefined: a server that nobody heard of is `never`. */
  get(serverId: string): LiveServer;
  /** Puts back what was known before a restart; a server heard of within its time-outs counts as online until they pass. */
  restore(serverId: string, known: RestoredServer): void;
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

class LiveState implements Live {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  readonly #listeners: ((serverId: string) => void)[] = [];
  readonly #unknown: Entry;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#unknown = {
      state: "never",
      stateSince: clock.now(),
      duplicateAgent: false,
      reportsStored: 0,
      open: false,
      heardMs: -Infinity,
      closedMs: -Infinity,
      intervalMs: DEFAULT_INTERVAL_MS,
    };
  }

  get(serverId: string): Entry {
    return this.#entries.get(serverId) ?? this.#unknown;
  }

  restore(serverId: string, known: RestoredServer): void {
    const { lastSeenAt, latest } = known;
    const monotonic = this.#clock.monotonic();
    const entry: Entry = {
      ...this.#unknown,
      state: "online",
      stateSince: known.stateSince ?? lastSeenAt,
      lastSeenAt,
      reportsStored: known.reportsStored,
      ...(latest === undefined ? {} : { latest, clockSkewMs: latest.collectedAt - latest.receivedAt }),
      open: true,
      heardMs: monotonic - Math.max(0, this.#clock.now() - lastSeenAt),
      intervalMs: latest === undefined ? DEFAULT_INTERVAL_MS : readInterval(latest.sample),
    };
    const gone = { ...entry, state: "offline" as const, stateSince: lastSeenAt, open: false };
    this.#set(serverId, isGone(entry, monotonic) ? gone : entry);
  }

  connected(serverId: string): void {
    this.#set(serverId, { ...this.#alive(serverId), open: true });
  }

  disconnected(serverId: string): void {
    this.#set(serverId, { ...this.get(serverId), open: false, closedMs: this.#clock.monotonic() });
  }

  heard(serverId: string): void {
    this.#set(serverId, this.#alive(serverId));
  }

  reported(serverId: string, latest: LatestSample): void {
    const before = this.get(serverId);
    const entry = { ...this.#alive(serverId), reportsStored: before.reportsStored + 1 };
    const isNewer = before.latest === undefined || orderOf(latest) >= orderOf(before.latest);
    const clockSkewMs = latest.collectedAt - latest.receivedAt;
    this.#set(serverId, isNewer ? { ...entry, latest, clockSkewMs, intervalMs: readInterval(latest.sample) } : entry);
  }

  flagDuplicate(serverId: string, duplicateAgent: boolean): void {
    const entry = this.get(serverId);
    if (entry.duplicateAgent !== duplicateAgent) this.#set(serverId, { ...entry, duplicateAgent });
  }

  tick(): void {
    const now = this.#clock.monotonic();
    for (const [serverId, entry] of this.#entries) {
      if (entry.state !== "online" || !isGone(entry, now)) continue;
      this.#set(serverId, { ...entry, state: "offline", stateSince: this.#clock.now() });
    }
  }

  drop(serverId: string): void {
    this.#entries.delete(serverId);
  }

  onChange(listener: (serverId: string) => void): void {
    this.#listeners.push(listener);
  }

  #set(serverId: string, entry: Entry): void {
    this.#entries.set(serverId, entry);
    for (const listener of this.#listeners) listener(serverId);
  }

  #alive(serverId: string): Entry {
    const now = this.#clock.now();
    const entry = this.get(serverId);
    const stateSince = entry.state === "online" ? entry.stateSince : now;
    return { ...entry, state: "online", stateSince, lastSeenAt: now, heardMs: this.#clock.monotonic() };
  }
}

/** Makes an empty live state. */
export function createLive(deps: { clock: Clock }): Live {
  return new LiveState(deps.clock);
}
