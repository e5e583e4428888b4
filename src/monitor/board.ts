/**
 * The public list, kept ready: each visible server is encoded once per change, however many people look.
 * Hidden here: which servers strangers may see, display order, revisions and caches.
 */
import type { Clock } from "../kit/clock.ts";
import type { TrafficUse } from "./day-book/traffic-use.ts";
import type { Live } from "./live.ts";
import type { ServerRecord } from "./schema.ts";
import { toPublicServer } from "./views.ts";

/** A visible server in the list. */
export interface BoardEntry {
  readonly record: ServerRecord;
  /** Grows with every change of the server; compare with {@link Board.revision}. */
  readonly revision: number;
  /** The public view as JSON. */
  readonly json: string;
}

export interface ReadyList {
  /** `{"servers":[…],"now":…}` in UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** A strong entity tag, with its quotes (RFC 9110 section 8.8.3). */
  readonly etag: string;
}

export interface Board {
  /** Grows with every change that the public can see. */
  readonly revision: number;
  /** Grows when records change, not when reports arrive. */
  readonly recordsRevision: number;
  /** Takes the records as they are now, in display order; does nothing when they are what it has. */
  reload(records: readonly ServerRecord[]): void;
  /** Any server, hidden ones too, as of the last reload. */
  findRecord(serverId: string): ServerRecord | undefined;
  /** All records, hidden ones too, in display order. */
  records(): readonly ServerRecord[];
  /** Visible servers in display order. */
  entries(): readonly BoardEntry[];
  /** Looks for servers whose traffic cycle or paid time has turned; call it every second. */
  tick(): void;
  /** The whole list, encoded once per {@link LIST_MAX_AGE_MS} at most while only reports arrive. */
  list(): ReadyList;
}

/** How old the ready list may be while only reports arrive; a changed record shows at once. */
const LIST_MAX_AGE_MS = 250;

interface Encoded {
  readonly revision: number;
  readonly json: string;
  /** When the text grows old by itself, epoch milliseconds. */
  readonly staleAt: number;
}

/** A server in the list; encodes itself when asked after a change. */
class Slot implements BoardEntry {
  readonly record: ServerRecord;
  readonly #deps: BoardDeps;
  revision: number;
  #encoded: Encoded | undefined;

  constructor(record: ServerRecord, options: { revision: number; deps: BoardDeps }) {
    this.record = record;
    this.revision = options.revision;
    this.#deps = options.deps;
  }

  get json(): string {
    if (this.#encoded?.revision !== this.revision) this.#encoded = this.#encode();
    return this.#encoded.json;
  }

  /** Whether time alone has made the text wrong; one of an older revision is made anew anyway. */
  isStale(now: number): boolean {
    return this.#encoded?.revision === this.revision && this.#encoded.staleAt <= now;
  }

  #encode(): Encoded {
    const { record, revision } = this;
    const { live, clock, traffic } = this.#deps;
    const now = clock.now();
    const view = toPublicServer(record, { live: live.get(record.id), traffic: traffic(record), now });
    // A past date of something that does not renew itself stays what it is.
    const turns = [view.traffic?.cycleTo ?? 0, view.nextExpiryAt ?? 0].filter((at) => at >= now);
    return { revision, json: JSON.stringify(view), staleAt: Math.min(Infinity, ...turns) + 1 };
  }
}

interface MadeList extends ReadyList {
  readonly revision: number;
  readonly recordsRevision: number;
  readonly madeMs: number;
}

export interface BoardDeps {
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

class PublicBoard implements Board {
  readonly #deps: BoardDeps;
  readonly #encoder = new TextEncoder();
  #slots = new Map<string, Slot>();
  #visible: readonly Slot[] = [];
  #made: MadeList | undefined;
  revision = 1;
  recordsRevision = 1;

  constructor(deps: BoardDeps) {
    this.#deps = deps;
    deps.live.onChange((serverId) => this.#touch(serverId));
  }

  reload(records: readonly ServerRecord[]): void {
    if (this.#holds(records)) return;
    this.revision += 1;
    this.recordsRevision += 1;
    const next = new Map<string, Slot>();
    for (const record of records) {
      const old = this.#slots.get(record.id);
      // Servers that no one changed keep their encoding, so that one edit does not encode the whole fleet.
      const isSame = old !== undefined && isSameRecord(old.record, record);
      next.set(record.id, isSame ? old : new Slot(record, { revision: this.revision, deps: this.#deps }));
    }
    this.#slots = next;
    this.#visible = [...next.values()].filter(({ record }) => !record.hidden);
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

  findRecord(serverId: string): ServerRecord | undefined {
    return this.#slots.get(serverId)?.record;
  }

  records(): readonly ServerRecord[] {
    return [...this.#slots.values()].map(({ record }) => record);
  }

  entries(): readonly BoardEntry[] {
    return this.#visible;
  }

  tick(): void {
    const now = this.#deps.clock.now();
    for (const slot of this.#visible) if (slot.isStale(now)) this.#touch(slot.record.id);
  }

  list(): ReadyList {
    const nowMs = this.#deps.clock.monotonic();
    if (this.#made === undefined || !this.#isFresh(this.#made, nowMs)) this.#made = this.#makeList(nowMs);
    return this.#made;
  }

  #isFresh(made: MadeList, nowMs: number): boolean {
    if (made.recordsRevision !== this.recordsRevision) return false;
    return made.revision === this.revision || nowMs - made.madeMs < LIST_MAX_AGE_MS;
  }

  #makeList(madeMs: number): MadeList {
    const { revision, recordsRevision } = this;
    const servers = this.#visible.map(({ json }) => json).join(",");
    const bytes = this.#encoder.encode(`{"servers":[${servers}],"now":${this.#deps.clock.now()}}`);
    return { bytes, etag: `"${this.#deps.instance}-${revision}"`, revision, recordsRevision, madeMs };
  }

  #touch(serverId: string): void {
    const slot = this.#slots.get(serverId);
    if (slot === undefined) return;
    this.revision += 1;
    slot.revision = this.revision;
  }
}

/** Makes an empty board over the live state. */
export function createBoard(deps: BoardDeps): Board {
  return new PublicBoard(deps);
}
