/** The public snapshot: each visible server is encoded once per change, however many viewers there are. */
import { toIsoTime } from "../../kit/text/iso-time.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { TrafficUse } from "../usage/traffic-use.ts";
import type { Live } from "./live.ts";
import type { ServerRecord } from "../schema.ts";
import { toPublicServer, toServerAnswer } from "./server-view.ts";
import type { PublicServer } from "./view-schema.ts";

/** A visible server in the list. */
export interface SnapshotEntry {
  readonly record: ServerRecord;
  /** Its place among the visible servers, from 1: the stored order has gaps where hidden ones stand. */
  readonly displayOrder: number;
  /** Grows with every change of the server; compare with {@link PublicSnapshot.revision}. */
  readonly revision: number;
  /** The public view as JSON, as frames of the feed have it. */
  readonly json: string;
  /** The same as HTTP answers have it; made when asked for. */
  readonly answerJson: string;
  /** {@link json} in UTF-8. */
  readonly bytes: Uint8Array;
}

export interface ReadyList {
  /** `{"items":[…],"now":…}` in UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A strong entity tag, with its quotes (RFC 9110 section 8.8.3). */
  readonly etag: string;
}

/** How old the ready list may be while only reports arrive; a changed record shows at once. */
const LIST_MAX_AGE_MS = 250;

interface Encoded {
  readonly json: string;
  /** When the text grows old by itself, epoch milliseconds. */
  readonly staleAt: number;
  bytes?: Uint8Array;
  answerJson?: string;
}

const encoder = new TextEncoder();

/** A server, as long as it is the same one; encodes itself when asked after a change. */
class Slot implements SnapshotEntry {
  readonly #deps: PublicSnapshotDeps;
  #record: ServerRecord;
  /** 0 while it is hidden. */
  #displayOrder = 0;
  #revision = 0;
  #encoded: Encoded | undefined;

  constructor(record: ServerRecord, deps: PublicSnapshotDeps) {
    this.#record = record;
    this.#deps = deps;
  }

  get record(): ServerRecord {
    return this.#record;
  }

  get displayOrder(): number {
    return this.#displayOrder;
  }

  get revision(): number {
    return this.#revision;
  }

  get json(): string {
    return this.#encode().json;
  }

