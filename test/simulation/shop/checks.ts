/** What must be true of the shop after everything that happened. */
import { AssertionError } from "node:assert";
import { z } from "zod";
import { shopCollections } from "../../../src/shop/app/records.ts";
import { notices } from "../../../src/shop/payments/records.ts";
import { orders } from "../../../src/shop/orders/records.ts";
import type { OrderRecord } from "../../../src/shop/orders/schema.ts";
import { outboxCollection } from "../../../src/records/outbox-record.ts";
import { checkStore } from "../../../src/service/check/store-check.ts";
import { Findings } from "../../../src/service/check/finding.ts";
import { webhookDeliveries } from "../../../src/shop/webhooks-out/records.ts";
import { stock } from "../../../src/shop/products/records.ts";
import { openJournalStore } from "../../../src/store/journal/journal-store.ts";
import type { Collection, Store } from "../../../src/store/store.ts";
import { assertConsistent, listAll } from "../../shop/race-checks.ts";
import { assertPeriods } from "../../shop/renewals/renewal-periods.ts";
import { Violation } from "../world/client.ts";
import type { PostOffice } from "../world/post.ts";
import { isHoarder } from "./buyers.ts";
import type { History } from "./history.ts";
import type { Receiver } from "./receiver.ts";
import { isSubscriber } from "./subscribers.ts";
import { MAX_PER_CUSTOMER, type Staff } from "./staff.ts";

const orderSchema = z.object({ id: z.string(), total: z.number(), contact: z.object({ email: z.string() }) });

/** Orders that were acknowledged are there, also right after a restart. @throws Violation */
export async function checkOrders(staff: Staff, history: History, from = 0): Promise<void> {
  for (const { order, email, key } of history.sales.slice(from)) {
    if (order === undefined) continue;
    const answer = await staff.call(`/api/admin/orders/${order.id}`);
    // It has ended again; the next start is checked.
    if (answer === undefined) return;
    if (answer.status !== 200)
      throw new Violation(`The order of ${key} was acknowledged and is lost (${answer.status})`);
    const found = orderSchema.parse(answer.json);
    if (found.contact.email !== email) throw new Violation(`The order of ${key} has changed`);
  }
}

const FRESH_MS = 60_000;
const LATE_MS = 300_000;
const PAID = new Set(["paid", "fulfilling", "delivered", "completed"]);

/** One order for each key, and none that still waits for its payment after its time. */
function checkOnce(found: ReadonlyMap<string, OrderRecord>): void {
  const seen = new Map<string, string>();
  for (const { id, email, status, expiresAt = Infinity } of found.values()) {
    const other = isHoarder(email) || isSubscriber(email) ? undefined : seen.get(email);
    if (other !== undefined) throw new Violation(`One request made the orders ${other} and ${id}`);
    seen.set(email, id);
    if (status === "pending_payment" && expiresAt < Date.now() - LATE_MS)
      throw new Violation(`The order ${id} has not expired`);
  }
}

/** No customer has paid for more than one may have. */
function checkLimit(found: ReadonlyMap<string, OrderRecord>): void {
  const bought = new Map<string, number>();
  for (const { email, status, lines } of found.values()) {
    if (!isHoarder(email) || !PAID.has(status)) continue;
    const units = lines.reduce((sum, { quantity }) => sum + quantity, bought.get(email) ?? 0);
    if (units > MAX_PER_CUSTOMER) throw new Violation(`The email address ${email} bought ${units} units`);
    bought.set(email, units);
  }
}

function checkSales(history: History, found: ReadonlyMap<string, OrderRecord>): void {
  const applied = new Map<string, number>();
  for (const { orderId, amount, result } of history.payments)
    if (result === "applied") applied.set(orderId, (applied.get(orderId) ?? 0) + amount);
  for (const { order, key, isCanceled, refund } of history.sales) {
    if (order === undefined) continue;
    const record = found.get(order.id);
    if (record === undefined) throw new Violation(`The order of ${key} was acknowledged and is lost`);
    const paid = applied.get(order.id) ?? 0;
    if (isCanceled === true && record.status !== "canceled")
      throw new Violation(`The order of ${key} was canceled and is ${record.status}`);
    if (record.amountPaid + record.amountRefunded < paid)
      throw new Violation(`The order of ${key} has ${record.amountPaid} of applied payments of ${paid}`);
    if (paid >= record.total && !PAID.has(record.status))
      throw new Violation(`The order of ${key} was paid and is ${record.status}`);
    if (refund !== undefined && record.amountRefunded !== refund.amount)
      throw new Violation(`The order of ${key} gave back ${record.amountRefunded} and not ${refund.amount}`);
  }
}

