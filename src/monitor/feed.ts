/**
 * The live feed: the WebSocket edge. Viewers of one kind share every frame; a slow reader gets only the
 * newest state and never makes the service grow. Hidden here: ticks, pings, slow-reader rules.
 */
import type { Clock } from "../kit/clock.ts";
import { AppError } from "../kit/errors.ts";
import type { ServerSocket, UpgradeWebSocket } from "../runtime.ts";
import type { Board } from "./board.ts";
import type { FeedTick, Frame, KindFrames, ViewerKind } from "./feed-frames.ts";
import { createKindFrames, kindKey } from "./feed-frames.ts";

export interface FeedLimits {
  readonly maxViewers: number;
  /** A viewer whose unsent bytes stay above this from one frame to the next is closed with 1013. */
  readonly maxUnsentBytes: number;
  readonly pingMs: number;
  /** A ping that is not answered in this time closes with 1013. */
  readonly pongTimeoutMs: number;
  /** Longest message from a client, in bytes; a longer one closes with 1009. */
  readonly maxMessageBytes: number;
  /** A client gets a snapshot on request at most this often. */
  readonly resyncMs: number;
}

const defaultLimits: FeedLimits = {
  maxViewers: 10_000,
  maxUnsentBytes: 1_048_576,
  pingMs: 25_000,
  pongTimeoutMs: 30_000,
  maxMessageBytes: 4_096,
  resyncMs: 1_000,
};

export interface Feed {
  /** Answers the handshake of a viewer. Throws `unavailable` when there are too many. */
  accept(request: Request, kind: ViewerKind): Response;
  /** Sends the frame that is due to every viewer; resolves when all of them were handed to the sockets. */
  tick(): Promise<void>;
  /** Sends pings that are due and drops who did not answer; call it every second. */
  checkPongs(): void;
  readonly viewers: number;
  /** Frames and bytes handed to sockets since the start. */
  readonly sent: { readonly frames: number; readonly bytes: number };
  /** Closes every viewer with 1001. */
  close(): void;
}

interface Viewer {
  readonly socket: ServerSocket;
  /** Frames go out in order; a gzipped one is ready a moment later. */
  queue: Promise<void>;
  /** It missed frames: the next thing it gets is a snapshot. */
  stale: boolean;
  unsentBytes: number;
  pingedAt: number;
  awaitingPong: boolean;
  resyncAt: number;
}

interface Kind {
  readonly frames: KindFrames;
  readonly viewers: Set<Viewer>;
}

function send(socket: ServerSocket, frame: Frame): void {
  if (frame.binary) socket.send(frame.bytes);
  else socket.sendText(frame.bytes);
}

function isResync(data: string | Uint8Array): boolean {
  if (typeof data !== "string") return false;
  try {
    const message: unknown = JSON.parse(data);
    return typeof message === "object" && message !== null && "type" in message && message.type === "resync";
  } catch {
    return false;
  }
}

