/** Payment notices: each is kept, none is applied twice, and the answer leaves after the write is durable. */
import { AppError } from "../../kit/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import { addressKey } from "../../kit/limits/rate-limit.ts";
import type { Store, Tx } from "../../store/store.ts";
import type { ShopDeps } from "../deps.ts";
import { type NoticeInput, readNotice } from "./notice-input.ts";
import { type NoticeHeaders, proveNotice, WrongProof } from "./notice-proof.ts";
import { type NoticeFacts, type Verdict, applyNotice } from "./notice-rules.ts";
import type { NoticeRecord, NoticeState, OrderRecord } from "../orders/schema.ts";
import { notices, orders } from "../records.ts";
import { findProvider, readSite } from "../site/settings.ts";
import type { Provider } from "../site/schema.ts";

/** Event ids are remembered this long; references of payments for ever. */
const EVENT_KEPT_MS = 7 * 86_400_000;
const SWEEP_BATCH = 200;
const MAX_REFERENCE = 200;

/** What became of a notice. "duplicate": the same had been dealt with. */
export interface NoticeOutcome {
  readonly result: "applied" | "duplicate" | "needs_review" | "unmatched";
  readonly noticeId: string;
  readonly reason: string;
}

/** A notice as it came. */
export interface ReceivedNotice {
  /** The provider's word. */
  readonly word: string;
  readonly body: string;
  readonly json: unknown;
  readonly headers: NoticeHeaders;
  /** The network address that it came from; absent for one of the shop itself. */
  readonly address?: string;
}

export interface Notices {
  /**
   * Takes a notice; resolves when what it did, or that it had been known, is durable.
   * @throws AppError `not_found` for a provider that there is not, `unauthenticated` without a proof, `invalid`
   *   for a malformed body, `too_many_attempts` instead of `unauthenticated` after many wrong proofs
   */
  receive(notice: ReceivedNotice): Promise<NoticeOutcome>;
}

type Deps = Pick<ShopDeps, "store" | "clock" | "box" | "outbox" | "publicUrl">;

/** Wrong proofs for one provider from one address, after which more of them are told to wait. */
const FAILURES = 20;
const FAILURE_WINDOW_MS = 15 * 60_000;

/** The order that a notice names by id, or by the number that the buyer was told. */
async function findOrder(tx: Tx, claimed: string): Promise<OrderRecord | undefined> {
  return (await tx.get(orders, claimed)) ?? tx.by(orders, "byNumber", [claimed.toUpperCase()]);
}

function toOutcome({ id, state, reason }: Pick<NoticeRecord, "id" | "state" | "reason">): NoticeOutcome {
  const result = state === "needs_review" || state === "unmatched" ? state : "applied";
  return { result, noticeId: id, reason };
}

function isSame(known: NoticeRecord, input: NoticeInput): boolean {
  return (
    known.providerRef === input.providerRef &&
    known.claimedOrderId === input.claimedOrderId &&
    known.type === input.type &&
    known.amount === input.amount &&
    known.currency === input.currency
  );
}

/** Notes that a known notice came again; the answer is "duplicate" once it was dealt with. */
async function repeat(tx: Tx, known: NoticeRecord, nowMs: number): Promise<NoticeOutcome> {
  await tx.put(notices, { ...known, repeats: known.repeats + 1, lastRepeatAt: nowMs });
  const isOpen = known.state === "needs_review" || known.state === "unmatched";
  return isOpen ? toOutcome(known) : { result: "duplicate", noticeId: known.id, reason: known.reason };
}

function isOpenState(state: NoticeState): boolean {
  return state === "needs_review" || state === "unmatched";
}

/** A record with what follows from its state. */
export function withState(
  notice: Omit<NoticeRecord, "version" | "state" | "reason" | "open">,
  { state, reason }: Verdict,
): Omit<NoticeRecord, "version"> {
  return { ...notice, state, reason, ...(isOpenState(state) ? { open: "yes" as const } : {}) };
}

type Verified = NoticeRecord["verified"];

interface Arrived {
  readonly word: string;
  readonly eventId: string;
  readonly input: NoticeInput;
  readonly verified: NoticeRecord["verified"];
  readonly raw: string;
}

/** What a notice is known by beside its reference, when another notice with that reference says something else. */
function toContradictionKey({ providerRef, claimedOrderId, amount, currency }: NoticeInput): string {
  return JSON.stringify([providerRef, claimedOrderId, amount, currency]);
}

/** The keys that repeats of a notice are known by. */
interface NoticeKeys {
  /** Absent when another notice has the event's id. */
  readonly eventKey: string | undefined;
  readonly refKey: string;
}