async function checkPayments(store: Store, history: History): Promise<void> {
  const all = await store.read((tx) => listAll(tx, notices));
  for (const { reference, result, amount } of history.payments) {
    const found = all.filter(({ providerRef }) => providerRef === reference);
    if (found.length !== 1) throw new Violation(`The payment ${reference} is there ${found.length} times`);
    if (result === "applied" && (found[0]?.state !== "applied" || found[0].amount !== amount))
      throw new Violation(`The payment ${reference} was applied and is ${JSON.stringify(found[0])}`);
  }
}

async function checkUnits(store: Store, history: History): Promise<void> {
  const all = await store.read((tx) => listAll(tx, stock));
  for (const { id, productId, onHand, sold } of all) {
    if (!history.units.has(productId)) continue;
    const changes = history.restocks.filter((restock) => restock.productId === productId);
    const sum = (wanted: boolean | undefined): number =>
      changes.filter(({ isDone }) => isDone === wanted).reduce((units, restock) => units + restock.units, 0);
    const least = (history.units.get(productId) ?? 0) + sum(true);
    const units = onHand + sold;
    if (units < least || units > least + sum(undefined))
      throw new Violation(`${id} has ${units} units; ${least} to ${least + sum(undefined)} were added`);
  }
}

/** The buyer of each paid order got a mail, and nothing waits. */
async function checkMails(
  store: Store,
  post: PostOffice,
  found: ReadonlyMap<string, OrderRecord>,
): Promise<void> {
  const all = await store.read((tx) => listAll(tx, outboxCollection));
  // Orders that expired just before the stop have new ones.
  const waiting = all.filter(
    ({ state, createdAt }) => state === "waiting" && createdAt < Date.now() - FRESH_MS,
  );
  if (waiting.length > 0) throw new Violation(`${waiting.length} mails still wait`);
  const told = new Set(post.taken.map(({ to }) => to));
  for (const { status, email, number } of found.values())
    if (PAID.has(status) && !told.has(email)) throw new Violation(`The buyer of ${number} got no mail`);
}

/** Each order was reported to the receiver of webhooks. */
function checkEvents({ taken }: Receiver, found: ReadonlyMap<string, OrderRecord>): void {
  for (const { id, createdAt, status } of found.values()) {
    if (createdAt > Date.now() - LATE_MS) continue;
    if (!taken.has(`order.placed ${id}`)) throw new Violation(`The event "order.placed" of ${id} was lost`);
    if (PAID.has(status) && !taken.has(`order.paid ${id}`))
      throw new Violation(`The event "order.paid" of ${id} was lost`);
  }
}

function openFiles(store: {
  readonly name: string;
  readonly collections: readonly Collection[];
}): Promise<Store> {
  return openJournalStore({ folder: `/simulated/data/${store.name}`, ...store, compactOnClose: false });
}

interface CheckParts {
  readonly post: PostOffice;
  readonly receiver: Receiver;
  readonly secret: string;
  /** Where the records are; by default the files of the machine. */
  readonly open?: (store: {
    readonly name: string;
    readonly collections: readonly Collection[];
  }) => Promise<Store>;
}

/** Reads the store of the stopped shop, as a process of its own. @throws Violation, AssertionError */
export async function checkRecords(
  history: History,
  { post, receiver, secret, open = openFiles }: CheckParts,
): Promise<void> {
  const store = await open({ name: "shop", collections: shopCollections });
  try {
    const found = new Map((await store.read((tx) => listAll(tx, orders))).map((order) => [order.id, order]));
    checkOnce(found);
    checkLimit(found);
    checkSales(history, found);
    await checkPayments(store, history);
    await checkUnits(store, history);
    await checkMails(store, post, found);
    // What still waits for its next attempt is not lost.
    for (const { state, type, thread } of await store.read((tx) => listAll(tx, webhookDeliveries)))
      if (state === "waiting") receiver.taken.add(`${type} ${thread}`);
    checkEvents(receiver, found);
    await assertConsistent(store);
    await assertPeriods(store);
    const findings = new Findings();
    const place = { secret, where: "SHOP_SECRET" };
    await checkStore({ service: "shop", collections: shopCollections, store, secret: place, findings });
    const [finding] = findings.list;
    if (finding !== undefined) throw new Violation(`trivet check: ${finding.where}: ${finding.problem}`);
  } finally {
    await store.close();
  }
}

/** Whether an error says that the program is at fault, and not the simulation. */
export function isViolation(error: unknown): boolean {
  return error instanceof Violation || error instanceof AssertionError;
}
