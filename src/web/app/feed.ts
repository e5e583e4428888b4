/** The live feed in a browser: one WebSocket in delta mode. feed-port.ts has what it needs from a browser. */
import type { PublicServer } from "../../monitor/fleet/view-schema.ts";

/** How many alerts are open, by severity. */
export interface AlertCounts {
  readonly critical: number;
  readonly warning: number;
  readonly info: number;
}

/** A frame of the feed; see GET /api/ws/monitor. */
export type Frame = {
  /** Another number when the list of checks has news; none from an older monitor. */
  readonly checks?: number;
  /** Only administrators get this. */
  readonly alerts?: AlertCounts;
} & (
  | {
      readonly type: "snapshot";
      readonly seq: number;
      readonly now: number;
      readonly servers: PublicServer[];
    }
  | {
      readonly type: "delta";
      readonly seq: number;
      readonly now: number;
      readonly upsert: PublicServer[];
      readonly remove: string[];
    }
);

export interface FeedHandlers {
  readonly onFrame: (frame: Frame) => void;
  /** Whether frames come; false also after each attempt that failed. */
  readonly onLive: (live: boolean) => void;
}

/** A connection as the feed sees it. */
export interface FeedSocket {
  send(text: string): void;
  close(): void;
}

/** The feed's environment. */
export interface FeedPort {
  /** Opens a connection; `onMessage` gets texts or gzipped bytes. */
  open(handlers: { onMessage: (data: unknown) => void; onClose: () => void }): FeedSocket;
  /** Calls back after `ms`; returns how to stop that. */
  after(ms: number, callback: () => void): () => void;
  /** Calls back when a connection has become likelier: the network is back, the page is looked at. */
  onWake(callback: () => void): () => void;
  /** 0 to 1. */
  random(): number;
}

export const FIRST_DELAY_MS = 1_000;
export const MAX_DELAY_MS = 30_000;
/** Nothing for so long means that the connection is dead, whatever the socket says. */
export const SILENCE_MS = 75_000;
const GROWTH = 1.6;

async function readMessage(data: unknown): Promise<Frame> {
  if (typeof data === "string") return JSON.parse(data) as Frame;
  const stream = new Blob([data as ArrayBuffer]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(stream).json()) as Frame;
}

/**
 * Which frames of one connection count. A delta continues the frame before it; after a gap nothing counts
 * until the snapshot that was asked for has come.
 */
export function createSequence(askAgain: () => void): (frame: Frame) => boolean {
  let seq: number | undefined;
  return (frame) => {
    if (frame.type === "delta" && frame.seq !== (seq ?? Number.NaN) + 1) {
      if (seq !== undefined) askAgain();
      seq = undefined;
      return false;
    }
    seq = frame.seq;
    return true;
  };
}

class Feed {
  readonly #handlers: FeedHandlers;
  readonly #port: FeedPort;
  #socket: FeedSocket | undefined;
  #delayMs = FIRST_DELAY_MS;
  #stopRetry: () => void = () => undefined;
  #stopSilence: () => void = () => undefined;
  #ended = false;

  constructor(handlers: FeedHandlers, port: FeedPort) {
    this.#handlers = handlers;
    this.#port = port;
  }

  connect(): void {
    // Frames are unpacked one after the other, so that they keep their order.
    let queue = Promise.resolve();
    const counts = createSequence(() => present.send(JSON.stringify({ type: "resync" })));
    const take = (frame: Frame): void => {
      if (this.#socket !== present || !counts(frame)) return;
      this.#delayMs = FIRST_DELAY_MS;
      this.#handlers.onLive(true);
      this.#handlers.onFrame(frame);
    };
    const present: FeedSocket = this.#port.open({
      onMessage: (data) => {
        if (this.#socket !== present) return;
        this.#watchSilence();
        queue = queue.then(async () => take(await readMessage(data))).catch(() => present.close());
      },
      onClose: () => {
        if (this.#socket === present) this.#retry();
      },
    });
    this.#socket = present;
    this.#watchSilence();
  }

  hurry(): void {
    if (this.#socket !== undefined || this.#ended) return;
    this.#stopRetry();
    this.#delayMs = FIRST_DELAY_MS;
    this.connect();
  }

  end(): void {
    this.#ended = true;
    this.#stopRetry();
    this.#stopSilence();
    this.#socket?.close();
    this.#socket = undefined;
  }

  #watchSilence(): void {
    this.#stopSilence();
    this.#stopSilence = this.#port.after(SILENCE_MS, () => {
      const silent = this.#socket;
      this.#retry();
      silent?.close();
    });
  }

  #retry(): void {
    this.#socket = undefined;
    this.#stopSilence();
    this.#stopRetry();
    if (this.#ended) return;
    this.#handlers.onLive(false);
    // Many pages must not come back in the same moment.
    const jitter = 0.8 + 0.4 * this.#port.random();
    this.#stopRetry = this.#port.after(this.#delayMs * jitter, () => this.connect());
    this.#delayMs = Math.min(MAX_DELAY_MS, this.#delayMs * GROWTH);
  }
}

/** Opens the feed and keeps it open; the returned function ends it. */
export function openFeed(handlers: FeedHandlers, port: FeedPort): () => void {
  const feed = new Feed(handlers, port);
  const stopWake = port.onWake(() => feed.hurry());
  feed.connect();
  return () => {
    stopWake();
    feed.end();
  };
}
