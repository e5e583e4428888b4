/**
 * Anonymising a customer: what is personal goes from orders that the books need no more, and from the others when their
 * time is over; amounts, goods and numbers stay for ever.
 */
import { AppError } from "../../kit/errors.ts";
import { type AuditActor, writeAudit } from "../../records/audit.ts";
import { listEvery } from "../../store/every-page.ts";
import type { Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import { toGrantId } from "../files/grants.ts";
import { eraseRecipientsOf } from "../gift-cards/recipients.ts";
import { devices, licenses } from "../licence-keys/records.ts";
import type { OrderRecord } from "../orders/schema.ts";
import { customers } from "./records.ts";
import { attachments, conversations, messages } from "../chat/records.ts";
import { fileGrants } from "../files/records.ts";
import { notices } from "../payments/records.ts";
import { orders } from "../orders/records.ts";
import { wishes } from "../wishlist/records.ts";
import { readSite } from "../site/settings.ts";
import { type CustomerBook, openStates } from "./book.ts";
import { putCustomer } from "./customers.ts";
import { removeProfiles } from "./profiles.ts";
import { type Buyer, REMOVED_EMAIL } from "./identity.ts";
import { listCustomerOrders } from "./orders-of.ts";
import { listQuestions } from "./questions-of.ts";

const DAY_MS = 86_400_000;
/** Orders of one transaction. */
const BATCH = 50;
const LOOK = 100;

/** The result of an anonymization. */
export interface Erased {
  /** Orders that say no more who bought. */
  readonly anonymised: number;
  /** Orders that say so until their time is over. */
  readonly kept: number;
  /** When the last of those follows. */
  readonly keptUntil: number | undefined;
}

/** An order without what is personal; the country stays, for taxes. */
export function toAnonymous(order: OrderRecord, nowMs: number): OrderRecord {
  return {
    ...order,
    userId: undefined,
    email: REMOVED_EMAIL,
    emailLower: REMOVED_EMAIL,
    country: order.shippingAddress?.country ?? order.country,
    shippingAddress: undefined,
    billingAddress: undefined,
    vatId: undefined,
    buyerReference: undefined,
    orderReference: undefined,
    note: "",
    shipment: order.shipment && { ...order.shipment, trackingNumber: "", trackingUrl: "" },
    lines: order.lines.map((line) => ({ ...line, inputs: {} })),
    history: order.history.map((entry) =>
      entry.by === "buyer" || entry.by === "admin"
        ? { ...entry, note: undefined, changes: undefined }
        : entry,
    ),
    updatedAt: nowMs,
  };
}

/** Orders without money are no part of the books. */
function keptUntilOf({ amountPaid, amountRefunded, total, createdAt }: OrderRecord, days: number): number {
  return amountPaid === 0 && amountRefunded === 0 && total > 0 ? 0 : createdAt + days * DAY_MS;
}

/** Devices stay active, without their names. */
async function eraseDevices(tx: Tx, licenseId: string): Promise<void> {
  const range = { prefix: [licenseId] };
  for (const device of await listEvery(tx, devices, { index: "byLicense", range }))
    await tx.put(devices, { ...device, name: "", fingerprint: undefined });
}

/** Licenses that another shop sold to the mailbox. */
async function eraseHeld(tx: Tx, mailbox: string): Promise<void> {
  const range = { prefix: [mailbox] };
  for (const license of await listEvery(tx, licenses, { index: "byHolder", range })) {
    await eraseDevices(tx, license.id);
    const { holderName: _name, holderEmail: _email, holderMailbox: _mailbox, ...kept } = license;
    await tx.put(licenses, kept);
  }
}

async function eraseOrder(tx: Tx, order: OrderRecord, nowMs: number): Promise<void> {
  await tx.put(orders, toAnonymous(order, nowMs));
  for (const { id } of order.lines) {
    const grant = await tx.get(fileGrants, toGrantId(order.id, id));
    if (grant !== undefined) await tx.put(fileGrants, { ...grant, emailLower: REMOVED_EMAIL });
  }
  const range = { prefix: [order.id] };
  for (const license of await listEvery(tx, licenses, { index: "byOrder", range }))
    await eraseDevices(tx, license.id);
  await eraseRecipientsOf(tx, order.id);
  // A provider's message may contain the buyer's name.
  for (const notice of await listEvery(tx, notices, { index: "byOrder", range }))
    if (notice.raw !== "") await tx.put(notices, { ...notice, raw: "" });
}

/** Data that no bookkeeping needs: wishes, and the chat. */
async function eraseRest(tx: Tx, userId: string, nowMs: number): Promise<void> {
  const range = { prefix: [userId] };
  for (const { id } of await listEvery(tx, wishes, { index: "byUser", range })) await tx.remove(wishes, id);
  for (const message of await listEvery(tx, messages, { index: "byConversation", range }))
    await tx.put(messages, { ...message, body: "", attachments: [] });
  for (const picture of await listEvery(tx, attachments, { index: "byUploader", range }))
    await tx.put(attachments, { ...picture, unusedUntil: nowMs });
  const conversation = await tx.get(conversations, userId);
  if (conversation === undefined) return;
  const { replyTo: _replyTo, ...kept } = conversation;
  await tx.put(conversations, { ...kept, username: "", preview: "" });
}

/** Removes what a customer asked without signing in; no bookkeeping needs it. */
async function eraseQuestions(tx: Tx, buyer: Buyer, nowMs: number): Promise<void> {
  for (const { id } of await listQuestions(tx, buyer)) {
    const range = { prefix: [id] };
    for (const message of await listEvery(tx, messages, { index: "byConversation", range })) {
      for (const { id: pictureId = "" } of message.attachments) {
        const picture = await tx.get(attachments, pictureId);
        if (picture !== undefined) await tx.put(attachments, { ...picture, unusedUntil: nowMs });
      }
      await tx.remove(messages, message.id);
    }
    await tx.remove(conversations, id);
  }
}

type Deps = Pick<ShopDeps, "store" | "clock">;

interface Wanted {
  readonly buyer: Buyer;
  /** Orders until then. */
  readonly beforeMs: number;
}

/** Erases up to a batch of a customer's orders; says what is left. */
async function eraseDue(
  tx: Tx,
  { buyer, beforeMs, nowMs }: Wanted & { nowMs: number },
): Promise<Erased & { hasMore: boolean }> {
  const { retentionDays } = (await readSite(tx)).customers;
  // A later order creates a new customer.
  const all = (await listCustomerOrders(tx, buyer)).filter(
    ({ createdAt, status }) => createdAt <= beforeMs && !openStates.has(status),
  );
  const untils = all.map((order) => keptUntilOf(order, retentionDays));
  const due = all.filter((_order, index) => (untils[index] ?? 0) <= nowMs);
  for (const order of due.slice(0, BATCH)) await eraseOrder(tx, order, nowMs);
  const later = untils.filter((until) => until > nowMs);
  return {
    anonymised: Math.min(due.length, BATCH),
    kept: later.length,
    keptUntil: later.length === 0 ? undefined : Math.max(...later),
    hasMore: due.length > BATCH,
  };
}

export function createCustomerErasure(
  { store, clock }: Deps,
  {
    book,
    eraseMore,
  }: {
    readonly book: CustomerBook;
    /** Erases what other nouns know of a buyer. */
    readonly eraseMore: (tx: Tx, buyer: Buyer) => Promise<void>;
  },
) {
  async function eraseAll(wanted: Wanted): Promise<Erased> {
    let anonymised = 0;
    for (;;) {
      const step = await store.transact((tx) => eraseDue(tx, { ...wanted, nowMs: clock.now() }));
      anonymised += step.anonymised;
      if (!step.hasMore) return { anonymised, kept: step.kept, keptUntil: step.keptUntil };
    }
  }

  return {
    /** Anonymises a customer as far as the books allow, and the rest when they do. Throws `not_found`, `conflict` while orders are open. */
    erase: async (id: string, actor: AuditActor): Promise<Erased> => {
      const found = (await book.readAll()).get(id);
      if (found === undefined) throw new AppError("not_found", "This customer does not exist");
      const { userId, email } = found;
      const buyer = { userId, emailLower: email };
      const nowMs = clock.now();
      await store.transact(async (tx) => {
        const open = (await listCustomerOrders(tx, buyer)).filter(({ status }) => openStates.has(status));
        if (open.length > 0) {
          const details = { openOrders: open.length };
          throw new AppError("conflict", "The customer has open orders. Complete or cancel them first", {
            details,
          });
        }
        if (userId !== undefined) await eraseRest(tx, userId, nowMs);
        await eraseHeld(tx, email.toLowerCase());
        await eraseQuestions(tx, buyer, nowMs);
        await eraseMore(tx, buyer);
        await removeProfiles(tx, { id, userId });
        const mailbox = userId === undefined ? email : undefined;
        await putCustomer(tx, id, { note: "", erasing: "yes", erasingBefore: nowMs, userId, mailbox, nowMs });
        await writeAudit(tx, { actor, action: "customer.anonymise", target: id }, clock);
      });
      return eraseAll({ buyer, beforeMs: nowMs });
    },
    /** Goes on with customers whose orders' time is over; says how many orders became anonymous. */
    run: async (): Promise<number> => {
      const range = { prefix: ["yes"], limit: LOOK };
      const { items } = await store.read((tx) => tx.list(customers, "byErasing", range));
      let count = 0;
      for (const { id, userId, mailbox = "", erasingBefore = 0 } of items) {
        const buyer = { userId, emailLower: mailbox };
        const { anonymised, kept } = await eraseAll({ buyer, beforeMs: erasingBefore });
        count += anonymised;
        if (kept > 0) continue;
        await store.transact(async (tx) => {
          const record = await tx.get(customers, id);
          if (record?.blocked === undefined) await tx.remove(customers, id);
          else {
            const { version, note, blocked, createdAt, updatedAt } = record;
            await tx.put(customers, { id, version, note, blocked, createdAt, updatedAt });
          }
        });
      }
      return count;
    },
  };
}
