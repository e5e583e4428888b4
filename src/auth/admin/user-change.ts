/** Changing an account as administrator: name, address, role, language, and letting a waiting one in. */
import { changedFields } from "../../kit/text/changes.ts";
import { AppError } from "../../kit/errors.ts";
import { AuthError } from "../base/errors.ts";
import type { Tx } from "../../store/store.ts";
import { endAllSessions } from "../sessions/session-ends.ts";
import {
  assertUsernameFree,
  findByEmail,
  getUser,
  putUser,
  toEmailKey,
  toUsernameKey,
} from "../accounts/accounts.ts";
import { assertNotLastAdmin, assertVersion, holdsToken } from "../accounts/admin-accounts.ts";
import { writeAudit } from "../../records/audit.ts";
import type { Actor } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { toApproved } from "./approval.ts";
import { endLinks } from "../passwords/links.ts";
import { tellOwner } from "../mails/owner-notices.ts";
import { emails } from "../accounts/records.ts";
import { checkUsername } from "../registration/policy.ts";
import { isAdministrative } from "../base/role-schema.ts";
import { readSettings } from "../settings/settings.ts";
import type { OwnClaims } from "../claims/schema.ts";
import type { UserRecord, UserStatus } from "../accounts/schema.ts";

/** Changes by an administrator; omitted members are unchanged. */
export interface UserChange {
  readonly username?: string;
  readonly email?: string;
  /** Omit for a new address, which is unverified. */
  readonly emailVerified?: boolean;
  readonly role?: UserRecord["role"];
  readonly locale?: string;
  readonly timeZone?: string;
  /** All of them, in place of those before. */
  readonly claims?: OwnClaims | undefined;
  /** Only from pending to active; other changes have separate routes. */
  readonly status?: UserStatus;
}

async function withUsername(tx: Tx, user: UserRecord, username: string | undefined): Promise<UserRecord> {
  if (username === undefined || username === user.username) return user;
  const usernameLower = toUsernameKey(username);
  if (usernameLower !== user.usernameLower) {
    checkUsername(username, (await readSettings(tx, "registration")).fields);
    await assertUsernameFree(tx, username);
  }
  return { ...user, username, usernameLower };
}

/** An additional address that becomes the primary one is removed from the additional ones. */
async function dropFurther(tx: Tx, userId: string, emailLower: string): Promise<void> {
  const { items } = await tx.list(emails, "byUser", { prefix: [userId], limit: 100 });
  for (const { id, addressLower } of items) if (addressLower === emailLower) await tx.remove(emails, id);
}

async function withEmail(
  tx: Tx,
  user: UserRecord,
  change: UserChange & { nowMs: number },
): Promise<UserRecord> {
  const { email = user.email, nowMs } = change;
  const emailLower = toEmailKey(email);
  const isSame = emailLower === user.emailLower;
  if (!isSame) {
    const owner = await findByEmail(tx, email);
    if (owner !== undefined && owner.id !== user.id)
      throw new AuthError("email_taken", `The email address "${email}" already belongs to another account`);
    await dropFurther(tx, user.id, emailLower);
    // A link that was sent to the old address must stop working.
    await endLinks(tx, user.id);
  }
  const { emailVerifiedAt: before, ...rest } = user;
  const wasVerified = isSame && before !== undefined;
  const isVerified = change.emailVerified ?? wasVerified;
  const emailVerifiedAt = wasVerified ? before : nowMs;
  return { ...rest, email, emailLower, ...(isVerified ? { emailVerifiedAt } : {}) };
}

function withStatus(user: UserRecord, status: UserStatus | undefined): UserRecord {
  if (status === undefined || status === user.status) return user;
  if (user.status === "pending" && status === "active") return toApproved(user);
  throw new AppError(
    "conflict",
    `The status cannot change from ${user.status} to ${status} here. Use the route for that action, such as suspend or restore`,
  );
}

async function withRole(
  tx: Tx,
  user: UserRecord,
  change: UserChange & { nowMs: number; actor: Actor },
): Promise<UserRecord> {
  const { role = user.role, nowMs, actor } = change;
  if (role === user.role) return user;
  if (!holdsToken(actor)) await assertNotLastAdmin(tx, user, nowMs);
  // A new role begins with a new sign-in: no token of before has it by surprise.
  const { roles = [], ...rest } = user;
  const kept = role === "admin" ? roles : roles.filter((id) => !isAdministrative(id));
  return endAllSessions(tx, { ...rest, role, ...(kept.length === 0 ? {} : { roles: kept }) }, nowMs);
}

/** Notifies the owner about relevant changes. */
async function tell(
  tx: Tx,
  deps: Pick<AuthDeps, "outbox" | "publicUrl">,
  parts: { before: UserRecord; after: UserRecord },
): Promise<void> {
  const { before, after } = parts;
  if (before.emailLower !== after.emailLower)
    await tellOwner(tx, deps, { user: before, notice: "primary-email-changed" });
  if (before.role !== after.role) await tellOwner(tx, deps, { user: after, notice: "role-changed" });
  if (before.status === "pending" && after.status === "active")
    await tellOwner(tx, deps, { user: after, notice: "approved" });
}

const shown = ["username", "email", "role", "locale", "timeZone", "status"] as const;

function describeChanges(before: UserRecord, after: UserRecord): string[] {
  const names = new Set(changedFields(before, after));
  const values = shown.filter((name) => names.has(name)).map((name) => `${name}: ${after[name]}`);
  const wasVerified = before.emailVerifiedAt !== undefined;
  const isVerified = after.emailVerifiedAt !== undefined;
  if (names.has("claims")) values.push("claims");
  return wasVerified === isVerified ? values : [...values, `emailVerified: ${String(isVerified)}`];
}

export type UserChanges = ReturnType<typeof createUserChanges>;

export function createUserChanges(deps: Pick<AuthDeps, "store" | "clock" | "outbox" | "publicUrl">) {
  const { store, clock } = deps;
  return {
    /** Throws `not_found`, `stale_version`, `username_taken`, `email_taken`, `last_admin`, `conflict`, `invalid`. */
    change: async (
      id: string,
      { change: asked, version, actor }: { change: UserChange; version?: number; actor: Actor },
    ): Promise<UserRecord> => {
      const stored = await store.transact(async (tx) => {
        const before = await getUser(tx, id);
        assertVersion(before, version);
        if (before.status === "deleted")
          throw new AppError("conflict", "The account is deleted. Restore it first");
        const change = { ...asked, nowMs: clock.now(), actor };
        const renamed = withStatus(await withUsername(tx, before, change.username), change.status);
        const moved = await withEmail(tx, renamed, change);
        const next = await withRole(tx, moved, change);
        const { locale = next.locale, timeZone = next.timeZone, claims = next.claims } = change;
        const kept = claims === undefined ? next : { ...next, claims };
        const after = await putUser(tx, { ...kept, locale, timeZone }, { edited: true });
        const changes = describeChanges(before, after);
        await writeAudit(tx, { actor, action: "user.change", target: id, changes }, clock);
        await tell(tx, deps, { before, after });
        return after;
      });
      return stored;
    },
  };
}
