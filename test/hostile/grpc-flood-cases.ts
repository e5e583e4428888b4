/** Frames that no client would send, as floods and as single broken ones, and how they are sent to the gRPC port. */
import { createConnection } from "node:net";
import { toFrame, toHeaders, toPreface } from "../runtime/grpc/http2-frames.ts";

/** `te: trailers`, without which grpc-js takes a client for one that cannot read a status. */
const te = Buffer.concat([
  Buffer.from([0x10, 2]),
  Buffer.from("te"),
  Buffer.from([8]),
  Buffer.from("trailers"),
]);

/** The HEADERS of a call. */
export function open(stream: number, method: string, fields: readonly Buffer[] = []): Buffer {
  const payload = toHeaders({
    path: `/test.T/${method}`,
    contentType: "application/grpc",
    fields: [te, ...fields],
  });
  return toFrame({ type: 1, flags: 4, stream, payload });
}
const data = (stream: number, payload: Uint8Array): Buffer => toFrame({ type: 0, stream, payload });
const many = (count: number, make: (index: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, index) => make(index)));
const reset = (stream: number): Buffer => toFrame({ type: 3, stream, payload: Buffer.from([0, 0, 0, 8]) });
const setting = (id: number, value: number): Buffer => {
  const payload = Buffer.alloc(6);
  payload.writeUInt16BE(id, 0);
  payload.writeUInt32BE(value, 2);
  return toFrame({ type: 4, payload });
};
const emptyMessage = Buffer.alloc(5);
const bigHead = Buffer.from([0, 0, 4, 0, 0]);
const byte = Buffer.from([7]);
const longField = Buffer.concat([
  Buffer.from([0x10, 4]),
  Buffer.from("x-ab"),
  Buffer.from([100]),
  Buffer.alloc(100, 97),
]);

/** What is sent, piece by piece. */
export interface Flood {
  readonly name: string;
  readonly first?: Buffer;
  readonly pieces: number;
  readonly make: (piece: number) => Buffer;
  /** The client reads nothing until it has sent everything. */
  readonly isDeaf?: boolean;
}

/** Floods: other streams must live on. */
export const floods: readonly Flood[] = [
  {
    name: "streams that are reset as they begin",
    pieces: 60,
    make: (piece) =>
      many(50, (index) => {
        const stream = 1 + 2 * (piece * 50 + index);
        return Buffer.concat([open(stream, "Run"), reset(stream)]);
      }),
  },
  { name: "empty SETTINGS", pieces: 60, make: () => many(500, () => toFrame({ type: 4 })) },
  {
    name: "SETTINGS that open and close the window",
    first: open(1, "Pour"),
    pieces: 60,
    make: () => many(100, (index) => setting(4, index % 2 === 0 ? 0 : 65_535)),
  },
  {
    name: "PING",
    pieces: 60,
    make: () => many(500, () => toFrame({ type: 6, payload: Buffer.alloc(8) })),
  },
  {
    name: "PING from a client that does not read",
    isDeaf: true,
    pieces: 60,
    make: () => many(500, () => toFrame({ type: 6, payload: Buffer.alloc(8) })),
  },
  {
    name: "headers that never end",
    first: toFrame({ type: 1, stream: 1, payload: toHeaders({ path: "/test.T/Run" }) }),
    pieces: 60,
    make: () => toFrame({ type: 9, stream: 1, payload: many(100, () => longField) }),
  },
  {
    name: "empty CONTINUATION",
    first: toFrame({ type: 1, stream: 1, payload: toHeaders({ path: "/test.T/Run" }) }),
    pieces: 60,
    make: () => many(500, () => toFrame({ type: 9, stream: 1 })),
  },
  {
    name: "empty DATA",
    first: Buffer.concat([open(1, "Hold"), data(1, emptyMessage)]),
    pieces: 60,
    make: () => many(500, () => data(1, Buffer.alloc(0))),
  },
  {
    name: "messages whose bytes come one by one",
    first: many(4, (index) => Buffer.concat([open(1 + 2 * index, "Count"), data(1 + 2 * index, bigHead)])),
    pieces: 250,
    make: () => many(1_000, (index) => data(1 + 2 * (index % 4), byte)),
  },
  {
    name: "empty messages that nobody reads, thousands in a frame",
    first: many(100, (index) => open(1 + 2 * index, "Hold")),
    pieces: 100,
    make: (piece) =>
      data(
        1 + 2 * piece,
        many(3_000, () => emptyMessage),
      ),
  },
  {
    name: "answers that nobody takes, in the largest window",
    isDeaf: true,
    first: Buffer.concat([
      setting(4, 0x7fffffff),
      toFrame({ type: 8, payload: Buffer.from([0x7f, 0, 0, 0]) }),
    ]),
    pieces: 1,
    make: () => many(50, (index) => open(1 + 2 * index, "Pour")),
  },
  {
    name: "a window that grows past its end",
    first: open(1, "Count"),
    pieces: 1,
    make: () => many(3, () => toFrame({ type: 8, stream: 1, payload: Buffer.from([0x7f, 255, 255, 255]) })),
  },
  {
    name: "streams up to the limit and beyond",
    pieces: 25,
    make: (piece) => many(100, (index) => open(1 + 2 * (piece * 100 + index), "Count")),
  },
  {
    name: "a message that is packed small and huge unpacked",
    first: open(1, "Count", [
      Buffer.concat([
        Buffer.from([0x10, 13]),
        Buffer.from("grpc-encoding"),
        Buffer.from([4]),
        Buffer.from("gzip"),
      ]),
    ]),
    pieces: 4,
    make: () => data(1, Buffer.concat([Buffer.from([1, 0, 0, 0x10, 0]), Buffer.alloc(0x1000)])),
  },
];

