/** What orders change of subscriptions, in their transaction: they begin, a period is paid, or taken back. */
import { newCodeText, newId } from "../../kit/secrets/id.ts";
import { listEvery } from "../../store/every-page.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import type { LicenseRecord } from "../licence-keys/license-schema.ts";
import { licenses } from "../licence-keys/records.ts";
import type { LicenseTerms } from "../products/license-schema.ts";
import { toPaidUntil } from "./periods.ts";
import { renewals, subscriptions } from "./records.ts";
import {
  type EndReason,
  MAX_EVENTS,
  type RenewalRecord,
  type SubscriptionEvent,
  type SubscriptionRecord,
} from "./schema.ts";

const NUMBER_CHARACTERS = 8;

/** An entry of the history. */
interface Entry {
  readonly at: number;
  readonly by: string;
  readonly event: SubscriptionEvent;
  readonly note?: string | undefined;
}

/** The subscription with one more entry, which the job looks at next. */
export function withEvent(record: SubscriptionRecord, entry: Entry): SubscriptionRecord {
  const events = [...record.events, entry].slice(-MAX_EVENTS);
  return { ...record, events, updatedAt: entry.at, dueAt: entry.at };
}

/** The subscription with its service told of it at once. */
export function withTold(record: SubscriptionRecord, atMs: number): SubscriptionRecord {
  return record.remote === undefined ? record : { ...record, remoteDueAt: atMs };
}

/** The licenses of a subscription that are not replaced by others. */
export async function listLicenses(
  tx: ReadTx,
  { orderId, lineId }: Pick<SubscriptionRecord, "orderId" | "lineId">,
): Promise<LicenseRecord[]> {
  const all = await listEvery(tx, licenses, { index: "byOrder", range: { prefix: [orderId] } });
  return all.filter((license) => license.lineId === lineId && license.disabledReason !== "replaced");
}

/** Sets the expiry of all licenses of a subscription. */
export async function expireLicensesAt(
  tx: Tx,
  subscription: SubscriptionRecord,
  { expiresAt, atMs }: { readonly expiresAt: number; readonly atMs: number },
): Promise<void> {
  for (const license of await listLicenses(tx, subscription))
    if (license.expiresAt !== expiresAt) await tx.put(licenses, { ...license, expiresAt, updatedAt: atMs });
}

/** What a subscription takes from the line that it begins with. */
interface StartedLine extends Pick<
  SubscriptionRecord,
  "productId" | "variantId" | "stockId" | "title" | "sku" | "options"
> {
  readonly id: string;
  readonly license?: LicenseTerms | undefined;
}

/** Begins the subscription of a line whose licenses were delivered now; once more changes nothing. */
export async function startSubscription(
  tx: Tx,
  {
    order,
    line,
    timeZone,
    atMs,
  }: {
    readonly order: { readonly id: string; readonly currency: string };
    readonly line: StartedLine;
    readonly timeZone: string;
    readonly atMs: number;
  },
): Promise<void> {
  const terms = line.license?.renewal;
  if (terms === undefined || (await tx.by(subscriptions, "byLine", [line.id])) !== undefined) return;
  const { productId, variantId, stockId, title, sku, options } = line;
  const started = { anchorAt: atMs, terms, paid: 1, timeZone };
  const stored = await tx.insert(subscriptions, {
    id: newId("sub", atMs),
    number: `S-${newCodeText(NUMBER_CHARACTERS).toUpperCase()}`,
    orderId: order.id,
    lineId: line.id,
    productId,
    variantId,
    stockId,
    title,
    sku,
    options,
    currency: order.currency,
    ...started,
    paidUntil: toPaidUntil(started),
    state: "active",
    renewals: 0,
    reminders: 0,
    dueAt: atMs,
    events: [{ at: atMs, by: "system", event: "started" }],
    createdAt: atMs,
    updatedAt: atMs,
  });
  await expireLicensesAt(tx, stored, { expiresAt: stored.paidUntil, atMs });
}

/** The renewal of a subscription by its number. */
export function toRenewalId(subscriptionId: string, number: number): string {
  return `${subscriptionId}:${number}`;
}

/** The renewal that an order pays, with its subscription; undefined for other orders. */
async function findByOrder(
  tx: Tx,
  orderId: string,
): Promise<{ renewal: RenewalRecord; subscription: SubscriptionRecord } | undefined> {
  const renewal = await tx.by(renewals, "byOrder", [orderId]);
  const subscription = renewal && (await tx.get(subscriptions, renewal.subscriptionId));
  return subscription && { renewal, subscription };
}

/**
 * The order of a renewal is paid: its licenses are valid for one more period after the paid ones. A subscription that
 * ended because of this renewal begins again, with a period from now on.
 */
