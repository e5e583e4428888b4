/**
 * Frames of the live feed, encoded once per kind of viewer. Hidden here: what a delta holds, which
 * encoding is cached for how long. A kind is a mode, an encoding and a set of servers.
 */
import type { Board, BoardEntry } from "./board.ts";

export interface ViewerKind {
  readonly mode: "full" | "delta";
  readonly gzip: boolean;
  /** Ids asked for, sorted; undefined for all. */
  readonly serverIds: readonly string[] | undefined;
}

/** Bytes ready to send: UTF-8 text, or gzip of it when `binary`. */
export interface Frame {
  readonly bytes: Uint8Array;
  readonly binary: boolean;
}

export interface KindFrames {
  /** A complete snapshot that the next delta continues. */
  snapshot(): Frame | Promise<Frame>;
  /** The frame of this tick: a snapshot, or what changed since the tick before. */
  advance(tick: FeedTick): Frame | Promise<Frame>;
}

export interface FeedTick {
  readonly seq: number;
  /** Epoch ms. */
  readonly now: number;
}

/** Frames below this size are not worth compressing, in bytes. */
const GZIP_FROM_BYTES = 1_024;

const encoder = new TextEncoder();

async function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function toFrame(text: string, kind: ViewerKind): Frame | Promise<Frame> {
  const bytes = encoder.encode(text);
  if (!kind.gzip || bytes.byteLength < GZIP_FROM_BYTES) return { bytes, binary: false };
  return gzip(bytes).then((packed) => ({ bytes: packed, binary: true }));
}

/** A text that tells kinds apart. */
export function kindKey(kind: ViewerKind): string {
  return `${kind.mode} ${kind.gzip ? "gzip" : "plain"} ${kind.serverIds?.join(",") ?? "*"}`;
}

/** Makes the frames of one kind; `tick` is the last one that the feed made. */
export function createKindFrames(
  board: Board,
  options: { kind: ViewerKind; tick: () => FeedTick },
): KindFrames {
  const { kind } = options;
  const wanted = kind.serverIds === undefined ? undefined : new Set(kind.serverIds);
  let seenRevision = board.revision;
  let seenIds = new Set(entries().map((entry) => entry.record.id));
  let cached: { seq: number; recordsRevision: number; frame: Frame | Promise<Frame> } | undefined;

  function entries(): readonly BoardEntry[] {
    const all = board.entries();
    return wanted === undefined ? all : all.filter((entry) => wanted.has(entry.record.id));
  }

  function encodeSnapshot(tick: FeedTick): Frame | Promise<Frame> {
    const servers = entries().map((entry) => entry.json);
    return toFrame(
      `{"type":"snapshot","seq":${tick.seq},"now":${tick.now},"servers":[${servers.join(",")}]}`,
      kind,
    );
  }

  function encodeDelta(tick: FeedTick): Frame | Promise<Frame> {
    const present = entries();
    const ids = new Set(present.map((entry) => entry.record.id));
    const upsert = present
      .filter((entry) => entry.revision > seenRevision || !seenIds.has(entry.record.id))
      .map((entry) => entry.json);
    const remove = [...seenIds].filter((id) => !ids.has(id));
    seenRevision = board.revision;
    seenIds = ids;
    const head = `{"type":"delta","seq":${tick.seq},"now":${tick.now}`;
    return toFrame(`${head},"upsert":[${upsert.join(",")}],"remove":${JSON.stringify(remove)}}`, kind);
  }

  function snapshot(tick: FeedTick): Frame | Promise<Frame> {
    // Good until the next tick: it holds at least the state of its seq, and the next delta all that came
    // after. A changed record (someone hid a server) makes a new one at once.
    const { recordsRevision } = board;
    if (cached?.seq !== tick.seq || cached.recordsRevision !== recordsRevision) {
      cached = { seq: tick.seq, recordsRevision, frame: encodeSnapshot(tick) };
    }
    return cached.frame;
  }

  return {
    snapshot: () => snapshot(options.tick()),
    advance: (tick) => (kind.mode === "full" ? snapshot(tick) : encodeDelta(tick)),
  };
}
