/** Groups and who is in them. The account's record has its groups, so that a token's check reads nothing more. */
import { AppError } from "../../kit/errors.ts";
import { describeChanges, describeName } from "../../kit/text/changes.ts";
import { pagesOf } from "../../store/every-page.ts";
import type { Page, ReadTx, Tx } from "../../store/store.ts";
import { writeAudit } from "../../records/audit.ts";
import { getUser, putUser } from "../accounts/accounts.ts";
import type { UserRecord } from "../accounts/schema.ts";
import type { Actor } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { MAX_GROUPS } from "../base/ledger-schema.ts";
import { clients } from "../applications/records.ts";
import { groups, memberships } from "./records.ts";
import { keepGroupRoles } from "../base/role-rules.ts";
import { keepClaimGroup, keepGroupAssurance } from "../base/access-rules.ts";
import type { GroupChange, GroupRecord } from "./schema.ts";

/** Members that one transaction takes out of a group that is deleted. */
const STEP = 200;

/** A group with the number of its members. */
export interface CountedGroup {
  readonly group: GroupRecord;
  readonly members: number;
}

function toMembershipId(groupId: string, userId: string): string {
  return `${groupId}:${userId}`;
}

async function getGroup(tx: ReadTx, id: string): Promise<GroupRecord> {
  const group = await tx.get(groups, id);
  if (group === undefined) throw new AppError("not_found", `There is no group "${id}"`);
  return group;
}

async function toCounted(tx: ReadTx, group: GroupRecord): Promise<CountedGroup> {
  return { group, members: await tx.count(memberships, "byGroup", { prefix: [group.id] }) };
}

/** Refuses groups that there are not. Throws `invalid`, naming the field. */
export async function assertGroups(tx: ReadTx, ids: readonly string[], pointer: string): Promise<void> {
  for (const [index, id] of ids.entries()) {
    if ((await tx.get(groups, id)) !== undefined) continue;
    const message = `is not a group. Create the group "${id}" first`;
    throw new AppError("invalid", `"${id}" ${message}`, {
      errors: [{ pointer: `${pointer}/${index}`, code: "unknown_group", message }],
    });
  }
}

/** An application that loses its only group would be open to all accounts, or to none. */
async function assertUnused(tx: ReadTx, id: string): Promise<void> {
  for await (const page of pagesOf(tx, clients, { index: "id", pageSize: STEP })) {
    const user = page.find(({ allowedGroups }) => allowedGroups.includes(id));
    if (user !== undefined)
      throw new AppError(
        "conflict",
        `The application "${user.id}" uses this group. Remove the group from the application first`,
      );
  }
}

async function leave(tx: Tx, user: UserRecord, groupId: string): Promise<UserRecord> {
  await tx.remove(memberships, toMembershipId(groupId, user.id));
  return putUser(tx, { ...user, groups: user.groups?.filter((each) => each !== groupId) }, { edited: true });
}

/** Adds an account to groups that it is not in. Throws `conflict` for more than 50 in all. */
export async function joinGroups(tx: Tx, user: UserRecord, ids: readonly string[]): Promise<UserRecord> {
  const all = [...(user.groups ?? []), ...ids].sort();
  if (all.length > MAX_GROUPS)
    throw new AppError(
      "conflict",
      `An account can be in up to ${MAX_GROUPS} groups. Remove it from another group first`,
    );
  for (const groupId of ids)
    await tx.insert(memberships, { id: toMembershipId(groupId, user.id), groupId, userId: user.id });
  return putUser(tx, { ...user, groups: all }, { edited: true });
}

/** Refuses an id that a group has. Throws `already_exists`. */
export async function assertNewGroup(tx: ReadTx, id: string): Promise<void> {
  if ((await tx.get(groups, id)) !== undefined)
    throw new AppError("already_exists", `There is a group "${id}" already`);
}

/** Stores a group without members. */
export function insertGroup(
  tx: Tx,
  { id, title, nowMs }: { id: string; title: string; nowMs: number },
): Promise<GroupRecord> {
  return tx.insert(groups, { id, title, createdAt: nowMs, editVersion: 1 });
}

/**
 * Removes up to 200 members from a group, or the group itself when it is empty; resolves with whether it was removed.
 */
