/** Removes what has expired, in bounded steps. */
import type { Collection, Store, StoreRecord, Tx } from "../../store/store.ts";
import { sweepConsoleSessions } from "../../records/console-sessions.ts";
import { toIdStart } from "../../kit/secrets/id.ts";
import { putUser } from "../accounts/accounts.ts";
import { queueLogouts } from "../sessions/session-ends.ts";
import { access, registrations, users } from "../accounts/records.ts";
import { answeredChallenges } from "../passkeys/records.ts";
import { applicationCodes, sessions } from "../sessions/records.ts";
import { attempts } from "../attempts/records.ts";
import { challenges } from "../second-factor/records.ts";
import { codes } from "../codes/records.ts";
import { deviceRequests, pushedRequests } from "../oidc/records.ts";
import { links } from "../passwords/records.ts";
import { machineTokens } from "../machines/records.ts";
import { refusals } from "../applications/records.ts";
import { state } from "../base/records.ts";
import { usedAssertions } from "../client-keys/records.ts";
import { usedStates } from "../upstream/records.ts";
import { changeState } from "../base/state.ts";
import { dropRegistration } from "../registration/waiting-accounts.ts";

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

async function sweepSessions(tx: Tx, nowMs: number): Promise<number> {
  const expired = await sweepExpired(tx, sessions, nowMs);
  // The expiry of an application's session is no sign-out of the user.
  for (const session of expired) if (session.parentId === undefined) await queueLogouts(tx, session, nowMs);
  return expired.length;
}

/** Has applications told of the sessions that ended together with all others; each is looked at once. */
async function tellOfRevoked(tx: Tx, nowMs: number): Promise<number> {
  const { revokedBefore = 0, toldOfEnds = "" } = (await tx.get(state, "state")) ?? {};
  if (revokedBefore === 0) return 0;
  // "!" sorts before all that an id may have.
  const range = { from: [`${toldOfEnds}!`], to: [toIdStart("ses", revokedBefore)], limit: BATCH };
  const { items } = await tx.list(sessions, "id", range);
  for (const { applications, ...session } of items) {
    if (applications === undefined) continue;
    await queueLogouts(tx, { ...session, applications }, nowMs);
    await tx.put(sessions, session);
  }
  const last = items.at(-1);
  if (last !== undefined) await changeState(tx, { toldOfEnds: last.id });
  return items.length;
}

/** An unverified registration releases its username and its use of an invite. */
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
    (tx) => sweepSessions(tx, nowMs),
    (tx) => tellOfRevoked(tx, nowMs),
    (tx) => sweepConsoleSessions(tx, nowMs),
    async (tx) => (await sweepExpired(tx, codes, nowMs)).length,
    async (tx) => (await sweepExpired(tx, challenges, nowMs)).length,
    async (tx) => (await sweepExpired(tx, answeredChallenges, nowMs)).length,
    async (tx) => (await sweepExpired(tx, links, nowMs)).length,
    async (tx) => (await sweepExpired(tx, applicationCodes, nowMs)).length,
    async (tx) => (await sweepExpired(tx, deviceRequests, nowMs)).length,
    async (tx) => (await sweepExpired(tx, pushedRequests, nowMs)).length,
    async (tx) => (await sweepExpired(tx, attempts, nowMs)).length,
    async (tx) => (await sweepExpired(tx, refusals, nowMs)).length,
    async (tx) => (await sweepExpired(tx, usedStates, nowMs)).length,
    async (tx) => (await sweepExpired(tx, machineTokens, nowMs)).length,
    async (tx) => (await sweepExpired(tx, usedAssertions, nowMs)).length,
    (tx) => sweepRegistrations(tx, nowMs),
    (tx) => endSuspensions(tx, nowMs),
    (tx) => sweepAccess(tx, nowMs),
  ];
  let total = 0;
  for (const step of steps) total += await store.transact(step);
  return total;
}