/** Frames that are broken; each ends its connection or its stream and nothing else. */
export const broken: Readonly<Record<string, Buffer>> = {
  "DATA on stream 0": data(0, byte),
  "DATA on a stream that never began": data(7, byte),
  "HEADERS on an even stream": toFrame({
    type: 1,
    flags: 4,
    stream: 2,
    payload: toHeaders({ path: "/test.T/Run" }),
  }),
  "HEADERS that are no HPACK": toFrame({ type: 1, flags: 4, stream: 1, payload: Buffer.alloc(20, 0xff) }),
  "a table of headers larger than allowed": toFrame({
    type: 1,
    flags: 4,
    stream: 1,
    payload: Buffer.from([0x3f, 0xff, 0xff, 0xff, 0x7f]),
  }),
  "padding longer than its frame": toFrame({ type: 0, flags: 8, stream: 1, payload: Buffer.from([200, 1]) }),
  "CONTINUATION without HEADERS": toFrame({ type: 9, flags: 4, stream: 1, payload: byte }),
  "SETTINGS of five bytes": toFrame({ type: 4, payload: Buffer.alloc(5) }),
  "SETTINGS with a window beyond 2^31": setting(4, 0xffffffff),
  "SETTINGS with a frame size of 1": setting(5, 1),
  "PING of seven bytes": toFrame({ type: 6, payload: Buffer.alloc(7) }),
  "WINDOW_UPDATE by nothing": toFrame({ type: 8, payload: Buffer.alloc(4) }),
  "GOAWAY of three bytes": toFrame({ type: 7, payload: Buffer.alloc(3) }),
  "RST_STREAM of an idle stream": reset(99),
  "PUSH_PROMISE from a client": toFrame({ type: 5, flags: 4, stream: 1, payload: Buffer.alloc(8) }),
  "a frame longer than its limit": Buffer.concat([
    Buffer.from([0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1]),
    Buffer.alloc(20_000),
  ]),
  "no HTTP/2 at all": Buffer.from("GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
};

const mark = Buffer.from("mark mark".slice(0, 8));
/** GOAWAY: type 7, no flags, stream 0; its length differs, for it may say why. Node leaves the connection open after it. */
const goaway = Buffer.from([7, 0, 0, 0, 0, 0, 0, 0]);

/** Sends a flood; resolves when the server has seen all of it, or has closed or refused the connection. */
export async function send(port: number, flood: Omit<Flood, "name">): Promise<void> {
  const socket = createConnection(port, "127.0.0.1");
  let received = Buffer.alloc(0);
  let isOver = false;
  const over = new Promise<void>((resolve) => {
    const finish = (): void => {
      isOver = true;
      resolve();
    };
    socket.on("error", finish);
    socket.on("close", finish);
    socket.on("data", (chunk: Buffer) => {
      received = Buffer.concat([received.subarray(-64), chunk]);
      if (received.includes(mark) || received.includes(goaway)) finish();
    });
  });
  if (flood.isDeaf === true) socket.pause();
  const write = async (bytes: Buffer): Promise<void> => {
    if (isOver || socket.write(bytes) || flood.isDeaf === true) return;
    await Promise.race([over, new Promise<void>((resolve) => socket.once("drain", () => resolve()))]);
  };
  await write(toPreface());
  if (flood.first !== undefined) await write(flood.first);
  for (let piece = 0; piece < flood.pieces && !isOver; piece += 1) await write(flood.make(piece));
  await write(toFrame({ type: 6, payload: mark }));
  if (flood.isDeaf === true) socket.resume();
  await over;
  socket.destroy();
}
