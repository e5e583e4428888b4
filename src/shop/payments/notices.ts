/** Payment notices: each is kept, none is applied twice, and the answer leaves after the write is durable. */
import { newId } from "../../kit/secrets/id.ts";
import type { ReadTx, Store, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../base/deps.ts";
import type { NoticeInput } from "./notice-input.ts";
import { type Verdict, applyNotice } from "./notice-rules.ts";
import type { OrderRecord } from "../orders/schema.ts";
import type { NoticeRecord, NoticeState } from "./schema.ts";
import { refunds, notices } from "./records.ts";
import { orders } from "../orders/records.ts";

/** Event ids are remembered this long; references of payments for ever. */
const EVENT_KEPT_MS = 7 * 86_400_000;
const SWEEP_BATCH = 200;

/** The outcome of a notification. "duplicate": the same had been processed; "ignored": it was about no order. */
export interface NoticeOutcome {
  readonly result: "applied" | "duplicate" | "needs_review" | "unmatched" | "ignored";
  readonly noticeId: string;
  readonly reason: string;
}

type Deps = Pick<ShopDeps, "clock" | "box" | "outbox" | "publicUrl">;

/** The order that a notice names by id, or by the number that the buyer knows. */
export async function findOrder(tx: ReadTx, claimed: string): Promise<OrderRecord | undefined> {
  return (await tx.get(orders, claimed)) ?? tx.by(orders, "byNumber", [claimed.toUpperCase()]);
}

/** Whether an administrator has to decide. */
function isOpen(state: NoticeState): state is "needs_review" | "unmatched" {
  return state === "needs_review" || state === "unmatched";
}

function toOutcome({ id, state, reason }: NoticeRecord): NoticeOutcome {
  return { result: isOpen(state) ? state : "applied", noticeId: id, reason };
}

function isSame(known: NoticeRecord, input: NoticeInput): boolean {
  return (["providerRef", "claimedOrderId", "type", "amount", "currency"] as const).every(
    (field) => known[field] === input[field],
  );
}

/** The same; what a service answered may name the order by its id, and its notice by the number. */
async function isSameOrder(tx: Tx, known: NoticeRecord, { input, verified }: Arrived): Promise<boolean> {
  if (isSame(known, input)) return true;
  if (known.orderId === undefined || (known.verified !== "asked" && verified !== "asked")) return false;
  if (!isSame({ ...known, claimedOrderId: input.claimedOrderId }, input)) return false;
  return (await findOrder(tx, input.claimedOrderId))?.id === known.orderId;
}

/** The provider confirmed a stored notification: now the rules apply to it. */
async function confirm(tx: Tx, deps: Deps, known: NoticeRecord): Promise<NoticeOutcome> {
  const { unconfirmed: _unconfirmed, ...kept } = known;
  const notice = { ...kept, verified: "asked" as const };
  const order = await findOrder(tx, notice.orderId ?? notice.claimedOrderId);
  const nowMs = deps.clock.now();
  const verdict =
    order === undefined ? unmatched : await applyNotice(tx, deps, { order, notice, isForced: false, nowMs });
  return toOutcome(await tx.put(notices, withState({ ...notice, orderId: order?.id }, verdict)));
}

/** Notes that a known notice came again; the answer is "duplicate" once it was dealt with. */
async function repeat(
  tx: Tx,
  deps: Deps,
  { known, arrived }: { known: NoticeRecord; arrived: Arrived },
): Promise<NoticeOutcome> {
  // Also one that was dismissed: that was said of a claim, and now there is money.
  if (known.unconfirmed !== undefined && arrived.unconfirmed === undefined) return confirm(tx, deps, known);
  const lastRepeatAt = deps.clock.now();
  await tx.put(notices, { ...known, repeats: known.repeats + 1, lastRepeatAt });
  return isOpen(known.state)
    ? toOutcome(known)
    : { result: "duplicate", noticeId: known.id, reason: known.reason };
}

/** A record with what follows from its state. */
export function withState<T extends Omit<NoticeRecord, "version" | "state" | "reason">>(
  notice: T,
  { state, reason }: Verdict,
): T & Pick<NoticeRecord, "state" | "reason" | "open"> {
  const open = isOpen(state) ? "yes" : undefined;
  // Not a spread: docs/decisions/078-members-before-the-copy.md.
  return Object.assign({}, notice, { state, reason, open } as const);
}

/** A notice that was read and proved. */
interface Arrived {
  readonly provider: string;
  readonly eventId: string;
  readonly input: NoticeInput;
  readonly verified: NoticeRecord["verified"];
  readonly raw: string;
  /** An administrator decided. */
  readonly isForced?: boolean;
  /** Why it is stored and not applied: its provider did not confirm it. */
  readonly unconfirmed?: string;
  readonly serviceState?: NoticeRecord["serviceState"];
  /** Of a refund: the items that it belongs to. */
  readonly parts?: NoticeRecord["parts"];
}

/** The items of a refund that an administrator began and whose service tells of it before the shop has asked. */
async function findParts(tx: Tx, order: OrderRecord, { provider, input }: Arrived) {
  const { items } = await tx.list(refunds, "byOrder", { prefix: [order.id], limit: 1_000 });
  return items.find(
    (refund) =>
      refund.provider === provider &&
      refund.amount === input.amount &&
      (refund.reference === input.providerRef || (refund.reference === "" && refund.status === "pending")),
  )?.parts;
}

const unmatched: Verdict = { state: "unmatched", reason: "No order has this number" };

/**
 * The key of a notification in addition to its reference, when another notification with that reference contradicts
 * it.
 */
function toContradictionKey({ providerRef, claimedOrderId, amount, currency }: NoticeInput): string {
  return JSON.stringify([providerRef, claimedOrderId, amount, currency]);
}

/** Stores a notice and does what it says, in one transaction. */
export async function takeNotice(tx: Tx, deps: Deps, arrived: Arrived): Promise<NoticeOutcome> {
  const { provider, eventId, input, verified, raw, isForced = false, unconfirmed, serviceState } = arrived;
  const nowMs = deps.clock.now();
  const sameEvent = await tx.by(notices, "byEvent", [provider, eventId]);
  if (sameEvent !== undefined && (await isSameOrder(tx, sameEvent, arrived)))
    return repeat(tx, deps, { known: sameEvent, arrived });
  const sameReference = await tx.by(notices, "byReference", [provider, input.providerRef, input.type]);
  if (sameReference !== undefined && (await isSameOrder(tx, sameReference, arrived)))
    return repeat(tx, deps, { known: sameReference, arrived });
  // Whatever is kept is known again: a contradiction that is repeated is no other contradiction.
  const refKey = sameReference === undefined ? input.providerRef : toContradictionKey(input);
  if (sameReference !== undefined) {
    const known = await tx.by(notices, "byReference", [provider, refKey, input.type]);
    if (known !== undefined && isSame(known, input)) return repeat(tx, deps, { known, arrived });
  }
  const order = await findOrder(tx, input.claimedOrderId);
  const isRefund = input.type === "refund" && order !== undefined;
  const parts = arrived.parts ?? (isRefund ? await findParts(tx, order, arrived) : undefined);
  const notice = {
    id: newId("pay", nowMs),
    provider,
    eventId,
    // Another notice may have the event's id.
    eventKey: sameEvent === undefined ? eventId : undefined,
    eventUntil: sameEvent === undefined ? nowMs + EVENT_KEPT_MS : undefined,
    refKey,
    orderId: order?.id,
    verified,
    receivedAt: nowMs,
    repeats: 0,
    raw,
    parts,
    serviceState,
    unconfirmed: unconfirmed === undefined ? undefined : ("yes" as const),
    ...input,
  };
  let verdict: Verdict;
  if (sameEvent !== undefined || sameReference !== undefined)
    verdict = {
      state: "needs_review",
      reason: "Another notification with the same event or reference contradicts this one",
    };
  else if (order === undefined) verdict = unmatched;
  else if (unconfirmed !== undefined) verdict = { state: "needs_review", reason: unconfirmed };
  else verdict = await applyNotice(tx, deps, { order, notice, isForced, nowMs });
  return toOutcome(await tx.insert(notices, withState(notice, verdict)));
}

/** Forgets event ids whose time is over, at most 200; the references stay. Resolves with how many. */
export async function sweepEvents(store: Store, nowMs: number): Promise<number> {
  return store.transact(async (tx) => {
    const { items } = await tx.list(notices, "byEventUntil", { to: [nowMs + 1], limit: SWEEP_BATCH });
    for (const { eventKey: _key, eventUntil: _until, ...kept } of items) await tx.put(notices, kept);
    return items.length;
  });
}
