/**
 * One call of grpc-js as a handler sees it: requests and responses as async iterables, as few promises
 * as that takes. Hidden here: Node's stream events, pausing, and the shape of a peer's name.
 */
import type { ServerDuplexStream } from "@grpc/grpc-js";
import type { GrpcStreamHandler } from "../runtime.ts";
import { createInbox, toCost, windowBytes } from "./grpc-flow.ts";

/** A bidirectional call whose messages are bytes. */
export type Call = ServerDuplexStream<Uint8Array, Uint8Array>;

/** The bytes as the Buffer that grpc-js copies from. */
export function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** "1.2.3.4:5" or "[::1]:5" or "::ffff:1.2.3.4:5" → the address alone, IPv4 in its short form. */
function toRemoteAddress(peer: string): string {
  const end = peer.lastIndexOf(":");
  const host = end < 0 ? peer : peer.slice(0, end);
  const bare = host.replace(/^\[|\]$/gu, "").replace(/%.*/u, "");
  return bare.replace(/^::ffff:(?=\d+\.)/iu, "");
}

/** The requests of a call; it is paused while too many bytes of them wait to be read. */
function toRequests(call: Call): AsyncIterable<Uint8Array> {
  let waitingBytes = 0;
  let paused = false;
  const inbox = createInbox((bytes) => {
    waitingBytes -= bytes;
    if (!paused || waitingBytes >= windowBytes) return;
    paused = false;
    call.resume();
  });
  call.on("data", (message: Uint8Array) => {
    waitingBytes += toCost(message);
    inbox.push(message);
    if (paused || waitingBytes < windowBytes) return;
    paused = true;
    call.pause();
  });
  call.on("end", () => inbox.end());
  // A call that is cut has no end.
  call.on("close", () => inbox.end());
  return inbox.messages;
}

/** Resolves when the call takes more, or is over. */
function waitForDrain(call: Call, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      call.off("drain", finish);
      signal.removeEventListener("abort", finish);
      resolve();
    };
    call.on("drain", finish);
    signal.addEventListener("abort", finish);
  });
}

/** Runs a handler on a call until it has no more to say or the client is gone. @throws what the handler throws */
export async function pumpCall(call: Call, handler: GrpcStreamHandler): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  call.on("cancelled", () => controller.abort());
  if (call.cancelled) controller.abort();
  const remoteAddress = toRemoteAddress(call.getPeer());
  const responses = handler(toRequests(call), { remoteAddress, signal });
  const iterator = responses[Symbol.asyncIterator]();
  for (;;) {
    const result = await iterator.next();
    if (result.done === true) return;
    if (!signal.aborted && !call.write(result.value)) await waitForDrain(call, signal);
    if (signal.aborted) {
      await iterator.return?.();
      return;
    }
  }
}