async function removeStep(tx: Tx, id: string): Promise<boolean> {
  await assertUnused(tx, id);
  const { items } = await tx.list(memberships, "byGroup", { prefix: [id], limit: STEP });
  for (const membership of items) {
    const user = await getUser(tx, membership.userId);
    await leave(tx, user, id);
  }
  if (items.length > 0) return false;
  await tx.remove(groups, id);
  await keepGroupAssurance(tx, id, "any");
  await keepGroupRoles(tx, id, []);
  await keepClaimGroup(tx, id, false);
  return true;
}

function createMembers({ store, clock }: Pick<AuthDeps, "store" | "clock">) {
  return {
    /** The members, in the order in which their accounts were made. Throws `not_found`, `bad_cursor`. */
    members: (id: string, page: { limit: number; cursor?: string }): Promise<Page<UserRecord>> =>
      store.read(async (tx) => {
        await getGroup(tx, id);
        const { items, ...rest } = await tx.list(memberships, "byGroup", { ...page, prefix: [id] });
        return { items: await Promise.all(items.map(({ userId }) => getUser(tx, userId))), ...rest };
      }),
    /**
     * Adds or removes an account; writes nothing without a change. Throws `not_found`, `conflict` for one with 50
     * groups.
     */
    setMember: (
      id: string,
      { userId, isMember, actor }: { userId: string; isMember: boolean; actor: Actor },
    ): Promise<void> =>
      store.transact(async (tx) => {
        await getGroup(tx, id);
        const user = await getUser(tx, userId);
        if ((user.groups ?? []).includes(id) === isMember) return;
        await (isMember ? joinGroups(tx, user, [id]) : leave(tx, user, id));
        const action = isMember ? "group.add-member" : "group.remove-member";
        const changes = [`user: ${userId}`, ...describeName(user.username)];
        await writeAudit(tx, { actor, action, target: id, changes }, clock);
      }),
  };
}

export type Groups = ReturnType<typeof createGroups>;

export function createGroups(deps: Pick<AuthDeps, "store" | "clock">) {
  const { store, clock } = deps;
  return {
    ...createMembers(deps),
    /** By id. Throws `bad_cursor`. */
    list: (page: { limit: number; cursor?: string }): Promise<Page<CountedGroup>> =>
      store.read(async (tx) => {
        const { items, ...rest } = await tx.list(groups, "id", page);
        return { items: await Promise.all(items.map((group) => toCounted(tx, group))), ...rest };
      }),
    /** Throws `not_found`. */
    get: (id: string): Promise<CountedGroup> =>
      store.read(async (tx) => toCounted(tx, await getGroup(tx, id))),
    /** Throws `already_exists`. */
    create: ({ id, title }: { id: string; title: string }, actor: Actor): Promise<CountedGroup> =>
      store.transact(async (tx) => {
        await assertNewGroup(tx, id);
        const group = await insertGroup(tx, { id, title, nowMs: clock.now() });
        const changes = describeName(title);
        await writeAudit(tx, { actor, action: "group.create", target: id, changes }, clock);
        return { group, members: 0 };
      }),
    /** Throws `not_found`, `stale_version`. */
    change: (
      id: string,
      { version, actor, ...change }: GroupChange & { version?: number; actor: Actor },
    ): Promise<CountedGroup> =>
      store.transact(async (tx) => {
        const before = await getGroup(tx, id);
        if (version !== undefined && version !== before.editVersion)
          throw new AppError("stale_version", "Someone else changed the group. Reload it and try again", {
            details: { currentVersion: before.editVersion },
          });
        const { title = before.title, minimumAssurance = before.minimumAssurance } = change;
        const { claims = before.claims } = change;
        const demanded = minimumAssurance === undefined ? {} : { minimumAssurance };
        const fields = { title, ...demanded, ...(claims !== undefined && { claims }) };
        const group = await tx.put(groups, { ...before, ...fields, editVersion: before.editVersion + 1 });
        await keepGroupAssurance(tx, id, minimumAssurance ?? "any");
        await keepClaimGroup(tx, id, Object.keys(claims ?? {}).length > 0);
        const changes = describeChanges(before, fields);
        await writeAudit(tx, { actor, action: "group.change", target: id, changes }, clock);
        return toCounted(tx, group);
      }),
    /** Removes all members and the group. Throws `not_found`, and `conflict` while an application names it. */
    remove: async (id: string, actor: Actor): Promise<void> => {
      await store.transact(async (tx) => {
        const { title } = await getGroup(tx, id);
        await assertUnused(tx, id);
        const changes = describeName(title);
        await writeAudit(tx, { actor, action: "group.delete", target: id, changes }, clock);
      });
      while (!(await store.transact((tx) => removeStep(tx, id)))) continue;
    },
  };
}
