/** Events of an account, for its owner. */
import type { Clock } from "../../kit/time/clock.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { Page, Store, Tx } from "../../store/store.ts";
import type { Caller } from "../base/caller.ts";
import type { Amr } from "../base/amr.ts";
import type { EventRecord } from "./ledger-schema.ts";
import { events } from "./records.ts";

/** Entries are kept this long, and at most so many of an account: a program may sign in all day. */
const KEPT_MS = 180 * 86_400_000;
const MAX_ENTRIES = 1_000;
/** How many of the oldest make room for a new one, so that a store with more comes down to the bound. */
const DROPPED_AT_ONCE = 5;
const SWEEP_BATCH = 200;

export type EventKind =
  | "registered"
  | "sign-in"
  | "sign-in-failed"
  | "sign-out"
  | "refresh-reused"
  | "refresh-repeated"
  | "reauthenticated"
  | "password-changed"
  | "password-reset"
  | "email-verified"
  | "email-added"
  | "email-removed"
  | "recovery-removed"
  | "primary-email-changed"
  | "second-factor-added"
  | "second-factor-removed"
  | "recovery-codes-made"
  | "recovery-code-used"
  | "passkey-added"
  | "passkey-removed"
  | "passkey-counter-fell"
  | "session-revoked"
  | "sessions-revoked"
  | "application-signed-out"
  | "application-allowed"
  | "application-withdrawn"
  | "upstream-linked"
  | "upstream-unlinked"
  | "impersonated"
  | "suspended"
  | "deletion-scheduled"
  | "restored"
  | "exported";

/** Adds an entry to the running transaction. `atMs` is wall time. */
export async function writeEvent(
  tx: Tx,
  event: {
    userId: string;
    kind: EventKind;
    caller: Caller;
    atMs: number;
    sessionId?: string;
    /** Of events that prove who somebody is. */
    amr?: readonly Amr[];
  },
): Promise<void> {
  const { userId, kind, caller, atMs, sessionId, amr } = event;
  await tx.insert(events, {
    id: newId("evt", atMs),
    userId,
    at: atMs,
    kind,
    clientId: caller.clientId,
    ipPrefix: caller.ipPrefix,
    userAgent: caller.userAgent,
    sessionId,
    amr: amr && [...amr],
  });
  const surplus = (await tx.count(events, "byUser", { prefix: [userId] })) - MAX_ENTRIES;
  if (surplus <= 0) return;
  const oldest = { prefix: [userId], limit: Math.min(surplus, DROPPED_AT_ONCE) };
  for (const { id } of (await tx.list(events, "byUser", oldest)).items) await tx.remove(events, id);
}

/** An account's entries, the newest first. Throws `bad_cursor`. */
export function listEvents(
  store: Store,
  options: { userId: string; limit: number; cursor?: string },
): Promise<Page<EventRecord>> {
  const { userId, limit, cursor } = options;
  return store.read((tx) =>
    tx.list(events, "byUser", {
      prefix: [userId],
      limit,
      reverse: true,
      cursor,
    }),
  );
}

/** Drops entries of more than 180 days, at most 200; resolves with how many went. */
export function sweepEvents(store: Store, clock: Clock): Promise<number> {
  return store.transact(async (tx) => {
    const { items } = await tx.list(events, "byAt", { to: [clock.now() - KEPT_MS], limit: SWEEP_BATCH });
    for (const event of items) await tx.remove(events, event.id);
    return items.length;
  });
}