  get answerJson(): string {
    const encoded = this.#encode();
    encoded.answerJson ??= JSON.stringify(toServerAnswer(this.#view(this.#deps.clock.now())));
    return encoded.answerJson;
  }

  get bytes(): Uint8Array {
    const encoded = this.#encode();
    encoded.bytes ??= encoder.encode(encoded.json);
    return encoded.bytes;
  }

  /** Whether time alone has made the text wrong; one that is not made yet will be made of what is known then. */
  isStale(now: number): boolean {
    return this.#encoded !== undefined && this.#encoded.staleAt <= now;
  }

  touch(revision: number): void {
    this.#revision = revision;
    this.#encoded = undefined;
  }

  /** Takes the present record; true when the public sees a difference, which then belongs to `revision`. */
  take(
    record: ServerRecord,
    { displayOrder, revision }: { displayOrder: number; revision: number },
  ): boolean {
    const isMoved = displayOrder !== this.#displayOrder;
    if (!isMoved && record.version === this.#record.version) return false;
    const before = isMoved || record.hidden ? undefined : this.#encode();
    this.#record = record;
    this.#displayOrder = displayOrder;
    this.#encoded = undefined;
    // A private note or a new key must not show as a change of what is public.
    if (before !== undefined && this.json === before.json) {
      this.#encoded = before;
      return false;
    }
    this.#revision = revision;
    return !record.hidden;
  }

  #view(now: number): PublicServer {
    const { record, displayOrder } = this;
    const { live, traffic } = this.#deps;
    return toPublicServer(record, { live: live.get(record.id), traffic: traffic(record), now, displayOrder });
  }

  #encode(): Encoded {
    if (this.#encoded !== undefined) return this.#encoded;
    const now = this.#deps.clock.now();
    const view = this.#view(now);
    // A past date of something that does not renew itself stays what it is.
    const turns = [view.traffic?.cycleTo ?? 0, view.nextExpiryAt ?? 0].filter((at) => at >= now);
    this.#encoded = { json: JSON.stringify(view), staleAt: Math.min(Infinity, ...turns) + 1 };
    return this.#encoded;
  }
}

/** The list as HTTP answers have it. */
export function toListJson(entries: readonly SnapshotEntry[], now: number): string {
  return `{"items":[${entries.map(({ answerJson }) => answerJson).join(",")}],"now":"${toIsoTime(now)}"}`;
}

interface MadeList extends ReadyList {
  readonly revision: number;
  readonly visibleRevision: number;
  readonly madeMs: number;
}

export interface PublicSnapshotDeps {
  readonly clock: Clock;
  readonly live: Live;
  /** What a server used of its traffic in the present cycle. */
  readonly traffic: (record: ServerRecord) => TrafficUse;
  /** Tells this start of the process from others, in entity tags. */
  readonly instance: string;
}

/** A server that was deleted and made again has version 1 once more. */
function isSameRecord(a: ServerRecord, b: ServerRecord): boolean {
  return a.version === b.version && a.createdAt === b.createdAt;
}

export class PublicSnapshot {
  readonly #deps: PublicSnapshotDeps;
  #slots = new Map<string, Slot>();
  #visible: readonly Slot[] = [];
  #made: MadeList | undefined;
  /** Grows with every change that the public can see. */
  revision = 1;
  /** Grows when strangers see other servers, or other fields of their records; not when reports arrive. */
  visibleRevision = 1;
  /** Grows when any record changes, also of a hidden server; never shown to the public. */
  recordsRevision = 1;

  constructor(deps: PublicSnapshotDeps) {
    this.#deps = deps;
    deps.live.onChange((serverId) => this.#touch(serverId));
  }

  /** Takes the records as they are now, in display order; does nothing when they are what it has. */
  reload(records: readonly ServerRecord[]): void {
    if (this.#holds(records)) return;
    this.recordsRevision += 1;
    const revision = this.revision + 1;
    const next = new Map<string, Slot>();
    const visible: Slot[] = [];
    let isChanged = false;
    for (const record of records) {
      const old = this.#slots.get(record.id);
      // Servers that no one changed keep their encoding, so that one edit does not encode the whole fleet.
      const slot = old?.record.createdAt === record.createdAt ? old : new Slot(record, this.#deps);
      next.set(record.id, slot);
      const displayOrder = record.hidden ? 0 : visible.push(slot);
      if (slot.take(record, { displayOrder, revision })) isChanged = true;
    }
    this.#slots = next;
    // A server that left the end of the list moved no other.
    if (!isChanged && visible.length === this.#visible.length) return;
    this.#visible = visible;
    this.revision = revision;
    this.visibleRevision += 1;
  }

  /** Nothing changed: nobody gets a frame, and entity tags stay. */
  #holds(records: readonly ServerRecord[]): boolean {
    if (records.length !== this.#slots.size) return false;
    let at = 0;
    for (const { record } of this.#slots.values()) {
      const other = records[at];
      if (other === undefined || record.id !== other.id || !isSameRecord(record, other)) return false;
      at += 1;
    }
    return true;
  }

  /** Any server, hidden ones too, as of the last reload. */
  findRecord(serverId: string): ServerRecord | undefined {
    return this.#slots.get(serverId)?.record;
  }

  /** All records, hidden ones too, in display order. */
  records(): readonly ServerRecord[] {
    return [...this.#slots.values()].map(({ record }) => record);
  }

  /** Visible servers in display order; another array when {@link visibleRevision} grew, else the same. */
  entries(): readonly SnapshotEntry[] {
    return this.#visible;
  }

  /** A visible server. */
  findEntry(serverId: string): SnapshotEntry | undefined {
    const slot = this.#slots.get(serverId);
    return slot?.record.hidden === false ? slot : undefined;
  }

  /** Looks for servers whose traffic cycle or paid time has turned; call it every second. */
  tick(): void {
    const now = this.#deps.clock.now();
    for (const slot of this.#visible) if (slot.isStale(now)) this.#touch(slot.record.id);
  }

  /** The whole list, encoded once per {@link LIST_MAX_AGE_MS} at most while only reports arrive. */
  list(): ReadyList {
    const nowMs = this.#deps.clock.monotonic();
    if (this.#made === undefined || !this.#isFresh(this.#made, nowMs)) this.#made = this.#makeList(nowMs);
    return this.#made;
  }

  #isFresh(made: MadeList, nowMs: number): boolean {
    if (made.visibleRevision !== this.visibleRevision) return false;
    return made.revision === this.revision || nowMs - made.madeMs < LIST_MAX_AGE_MS;
  }

  #makeList(madeMs: number): MadeList {
    const { revision, visibleRevision } = this;
    const bytes = encoder.encode(toListJson(this.#visible, this.#deps.clock.now()));
    return { bytes, etag: `"${this.#deps.instance}-${revision}"`, revision, visibleRevision, madeMs };
  }

  #touch(serverId: string): void {
    const slot = this.#slots.get(serverId);
    // Reports of a hidden server must not change entity tags of the public list.
    if (slot === undefined || slot.record.hidden) return;
    this.revision += 1;
    slot.touch(this.revision);
  }
}

/** Creates an empty public snapshot of the live state. */
export function createPublicSnapshot(deps: PublicSnapshotDeps): PublicSnapshot {
  return new PublicSnapshot(deps);
}
