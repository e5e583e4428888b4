/** The agent at work: measures every interval, puts the report into the ring and lets the link send it. */
import type { Clock } from "../kit/time/clock.ts";
import type { Log } from "../kit/observe/log.ts";
import type { CollectionTimes } from "./collection-times.ts";
import type { Link } from "./connection/link.ts";
import type { DetailsSource } from "./details/details.ts";
import type { MetricsSource } from "./metrics/source.ts";
import type { HostFacts, Payload } from "./payload.ts";
import type { Ring } from "./queue/ring.ts";
import type { SessionEvents } from "./connection/session.ts";
import type { Timers } from "./timers.ts";

export interface AgentOptions {
  readonly source: MetricsSource;
  readonly details: DetailsSource;
  readonly ring: Ring;
  readonly times: CollectionTimes;
  readonly createLink: (events: SessionEvents) => Link;
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
}

const HOST_EVERY_MS = 3_600_000;
const SPILL_EVERY_MS = 1000;
const THIN_AFTER_MS = 60_000;
/** Larger ones are refused by the service. */
const MAX_PAYLOAD_BYTES = 64 * 1024;
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
  options: Pick<AgentOptions, "source" | "details" | "timers" | "intervalMs">,
): Promise<Payload> {
  const signal = new AbortController().signal;
  const { source, details } = options;
  await Promise.all([source.measure(), details.refresh()]);
  await options.timers.sleep(FIRST_MS, signal);
  const [measured] = await Promise.all([source.measure(), details.refresh()]);
  if (measured === undefined) throw new Error("This system does not tell its CPU usage");
  const host = await source.host();
  return { v: 1, intervalMs: options.intervalMs, host, ...measured, ...details.next() };
}

/** A report as it is sent: without its lists where they leave no room. */
function toJson(payload: Payload): string {
  const text = JSON.stringify(payload);
  if (payload.details === undefined || Buffer.byteLength(text) <= MAX_PAYLOAD_BYTES) return text;
  return JSON.stringify({ ...payload, details: undefined });
}

/** Puts the agent together. */
export function createAgent(options: AgentOptions) {
  const { source, details, ring, clock, timers, log, intervalMs } = options;
  const host = createHostNews(source, clock);
  const link = options.createLink({
    onAcknowledged: (collectedAtUnixMs) => host.acknowledged(collectedAtUnixMs),
  });
  let blind = false;

  async function report(): Promise<void> {
    const measured = await source.measure();
    if (measured === undefined) return;
    const facts = await host.current();
    const collectedAtUnixMs = options.times.next(clock.now());
    const payload: Payload = { v: 1, intervalMs, host: facts, ...measured, ...details.next() };
    if (facts !== undefined) host.sent(collectedAtUnixMs);
    ring.add({ collectedAtUnixMs, payloadJson: toJson(payload) });
    if (link.offlineForMs() >= THIN_AFTER_MS) ring.thin();
    link.wake();
  }

  async function reportSafely(): Promise<void> {
    try {
      await report();
      blind = false;
    } catch (error) {
      if (!blind) log.error("Measuring failed, trying again each interval", { error });
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
      await Promise.all([link.run(signal), details.run(signal), measureForever(signal)]);
      stopSpilling();
      await ring.close();
    },
  };
}
