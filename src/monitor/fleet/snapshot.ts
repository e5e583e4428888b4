/** The servers as viewers see them: each is encoded once per change, however many viewers there are. */
import { toIsoTime } from "../../kit/text/iso-time.ts";
import type { Clock } from "../../kit/time/clock.ts";
import type { TrafficUse } from "../usage/traffic-use.ts";
import type { Live } from "./live.ts";
import type { ServerRecord } from "../base/schema.ts";
import { toPublicServer, toServerAnswer } from "./server-view.ts";
import type { PublicServer } from "./view-schema.ts";

export interface SnapshotEntry {
  readonly record: ServerRecord;
  /** Its place among the visible servers, from 1; a hidden one has a fraction between its neighbours'. */
  readonly displayOrder: number;
  /** Grows with every change of the server; compare with {@link FleetView.revision}. */
  readonly revision: number;
  /** The public view as JSON, as frames of the feed have it. */
  readonly json: string;
  /** The same as HTTP answers have it; made when asked for. */
  readonly answerJson: string;
  /** {@link json} in UTF-8. */
  readonly bytes: Uint8Array;
}

/** The servers that one audience sees. Visible servers are the same entries for all. */
export interface FleetView {
  /** Grows with every change that the audience can see. */
  readonly revision: number;
  /** Grows when the audience sees other servers, or other fields of their records; not when reports arrive. */
  readonly visibleRevision: number;
  /** In display order; another array when {@link visibleRevision} grew, else the same. */
  entries(): readonly SnapshotEntry[];
  findEntry(serverId: string): SnapshotEntry | undefined;
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
  readonly maintenanceUntil: number | undefined;
  bytes?: Uint8Array;
  answerJson?: string;
}

const encoder = new TextEncoder();

/** A server, as long as it is the same one; encodes itself when asked after a change. */
class Slot implements SnapshotEntry {
  readonly #deps: PublicSnapshotDeps;
  #record: ServerRecord;
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
    if (this.#encoded === undefined) return false;
    const { staleAt, maintenanceUntil } = this.#encoded;
    return staleAt <= now || maintenanceUntil !== this.#deps.maintenanceUntil(this.#record);
  }

  touch(revision: number): void {
    this.#revision = revision;
    this.#encoded = undefined;
  }

  /** Takes the current record; true when its viewers see a difference, which then belongs to `revision`. */
  take(
    record: ServerRecord,
    { displayOrder, revision }: { displayOrder: number; revision: number },
  ): boolean {
    const isMoved = displayOrder !== this.#displayOrder;
    if (!isMoved && record.version === this.#record.version) return false;
    // Hidden servers are not encoded for this.
    const before = isMoved ? undefined : record.hidden ? this.#encoded : this.#encode();
    this.#record = record;
    this.#displayOrder = displayOrder;
    this.#encoded = undefined;
    // A private note or a new key must not show as a change of what is public.
    if (before !== undefined && this.json === before.json) {
      this.#encoded = before;
      return false;
    }
    this.#revision = revision;
    return true;
  }

  #view(now: number): PublicServer {
    const { record, displayOrder } = this;
    const { live, traffic, maintenanceUntil } = this.#deps;
    return toPublicServer(record, {
      live: live.get(record.id),
      traffic: traffic(record),
      maintenanceUntil: maintenanceUntil(record),
      now,
      displayOrder,
    });
  }

  #encode(): Encoded {
    if (this.#encoded !== undefined) return this.#encoded;
    const now = this.#deps.clock.now();
    const view = this.#view(now);
    // A past date of something that does not renew itself stays what it is.
    const turns = [view.traffic?.cycleTo ?? 0, view.nextExpiryAt ?? 0].filter((at) => at >= now);
    const { maintenanceUntil } = view;
    this.#encoded = {
      json: JSON.stringify(view),
      staleAt: Math.min(Infinity, ...turns) + 1,
      maintenanceUntil,
    };
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
  /** A server's traffic in the current cycle. */
  readonly traffic: (record: ServerRecord) => TrafficUse;
  /** When the planned maintenance that a server is in ends, epoch milliseconds. */
  readonly maintenanceUntil: (record: ServerRecord) => number | undefined;
  /** Distinguishes this start of the process from others, in entity tags. */
  readonly instance: string;
}

/** A server that was deleted and made again has version 1 once more. */
function isSameRecord(a: ServerRecord, b: ServerRecord): boolean {
  return a.version === b.version && a.createdAt === b.createdAt;
}

