/** One stream's life: hello, then reports and heartbeats, until it ends. */
import type { Clock } from "../../kit/time/clock.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { AgentMessage } from "../../monitor/proto/codec.ts";
import { type ReportEvents, createInFlight } from "../queue/in-flight.ts";
import { createOutbox } from "../queue/outbox.ts";
import { createPulse } from "./pulse.ts";
import type { Report, ReportSource } from "../queue/report-queue.ts";
import type { Timers } from "../timers.ts";
import type { OpenStream } from "./transport.ts";

export interface AgentIdentity {
  readonly serverId: string;
  readonly agentKey: string;
  readonly hostname: string;
}

/** Called with what happens on the stream and to reports. */
export interface SessionEvents extends ReportEvents {
  onOnline?(): void;
  /** The lists that a report asked for; see `choices.ts`. */
  onLists?(text: string): void;
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

const TICK_MS = 1000;
const GOODBYE_MS = 1000;

/** Thrown when nothing was answered for 40 s. */
export class SilentConnection extends Error {
  override readonly name = "SilentConnection";
}

/** Prepares a session; nothing happens before `run`. */
export function createSession(options: SessionOptions) {
  const { clock, timers, log, events } = options;
  const outbox = createOutbox<AgentMessage>();
  const inFlight = createInFlight(options);
  const abort = new AbortController();
  let online = false;
  let stopping = false;
  let silent = false;
  const pulse = createPulse({
    clock,
    beat: () => send({ kind: "heartbeat" }),
    onSilent: () => {
      silent = true;
      abort.abort();
    },
  });

  function send(message: AgentMessage): void {
    pulse.sent();
    outbox.push(message);
  }

  function wake(): void {
    if (!online || stopping) return;
    const next = (): Report | undefined => inFlight.take(clock.monotonic());
    for (let report = next(); report !== undefined; report = next()) send({ kind: "metrics", ...report });
  }

  function take(ack: string): void {
    if (ack === "hello" && !online) {
      online = true;
      events.onOnline?.();
    } else if (ack === "heartbeat") pulse.beatAnswered();
    else if (ack.startsWith("metrics ")) inFlight.acknowledge(Number(ack.slice(8)), clock.monotonic());
    else if (ack.startsWith("lists ")) events.onLists?.(ack.slice(6));
    else if (ack.startsWith("rejected")) inFlight.reject(ack.slice(8).trim());
    else log.debug("The service sent an unknown message", { ack });
    pulse.answered(!online || inFlight.size > 0);
    wake();
  }

  /** Closes the session gracefully: pending reports may be acknowledged for a moment. */
  function stop(): void {
    stopping = true;
    outbox.close();
    if (!online) abort.abort();
    void timers.sleep(GOODBYE_MS, abort.signal).then(() => abort.abort());
  }

  /** Resolves when the service ended the stream; throws what ended it otherwise. */
  async function run(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    signal.addEventListener("abort", stop);
    const stopTicks = timers.every(TICK_MS, () => pulse.check(online && !stopping));
    send({ kind: "hello", ...options.identity });
    try {
      for await (const ack of options.open(outbox, abort.signal)) take(ack);
    } catch (error) {
      if (silent) throw new SilentConnection("No response for 40 s", { cause: error });
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
    wake,
    /** Rejections of which it is not known whom they meant. */
    get unclearRejections(): number {
      return inFlight.unclearRejections;
    },
  };
}

export type Session = ReturnType<typeof createSession>;
