/** A bare grpc-js client for tests: one bidirectional stream as calls and promises. */
import assert from "node:assert/strict";
import {
  Client,
  credentials,
  type ChannelOptions,
  type ServiceError,
  type StatusObject,
} from "@grpc/grpc-js";
import { createInbox } from "../../../src/runtime/grpc/grpc-flow.ts";

/** A stream as a test sees it. */
export interface TestStream {
  send(message: Uint8Array | string): void;
  /** Sends no more. */
  end(): void;
  cancel(): void;
  /** The next message, or undefined when there are no more. */
  next(): Promise<Uint8Array | undefined>;
  /** Stops taking messages from the connection. */
  pause(): void;
  readonly status: Promise<{ readonly code: number; readonly details: string }>;
}

/** A client of one server; close it at the end of the test. */
export interface TestClient {
  open(path: string): TestStream;
  close(): void;
}

const identity = (bytes: Buffer): Buffer => bytes;

/** A client with a connection of its own. */
export function createTestClient(address: string, options: ChannelOptions = {}): TestClient {
  const client = new Client(address, credentials.createInsecure(), {
    "grpc.use_local_subchannel_pool": 1,
    "grpc.enable_retries": 0,
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_receive_message_length": -1,
    "grpc.max_send_message_length": -1,
    ...options,
  });
  return {
    open: (path) => {
      const call = client.makeBidiStreamRequest(path, identity, identity);
      const inbox = createInbox(() => undefined);
      const status = new Promise<StatusObject>((resolve) => call.on("status", resolve));
      call.on("data", (message: Buffer) => inbox.push(message));
      call.on("end", () => inbox.end());
      // Comes with the status and may overtake messages; the end comes after them.
      call.on("error", (_error: ServiceError) => undefined);
      const messages = inbox.messages[Symbol.asyncIterator]();
      return {
        send: (message) => call.write(Buffer.from(message)),
        end: () => call.end(),
        cancel: () => call.cancel(),
        next: async () => {
          const result = await messages.next();
          return result.done === true ? undefined : result.value;
        },
        pause: () => call.pause(),
        status,
      };
    },
    close: () => client.close(),
  };
}

/** A promise and its resolver. */
export function createGate<T = void>(): { readonly promise: Promise<T>; readonly open: (value: T) => void } {
  let open: (value: T) => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

/** Resolves when the signal aborts. */
export function waitForAbort(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** A message as text. */
export function text(message: Uint8Array | undefined): string | undefined {
  return message === undefined ? undefined : Buffer.from(message).toString();
}

/** Reads to the end, so that a stream ends only after the client has seen what was said. */
export async function drain(requests: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const message of requests) assert.ok(message);
}