/** The public view; administrators see {@link PublicSnapshot.whole}. */
export class PublicSnapshot implements FleetView {
  readonly #deps: PublicSnapshotDeps;
  #slots = new Map<string, Slot>();
  #visible: readonly Slot[] = [];
  #all: readonly Slot[] = [];
  #made: MadeList | undefined;
  /** Counts what the public can see: entity tags must not give away that a hidden server reports. */
  #publicChanges = 1;
  revision = 1;
  visibleRevision = 1;
  /** The whole fleet, hidden servers too. */
  readonly whole: FleetView;
  readonly #wholeRevisions = { revision: 1, visibleRevision: 1 };
  /** Grows when any record changes, also of a hidden server; never shown to the public. */
  recordsRevision = 1;

  constructor(deps: PublicSnapshotDeps) {
    this.#deps = deps;
    const revisions = this.#wholeRevisions;
    this.whole = {
      get revision() {
        return revisions.revision;
      },
      get visibleRevision() {
        return revisions.visibleRevision;
      },
      entries: () => this.#all,
      findEntry: (serverId) => this.#slots.get(serverId),
    };
    deps.live.onChange((serverId) => this.#touch(serverId));
  }

  /** Applies the current records, in display order; does nothing without a change. */
  reload(records: readonly ServerRecord[]): void {
    if (this.#holds(records)) return;
    this.recordsRevision += 1;
    const revision = this.#wholeRevisions.revision + 1;
    const next = new Map<string, Slot>();
    const visible: Slot[] = [];
    let between = 0;
    let isChanged = false;
    let isPublicChanged = false;
    for (const record of records) {
      const old = this.#slots.get(record.id);
      // Servers that no one changed keep their encoding, so that one edit does not encode the whole fleet.
      const slot = old?.record.createdAt === record.createdAt ? old : new Slot(record, this.#deps);
      next.set(record.id, slot);
      between = record.hidden ? between + 1 : 0;
      const place = record.hidden ? visible.length + between / (between + 1) : visible.push(slot);
      if (!slot.take(record, { displayOrder: place, revision })) continue;
      isChanged = true;
      if (!record.hidden) isPublicChanged = true;
    }
    const isOneGone = next.size !== this.#slots.size;
    this.#slots = next;
    // A server that left the end of the list moved no other.
    if (isChanged || isOneGone) this.#growWhole(revision);
    if (isPublicChanged || visible.length !== this.#visible.length) this.#growPublic(visible);
  }

  #growWhole(revision: number): void {
    this.#all = [...this.#slots.values()];
    this.#wholeRevisions.revision = revision;
    this.#wholeRevisions.visibleRevision += 1;
  }

  #growPublic(visible: readonly Slot[]): void {
    this.#visible = visible;
    this.revision = this.#wholeRevisions.revision;
    this.visibleRevision += 1;
    this.#publicChanges += 1;
  }

  /** Nothing changed: no frames are sent, and entity tags stay. */
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

  entries(): readonly SnapshotEntry[] {
    return this.#visible;
  }

  /** A visible server. */
  findEntry(serverId: string): SnapshotEntry | undefined {
    const slot = this.#slots.get(serverId);
    return slot?.record.hidden === false ? slot : undefined;
  }

  /**
   * Checks for servers whose traffic cycle or paid time has turned, or whose maintenance began or ended; call it every
   * second.
   */
  tick(): void {
    const now = this.#deps.clock.now();
    for (const slot of this.#all) if (slot.isStale(now)) this.#touch(slot.record.id);
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
    const etag = `"${this.#deps.instance}-${this.#publicChanges}"`;
    const bytes = encoder.encode(toListJson(this.#visible, this.#deps.clock.now()));
    return { bytes, etag, revision, visibleRevision, madeMs };
  }

  #touch(serverId: string): void {
    const slot = this.#slots.get(serverId);
    if (slot === undefined) return;
    this.#wholeRevisions.revision += 1;
    slot.touch(this.#wholeRevisions.revision);
    if (slot.record.hidden) return;
    this.revision = slot.revision;
    this.#publicChanges += 1;
  }
}

/** Creates an empty public snapshot of the live state. */
export function createPublicSnapshot(deps: PublicSnapshotDeps): PublicSnapshot {
  return new PublicSnapshot(deps);
}
