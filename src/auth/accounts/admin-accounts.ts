/** Rules that every change of an account by an administrator keeps. */
import { AppError } from "../../kit/errors.ts";
import { AuthError } from "../base/errors.ts";
import { pagesOf } from "../../store/every-page.ts";
import type { ReadTx } from "../../store/store.ts";
import { isUsable } from "./status.ts";
import type { Actor } from "../base/caller.ts";
import { users } from "./records.ts";
import type { UserRecord } from "./schema.ts";

const BATCH = 100;

async function hasOtherAdmin(tx: ReadTx, user: UserRecord, nowMs: number): Promise<boolean> {
  const admins = { index: "byRole", range: { prefix: ["admin"] }, pageSize: BATCH } as const;
  for await (const page of pagesOf(tx, users, admins))
    if (page.some((other) => other.id !== user.id && isUsable(other, nowMs))) return true;
  return false;
}

/**
 * Call it in the transaction in which an account loses its role, is suspended or deleted. Throws `last_admin` when no
 * other administrator could sign in afterwards. Not needed for callers who {@link holdsToken}.
 */
export async function assertNotLastAdmin(tx: ReadTx, user: UserRecord, nowMs: number): Promise<void> {
  if (user.role !== "admin" || !isUsable(user, nowMs)) return;
  if (await hasOtherAdmin(tx, user, nowMs)) return;
  throw new AuthError(
    "last_admin",
    "This is the last administrator. Make another account an administrator first",
  );
}

/** Whether the administrator token was shown: its holder administers without any account, so none has to be left. */
export function holdsToken(actor: Actor): boolean {
  return actor.userId === undefined;
}

/** Refuses a change that was made from another version. Throws `stale_version`. */
export function assertVersion(
  { editVersion }: { readonly editVersion: number },
  version: number | undefined,
  what = "account",
): void {
  if (version === undefined || version === editVersion) return;
  throw new AppError("stale_version", `Someone else changed the ${what}. Reload it and try again`, {
    details: { currentVersion: editVersion },
  });
}
