/** Accounts: how one is made with its profile, found by what people type, changed and removed. */
import { AppError } from "../../kit/errors.ts";
import { AuthError } from "../base/errors.ts";
import { newId } from "../../kit/secrets/id.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { emails, profiles, registrations, users } from "./records.ts";
import {
  type ProfileFields,
  type ProfileRecord,
  type UserRecord,
  profileFieldsSchema,
  toAsciiDomain,
} from "./schema.ts";

/** The form in which names are compared; usernames are ASCII. */
export function toUsernameKey(username: string): string {
  return username.toLowerCase();
}

/**
 * The form in which email addresses are compared. In practice no mail server distinguishes the case of the local part.
 */
export function toEmailKey(email: string): string {
  return toAsciiDomain(email.trim()).toLowerCase();
}

export interface NewAccount {
  readonly username: string;
  readonly email: string;
  readonly emailVerifiedAt?: number;
  readonly displayName?: string;
  readonly passwordHash?: string;
  readonly status?: UserRecord["status"];
  readonly role?: UserRecord["role"];
  readonly locale?: string;
  readonly timeZone?: string;
  readonly points?: number;
  readonly registeredVia: UserRecord["registeredVia"];
  readonly termsVersion?: string;
  readonly signUpMessage?: string;
  readonly nowMs: number;
}

/** Whether the account's profile belongs in the directory. */
export function isListed(
  user: Pick<UserRecord, "status">,
  profile: Pick<ProfileFields, "visibility" | "inDirectory">,
): boolean {
  return user.status === "active" && profile.visibility === "public" && profile.inDirectory;
}

function toUser(account: NewAccount): Omit<UserRecord, "version"> {
  const { username, email, emailVerifiedAt, passwordHash, termsVersion, nowMs } = account;
  return {
    id: newId("usr", nowMs),
    username,
    usernameLower: toUsernameKey(username),
    email,
    emailLower: toEmailKey(email),
    emailVerifiedAt,
    status: account.status ?? "active",
    role: account.role ?? "user",
    ...(passwordHash === undefined ? {} : { passwordHash, passwordChangedAt: nowMs }),
    tokenEpoch: 1,
    mfa: { recovery: [], failures: 0 },
    points: account.points ?? 0,
    locale: account.locale ?? "en",
    timeZone: account.timeZone ?? "UTC",
    createdAt: nowMs,
    registeredVia: account.registeredVia,
    termsVersion,
    signUpMessage: account.signUpMessage,
    editVersion: 1,
  };
}

/** Stores a new account and its private profile. Throws `username_taken`, `email_taken`. */
export async function createAccount(tx: Tx, account: NewAccount): Promise<UserRecord> {
  await assertUsernameFree(tx, account.username);
  if ((await findByEmail(tx, account.email)) !== undefined)
    throw new AuthError(
      "email_taken",
      `The email address "${account.email}" already belongs to another account`,
    );
  const user = await tx.insert(users, toUser(account));
  const fields = profileFieldsSchema.parse({ displayName: account.displayName ?? account.username });
  await tx.insert(profiles, {
    ...fields,
    id: user.id,
    username: user.username,
    usernameLower: user.usernameLower,
    likes: 0,
    joinedAt: user.createdAt,
    listed: isListed(user, fields),
    editVersion: 1,
  });
  return user;
}

/** Throws `username_taken` when an account or a registration that waits has the name. */
export async function assertUsernameFree(tx: ReadTx, username: string): Promise<void> {
  const key = [toUsernameKey(username)];
  const [user, waiting] = await Promise.all([
    tx.by(users, "byUsername", key),
    tx.by(registrations, "byUsername", key),
  ]);
  if (user !== undefined || waiting !== undefined) throw usernameTaken(username);
}

/** An account or a registration that waits has the name. */
export function usernameTaken(username: string): AppError {
  return new AuthError("username_taken", `The username "${username}" is taken. Choose another one`);
}

/**
 * The owner of an address: an account with it as its own, or as a verified additional one (for `purpose`, if given).
 */
export async function findByEmail(
  tx: ReadTx,
  email: string,
  purpose?: "login" | "recovery",
): Promise<UserRecord | undefined> {
  const key = [toEmailKey(email)];
  const user = await tx.by(users, "byEmail", key);
  if (user !== undefined) return user;
  const further = await tx.by(emails, "byVerified", key);
  if (further === undefined || (purpose !== undefined && !further.purposes.includes(purpose)))
    return undefined;
  return tx.get(users, further.userId);
}

/** The address of an account as its owner wrote it: emails go there, not to a version typed in another case. */
export async function toStoredAddress(tx: ReadTx, user: UserRecord, email: string): Promise<string> {
  const key = toEmailKey(email);
  if (user.emailLower === key) return user.email;
  return (await tx.by(emails, "byVerified", [key]))?.address ?? user.email;
}

/** The account that a person means by a username or an address with which one may sign in. */
export function findByIdentifier(tx: ReadTx, identifier: string): Promise<UserRecord | undefined> {
  return identifier.includes("@")
    ? findByEmail(tx, identifier, "login")
    : tx.by(users, "byUsername", [toUsernameKey(identifier.trim())]);
}

/** The account with this id. Throws `not_found`. */
export async function getUser(tx: ReadTx, id: string): Promise<UserRecord> {
  const user = await tx.get(users, id);
  if (user === undefined) throw new AppError("not_found", `There is no user "${id}"`);
  return user;
}

/** The profile of an account that exists. Throws `not_found`. */
export async function getProfile(tx: ReadTx, userId: string): Promise<ProfileRecord> {
  const profile = await tx.get(profiles, userId);
  if (profile === undefined) throw new AppError("not_found", `The account "${userId}" has no profile`);
  return profile;
}

/**
 * Stores a changed account, and what follows from it for its profile (name, place in the directory).
 * `edited` raises the version that people see.
 */
export async function putUser(tx: Tx, user: UserRecord, options: { edited: boolean }): Promise<UserRecord> {
  const stored = await tx.put(users, options.edited ? { ...user, editVersion: user.editVersion + 1 } : user);
  const profile = await tx.get(profiles, user.id);
  if (profile !== undefined) {
    const listed = isListed(user, profile);
    if (profile.listed !== listed || profile.username !== user.username) {
      const { username, usernameLower } = user;
      await tx.put(profiles, { ...profile, listed, username, usernameLower });
    }
  }
  return stored;
}
