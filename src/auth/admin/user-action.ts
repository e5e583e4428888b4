/** One action of an administrator on an account. */
import { AppError } from "../../kit/errors.ts";
import type { Tx } from "../../store/store.ts";
import { getUser, putUser } from "../accounts/accounts.ts";
import { writeAudit } from "../../records/audit.ts";
import type { Actor, Caller } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { type EventKind, writeEvent } from "../accounts/events.ts";
import type { UserRecord } from "../accounts/schema.ts";

/** The actor and their address. */
export interface ActionBy {
  readonly actor: Actor;
  readonly caller: Caller;
}

/** One change of an account, with what is written beside it. */
export interface Action {
  readonly name: string;
  readonly changes?: readonly string[];
  readonly event?: EventKind;
  /** Whether the version that people see grows. */
  readonly edited: boolean;
  /** The account as it becomes; the same object when nothing changes. */
  readonly apply: (tx: Tx, user: UserRecord) => Promise<UserRecord> | UserRecord;
}

export type ActionDeps = Pick<AuthDeps, "store" | "clock" | "expiry" | "outbox" | "publicUrl">;
/** Does an action. Throws `not_found`, and what the action throws. */
export type Perform = (id: string, by: ActionBy, action: Action) => Promise<UserRecord>;

export function createPerform({ store, clock }: ActionDeps): Perform {
  return (id, { actor, caller }, { name, changes = [], event, edited, apply }) =>
    store.transact(async (tx) => {
      const before = await getUser(tx, id);
      const next = await apply(tx, before);
      await writeAudit(tx, { actor, action: `user.${name}`, target: id, changes }, clock);
      if (event !== undefined) await writeEvent(tx, { userId: id, kind: event, caller, atMs: clock.now() });
      return next === before ? before : putUser(tx, next, { edited });
    });
}

/** Throws `conflict`. */
export function assertNotDeleted(user: UserRecord): void {
  if (user.status === "deleted") throw new AppError("conflict", "The account is deleted. Restore it first");
}

/** The refusal of an action that another state of the account allows. */
export function refuseStatus(user: UserRecord, wanted: string): AppError {
  return new AppError("conflict", `The account is ${user.status}, not ${wanted}`);
}

/** The account without what a suspension left on it. */
export function withoutSuspension(user: UserRecord): UserRecord {
  const { suspendedUntil: _until, suspendedReason: _reason, ...rest } = user;
  return rest;
}
