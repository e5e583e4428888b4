/** A service for the link to talk to: by hand without a network, or a small gRPC server on a free port. */
import { Buffer } from "node:buffer";
import { ServerCredentials } from "@grpc/grpc-js";
import { createServer, ServerError, Status } from "nice-grpc";
import { connectDefinition, type OpenStream } from "../../../src/agent/connection/transport.ts";
import { createOutbox } from "../../../src/agent/queue/outbox.ts";
import type { AgentMessage } from "../../../src/monitor/proto/codec.ts";
import { cert, key } from "../../support/tls-pair.ts";

/** One stream as the service sees it. */
export interface FakeStream {
  readonly received: AgentMessage[];
  /** Times of collection received, in order. */
  metrics(): number[];
  say(ack: string): void;
  /** Ends the stream, with an error when given. */
  end(error?: Error): void;
}

/** Streams opened so far, answered by the test. */
export function createFakeService(): { readonly streams: FakeStream[]; readonly open: OpenStream } {
  const streams: FakeStream[] = [];
  const open: OpenStream = async function* (requests, signal) {
    const acks = createOutbox<string | Error>();
    const received: AgentMessage[] = [];
    streams.push({
      received,
      metrics: () => received.flatMap((each) => (each.kind === "metrics" ? [each.collectedAtUnixMs] : [])),
      say: (ack) => acks.push(ack),
      end: (error) => {
        if (error !== undefined) acks.push(error);
        acks.close();
      },
    });
    signal.addEventListener("abort", () => acks.push(new Error("aborted")));
    void (async () => {
      for await (const request of requests) received.push(request);
    })();
    for await (const ack of acks) {
      if (ack instanceof Error) throw ack;
      yield ack;
    }
  };
  return { streams, open };
}

export interface GrpcService {
  readonly address: string;
  /** Times of collection in order of arrival, one list a stream. */
  readonly arrivals: number[][];
  readonly hellos: AgentMessage[];
  close(): Promise<void>;
}

/**
 * A gRPC server that acknowledges what `accept` lets through ("later" leaves it open) and ends a stream
 * with `endAfter` reports by UNAVAILABLE. `key` refuses every other key.
 * `tls` serves with the certificate of tls-pair.ts; not under Deno, where grpc-js cannot.
 */
export async function startGrpcService(options: {
  readonly port?: number;
  readonly key?: string;
  readonly tls?: boolean;
  readonly answer?: (collectedAtUnixMs: number, stream: number) => string;
}): Promise<GrpcService> {
  const server = createServer();
  const arrivals: number[][] = [];
  const hellos: AgentMessage[] = [];
  server.add(connectDefinition, {
    async *connect(requests: AsyncIterable<AgentMessage>) {
      const mine: number[] = [];
      const stream = arrivals.push(mine) - 1;
      for await (const request of requests) {
        if (request.kind === "hello") {
          hellos.push(request);
          if (options.key !== undefined && request.agentKey !== options.key) {
            throw new ServerError(Status.UNAUTHENTICATED, "Unknown id or wrong key");
          }
          yield "hello";
        } else if (request.kind === "heartbeat") yield "heartbeat";
        else if (request.kind === "metrics") {
          mine.push(request.collectedAtUnixMs);
          const answer =
            options.answer?.(request.collectedAtUnixMs, stream) ?? `metrics ${request.collectedAtUnixMs}`;
          if (answer === "end") throw new ServerError(Status.UNAVAILABLE, "Shutting down");
          if (answer !== "later") yield answer;
        }
      }
    },
  });
  const credentials =
    options.tls === true
      ? ServerCredentials.createSsl(null, [{ cert_chain: Buffer.from(cert), private_key: Buffer.from(key) }])
      : ServerCredentials.createInsecure();
  const port = await server.listen(`127.0.0.1:${options.port ?? 0}`, credentials);
  return {
    address: `127.0.0.1:${port}`,
    arrivals,
    hellos,
    close: async () => server.forceShutdown(),
  };
}
