/** All that happened about an order in one list: its history, payment notices, mails, events that were sent, downloads. */
import { outboxCollection } from "../../records/outbox-record.ts";
import { AppError } from "../../kit/errors.ts";
import { listEvery } from "../../store/every-page.ts";
import type { ReadTx, Store } from "../../store/store.ts";
import type { OrderChange, OrderRecord } from "../orders/schema.ts";
import { toGrantId } from "../files/grants.ts";
import { listLedger } from "../payments/ledger.ts";
import { webhookDeliveries } from "../webhooks-out/records.ts";
import { fileGrants } from "../files/records.ts";
import { orders } from "../orders/records.ts";

export const timelineKinds = ["history", "payment_notice", "mail", "event", "download"] as const;

/** One thing that happened. */
export interface TimelineItem {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly kind: (typeof timelineKinds)[number];
  /** The kind of entry: the event of a history, the type of a notification or event, the kind of an email. */
  readonly what: string;
  /** The state of notifications, emails and events. */
  readonly state?: string | undefined;
  /** The actor, sender or recipient. */
  readonly by?: string | undefined;
  readonly note?: string | undefined;
  /** Of an edit. */
  readonly who?: string | undefined;
  readonly changes?: OrderChange[] | undefined;
  readonly amount?: number | undefined;
  readonly currency?: string | undefined;
  /** Of the notice, mail or delivery. */
  readonly id?: string | undefined;
}

function toHistory({ history }: OrderRecord): TimelineItem[] {
  return history.map(({ at, by, event, to, note, who, changes }) => ({
    at,
    kind: "history",
    what: event,
    state: to,
    by,
    note,
    who,
    changes,
  }));
}

async function readNotices(tx: ReadTx, orderId: string): Promise<TimelineItem[]> {
  return (await listLedger(tx, orderId)).map((notice) => {
    const { id, receivedAt: at, type, state, provider, providerRef, reason, amount, currency } = notice;
    const note = [providerRef, reason].filter((text) => text !== "").join(": ");
    return { at, kind: "payment_notice", what: type, state, by: provider, note, amount, currency, id };
  });
}

async function readMails(tx: ReadTx, orderId: string): Promise<TimelineItem[]> {
  const walk = { index: "byThread", range: { prefix: [orderId] } } as const;
  return (await listEvery(tx, outboxCollection, walk)).map(
    ({ id, createdAt, sentAt, kind, state, to, lastError }) => ({
      at: sentAt ?? createdAt,
      kind: "mail",
      what: kind,
      state,
      by: to,
      note: lastError,
      id,
    }),
  );
}

async function readEvents(tx: ReadTx, orderId: string): Promise<TimelineItem[]> {
  const walk = { index: "byHappening", range: { prefix: [orderId] } } as const;
  return (await listEvery(tx, webhookDeliveries, walk)).map(
    ({ id, createdAt, sentAt, type, state, endpointId, lastError }) => ({
      at: sentAt ?? createdAt,
      kind: "event",
      what: type,
      state,
      by: endpointId,
      note: lastError,
      id,
    }),
  );
}

/** Downloads of each file that was bought: the count since the last reset, at the time of the last download. */
async function readDownloads(tx: ReadTx, { id: orderId, lines }: OrderRecord): Promise<TimelineItem[]> {
  const items: TimelineItem[] = [];
  for (const { id, title } of lines.filter(({ deliveryType }) => deliveryType === "files")) {
    const grant = await tx.get(fileGrants, toGrantId(orderId, id));
    for (const { fileId, count, lastAt } of grant?.used ?? [])
      items.push({ at: lastAt, kind: "download", what: title, by: "buyer", note: `${count}`, id: fileId });
  }
  return items;
}

/** The timeline of an order, oldest first. Throws `not_found`. */
export function readTimeline(store: Store, orderId: string): Promise<TimelineItem[]> {
  return store.read(async (tx) => {
    const order = await tx.get(orders, orderId);
    if (order === undefined) throw new AppError("not_found", "There is no such order");
    const parts = [
      toHistory(order),
      await readNotices(tx, orderId),
      await readMails(tx, orderId),
      await readEvents(tx, orderId),
      await readDownloads(tx, order),
    ];
    // Those of one moment stay in the order of the parts: sorting is stable.
    return parts.flat().toSorted((a, b) => a.at - b.at);
  });
}
