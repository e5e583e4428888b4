/**
 * The child's half of a supervised listener: each stream is passed on to the parent message by message, as far as the
 * parent reads. Nothing is decided here.
 */
import { type GrpcCall, type GrpcStreamHandler, GrpcError, grpcStatus } from "../runtime.ts";
import { type Inbox, type SendWindow, createInbox, createSendWindow, toCost } from "../grpc/grpc-flow.ts";
import { type Frame, type Link, frameTypes, readCredit, readJson, toCredit } from "./grpc-link.ts";

interface TunnelStream {
  readonly responses: Inbox;
  readonly window: SendWindow;
  /** The parent gave the status. */
  finished: boolean;
}

export interface Tunnel {
  /** A handler for `path` that lets the parent do the work. */
  createHandler(path: string): GrpcStreamHandler;
  /** Handles the parent's data, status and credit frames. */
  onFrame(frame: Frame): void;
}

const statuses: readonly number[] = Object.values(grpcStatus);

function isStatus(value: number): value is GrpcError["status"] {
  return statuses.includes(value);
}

/** The error of a status frame; undefined for OK. */
function toError(frame: Frame): Error | undefined {
  const value = readJson(frame);
  if (typeof value !== "object" || value === null || !("status" in value) || !("message" in value)) {
    return new Error("A status frame without a status");
  }
  if (value.status === grpcStatus.ok) return undefined;
  if (typeof value.status !== "number" || !isStatus(value.status))
    return new Error("A status frame with an odd status");
  return new GrpcError(value.status, String(value.message));
}

/** A tunnel over `link`. */
export function createTunnel(link: Link): Tunnel {
  const streams = new Map<number, TunnelStream>();
  let lastStream = 0;

  async function forward(requests: AsyncIterable<Uint8Array>, id: number): Promise<void> {
    const stream = streams.get(id);
    if (stream === undefined) return;
    for await (const message of requests) {
      if (!streams.has(id)) return;
      link.send(frameTypes.data, id, message);
      stream.window.spend(toCost(message));
      await stream.window.room();
      await link.room();
    }
    if (streams.has(id)) link.send(frameTypes.requestsEnd, id);
  }

  async function* relay(
    path: string,
    requests: AsyncIterable<Uint8Array>,
    call: GrpcCall,
  ): AsyncGenerator<Uint8Array> {
    lastStream += 1;
    const id = lastStream;
    const responses = createInbox((bytes) => link.send(frameTypes.credit, id, toCredit(bytes)));
    const stream: TunnelStream = { responses, window: createSendWindow(), finished: false };
    const onAbort = (): void => responses.end(new GrpcError(grpcStatus.cancelled, "The call was canceled"));
    streams.set(id, stream);
    link.sendJson(frameTypes.open, id, { path, remoteAddress: call.remoteAddress });
    call.signal.addEventListener("abort", onAbort);
    if (call.signal.aborted) onAbort();
    // A failing request stream is a client that left.
    forward(requests, id).catch(onAbort);
    try {
      yield* responses.messages;
    } finally {
      call.signal.removeEventListener("abort", onAbort);
      streams.delete(id);
      stream.window.release();
      if (!stream.finished) link.send(frameTypes.gone, id);
    }
  }

  return {
    createHandler: (path) => (requests, call) => relay(path, requests, call),
    onFrame: (frame) => {
      const stream = streams.get(frame.stream);
      if (stream === undefined) return;
      if (frame.type === frameTypes.data) stream.responses.push(frame.payload);
      if (frame.type === frameTypes.credit) stream.window.grant(readCredit(frame));
      if (frame.type === frameTypes.status) {
        stream.finished = true;
        stream.responses.end(toError(frame));
      }
    },
  };
}
