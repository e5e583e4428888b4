/** The parent's half of a supervised listener: runs a handler for each stream that a child reports. */
import { toErrorText, toGrpcOutcome } from "../../kit/http/grpc-status.ts";
import { type GrpcOptions, grpcStatus } from "../runtime.ts";
import { type Inbox, type SendWindow, createInbox, createSendWindow, toCost } from "../grpc/grpc-flow.ts";
import { type Frame, type Link, frameTypes, readCredit, readJson, toCredit } from "./grpc-link.ts";

interface HostStream {
  readonly id: number;
  readonly link: Link;
  readonly requests: Inbox;
  readonly window: SendWindow;
  readonly controller: AbortController;
}

export interface StreamHost {
  /** Streams of the child that have not ended. */
  readonly live: number;
  /** Handles the child's frames about streams. */
  onFrame(frame: Frame): void;
  /** Ends all streams: their requests end, their signals abort. */
  endAll(): void;
}

function readOpen(frame: Frame): { path: string; remoteAddress: string } {
  const value = readJson(frame);
  if (typeof value !== "object" || value === null || !("path" in value) || !("remoteAddress" in value)) {
    throw new Error("An open frame without a path");
  }
  return { path: String(value.path), remoteAddress: String(value.remoteAddress) };
}

/** Sends a handler's responses as far as the child takes them; stops when the stream is gone. */
async function pump(stream: HostStream, responses: AsyncIterable<Uint8Array>): Promise<void> {
  const { window, controller, link } = stream;
  const iterator = responses[Symbol.asyncIterator]();
  for (;;) {
    await window.room();
    await link.room();
    if (controller.signal.aborted) {
      await iterator.return?.();
      return;
    }
    const result = await iterator.next();
    if (result.done === true) return;
    if (controller.signal.aborted) continue;
    link.send(frameTypes.data, stream.id, result.value);
    window.spend(toCost(result.value));
  }
}

/** A host of one child's streams. */
export function createStreamHost(options: GrpcOptions, link: Link): StreamHost {
  const streams = new Map<number, HostStream>();

  function finish(stream: HostStream, error?: unknown): void {
    const known = streams.delete(stream.id);
    stream.requests.end();
    if (error === undefined) {
      if (known) link.sendJson(frameTypes.status, stream.id, { status: grpcStatus.ok, message: "" });
      return;
    }
    const outcome = toGrpcOutcome(error);
    if (outcome.unexpected) {
      options.onEvent?.({ level: "error", message: `A gRPC handler failed: ${toErrorText(error)}` });
    }
    if (known)
      link.sendJson(frameTypes.status, stream.id, { status: outcome.status, message: outcome.message });
  }

  function leave(stream: HostStream): void {
    streams.delete(stream.id);
    stream.requests.end();
    stream.window.release();
    stream.controller.abort();
  }

  function open(frame: Frame): void {
    const { path, remoteAddress } = readOpen(frame);
    const id = frame.stream;
    const stream: HostStream = {
      id,
      link,
      requests: createInbox((bytes) => link.send(frameTypes.credit, id, toCredit(bytes))),
      window: createSendWindow(),
      controller: new AbortController(),
    };
    streams.set(id, stream);
    const handler = options.methods[path];
    const work = async (): Promise<void> => {
      if (handler === undefined) throw new Error(`No handler for "${path}"`);
      await pump(
        stream,
        handler(stream.requests.messages, { remoteAddress, signal: stream.controller.signal }),
      );
    };
    work().then(
      () => finish(stream),
      (error: unknown) => finish(stream, error),
    );
  }

  return {
    get live() {
      return streams.size;
    },
    onFrame: (frame) => {
      if (frame.type === frameTypes.open) {
        open(frame);
        return;
      }
      const stream = streams.get(frame.stream);
      if (stream === undefined) return;
      if (frame.type === frameTypes.data) stream.requests.push(frame.payload);
      if (frame.type === frameTypes.requestsEnd) stream.requests.end();
      if (frame.type === frameTypes.credit) stream.window.grant(readCredit(frame));
      if (frame.type === frameTypes.gone) leave(stream);
    },
    endAll: () => {
      for (const stream of streams.values()) leave(stream);
    },
  };
}
