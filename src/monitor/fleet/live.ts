/**
 * The current state of each server: up or down, last heartbeat, latest sample. In memory; rebuilt at start from the
 * sample log. The service decides states by its own monotonic clock, never by an agent's.
 */
import type { Clock } from "../../kit/time/clock.ts";
import type { MetricRow } from "../base/metrics.ts";
import type { ServerState } from "../base/schema.ts";

/** A stream that closed counts as gone after this. */
const CLOSED_GRACE_MS = 5_000;
/** Shortest silence that counts as offline. */
const SILENCE_MS = 30_000;
const SILENT_INTERVALS = 3;
/** Assumed until a report names its interval. */
const DEFAULT_INTERVAL_MS = 3_000;
/** A connected agent whose reports stay away for longer says nothing of its machine. */
const MISSING_AFTER_MS = 60_000;

export interface LatestSample {
  /** Time of collection by the agent's clock, epoch ms. */
  readonly collectedAt: number;
  /** Time of arrival by the service's clock, epoch ms. */
  readonly receivedAt: number;
  /** The report's object. May be built at each access: read it once. */
  readonly sample: Readonly<Record<string, unknown>>;
  /** The interval that the report names, if it does. */
  readonly intervalMs?: number | undefined;
  /** The charted numbers of the sample; absent when they were not computed yet. */
  readonly row?: MetricRow | undefined;
  /** Values that were clamped, as dotted names. */
  readonly flags: readonly string[];
  /** The report's `details` as JSON text, when it had some. */
  readonly details?: string | undefined;
}

/** A server's live state; all times epoch ms by the service's clock. */
export interface LiveServer {
  readonly state: Exclude<ServerState, "disabled">;
  /** Of an offline server its last sign of life. */
  readonly stateSince: number;
  readonly lastSeenAt?: number;
  /** The same by this process's monotonic clock, also of a server that reports to another node. */
  readonly heardMs: number;
  readonly latest?: LatestSample;
  /** The last `details` that a report had, as JSON text: most reports have none. */
  readonly details?: string;
  /** The agent's clock minus the service's at the latest report. */
  readonly clockSkewMs?: number;
  readonly duplicateAgent: boolean;
  /** Why a server that is online shows nothing new; undefined while reports come. */
  readonly silence?: ReportSilence | undefined;
  /** Reports stored since the server was made. */
  readonly reportsStored: number;
}

/** Whether the reports of a connected agent stay away or are rejected. */
export type ReportSilence =
  | { readonly kind: "missing" }
  /** `reason` is what the agent received. */
  | { readonly kind: "rejected"; readonly reason: string };

/** A server's state as restored at a start. */
export interface RestoredServer {
  readonly lastSeenAt: number;
  readonly stateSince?: number;
  readonly latest?: LatestSample;
  readonly reportsStored: number;
}

/** A server's state as published by the node that has, or had last, its stream. */
export interface RemoteServer {
  readonly state: LiveServer["state"];
  readonly stateSince: number;
  readonly lastSeenAt?: number | undefined;
  readonly latest?: LatestSample | undefined;
  readonly duplicateAgent: boolean;
  readonly silence?: ReportSilence | undefined;
  readonly reportsStored: number;
}

/** Changed in place: a fleet reports hundreds of times a second. */
type Entry = { -readonly [Key in keyof LiveServer]: LiveServer[Key] } & {
  open: boolean;
  /** Whether a peer owns the state, and not streams here. */
  isPeers: boolean;
  closedMs: number;
  intervalMs: number;
  /** When the last report was stored, or since when the server is online. */
  reportedMs: number;
};

/** The time that orders samples: an agent's clock that runs ahead must not freeze "latest" when it is set right. */
function orderOf(sample: LatestSample): number {
  return Math.min(sample.collectedAt, sample.receivedAt);
}

/** The latest sample with the last details beside it. */
export function toWholeSample({
  latest,
  details,
}: Pick<LiveServer, "latest" | "details">): LatestSample["sample"] {
  const { sample = {} } = latest ?? {};
  if (details === undefined) return sample;
  const parsed: unknown = JSON.parse(details);
  return { ...sample, details: parsed };
}

