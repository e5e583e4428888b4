/**
 * The live feed in a browser: one WebSocket in delta mode. Hidden here: gzip, gaps in `seq`, and coming
 * back after the connection was lost.
 */
import type { PublicServer } from "../../monitor/view-schema.ts";

/** A frame of the feed; see GET /api/ws/monitor. */
export type Frame =
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
    };

export interface FeedHandlers {
  readonly onFrame: (frame: Frame) => void;
  /** Whether frames come. */
  readonly onLive: (live: boolean) => void;
}

const FIRST_DELAY_MS = 1_000;
const MAX_DELAY_MS = 30_000;
/** Nothing for so long means that the connection is dead, whatever the socket says. */
const SILENCE_MS = 75_000;

async function readMessage(data: unknown): Promise<Frame> {
  if (typeof data === "string") return JSON.parse(data) as Frame;
  const stream = new Blob([data as ArrayBuffer]).stream().pipeThrough(new DecompressionStream("gzip"));
  return (await new Response(stream).json()) as Frame;
}

function toAddress(): string {
  const query = "mode=delta&encoding=gzip";
  return `${location.origin.replace(/^http/u, "ws")}/api/ws/monitor?${query}`;
}

/** Opens the feed and keeps it open; the returned function ends it. */
export function openFeed({ onFrame, onLive }: FeedHandlers): () => void {
  let socket: WebSocket | undefined;
  let delayMs = FIRST_DELAY_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let ended = false;

  function connect(): void {
    const present = new WebSocket(toAddress());
    present.binaryType = "arraybuffer";
    socket = present;
    let seq: number | undefined;
    // Frames are unpacked one after the other, so that they keep their order.
    let queue = Promise.resolve();

    function take(frame: Frame): void {
      if (socket !== present) return;
      if (frame.type === "delta" && frame.seq !== (seq ?? 0) + 1) {
        // Further deltas are of no use until the snapshot has come.
        if (seq !== undefined) present.send(JSON.stringify({ type: "resync" }));
        seq = undefined;
        return;
      }
      seq = frame.seq;
      delayMs = FIRST_DELAY_MS;
      onLive(true);
      onFrame(frame);
    }

    present.onmessage = ({ data }) => {
      watchSilence();
      queue = queue.then(async () => take(await readMessage(data))).catch(() => present.close());
    };
    present.onclose = () => {
      if (socket === present) retry();
    };
    watchSilence();
  }

  function watchSilence(): void {
    clearTimeout(silence);
    silence = setTimeout(() => {
      socket?.close();
      retry();
    }, SILENCE_MS);
  }

  function retry(): void {
    socket = undefined;
    clearTimeout(silence);
    clearTimeout(timer);
    if (ended) return;
    onLive(false);
    timer = setTimeout(connect, delayMs * (0.8 + 0.4 * Math.random()));
    delayMs = Math.min(MAX_DELAY_MS, delayMs * 1.6);
  }

  function hurry(): void {
    if (socket !== undefined || ended) return;
    clearTimeout(timer);
    delayMs = FIRST_DELAY_MS;
    connect();
  }

  addEventListener("online", hurry);
  document.addEventListener("visibilitychange", hurry);
  connect();
  return () => {
    ended = true;
    removeEventListener("online", hurry);
    document.removeEventListener("visibilitychange", hurry);
    clearTimeout(timer);
    clearTimeout(silence);
    socket?.close();
  };
}