function toRecord(
  { word, eventId, input, verified, raw }: Arrived,
  { nowMs, keys }: { nowMs: number; keys: NoticeKeys },
): Omit<NoticeRecord, "version" | "state" | "reason" | "open"> {
  const { eventKey, refKey } = keys;
  return {
    id: newId("pay", nowMs),
    provider: word,
    eventId,
    ...(eventKey === undefined ? {} : { eventKey, eventUntil: nowMs + EVENT_KEPT_MS }),
    refKey,
    providerRef: input.providerRef,
    claimedOrderId: input.claimedOrderId,
    type: input.type,
    amount: input.amount,
    currency: input.currency,
    verified,
    ...(input.paidAt === undefined ? {} : { paidAt: input.paidAt }),
    receivedAt: nowMs,
    repeats: 0,
    raw,
  };
}

/** Stores a notice and does what it says, in one transaction. */
export async function takeNotice(
  tx: Tx,
  deps: Deps,
  arrived: Arrived,
  isForced = false,
): Promise<NoticeOutcome> {
  const { word, eventId, input } = arrived;
  const nowMs = deps.clock.now();
  const sameEvent = await tx.by(notices, "byEvent", [word, eventId]);
  if (sameEvent !== undefined && isSame(sameEvent, input)) return repeat(tx, sameEvent, nowMs);
  const sameReference = await tx.by(notices, "byReference", [word, input.providerRef, input.type]);
  if (sameReference !== undefined && isSame(sameReference, input)) return repeat(tx, sameReference, nowMs);
  // Whatever is kept is known again: a contradiction that is repeated is no other contradiction.
  const refKey = sameReference === undefined ? input.providerRef : toContradictionKey(input);
  if (sameReference !== undefined) {
    const known = await tx.by(notices, "byReference", [word, refKey, input.type]);
    if (known !== undefined && isSame(known, input)) return repeat(tx, known, nowMs);
  }
  const isContradiction = sameEvent !== undefined || sameReference !== undefined;
  const order = await findOrder(tx, input.claimedOrderId);
  const eventKey = sameEvent === undefined ? eventId : undefined;
  const record = toRecord(arrived, { nowMs, keys: { eventKey, refKey } });
  const verdict = await judge(tx, deps, { order, notice: record, isContradiction, isForced, nowMs });
  const kept = { ...withState(record, verdict), ...(order === undefined ? {} : { orderId: order.id }) };
  return toOutcome(await tx.insert(notices, kept));
}

function judge(
  tx: Tx,
  deps: Deps,
  one: {
    order: OrderRecord | undefined;
    notice: NoticeFacts;
    isContradiction: boolean;
    isForced: boolean;
    nowMs: number;
  },
): Verdict | Promise<Verdict> {
  const { order, notice, isContradiction, isForced, nowMs } = one;
  if (isContradiction)
    return {
      state: "needs_review",
      reason: "Another notice with this event or reference says something else",
    };
  if (order === undefined) return { state: "unmatched", reason: "There is no such order" };
  return applyNotice(tx, deps, { order, notice, isForced, nowMs });
}

/** Makes the logic of incoming notices. */
export function createNotices(deps: Deps & Pick<ShopDeps, "limits">): Notices {
  const { store, clock, limits } = deps;
  const failures = limits.create("webhook-proofs", { limit: FAILURES, windowMs: FAILURE_WINDOW_MS });

  /** How the notice is proved; a right proof is no guess, however many wrong ones came before. */
  function prove(provider: Provider, { body, headers, address = "" }: ReceivedNotice): Verified {
    try {
      return proveNotice(deps, { provider, headers, body, nowMs: clock.now() });
    } catch (error) {
      if (!(error instanceof WrongProof)) throw error;
      const { allowed, retryAfterSeconds } = failures.hit(`${provider.word} ${addressKey(address)}`);
      if (allowed) throw error;
      throw new AppError("too_many_attempts", "Too many wrong secrets or signatures from your address", {
        retryAfterSeconds,
      });
    }
  }

  return {
    receive: async (notice) => {
      const { word, body, json, headers } = notice;
      const site = await store.read(readSite);
      const provider = findProvider(site, word);
      if (provider === undefined)
        throw new AppError("not_found", `There is no payment provider "${word}" in the settings of the site`);
      const verified = prove(provider, notice);
      const input = readNotice(json);
      const { webhookId = "" } = headers;
      const fallback = `${input.type}:${input.providerRef}`;
      const eventId = (webhookId === "" ? (input.eventId ?? fallback) : webhookId).slice(0, MAX_REFERENCE);
      return store.transact((tx) => takeNotice(tx, deps, { word, eventId, input, verified, raw: body }));
    },
  };
}

/** Forgets event ids whose time is over, at most 200; the references stay. Resolves with how many. */
export async function sweepEvents(store: Store, nowMs: number): Promise<number> {
  return store.transact(async (tx) => {
    const { items } = await tx.list(notices, "byEventUntil", { to: [nowMs + 1], limit: SWEEP_BATCH });
    for (const { eventKey: _key, eventUntil: _until, ...kept } of items) await tx.put(notices, kept);
    return items.length;
  });
}