function isGone(entry: Entry, monotonicNow: number): boolean {
  const closed = !entry.open && monotonicNow - entry.closedMs >= CLOSED_GRACE_MS;
  const silenceMs = Math.max(SILENCE_MS, SILENT_INTERVALS * entry.intervalMs);
  return closed || monotonicNow - entry.heardMs >= silenceMs;
}

function setLatest(entry: Entry, latest: LatestSample): void {
  entry.latest = latest;
  if (latest.details !== undefined) entry.details = latest.details;
  entry.clockSkewMs = latest.collectedAt - latest.receivedAt;
  entry.intervalMs = latest.intervalMs ?? DEFAULT_INTERVAL_MS;
}

/** An older sample than the latest changes nothing. */
function takeLatest(entry: Entry, latest: LatestSample): void {
  if (entry.latest === undefined || orderOf(latest) >= orderOf(entry.latest)) setLatest(entry, latest);
}

export class Live {
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
      isPeers: false,
      heardMs: -Infinity,
      closedMs: -Infinity,
      intervalMs: DEFAULT_INTERVAL_MS,
      reportedMs: -Infinity,
    };
  }

  /** Never undefined: a server that was never seen is `never`. Changes in place: read it, do not keep it. */
  get(serverId: string): LiveServer {
    return this.#entries.get(serverId) ?? this.#unknown;
  }

  /** Puts back what was known before a restart; a server heard of within its time-outs counts as online until they pass. */
  restore(serverId: string, known: RestoredServer): void {
    const { lastSeenAt, latest } = known;
    const entry = this.#entry(serverId);
    entry.state = "online";
    entry.stateSince = known.stateSince ?? lastSeenAt;
    entry.lastSeenAt = lastSeenAt;
    entry.reportsStored = known.reportsStored;
    entry.open = true;
    entry.reportedMs = this.#clock.monotonic();
    entry.heardMs = this.#clock.monotonic() - Math.max(0, this.#clock.now() - lastSeenAt);
    if (latest !== undefined) setLatest(entry, latest);
    if (isGone(entry, this.#clock.monotonic())) {
      entry.state = "offline";
      entry.stateSince = lastSeenAt;
      entry.open = false;
    }
    this.#changed(serverId);
  }

  /** A stream of the server is open, or was the last one to close. */
  connected(serverId: string): void {
    const entry = this.#entry(serverId);
    this.#revive(entry);
    entry.open = true;
    entry.isPeers = false;
    this.#changed(serverId);
  }

  disconnected(serverId: string): void {
    const entry = this.#entry(serverId);
    entry.open = false;
    entry.closedMs = this.#clock.monotonic();
    this.#changed(serverId);
  }

  /** Any sign of life on the stream. */
  heard(serverId: string): void {
    const entry = this.#entry(serverId);
    // Of a stream that another node's took over: its end is on the way.
    if (entry.isPeers) return;
    this.#revive(entry);
    this.#changed(serverId);
  }

  /** A report was stored. A sample older than the latest only counts as a sign of life. */
  reported(serverId: string, latest: LatestSample): void {
    const entry = this.#entry(serverId);
    if (!entry.isPeers) this.#revive(entry);
    entry.reportedMs = this.#clock.monotonic();
    entry.silence = undefined;
    entry.reportsStored += 1;
    takeLatest(entry, latest);
    this.#changed(serverId);
  }

  /** A report was rejected, with the reason that its agent got: it counts as a heartbeat without data. */
  rejected(serverId: string, reason: string): void {
    const entry = this.#entry(serverId);
    if (!entry.isPeers && (entry.silence?.kind !== "rejected" || entry.silence.reason !== reason))
      entry.silence = { kind: "rejected", reason };
    this.heard(serverId);
  }

  /** Applies a peer's state of a server: that node owns it until a stream opens here. */
  remote(serverId: string, published: RemoteServer): void {
    const entry = this.#entry(serverId);
    entry.isPeers = true;
    entry.open = false;
    if (published.state !== "never") {
      entry.state = published.state;
      entry.stateSince = published.stateSince;
    }
    entry.duplicateAgent = published.duplicateAgent;
    entry.silence = published.silence;
    this.merge(serverId, published);
  }

  /**
   * Applies what a peer says of a server whose state is this node's: the stream is open there, and the peer could not claim
   * it yet, or it has ended.
   */
  vouched(serverId: string, { isOpen, ...published }: RemoteServer & { readonly isOpen: boolean }): void {
    const entry = this.#entry(serverId);
    const nowMs = this.#clock.monotonic();
    if (entry.open && !isOpen) entry.closedMs = nowMs;
    entry.open = isOpen;
    if (isOpen && (published.lastSeenAt ?? 0) > (entry.lastSeenAt ?? 0)) {
      if (entry.state !== "online") entry.reportedMs = nowMs;
      entry.state = "online";
      entry.stateSince = published.stateSince;
      entry.heardMs = nowMs;
    }
    this.merge(serverId, published);
  }

  /** Merges the newer parts of a peer's state: sample, heartbeat, count. */
  merge(
    serverId: string,
    { lastSeenAt, latest, reportsStored }: Omit<RemoteServer, "state" | "stateSince" | "duplicateAgent">,
  ): void {
    const entry = this.#entry(serverId);
    if (lastSeenAt !== undefined && lastSeenAt > (entry.lastSeenAt ?? 0)) {
      entry.lastSeenAt = lastSeenAt;
      if (entry.isPeers) entry.heardMs = this.#clock.monotonic();
    }
    if (entry.state === "never" && entry.lastSeenAt !== undefined) entry.state = "offline";
    // Not what the peer said: each node may know a later sign of life than the others, and all must say the same.
    if (entry.state === "offline") entry.stateSince = entry.lastSeenAt ?? entry.stateSince;
    entry.reportsStored = Math.max(entry.reportsStored, reportsStored);
    if (latest !== undefined) takeLatest(entry, latest);
    this.#changed(serverId);
  }

  /** The state is this node's now, since its owner is gone: the stream there counts as closed at `closedMs` (monotonic). */
  adopt(serverId: string, closedMs: number): void {
    const entry = this.#entries.get(serverId);
    if (entry?.isPeers !== true) return;
    entry.isPeers = false;
    entry.closedMs = closedMs;
    entry.heardMs = closedMs;
  }

  flagDuplicate(serverId: string, duplicate: boolean): void {
    if (this.get(serverId).duplicateAgent === duplicate) return;
    this.#entry(serverId).duplicateAgent = duplicate;
    this.#changed(serverId);
  }

  /** Checks for servers that fell silent; call it every second. */
  tick(): void {
    const now = this.#clock.monotonic();
    for (const [serverId, entry] of this.#entries) {
      if (entry.state !== "online" || entry.isPeers) continue;
      if (!isGone(entry, now)) {
        this.#watchReports(serverId, entry, now);
        continue;
      }
      entry.silence = undefined;
      entry.state = "offline";
      // Not since it was noticed: that is another moment on every node, and unknown after a restart.
      entry.stateSince = entry.lastSeenAt ?? this.#clock.now();
      this.#changed(serverId);
    }
  }

  drop(serverId: string): void {
    this.#entries.delete(serverId);
  }

  /** Calls `listener` with the id of each server whose live state changed. */
  onChange(listener: (serverId: string) => void): void {
    this.#listeners.push(listener);
  }

  #entry(serverId: string): Entry {
    const known = this.#entries.get(serverId);
    if (known !== undefined) return known;
    const made = { ...this.#unknown };
    this.#entries.set(serverId, made);
    return made;
  }

  #changed(serverId: string): void {
    for (const listener of this.#listeners) listener(serverId);
  }

  #watchReports(serverId: string, entry: Entry, now: number): void {
    const patienceMs = Math.max(MISSING_AFTER_MS, SILENT_INTERVALS * entry.intervalMs);
    if (entry.silence !== undefined || now - entry.reportedMs < patienceMs) return;
    entry.silence = { kind: "missing" };
    this.#changed(serverId);
  }

  #revive(entry: Entry): void {
    const now = this.#clock.now();
    if (entry.state !== "online") {
      entry.reportedMs = this.#clock.monotonic();
      entry.state = "online";
      entry.stateSince = now;
    }
    entry.lastSeenAt = now;
    entry.heardMs = this.#clock.monotonic();
  }
}

/** Creates an empty live state. */
export function createLive(deps: { clock: Clock }): Live {
  return new Live(deps.clock);
}
