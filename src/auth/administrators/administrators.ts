/** Who administers, and with which proof: here by the role, in this install's other services also by a group. */
import { pagesOf } from "../../store/every-page.ts";
import type { ReadTx } from "../../store/store.ts";
import type { UserRecord } from "../accounts/schema.ts";
import type { Subject } from "../caller.ts";
import type { AuthDeps } from "../deps.ts";
import { passkeys, users } from "../records.ts";
import { hasSecondFactor } from "../second-factor/completion.ts";
import { readSettings } from "../settings/settings.ts";

/** Members administer the monitor and the shop of the install. */
const ADMIN_GROUP = "trivet-admins";
const BATCH = 100;

/** Why somebody who is signed in does not administer. */
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

/** What the session lacks for administering, whoever it is. */
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

export type Administration = ReturnType<typeof createAdministration>;

/** Makes the questions. */
export function createAdministration({
  store,
  isLoopback,
}: Pick<AuthDeps, "store"> & {
  /** Whether people reach the center on this machine alone. */
  readonly isLoopback: boolean;
}) {
  const findMissing = (subject: Subject) => store.read((tx) => findMissingProof(tx, subject, isLoopback));
  return {
    /** Why somebody does not administer the auth center; undefined when they do. */
    findRefusal: async (subject: Subject): Promise<AdminRefusal | undefined> => {
      const { user, session } = subject;
      if (user.role !== "admin" || session.impersonatedBy !== undefined) return "role";
      return session.aal >= 2 ? undefined : findMissing(subject);
    },
    /** Whether somebody administers the other services: false for want of a second factor, undefined for other people. */
    administersServices: async (subject: Subject): Promise<boolean | undefined> => {
      const { user, session } = subject;
      const may = user.role === "admin" || isInGroup(user);
      if (!may || session.impersonatedBy !== undefined) return undefined;
      return session.aal >= 2 || (await findMissing(subject)) === undefined;
    },
  };
}
