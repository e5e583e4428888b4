/** Viewers of the live feed that check it: every frame's number follows the one before. */
import { gunzipSync, constants as zlib } from "node:zlib";
import { WebSocket, type RawData } from "ws";

export interface FleetViewersOptions {
  readonly count: number;
  /** HTTP address of the monitor. */
  readonly url: string;
  readonly mode: "full" | "delta";
  readonly gzip: boolean;
}

export interface ViewerTotals {
  readonly connected: number;
  readonly frames: number;
  readonly bytes: number;
  /** Frames whose number did not follow the one before. */
  readonly gaps: number;
  /** Messages that are no frame of the feed. */
  readonly malformed: number;
  readonly disconnects: number;
  /** From opening the socket to the first snapshot, the slowest one. */
  readonly slowestFirstFrameMs: number;
}

export interface FleetViewers {
  totals(): ViewerTotals;
  stop(): void;
}

const RECONNECT_MS = 1000;
const HEAD_BYTES = 512;

function toBytes(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data;
}

/** The beginning of the frame as text; of a gzipped one only as much is unpacked as is needed. */
function readHead(bytes: Uint8Array, isBinary: boolean): string {
  const head = bytes.subarray(0, HEAD_BYTES);
  const plain = isBinary ? gunzipSync(head, { finishFlush: zlib.Z_SYNC_FLUSH }) : head;
  return Buffer.from(plain.buffer, plain.byteOffset, Math.min(plain.byteLength, 96)).toString("latin1");
}

/** Kind and number of a frame, or undefined. */
export function readFrame(
  bytes: Uint8Array,
  isBinary: boolean,
): { readonly type: string; readonly seq: number } | undefined {
  try {
    const match = /^\{"type":"(snapshot|delta)","seq":(\d+)[,}]/u.exec(readHead(bytes, isBinary));
    return match?.[1] === undefined ? undefined : { type: match[1], seq: Number(match[2]) };
  } catch {
    return undefined;
  }
}

/** Opens the viewers; each comes back when it loses its socket. */
export function startViewers(options: FleetViewersOptions): FleetViewers {
  const sum = {
    connected: 0,
    frames: 0,
    bytes: 0,
    gaps: 0,
    malformed: 0,
    disconnects: 0,
    slowestFirstFrameMs: 0,
  };
  const sockets = new Set<WebSocket>();
  let stopped = false;
  const target = new URL("/api/ws/monitor", options.url.replace(/^http/u, "ws"));
  if (options.mode === "delta") target.searchParams.set("mode", "delta");
  if (options.gzip) target.searchParams.set("encoding", "gzip");

  function take(bytes: Uint8Array, isBinary: boolean, last: number | undefined): number | undefined {
    sum.frames += 1;
    sum.bytes += bytes.byteLength;
    const frame = readFrame(bytes, isBinary);
    if (frame === undefined) {
      sum.malformed += 1;
      return last;
    }
    // A snapshot may repeat the number of its tick, or restart after a resync.
    const follows =
      last === undefined || frame.seq === last + 1 || (frame.type === "snapshot" && frame.seq >= last);
    if (!follows) sum.gaps += 1;
    return frame.seq;
  }

  function connect(): void {
    if (stopped) return;
    const openedMs = performance.now();
    const socket = new WebSocket(target, {
      perMessageDeflate: false,
      skipUTF8Validation: true,
      maxPayload: 64 * 1024 * 1024,
    });
    let last: number | undefined;
    let isOpen = false;
    sockets.add(socket);
    socket.on("open", () => {
      isOpen = true;
      sum.connected += 1;
    });
    socket.on("message", (data, isBinary) => {
      if (last === undefined)
        sum.slowestFirstFrameMs = Math.max(sum.slowestFirstFrameMs, performance.now() - openedMs);
      last = take(toBytes(data), isBinary, last);
    });
    // "close" follows and does what there is to do.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      sockets.delete(socket);
      if (isOpen) sum.connected -= 1;
      if (stopped) return;
      sum.disconnects += 1;
      setTimeout(connect, RECONNECT_MS * (0.5 + Math.random()));
    });
  }

  for (let index = 0; index < options.count; index += 1) connect();
  return {
    totals: () => ({ ...sum }),
    stop() {
      stopped = true;
      for (const socket of sockets) socket.terminate();
    },
  };
}