/** Makes a feed over the board. */
export function createFeed(deps: {
  board: Board;
  clock: Clock;
  upgradeWebSocket: UpgradeWebSocket;
  limits?: Partial<FeedLimits>;
}): Feed {
  const { board, clock } = deps;
  const limits = { ...defaultLimits, ...deps.limits };
  const kinds = new Map<string, Kind>();
  const sent = { frames: 0, bytes: 0 };
  let last: FeedTick = { seq: 1, now: clock.now() };
  let viewers = 0;

  function findKind(kind: ViewerKind): Kind {
    const key = kindKey(kind);
    const found = kinds.get(key);
    if (found !== undefined) return found;
    const made: Kind = { frames: createKindFrames(board, { kind, tick: () => last }), viewers: new Set() };
    kinds.set(key, made);
    return made;
  }

  function drop(viewer: Viewer, reason: string): void {
    // A reader that takes nothing will not answer the closing handshake either; the runtime ends it after 5 s.
    viewer.socket.close(1013, reason);
  }

  function deliver(viewer: Viewer, frame: Promise<Frame>): Promise<void> {
    viewer.queue = viewer.queue.then(async () => {
      const ready = await frame;
      if (viewer.socket.readyState !== "open") return;
      send(viewer.socket, ready);
      sent.frames += 1;
      sent.bytes += ready.bytes.byteLength;
    });
    return viewer.queue;
  }

  function deliverTick(kind: Kind, viewer: Viewer, frame: Promise<Frame>): Promise<void> {
    const unsent = viewer.socket.bufferedBytes;
    const before = viewer.unsentBytes;
    viewer.unsentBytes = unsent;
    if (unsent > 0) {
      viewer.stale = true;
      if (unsent > limits.maxUnsentBytes && before > limits.maxUnsentBytes && unsent >= before) drop(viewer, "too slow");
      return Promise.resolve();
    }
    if (!viewer.stale) return deliver(viewer, frame);
    viewer.stale = false;
    return deliver(viewer, kind.frames.snapshot());
  }

  function onMessage(kind: Kind, viewer: Viewer, data: string | Uint8Array): void {
    if (!isResync(data)) return;
    const now = clock.monotonic();
    if (now - viewer.resyncAt < limits.resyncMs || viewer.socket.bufferedBytes > 0) {
      viewer.stale = true; // answered with the next frame
      return;
    }
    viewer.resyncAt = now;
    void deliver(viewer, kind.frames.snapshot());
  }

  function remove(key: string, kind: Kind, viewer: Viewer): void {
    if (!kind.viewers.delete(viewer)) return;
    viewers -= 1;
    if (kind.viewers.size === 0) kinds.delete(key);
  }

  return {
    accept: (request, viewerKind) => {
      if (viewers >= limits.maxViewers) {
        throw new AppError("unavailable", "Too many viewers are connected; try again later", { retryAfterSeconds: 30 });
      }
      const { socket, response } = deps.upgradeWebSocket(request, { maxMessageBytes: limits.maxMessageBytes });
      const key = kindKey(viewerKind);
      const viewer: Viewer = {
        socket,
        queue: Promise.resolve(),
        stale: false,
        unsentBytes: 0,
        pingedAt: clock.monotonic(),
        awaitingPong: false,
        resyncAt: -Infinity,
      };
      let kind: Kind | undefined;
      socket.onopen = () => {
        kind = findKind(viewerKind);
        kind.viewers.add(viewer);
        viewers += 1;
        void deliver(viewer, kind.frames.snapshot());
      };
      socket.onmessage = (data) => {
        if (kind !== undefined) onMessage(kind, viewer, data);
      };
      socket.onpong = () => {
        viewer.awaitingPong = false;
      };
      socket.onclose = () => {
        if (kind !== undefined) remove(key, kind, viewer);
      };
      return response;
    },
    tick: async () => {
      last = { seq: last.seq + 1, now: clock.now() };
      const all: Promise<void>[] = [];
      for (const kind of kinds.values()) {
        const frame = kind.frames.advance(last);
        for (const viewer of kind.viewers) all.push(deliverTick(kind, viewer, frame));
      }
      await Promise.all(all);
    },
    checkPongs: () => {
      const now = clock.monotonic();
      for (const kind of kinds.values()) {
        for (const viewer of kind.viewers) {
          if (viewer.awaitingPong) {
            if (now - viewer.pingedAt >= limits.pongTimeoutMs) drop(viewer, "no pong");
          } else if (now - viewer.pingedAt >= limits.pingMs) {
            viewer.pingedAt = now;
            viewer.awaitingPong = true;
            viewer.socket.ping();
          }
        }
      }
    },
    get viewers() {
      return viewers;
    },
    get sent() {
      return { ...sent };
    },
    close: () => {
      for (const kind of kinds.values()) for (const viewer of kind.viewers) viewer.socket.close(1001, "shutting down");
    },
  };
}
