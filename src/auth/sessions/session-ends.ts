/** Ends sessions, and notifies subscribed applications (OpenID Connect Back-Channel Logout 1.0). */
import type { Tx } from "../../store/store.ts";
import { clients } from "../applications/records.ts";
import { logouts, sessions } from "./records.ts";
import type { UserRecord } from "../accounts/schema.ts";
import { withoutSessions } from "../accounts/status.ts";

/** How long deliveries to an application are attempted. */
const TOLD_MS = 86_400_000;
/** More than an account has sessions. */
const MAX_SESSIONS = 200;

/** The part of a session that decides which applications to notify about its end. */
interface Ending {
  readonly id: string;
  readonly userId: string;
  readonly clientId: string;
  readonly parentId?: string;
  readonly browserId?: string;
  /** The applications that got tokens in it. */
  readonly applications?: readonly string[];
}

/** The session ID for applications: that of the browser's session, which all its applications share. */
export function toSid({ id, parentId, browserId }: Pick<Ending, "id" | "parentId" | "browserId">): string {
  return browserId ?? parentId ?? id;
}

/** Has the applications of a session told that it has ended; the message leaves after this transaction. */
export async function queueLogouts(tx: Tx, session: Ending, nowMs: number): Promise<void> {
  const { userId, clientId, parentId, applications } = session;
  const sid = toSid(session);
  for (const application of parentId === undefined ? (applications ?? []) : [clientId]) {
    const client = await tx.get(clients, application);
    const key = `${sid}:${application}`;
    if (client === undefined || client.backchannelLogoutUri === "") continue;
    if ((await tx.get(logouts, key)) !== undefined) continue;
    await tx.insert(logouts, {
      id: key,
      clientId: application,
      userId,
      sid,
      attempts: 0,
      createdAt: nowMs,
      nextAttemptAt: nowMs,
      expiresAt: nowMs + TOLD_MS,
    });
  }
}

/** Removes a session, and has its applications told. */
export async function endSession(tx: Tx, session: Ending, nowMs: number): Promise<void> {
  await tx.remove(sessions, session.id);
  await queueLogouts(tx, session, nowMs);
}

/** The account's record with which all its sessions end; store it in the same transaction. Their applications are notified. */
export async function endAllSessions(tx: Tx, user: UserRecord, nowMs: number): Promise<UserRecord> {
  const { items } = await tx.list(sessions, "byUser", { prefix: [user.id], limit: MAX_SESSIONS });
  for (const session of items) {
    // An offline session outlives the browser session, so there is no logout to notify.
    if (session.parentId === session.id) await queueLogouts(tx, session, nowMs);
    if (session.applications === undefined) continue;
    await queueLogouts(tx, session, nowMs);
    const { applications: _told, ...rest } = session;
    await tx.put(sessions, rest);
  }
  return withoutSessions(user);
}
