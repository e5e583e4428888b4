/**
 * One stream's life: hello, then reports and heartbeats, until it ends. Hidden here: which report an
 * acknowledgement speaks of, the window of what is under way, and when silence means a dead connection.
 */
import type { Clock } from "../kit/clock.ts";
import type { Log } from "../kit/log.ts";
import type { AgentMessage } from "../monitor/proto/codec.ts";
import type { ReportEvents } from "./in-flight.ts";
import { createInFlight } from "./in-flight.ts";
import { createOutbox } from "./outbox.ts";
import type { ReportSource } from "./report-queue.ts";
import type { Timers } from "./timers.ts";
import type { OpenStream } from "./transport.ts";

/** Who the agent is. */
export interface AgentIdentity {
  readonly serverId: string;
  readonly agentKey: string;
  readonly hostname: string;
}

/** Told of what happens on the stream and to reports. */
export interface SessionEvents extends ReportEvents {
  onOnline?(): void;
}

export interface SessionOptions {
  readonly identity: AgentIdentity;
  readonly reports: ReportSource;
  readonly open: OpenStream;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  /** Reports sent and not answered at most. */
  readonly window: number;
  readonly events: SessionEvents;
}

export interface Session {
  /** Resolves when the service ended the stream; throws what ended it otherwise. */
  run(signal: AbortSignal): Promise<void>;
  /** Sends what is new. */
  poke(): void;
  /** Rejections of which it is not known whom they meant. */
  readonly unclearRejections: number;
}

const TICK_MS = 1000;
const HEARTBEAT_AFTER_MS = 15_000;
const SILENT_AFTER_MS = 40_000;
const GOODBYE_MS = 1000;

/** Thrown when nothing was answered for 40 s. */
export class SilentConnection extends Error {
  override readonly name = "SilentConnection";
}

/** Prepares a session; nothing happens before `run`. */
export function createSession(options: SessionOptions): Session {
  const { clock, timers, log, events } = options;
  const outbox = createOutbox<AgentMessage>();
  const abort = new AbortController();
  const inFlight = createInFlight(options);
  let online = false;
  let stopping = false;
  let silent = false;
  let openBeats = 0;
  let quietSinceMs = clock.monotonic();
  let lastSentMs = quietSinceMs;

  function isWaiting(): boolean {
    return !online || inFlight.size > 0 || openBeats > 0;
  }

  function send(message: AgentMessage, wasWaiting = isWaiting()): void {
    const nowMs = clock.monotonic();
    // Silence counts from the moment on which an answer is due.
    if (!wasWaiting) quietSinceMs = nowMs;
    lastSentMs = nowMs;
    outbox.push(message);
  }

  function poke(): void {
    if (!online || stopping) return;
    for (;;) {
      const wasWaiting = isWaiting();
      const report = inFlight.take(clock.monotonic());
      if (report === undefined) return;
      send({ kind: "metrics", ...report }, wasWaiting);
    }
  }

  function take(ack: string): void {
    quietSinceMs = clock.monotonic();
    if (ack === "hello" && !online) {
      online = true;
      events.onOnline?.();
    } else if (ack === "heartbeat") {
      openBeats = Math.max(0, openBeats - 1);
    } else if (ack.startsWith("metrics ")) {
      inFlight.acknowledge(Number(ack.slice("metrics ".length)), quietSinceMs);
    } else if (ack.startsWith("rejected")) {
      inFlight.reject(ack.slice("rejected".length).trim());
    } else {
      log.debug("The service said something this version does not know", { ack });
    }
    poke();
  }

  function tick(): void {
    const nowMs = clock.monotonic();
    if (isWaiting() && nowMs - quietSinceMs >= SILENT_AFTER_MS) {
      silent = true;
      abort.abort();
    } else if (online && !stopping && nowMs - lastSentMs >= HEARTBEAT_AFTER_MS) {
      send({ kind: "heartbeat" });
      openBeats += 1;
    }
  }

  /** Says goodbye: what is under way may still be acknowledged for a moment. */
  function stop(): void {
    stopping = true;
    outbox.close();
    if (!online) abort.abort();
    void timers.sleep(GOODBYE_MS, abort.signal).then(() => abort.abort());
  }

  async function run(signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", stop);
    const stopTicks = timers.every(TICK_MS, tick);
    quietSinceMs = clock.monotonic();
    send({ kind: "hello", ...options.identity });
    try {
      if (signal.aborted) return;
      for await (const ack of options.open(outbox, abort.signal)) take(ack);
    } catch (error) {
      if (silent) throw new SilentConnection(`No answer for ${SILENT_AFTER_MS / 1000} s`, { cause: error });
      if (!signal.aborted) throw error;
    } finally {
      online = false;
      stopTicks();
      signal.removeEventListener("abort", stop);
      outbox.close();
      abort.abort();
    }
  }

  return {
    run,
    poke,
    get unclearRejections() {
      return inFlight.unclearRejections;
    },
  };
}
