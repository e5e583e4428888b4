/** The next steps of payments that providers collect, one record for each attempt of an order. */
import type { ReadTx, Tx } from "../../../store/store.ts";
import type { OrderRecord } from "../../orders/schema.ts";
import { paymentSessions } from "../records.ts";
import type { ProviderKind } from "../providers/provider.ts";
import type { PaymentSessionRecord } from "../schema.ts";
import { planSweep } from "./session-sweep.ts";

const MINUTE_MS = 60_000;
/** When a waiting order is polled by default, in minutes. */
const ASK_AFTER = [1, 3, 10, 30];
/** The last question comes before the order expires, so that what is found is in time. */
const BEFORE_EXPIRY_MS = 20_000;
/** A payment that was not answered for is begun again after this. */
const BEGIN_AGAIN_MS = 60_000;
/** Two failures in a row wait longer than one, up to an hour. */
const BACK_OFF_MS = 30_000;
const MAX_BACK_OFF_MS = 60 * MINUTE_MS;

/** The id of an attempt's session. */
export function toSessionId(orderId: string, attempt: number): string {
  return `${orderId}:${attempt}`;
}

/** The newest session of an order, or its newest at one provider. */
export async function findSession(
  tx: ReadTx,
  { id, begun }: Pick<OrderRecord, "id" | "begun">,
  provider?: string,
): Promise<PaymentSessionRecord | undefined> {
  for (let attempt = begun?.attempt ?? 0; attempt > 0; attempt -= 1) {
    const session = await tx.get(paymentSessions, toSessionId(id, attempt));
    if (session !== undefined && (provider === undefined || session.provider === provider)) return session;
  }
  return undefined;
}

/** The order's sessions at one provider: of more than one it cannot be said which was paid. */
export async function countSessions(
  tx: ReadTx,
  { id, begun }: Pick<OrderRecord, "id" | "begun">,
  provider: string,
): Promise<number> {
  let count = 0;
  for (let attempt = begun?.attempt ?? 0; attempt > 0; attempt -= 1)
    if ((await tx.get(paymentSessions, toSessionId(id, attempt)))?.provider === provider) count += 1;
  return count;
}

/** Stores the session of an attempt before the request is sent. */
export function openSession(
  tx: Tx,
  order: Pick<OrderRecord, "id" | "currency">,
  session: Pick<PaymentSessionRecord, "provider" | "attempt" | "amount" | "clientAddress" | "isMailDue"> & {
    readonly atMs: number;
  },
): Promise<PaymentSessionRecord> {
  const { atMs, ...facts } = session;
  return tx.insert(paymentSessions, {
    ...facts,
    id: toSessionId(order.id, facts.attempt),
    orderId: order.id,
    currency: order.currency,
    phase: "beginning",
    reference: "",
    state: {},
    dueAt: atMs + BEGIN_AGAIN_MS,
    failures: 0,
    sweepAt: planSweep(atMs),
    createdAt: atMs,
  });
}

/** When a waiting order is polled next; undefined if it is not before it expires. */
export function planAsk(
  { ask, askAfterMinutes = ASK_AFTER }: ProviderKind,
  { createdAt }: Pick<PaymentSessionRecord, "createdAt">,
  { expiresAt, nowMs }: { readonly expiresAt: number; readonly nowMs: number },
): number | undefined {
  if (ask === undefined) return undefined;
  const last = expiresAt - BEFORE_EXPIRY_MS;
  const times = askAfterMinutes.map((minutes) => createdAt + minutes * MINUTE_MS).filter((at) => at < last);
  return [...times, last].find((at) => at > nowMs);
}

/** When an unavailable provider is tried again. */
export function planRetry(failures: number, nowMs: number): number {
  return nowMs + Math.min(MAX_BACK_OFF_MS, BACK_OFF_MS * 2 ** Math.min(failures, 10));
}

/**
 * Polls a provider again soon for a payment whose notification it did not confirm; not for payments that were never
 * begun.
 */
export async function wakeSession(
  tx: Tx,
  { session }: { readonly session: PaymentSessionRecord | undefined },
  nowMs: number,
): Promise<void> {
  const present = session && (await tx.get(paymentSessions, session.id));
  if (present === undefined || present.phase === "beginning") return;
  const dueAt = Math.min(present.dueAt ?? Number.POSITIVE_INFINITY, nowMs + BACK_OFF_MS);
  await tx.put(paymentSessions, { ...present, phase: "open", dueAt });
}
