/** What the tests of the agents' stream run it with: an ingest that they answer for, and a stream that they feed. */
import { mock } from "node:test";
import { toGrpcOutcome } from "../../../src/kit/http/grpc-status.ts";
import { silentLog } from "../../../src/kit/observe/log.ts";
import type { AgentHello, AgentIngest, ReportOutcome } from "../../../src/monitor/ingest/agent-session.ts";
import { type AgentStreamLimits, createAgentStream } from "../../../src/monitor/ingest/agent-stream.ts";
import { decodeControl, encodeAgentMessage } from "../../../src/monitor/proto/codec.ts";
import { createInbox } from "../../../src/runtime/grpc/grpc-flow.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";

export interface PendingReport {
  readonly payloadJson: string;
  readonly at: number;
  readonly resolve: (outcome?: ReportOutcome) => void;
  readonly reject: (error: Error) => void;
}

/** An ingest that records its calls. */
export interface FakeIngest {
  readonly ingest: AgentIngest;
  readonly ended: AbortController;
  readonly reports: PendingReport[];
  readonly hellos: AgentHello[];
  readonly counts: { heartbeats: number; closed: number };
}

/** A stream as the test drives it. */
export interface DrivenStream {
  send(...messages: readonly Uint8Array[]): void;
  halfClose(): void;
  cancel(): void;
  /** The next Ack, or "status N: text" at the end. */
  next(): Promise<string>;
  stop(): unknown;
  /** Requests that the handler has read. */
  reads(): number;
  /** Moves the clock and the timers. */
  pass(ms: number): void;
}

/** An ingest whose answers the test gives. */
export function createFakeIngest(options: { open?: (hello: AgentHello) => Promise<void> } = {}): FakeIngest {
  const ended = new AbortController();
  const reports: PendingReport[] = [];
  const hellos: AgentHello[] = [];
  const counts = { heartbeats: 0, closed: 0 };
  const ingest: AgentIngest = {
    open: async (hello) => {
      hellos.push(hello);
      await options.open?.(hello);
      return {
        serverId: hello.serverId,
        report: (payloadJson, at) =>
          new Promise((accept, reject) => {
            const resolve = (outcome: ReportOutcome = { accepted: true, ack: `metrics ${at}` }): void =>
              accept(outcome);
            reports.push({ payloadJson, at, resolve, reject });
          }),
        heartbeat: () => (counts.heartbeats += 1),
        ended: ended.signal,
        close: () => (counts.closed += 1),
      };
    },
  };
  return { ingest, ended, reports, hellos, counts };
}

export const hello = encodeAgentMessage({ kind: "hello", serverId: "s1", agentKey: "key", hostname: "box" });
export const heartbeat = encodeAgentMessage({ kind: "heartbeat" });

export function report(at: number, payloadJson = "{}"): Uint8Array {
  return encodeAgentMessage({ kind: "metrics", payloadJson, collectedAtUnixMs: at });
}

/** Lets all that is ready run: timers are mocked, setImmediate is not. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Runs the handler on a stream that the test feeds; every request that it reads is counted. */
export function run(ingest: AgentIngest, limits: Partial<AgentStreamLimits> = {}): DrivenStream {
  const clock = createFixedClock();
  const inbox = createInbox(() => undefined);
  let reads = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const message of inbox.messages) {
      reads += 1;
      yield message;
    }
  }
  const controller = new AbortController();
  const handler = createAgentStream({ ingest, clock, log: silentLog, limits });
  const responses = handler(counted(), { remoteAddress: "192.0.2.1", signal: controller.signal })[
    Symbol.asyncIterator
  ]();
  return {
    send: (...messages: readonly Uint8Array[]) => messages.forEach((message) => inbox.push(message)),
    halfClose: () => inbox.end(),
    cancel: () => controller.abort(),
    next: async (): Promise<string> => {
      try {
        const result = await responses.next();
        return result.done === true ? "status 0" : (decodeControl(result.value) ?? "no ack");
      } catch (error) {
        const { status, message } = toGrpcOutcome(error);
        return `status ${status}: ${message}`;
      }
    },
    stop: () => responses.return?.(),
    reads: () => reads,
    pass: (ms: number) => {
      clock.advance(ms);
      mock.timers.tick(ms);
    },
  };
}
