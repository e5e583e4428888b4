/** Removes what has expired, in bounded steps. */
import type { Collection, Store, StoreRecord, Tx } from "../store/store.ts";
import { putUser } from "./accounts/accounts.ts";
import { access, attempts, challenges, codes, links, registrations, sessions, users } from "./records.ts";
import { dropRegistration } from "./registration/waiting-accounts.ts";

/** Records of one kind that a step takes. */
const BATCH = 200;
/** An application that an account did not use for so long leaves its ledger. */
const ACCESS_MS = 400 * 86_400_000;

async function sweepExpired<T extends StoreRecord>(
  tx: Tx,
  collection: Collection<T, string, "byExpiresAt">,
  nowMs: number,
): Promise<T[]> {
  const { items } = await tx.list(collection, "byExpiresAt", { to: [nowMs], limit: BATCH });
  for (const record of items) await tx.remove(collection, record.id);
  return [...items];
}

/** A registration that nobody proved gives its name and its use of an invite back. */
async function sweepRegistrations(tx: Tx, nowMs: number): Promise<number> {
  const { items } = await tx.list(registrations, "byExpiresAt", { to: [nowMs], limit: BATCH });
  for (const registration of items) await dropRegistration(tx, registration);
  return items.length;
}

/** Suspensions that were to end by now. */
async function endSuspensions(tx: Tx, nowMs: number): Promise<number> {
  const { items } = await tx.list(users, "bySuspendedUntil", { to: [nowMs], limit: BATCH });
  for (const user of items) {
    const { suspendedUntil: _until, suspendedReason: _reason, ...kept } = user;
    const status = user.status === "suspended" ? "active" : user.status;
    await putUser(tx, { ...kept, status }, { edited: true });
  }
  return items.length;
}

async function sweepAccess(tx: Tx, nowMs: number): Promise<number> {
  const { items } = await tx.list(access, "byLastAt", { to: [nowMs - ACCESS_MS], limit: BATCH });
  for (const record of items) await tx.remove(access, record.id);
  return items.length;
}

/** One step over everything that expires; resolves with how many records went or changed. `nowMs` is time for expiry. */
export async function sweepRecords(store: Store, nowMs: number): Promise<number> {
  const steps: readonly ((tx: Tx) => Promise<number>)[] = [
    async (tx) => (await sweepExpired(tx, sessions, nowMs)).length,
    async (tx) => (await sweepExpired(tx, codes, nowMs)).length,
    async (tx) => (await sweepExpired(tx, challenges, nowMs)).length,
    async (tx) => (await sweepExpired(tx, links, nowMs)).length,
    async (tx) => (await sweepExpired(tx, attempts, nowMs)).length,
    (tx) => sweepRegistrations(tx, nowMs),
    (tx) => endSuspensions(tx, nowMs),
    (tx) => sweepAccess(tx, nowMs),
  ];
  let total = 0;
  for (const step of steps) total += await store.transact(step);
  return total;
}
