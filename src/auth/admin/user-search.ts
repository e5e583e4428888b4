/** Finding accounts: the sort or the filter chooses the index, and what the index does not know is looked at. */
import { scanMatches } from "../../store/matching-page.ts";
import type { ListOptions, Page, ReadTx } from "../../store/store.ts";
import { memberships } from "../groups/records.ts";
import { passkeys, users } from "../accounts/records.ts";
import { getUser } from "../accounts/accounts.ts";
import { hasSecondFactor } from "../accounts/status.ts";
import type { UserRecord, UserStatus } from "../accounts/schema.ts";
import type { userSorts } from "./user-filter-schema.ts";

export interface UserFilter {
  readonly status?: UserStatus;
  readonly role?: UserRecord["role"];
  /** The id of a group that they are in. */
  readonly group?: string;
  /** Contained in the username or the address; case does not matter. */
  readonly q?: string;
  readonly emailVerified?: boolean;
  readonly secondFactor?: boolean;
  /** Epoch milliseconds; the ends are exclusive. */
  readonly createdFrom?: number;
  readonly createdTo?: number;
  /** Accounts that never signed in are in no such range. */
  readonly signedInFrom?: number;
  readonly signedInTo?: number;
  readonly neverSignedIn?: boolean;
  readonly sort?: (typeof userSorts)[number];
  readonly limit: number;
  readonly cursor?: string;
}

type PageOf = Pick<ListOptions, "limit" | "cursor">;

/** The range of an index over one time. */
function toRange(from: number | undefined, to: number | undefined): Pick<ListOptions, "from" | "to"> {
  return { from: from === undefined ? undefined : [from], to: to === undefined ? undefined : [to] };
}

/** The members of a group, the newest account first. */
async function listMembers(tx: ReadTx, group: string, page: PageOf): Promise<Page<UserRecord>> {
  const { items, ...rest } = await tx.list(memberships, "byGroup", {
    ...page,
    prefix: [group],
    reverse: true,
  });
  return { items: await Promise.all(items.map(({ userId }) => getUser(tx, userId))), ...rest };
}

function listUsers(tx: ReadTx, filter: UserFilter, page: PageOf): Promise<Page<UserRecord>> {
  const { status, role, group, sort = "newest", createdFrom, createdTo } = filter;
  const created = toRange(createdFrom, createdTo);
  if (sort === "username") return tx.list(users, "byName", page);
  if (sort === "oldest") return tx.list(users, "byCreated", { ...page, ...created });
  if (sort === "lastSignIn") {
    const signedIn = toRange(filter.signedInFrom, filter.signedInTo);
    return tx.list(users, "byLastLogin", { ...page, ...signedIn, reverse: true });
  }
  if (group !== undefined) return listMembers(tx, group, page);
  // Equal ones follow their ids, which sort by time.
  if (role === "admin") return tx.list(users, "byRole", { ...page, reverse: true, prefix: [role] });
  if (status !== undefined) return tx.list(users, "byStatus", { ...page, reverse: true, prefix: [status] });
  if (created.from !== undefined || created.to !== undefined)
    return tx.list(users, "byCreated", { ...page, ...created, reverse: true });
  return tx.list(users, "id", { ...page, reverse: true });
}

/** Whether a time is within the range; one that is absent is only within no range. */
function isWithin(time: number | undefined, from: number | undefined, to: number | undefined): boolean {
  if (from === undefined && to === undefined) return true;
  return time !== undefined && time >= (from ?? time) && time < (to ?? Number.POSITIVE_INFINITY);
}

function createMatch(filter: UserFilter, withPasskeys: ReadonlySet<string>): (user: UserRecord) => boolean {
  const { status, role, group, q = "", emailVerified, secondFactor, neverSignedIn } = filter;
  const part = q.toLowerCase();
  const agrees = <T>(wanted: T | undefined, value: T): boolean => wanted === undefined || wanted === value;
  return (user) =>
    agrees(status, user.status) &&
    agrees(role, user.role) &&
    (group === undefined || (user.groups ?? []).includes(group)) &&
    agrees(emailVerified, user.emailVerifiedAt !== undefined) &&
    agrees(secondFactor, hasSecondFactor(user) || withPasskeys.has(user.id)) &&
    agrees(neverSignedIn, user.lastLoginAt === undefined) &&
    isWithin(user.createdAt, filter.createdFrom, filter.createdTo) &&
    isWithin(user.lastLoginAt, filter.signedInFrom, filter.signedInTo) &&
    (part === "" || user.usernameLower.includes(part) || user.emailLower.includes(part));
}

/** A page of the accounts that a filter wants; it may have fewer than `limit` and still a cursor. Throws `bad_cursor`. */
export function searchUsers(tx: ReadTx, filter: UserFilter): Promise<Page<UserRecord>> {
  const { limit, cursor, secondFactor } = filter;
  const withPasskeys = new Set<string>();
  const read = async (page: PageOf): Promise<Page<UserRecord>> => {
    const found = await listUsers(tx, filter, page);
    // Accounts that never had a passkey have no handle.
    const mayHave =
      secondFactor === undefined ? [] : found.items.filter((user) => user.passkeyHandle !== undefined);
    for (const { id } of mayHave)
      if ((await tx.count(passkeys, "byUser", { prefix: [id] })) > 0) withPasskeys.add(id);
    return found;
  };
  const isWanted = createMatch(filter, withPasskeys);
  return scanMatches({ read, isWanted, limit, cursor });
}
