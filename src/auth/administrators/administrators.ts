/**
 * Who may administer, and with which authentication: here by role, in this installation's other services also by
 * group.
 */
import { pagesOf } from "../../store/every-page.ts";
import type { ReadTx } from "../../store/store.ts";
import type { UserRecord } from "../accounts/schema.ts";
import { type AdminScope, type HeldScopes, listScopes } from "../../records/rights/scopes.ts";
import { ADMIN_GROUP, findAdminScopes } from "../accounts/held-scopes.ts";
import type { Subject } from "../sessions/subject.ts";
import type { AuthDeps } from "../base/deps.ts";
import { passkeys, users } from "../accounts/records.ts";
import { hasSecondFactor } from "../accounts/status.ts";
import { readSettings } from "../settings/settings.ts";

const BATCH = 100;

/** Why a signed-in user has no administration rights. */
export type AdminRefusal = "role" | "second_factor" | "second_factor_missing";

/** Whether the account could sign in with two factors: an authenticator app, or a passkey. */
async function hasFactors(tx: ReadTx, user: UserRecord): Promise<boolean> {
  return hasSecondFactor(user) || (await tx.count(passkeys, "byUser", { prefix: [user.id] })) > 0;
}

/** Whether any administrator has what is wanted of all from then on. */
async function hasOneWithFactor(tx: ReadTx): Promise<boolean> {
  const admins = { index: "byRole", range: { prefix: ["admin"] }, pageSize: BATCH } as const;
  for await (const page of pagesOf(tx, users, admins))
    for (const user of page) if (await hasFactors(tx, user)) return true;
  return false;
}

/** Unless an administrator decided: always where others than this machine reach the center, and there once anyone has a factor. */
async function wantsFactor(tx: ReadTx, isLoopback: boolean): Promise<boolean> {
  const { adminSecondFactor } = (await readSettings(tx, "registration")).fields;
  if (adminSecondFactor !== "auto") return adminSecondFactor === "required";
  return !isLoopback || hasOneWithFactor(tx);
}

/** The authentication that the session lacks for administration. */
async function findMissingProof(
  tx: ReadTx,
  { user, session }: Pick<Subject, "user" | "session">,
  isLoopback: boolean,
): Promise<Exclude<AdminRefusal, "role"> | undefined> {
  if (session.aal >= 2) return undefined;
  if (await hasFactors(tx, user)) return "second_factor";
  return (await wantsFactor(tx, isLoopback)) ? "second_factor_missing" : undefined;
}

function isInGroup({ groups = [] }: UserRecord): boolean {
  return groups.includes(ADMIN_GROUP);
}

const ownScopes: ReadonlySet<string> = new Set(listScopes("auth"));

/** The scopes of a user in the auth center, or why there are none. */
export type HeldHere = { readonly scopes: HeldScopes } | { readonly refusal: AdminRefusal };

export type Administration = ReturnType<typeof createAdministration>;

export function createAdministration({
  store,
  isLoopback,
}: Pick<AuthDeps, "store"> & {
  /** Whether people reach the center on this machine alone. */
  readonly isLoopback: boolean;
}) {
  /** The authentication that the session lacks; only checked for users with administration rights. */
  const findMissing = async (subject: Subject) =>
    subject.session.aal >= 2 ? undefined : store.read((tx) => findMissingProof(tx, subject, isLoopback));
  return {
    /** Why a user may not administer the auth center; undefined if they may. */
    findRefusal: async (subject: Subject): Promise<AdminRefusal | undefined> => {
      const { user, session } = subject;
      if (user.role !== "admin" || session.impersonatedBy !== undefined) return "role";
      return findMissing(subject);
    },
    /** The scopes of a user's roles in the auth center. */
    findHeld: async (subject: Subject): Promise<HeldHere> => {
      const { user, session, roleRules } = subject;
      const own = findAdminScopes(user, roleRules).filter((scope) => ownScopes.has(scope));
      if (own.length === 0 || session.impersonatedBy !== undefined) return { refusal: "role" };
      const refusal = await findMissing(subject);
      if (refusal !== undefined) return { refusal };
      return { scopes: user.role === "admin" ? "all" : new Set(own) };
    },
    /**
     * The rights of a user in the services of the installation. `administers`: whether they may do everything in the
     * monitor and the shop, undefined for other users. Without a required second factor it is false and `adminScopes`
     * is empty.
     */
    findServiceRights: async (
      subject: Subject,
    ): Promise<{
      readonly administers: boolean | undefined;
      readonly adminScopes: readonly AdminScope[];
    }> => {
      const { user, session, roleRules } = subject;
      const held = session.impersonatedBy === undefined ? findAdminScopes(user, roleRules) : [];
      if (held.length === 0) return { administers: undefined, adminScopes: [] };
      if ((await findMissing(subject)) !== undefined) return { administers: false, adminScopes: [] };
      const all = user.role === "admin" || isInGroup(user);
      return { administers: all ? true : undefined, adminScopes: held };
    },
  };
}
