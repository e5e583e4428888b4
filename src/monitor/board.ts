/**
 * The public list, kept ready: each visible server is encoded once per change, however many people look.
 * Hidden here: which servers strangers may see, display order, revisions and caches.
 */
import type { Clock } from "../kit/clock.ts";
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
  /** Takes the records as they are now, in display order. */
  reload(records: readonly ServerRecord[]): void;
  /** Any server, hidden ones too, as of the last reload. */
  findRecord(serverId: string): ServerRecord | undefined;
  /** All records, hidden ones too, in display order. */
  records(): readonly ServerRecord[];
  /** Visible servers in display order. */
  entries(): readonly BoardEntry[];
  /** The whole list, encoded once per {@link LIST_MAX_AGE_MS} at most while only reports arrive. */
  list(): ReadyList;
}

/** How old the ready list may be while only reports arrive; a changed record shows at once. */
const LIST_MAX_AGE_MS = 250;

interface Slot {
  record: ServerRecord;
  revision: number;
  encoded: { revision: number; json: string } | undefined;
}

/** Makes an empty board over the live state. */
export function createBoard(deps: { clock: Clock; live: Live; instance: string }): Board {
  const { clock, live, instance } = deps;
  const encoder = new TextEncoder();
  let slots = new Map<string, Slot>();
  let visible: BoardEntry[] = [];
  let revision = 1;
  let recordsRevision = 1;
  let ready: (ReadyList & { revision: number; recordsRevision: number; madeMs: number }) | undefined;

  function touch(serverId: string): void {
    const slot = slots.get(serverId);
    if (slot === undefined) return;
    revision += 1;
    slot.revision = revision;
  }
  live.onChange(touch);

  function encode(slot: Slot): string {
    if (slot.encoded?.revision !== slot.revision) {
      const json = JSON.stringify(toPublicServer(slot.record, live.get(slot.record.id)));
      slot.encoded = { revision: slot.revision, json };
    }
    return slot.encoded.json;
  }

  function toEntry(slot: Slot): BoardEntry {
    return {
      get record() {
        return slot.record;
      },
      get revision() {
        return slot.revision;
      },
      get json() {
        return encode(slot);
      },
    };
  }

  return {
    get revision() {
      return revision;
    },
    get recordsRevision() {
      return recordsRevision;
    },
    reload: (records) => {
      revision += 1;
      recordsRevision += 1;
      const next = new Map<string, Slot>();
      for (const record of records) {
        const old = slots.get(record.id);
        // Servers that no one changed keep their encoding, so that one edit does not encode the whole fleet.
        const same = old !== undefined && old.record.version === record.version;
        next.set(record.id, same ? old : { record, revision, encoded: undefined });
      }
      slots = next;
      visible = [...slots.values()].filter((slot) => !slot.record.hidden).map(toEntry);
    },
    findRecord: (serverId) => slots.get(serverId)?.record,
    records: () => [...slots.values()].map((slot) => slot.record),
    entries: () => visible,
    list: () => {
      const nowMs = clock.monotonic();
      const fresh =
        ready !== undefined &&
        ready.recordsRevision === recordsRevision &&
        (ready.revision === revision || nowMs - ready.madeMs < LIST_MAX_AGE_MS);
      if (ready === undefined || !fresh) {
        const body = `{"servers":[${visible.map((entry) => entry.json).join(",")}],"now":${clock.now()}}`;
        const etag = `"${instance}-${revision}"`;
        ready = { bytes: encoder.encode(body), etag, revision, recordsRevision, madeMs: nowMs };
      }
      return ready;
    },
  };
}
