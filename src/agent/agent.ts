/** The agent at work: measures every interval, puts the report into the ring and lets the link send it. */
import type { Clock } from "../kit/time/clock.ts";
import type { Log } from "../kit/observe/log.ts";
import type { ChecksSource } from "./checks/checks.ts";
import type { Choices } from "./choices.ts";
import type { CollectionTimes } from "./collection-times.ts";
import type { FactReader } from "./facts.ts";
import type { Link } from "./connection/link.ts";
import type { DetailsSource } from "./details/details.ts";
import type { MetricsSource } from "./metrics/source.ts";
import type { CheckReport, HostFacts, Payload } from "./payload.ts";
import type { Ring } from "./queue/ring.ts";
import type { SessionEvents } from "./connection/session.ts";
import type { Timers } from "./timers.ts";

export interface AgentOptions {
  readonly source: MetricsSource;
  readonly details: DetailsSource;
  readonly facts: FactReader;
  readonly checks: ChecksSource;
  readonly ring: Ring;
  readonly times: CollectionTimes;
  readonly choices: Choices;
  readonly createLink: (events: SessionEvents) => Link;
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

const HOST_EVERY_MS = 3_600_000;
const SPILL_EVERY_MS = 1000;
const THIN_AFTER_MS = 60_000;
const MINUTE_MS = 60_000;
/** Larger ones are refused by the service. */
const MAX_PAYLOAD_BYTES = 64 * 1024;
/** Of these, results of checks take at most this much … */
const MAX_RESULT_BYTES = 32 * 1024;
/** … less while they pile up, so that a day offline stays in bounds … */
const OFFLINE_RESULT_BYTES = 16 * 1024;
/** … and what is said of their file this much. */
const CHECKS_FRAME_BYTES = 2 * 1024;
/** A report asks for the monitor's lists at each connection, and then so often. */
const LISTS_EVERY_MS = 30_000;
/** The time between the two first readings of the counters. */
const FIRST_MS = 1000;

/** The facts of the host, as long as the service has not got them. */
function createHostNews(source: MetricsSource, clock: Clock) {
  let facts: HostFacts | undefined;
  let readAtMs = 0;
  let sentWith: number | undefined;
  let stored = false;
  return {
    async current(): Promise<HostFacts | undefined> {
      const nowMs = clock.monotonic();
      if (facts === undefined || nowMs - readAtMs >= HOST_EVERY_MS) {
        const fresh = await source.host();
        stored &&= JSON.stringify(fresh) === JSON.stringify(facts);
        facts = fresh;
        readAtMs = nowMs;
      }
      return stored ? undefined : facts;
    },
    sent(collectedAtUnixMs: number): void {
      sentWith = collectedAtUnixMs;
    },
    acknowledged(collectedAtUnixMs: number): void {
      stored ||= collectedAtUnixMs === sentWith;
    },
  };
}

/** One report right now, after two readings a second apart; for a person who looks. */
export async function measureOnce(
  options: Pick<AgentOptions, "source" | "details" | "facts" | "checks" | "timers" | "intervalMs">,
): Promise<Payload> {
  const signal = new AbortController().signal;
  const { source, details, facts, checks } = options;
  await Promise.all([source.measure(), details.refresh(), checks.once()]);
  await options.timers.sleep(FIRST_MS, signal);
  const [measured] = await Promise.all([source.measure(), details.refresh()]);
  const host = await source.host();
  return {
    v: 1,
    intervalMs: options.intervalMs,
    host,
    ...measured,
    ...details.next(),
    faults: facts.faults(),
    checks: checks.next(MAX_RESULT_BYTES),
  };
}

/** A report as it is sent: without its lists where they leave no room, and with the results that find some. */
function toJson(payload: Payload, checks: (resultBytes: number) => CheckReport | undefined): string {
  const bare = { ...payload, details: undefined };
  const spareBytes = MAX_PAYLOAD_BYTES - CHECKS_FRAME_BYTES - Buffer.byteLength(JSON.stringify(bare));
  const found = checks(Math.min(spareBytes, MAX_RESULT_BYTES));
  const text = JSON.stringify({ ...payload, checks: found });
  if (payload.details === undefined || Buffer.byteLength(text) <= MAX_PAYLOAD_BYTES) return text;
  return JSON.stringify({ ...bare, checks: found });
}

/** Puts the agent together. */
export function createAgent(options: AgentOptions) {
  const { source, details, facts, checks, ring, clock, timers, log, intervalMs } = options;
  const host = createHostNews(source, clock);
  let askedListsMs = -Infinity;
  const link = options.createLink({
    onOnline: () => {
      askedListsMs = -Infinity;
    },
    onAcknowledged: (collectedAtUnixMs) => host.acknowledged(collectedAtUnixMs),
  });
  let blind = false;
  let lastMinute = 0;

  /** Results go with every report; while it is offline with the first one of each minute, which is the one that is kept. */
  function takeChecks(collectedAtUnixMs: number, resultBytes: number): CheckReport | undefined {
    const minute = Math.floor(collectedAtUnixMs / MINUTE_MS);
    const isFirst = minute !== lastMinute;
    lastMinute = minute;
    if (link.offlineForMs() < THIN_AFTER_MS) return checks.next(resultBytes);
    return checks.next(isFirst ? Math.min(resultBytes, OFFLINE_RESULT_BYTES) : 0);
  }

  /** The list revision that a report sends to request lists; undefined in other reports. */
  function askForLists(): string | undefined {
    const nowMs = clock.monotonic();
    if (nowMs - askedListsMs < LISTS_EVERY_MS) return undefined;
    askedListsMs = nowMs;
    return options.choices.revision;
  }

  async function report(): Promise<void> {
    const measured = await source.measure();
    if (measured === undefined) return;
    const news = await facts.readLater("The host information", () => host.current());
    const collectedAtUnixMs = options.times.next(clock.now());
    const payload: Payload = {
      v: 1,
      intervalMs,
      host: news,
      ...measured,
      ...details.next(),
      faults: facts.faults(),
      lists: askForLists(),
    };
    if (news !== undefined) host.sent(collectedAtUnixMs);
    const payloadJson = toJson(payload, (bytes) => takeChecks(collectedAtUnixMs, bytes));
    ring.add({ collectedAtUnixMs, payloadJson });
    if (link.offlineForMs() >= THIN_AFTER_MS) ring.thin();
    link.wake();
  }

  async function reportSafely(): Promise<void> {
    try {
      await report();
      blind = false;
    } catch (error) {
      if (!blind) log.error("The measurement failed; retrying at every interval", { error });
      blind = true;
    }
  }

  async function measureForever(signal: AbortSignal): Promise<void> {
    await reportSafely();
    await timers.sleep(Math.min(FIRST_MS, intervalMs), signal);
    // Against a fixed start, so that the rhythm does not drift; missed beats (sleep of a laptop) are skipped.
    const startMs = clock.monotonic();
    let beat = 0;
    while (!signal.aborted) {
      await reportSafely();
      const passedMs = clock.monotonic() - startMs;
      // A timer may fire a moment early: the beat that it was for counts as done all the same.
      beat = Math.max(beat + 1, Math.floor(passedMs / intervalMs) + 1);
      await timers.sleep(beat * intervalMs - passedMs, signal);
    }
  }

  return {
    /** Works until `signal` aborts, then leaves everything on disk. */
    async run(signal: AbortSignal): Promise<void> {
      const stopSpilling = timers.every(SPILL_EVERY_MS, () => void ring.spill());
      await Promise.all([link.run(signal), details.run(signal), checks.run(signal), measureForever(signal)]);
      stopSpilling();
      await ring.close();
    },
  };
}