export async function payRenewal(tx: Tx, orderId: string, atMs: number): Promise<void> {
  const found = await findByOrder(tx, orderId);
  if (found === undefined || found.renewal.state === "paid") return;
  const { renewal, subscription } = found;
  const isLapsed = subscription.state === "ended";
  const { canceledAt: _canceled, endedAt: _ended, endReason: _reason, ...kept } = subscription;
  const base = isLapsed ? { ...kept, anchorAt: atMs, paid: 0 } : subscription;
  const from = isLapsed ? atMs : subscription.paidUntil;
  const paid = { ...base, paid: base.paid + 1 };
  const paidUntil = toPaidUntil(paid);
  await tx.put(renewals, { ...renewal, state: "paid", from, until: paidUntil, updatedAt: atMs });
  const state = isLapsed || paid.state === "past_due" ? "active" : paid.state;
  const settled: SubscriptionRecord = {
    ...paid,
    paidUntil,
    state,
    open: paid.open === renewal.number ? undefined : paid.open,
    reminders: 0,
    graceUntil: undefined,
  };
  const event = isLapsed ? "revived" : "paid";
  const stored = withEvent(settled, { at: atMs, by: "system", event, note: renewal.orderNumber });
  await tx.put(subscriptions, withTold(stored, atMs));
  await expireLicensesAt(tx, stored, { expiresAt: paidUntil, atMs });
}

/** The subscription with its end, whose open renewal the job cancels. */
export function toEnded(
  record: SubscriptionRecord,
  { reason, by, atMs }: { readonly reason: EndReason; readonly by: string; readonly atMs: number },
): SubscriptionRecord {
  if (record.state === "ended") return record;
  const ended: SubscriptionRecord = { ...record, state: "ended", endedAt: atMs, endReason: reason };
  return withTold(withEvent(ended, { at: atMs, by, event: "ended", note: reason }), atMs);
}

/** The money of a renewal went back: so does its period, and the subscription ends with what is paid still. */
export async function takeBackRenewal(tx: Tx, orderId: string, atMs: number): Promise<void> {
  const found = await findByOrder(tx, orderId);
  if (found?.renewal.state !== "paid") return;
  const { renewal, subscription } = found;
  await tx.put(renewals, { ...renewal, state: "taken_back", updatedAt: atMs });
  const less = { ...subscription, paid: subscription.paid - 1 };
  const paidUntil = toPaidUntil(less);
  const taken = withEvent(
    { ...less, paidUntil, graceUntil: undefined },
    { at: atMs, by: "system", event: "taken_back", note: renewal.orderNumber },
  );
  const isOver = paidUntil <= atMs;
  const canceled: SubscriptionRecord =
    taken.state === "ended" || isOver
      ? taken
      : { ...taken, state: "canceled", canceledAt: taken.canceledAt ?? atMs };
  const next = isOver ? toEnded(canceled, { reason: "refunded", by: "system", atMs }) : canceled;
  await tx.put(subscriptions, withTold(next, atMs));
  await expireLicensesAt(tx, next, { expiresAt: paidUntil, atMs });
}

/** Services reported changes of subscriptions: the job queries them at once. */
export async function wakeRemote(
  tx: Tx,
  hints: readonly { readonly id?: string; readonly reference?: string }[],
  { provider, atMs }: { readonly provider: string; readonly atMs: number },
): Promise<void> {
  for (const { id, reference } of hints) {
    const known = id === undefined ? undefined : await tx.get(subscriptions, id);
    const range = { prefix: [reference ?? ""], limit: 1 };
    const found = known ?? (await tx.list(subscriptions, "byRemoteReference", range)).items[0];
    // A guess of another provider's is none of this one.
    if (found?.remote?.provider === provider) await tx.put(subscriptions, { ...found, remoteDueAt: atMs });
  }
}

/** The order of a renewal was canceled or expired: the job looks at its subscription. */
export async function wakeRenewal(tx: Tx, orderId: string, atMs: number): Promise<void> {
  const found = await findByOrder(tx, orderId);
  if (found?.renewal.state === "open") await tx.put(subscriptions, { ...found.subscription, dueAt: atMs });
}

/** Ends the subscriptions of an order that have no license any longer that is not disabled. */
export async function endWithoutLicenses(tx: Tx, orderId: string, atMs: number): Promise<void> {
  const all = await listEvery(tx, subscriptions, { index: "byOrder", range: { prefix: [orderId] } });
  for (const subscription of all) {
    const own = await listLicenses(tx, subscription);
    if (own.some(({ disabledAt }) => disabledAt === undefined)) continue;
    const ended = toEnded(subscription, { reason: "license", by: "system", atMs });
    if (ended !== subscription) await tx.put(subscriptions, ended);
  }
}
