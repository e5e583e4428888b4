/** A gRPC listener as the program has it on this runtime, in a process of its own whose memory can be read. */
import process from "node:process";
import type { GrpcStreamHandler } from "../../src/runtime/runtime.ts";
import { listenerKinds, toOptions } from "../runtime/grpc/grpc-listeners.ts";

const [kind] = listenerKinds;
if (kind === undefined) throw new Error("This runtime has no listener");

const echo: GrpcStreamHandler = async function* (requests) {
  yield* requests;
};
/** Reads one message and then no more, as a store that has stopped. */
const hold: GrpcStreamHandler = async function* (requests, { signal }) {
  await requests[Symbol.asyncIterator]().next();
  yield new Uint8Array();
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
};
/** Reads everything and says how much it was. */
const count: GrpcStreamHandler = async function* (requests) {
  let messages = 0;
  for await (const _message of requests) messages += 1;
  yield Buffer.from(String(messages));
};
/** Sends as much as is taken. */
const pour: GrpcStreamHandler = async function* () {
  const message = new Uint8Array(50_000);
  for (;;) yield message;
};

const listener = await kind.serve(
  toOptions(
    { "/test.T/Run": echo, "/test.T/Hold": hold, "/test.T/Count": count, "/test.T/Pour": pour },
    // The program's own limit (src/monitor/service.ts).
    { maxStreams: 10_000, onEvent: ({ message }) => process.stdout.write(`${message}\n`) },
  ),
);
process.stdout.write(`port ${listener.port}\n`);
