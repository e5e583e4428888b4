/** The pipe between a process and its gRPC child: frames of a length, a type, a stream and a payload. */
import type { Readable, Writable } from "node:stream";

/** Types of frames. Both halves are the same version of the same program, so numbers may change. */
export const frameTypes = {
  /** Parent → child: listen with these settings (JSON). */
  start: 1,
  /** Child → parent: listening (JSON with the port). */
  ready: 2,
  /** Child → parent: cannot listen (JSON with code and message). */
  failed: 3,
  /** Child → parent: a stream began (JSON). */
  open: 4,
  /** Both ways: one message. */
  data: 5,
  /** Child → parent: the client sends no more. */
  requestsEnd: 6,
  /** Child → parent: the stream is gone. */
  gone: 7,
  /** Parent → child: the stream's status (JSON); its end. */
  status: 8,
  /** Both ways: as many bytes were read (u32). */
  credit: 9,
  /** Parent → child: end the listener (JSON with graceMs), then exit. */
  drain: 10,
  /** Child → parent: something to know (JSON). */
  event: 11,
} as const;
export type FrameType = (typeof frameTypes)[keyof typeof frameTypes];

export interface Frame {
  readonly type: number;
  readonly stream: number;
  readonly payload: Uint8Array;
}

export interface Link {
  send(type: FrameType, stream: number, payload?: Uint8Array): void;
  sendJson(type: FrameType, stream: number, value: unknown): void;
  /** Undefined while the pipe takes more, else a promise to wait for. Resolves also when the pipe is gone. */
  room(): Promise<void> | undefined;
  /** Resolves when what was sent has left this process or never will. */
  flush(): Promise<void>;
}

export interface LinkOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly onFrame: (frame: Frame) => void;
  /** The other half is gone, or sent something that is no frame: then with the error. */
  readonly onClose: (error?: unknown) => void;
}

const headBytes = 9;
/** More than any message and its head; a longer frame means that the pipe carries something else. */
const maxFrameBytes = 64 * 1024 * 1024;
const pendingLimitBytes = 1024 * 1024;
const empty = new Uint8Array();
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The JSON value of a frame. */
export function readJson(frame: Frame): unknown {
  return JSON.parse(decoder.decode(frame.payload));
}

/** A number as the four bytes of a credit frame. */
export function toCredit(bytes: number): Uint8Array {
  const payload = new Uint8Array(4);
  new DataView(payload.buffer).setUint32(0, bytes);
  return payload;
}

/** The number in a credit frame. */
export function readCredit({ payload }: Frame): number {
  return new DataView(payload.buffer, payload.byteOffset, payload.byteLength).getUint32(0);
}

/** Cuts a byte stream into frames; `payload` is a copy, so that a small frame pins no large chunk. */
function createFrameReader(onFrame: (frame: Frame) => void): (chunk: Uint8Array) => void {
  let rest: Buffer = Buffer.alloc(0);
  let needed = headBytes;
  let parts: Uint8Array[] = [];
  let partBytes = 0;
  return (chunk) => {
    parts.push(chunk);
    partBytes += chunk.byteLength;
    if (partBytes < needed) return;
    rest = Buffer.concat(parts, partBytes);
    let offset = 0;
    needed = headBytes;
    while (rest.length - offset >= headBytes) {
      const length = rest.readUInt32BE(offset);
      if (length > maxFrameBytes) throw new Error("A frame of the gRPC pipe is too long");
      const end = offset + headBytes + length;
      if (end > rest.length) {
        needed = headBytes + length;
        break;
      }
      const payload = length === 0 ? empty : new Uint8Array(rest.subarray(offset + headBytes, end));
      onFrame({ type: rest[offset + 4] ?? 0, stream: rest.readUInt32BE(offset + 5), payload });
      offset = end;
    }
    parts = offset === rest.length ? [] : [rest.subarray(offset)];
    partBytes = rest.length - offset;
  };
}

function toHead(type: FrameType, stream: number, length: number): Buffer {
  const head = Buffer.allocUnsafe(headBytes);
  head.writeUInt32BE(length, 0);
  head[4] = type;
  head.writeUInt32BE(stream, 5);
  return head;
}

/** Listens to both ends of the pipe. */
function attach(
  { input, output }: LinkOptions,
  on: { read: (chunk: Uint8Array) => void; close: (error?: unknown) => void; wake: () => void },
): void {
  input.on("data", (chunk: Uint8Array) => {
    try {
      on.read(chunk);
    } catch (error) {
      on.close(error);
    }
  });
  for (const event of ["end", "close"]) input.on(event, () => on.close());
  input.on("error", on.close);
  output.on("drain", on.wake);
  output.on("error", on.close);
  output.on("close", () => on.close());
}

/** Joins the two ends of a pipe to a link. */
export function createLink(options: LinkOptions): Link {
  const { output } = options;
  let pending: Uint8Array[] = [];
  let pendingBytes = 0;
  let scheduled = false;
  let closed = false;
  let waiting: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;

  const wake = (): void => {
    waiting?.resolve();
    waiting = undefined;
  };
  const flush = (): void => {
    scheduled = false;
    const [chunks, bytes] = [pending, pendingBytes];
    pending = [];
    pendingBytes = 0;
    if (!closed && bytes > 0) output.write(Buffer.concat(chunks, bytes));
    if (!output.writableNeedDrain) wake();
  };
  const close = (error?: unknown): void => {
    if (closed) return;
    closed = true;
    wake();
    options.onClose(error);
  };
  const read = createFrameReader((frame) => {
    if (!closed) options.onFrame(frame);
  });
  attach(options, { read, close, wake });

  function send(type: FrameType, stream: number, payload: Uint8Array = empty): void {
    if (closed) return;
    pending.push(toHead(type, stream, payload.byteLength));
    if (payload.byteLength > 0) pending.push(payload);
    pendingBytes += headBytes + payload.byteLength;
    if (scheduled) return;
    scheduled = true;
    // Everything of this turn of the loop goes out with one write.
    setImmediate(flush);
  }
  function room(): Promise<void> | undefined {
    if (closed || (pendingBytes < pendingLimitBytes && !output.writableNeedDrain)) return undefined;
    if (waiting === undefined) {
      let resolve: () => void = () => undefined;
      const promise = new Promise<void>((done) => {
        resolve = done;
      });
      waiting = { promise, resolve };
    }
    return waiting.promise;
  }
  return {
    send,
    sendJson: (type, stream, value) => send(type, stream, encoder.encode(JSON.stringify(value))),
    room,
    flush: async () => {
      flush();
      await room();
    },
  };
}
