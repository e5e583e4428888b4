/** Frames of the live feed, encoded once per kind of viewer: an audience, a mode, an encoding and a set of servers. */
import type { FleetView, SnapshotEntry } from "./snapshot.ts";

export interface ViewerKind {
  /** Administrators see hidden servers, and how many alerts are open. */
  readonly audience: "public" | "administrators";
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

const COMMA = 0x2c;
const encoder = new TextEncoder();

async function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Head, the servers as they are encoded already with commas between them, tail: sets of servers share the work. */
function joinBytes(head: string, entries: readonly SnapshotEntry[], tail: string): Uint8Array<ArrayBuffer> {
  const [first, last] = [encoder.encode(head), encoder.encode(tail)];
  const commas = Math.max(0, entries.length - 1);
  const inner = entries.reduce((sum, { bytes }) => sum + bytes.byteLength, commas);
  const joined = new Uint8Array(first.byteLength + inner + last.byteLength);
  joined.set(first);
  let at = first.byteLength;
  for (const [index, { bytes }] of entries.entries()) {
    if (index > 0) joined[at++] = COMMA;
    joined.set(bytes, at);
    at += bytes.byteLength;
  }
  joined.set(last, at);
  return joined;
}

function toFrame(bytes: Uint8Array<ArrayBuffer>, kind: ViewerKind): Frame | Promise<Frame> {
  if (!kind.gzip || bytes.byteLength < GZIP_FROM_BYTES) return { bytes, binary: false };
  return gzip(bytes).then((packed) => ({ bytes: packed, binary: true }));
}

/** A text that tells kinds apart. */
export function kindKey(kind: ViewerKind): string {
  return `${kind.audience} ${kind.mode} ${kind.gzip ? "gzip" : "plain"} ${kind.serverIds?.join(",") ?? "*"}`;
}

function findRemoved(before: readonly SnapshotEntry[], now: readonly SnapshotEntry[]): string[] {
  const ids = new Set(now.map((entry) => entry.record.id));
  return before.map((entry) => entry.record.id).filter((id) => !ids.has(id));
}

/** Creates the frames of one kind; `tick` is the last one that the feed made. */
export function createKindFrames(
  fleet: FleetView,
  options: {
    kind: ViewerKind;
    tick: () => FeedTick;
    /** JSON members that every frame ends with, each after a comma. */
    more: () => string;
  },
): KindFrames {
  const { kind } = options;
  const wanted = kind.serverIds === undefined ? undefined : new Set(kind.serverIds);
  let found: { visibleRevision: number; entries: readonly SnapshotEntry[] } | undefined;
  let seenRevision = fleet.revision;
  let seen = entries();
  let cached: { seq: number; visibleRevision: number; frame: Frame | Promise<Frame> } | undefined;

  /** The same array until other servers are visible. */
  function entries(): readonly SnapshotEntry[] {
    if (wanted === undefined) return fleet.entries();
    const { visibleRevision } = fleet;
    if (found?.visibleRevision !== visibleRevision) {
      const those = fleet.entries().filter((entry) => wanted.has(entry.record.id));
      found = { visibleRevision, entries: those };
    }
    return found.entries;
  }

  function encodeSnapshot(tick: FeedTick): Frame | Promise<Frame> {
    const head = `{"type":"snapshot","seq":${tick.seq},"now":${tick.now},"servers":[`;
    return toFrame(joinBytes(head, entries(), `]${options.more()}}`), kind);
  }

  function encodeDelta(tick: FeedTick): Frame | Promise<Frame> {
    const present = entries();
    // A server that was not visible before also has a new revision.
    const upsert = present.filter((entry) => entry.revision > seenRevision);
    const remove = seen === present ? [] : findRemoved(seen, present);
    seenRevision = fleet.revision;
    seen = present;
    const head = `{"type":"delta","seq":${tick.seq},"now":${tick.now},"upsert":[`;
    return toFrame(joinBytes(head, upsert, `],"remove":${JSON.stringify(remove)}${options.more()}}`), kind);
  }

  function snapshot(tick: FeedTick): Frame | Promise<Frame> {
    // Good until the next tick: it holds at least the state of its seq, and the next delta all that came
    // after. A changed record (someone hid a server) makes a new one at once.
    const { visibleRevision } = fleet;
    if (cached?.seq !== tick.seq || cached.visibleRevision !== visibleRevision) {
      cached = { seq: tick.seq, visibleRevision, frame: encodeSnapshot(tick) };
    }
    return cached.frame;
  }

  return {
    snapshot: () => snapshot(options.tick()),
    advance: (tick) => (kind.mode === "full" ? snapshot(tick) : encodeDelta(tick)),
  };
}
