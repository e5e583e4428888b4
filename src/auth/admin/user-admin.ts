/** Accounts as an administrator keeps them: list, read, create. */
import { AppError } from "../../kit/errors.ts";
import { scanMatches } from "../../store/matching-page.ts";
import type { ListOptions, Page, ReadTx, Tx } from "../../store/store.ts";
import { createAccount, getProfile, getUser } from "../accounts/accounts.ts";
import { writeAudit } from "../../records/audit.ts";
import type { Actor } from "../caller.ts";
import type { AuthDeps } from "../deps.ts";
import type { AccessRecord } from "../ledger-schema.ts";
import { issueLink, toLinkText } from "../passwords/links.ts";
import { linkMail } from "../mails/mails.ts";
import { checkPassword } from "../passwords/password-policy.ts";
import { access, emails, users } from "../records.ts";
import { checkUsername } from "../registration/policy.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { readSettings } from "../settings/settings.ts";
import type { RegistrationSettings } from "../settings/schema.ts";
import type { EmailRecord, ProfileRecord, UserRecord, UserStatus } from "../accounts/schema.ts";

/** Records that one search looks at; the cursor goes on from there. */
const SCAN = 2_000;
const CHUNK = 200;
const DETAILS = 100;
const LINK_HOURS = 24;

export interface UserFilter {
  readonly status?: UserStatus;
  readonly role?: UserRecord["role"];
  /** Contained in the username or the address; case does not matter. */
  readonly q?: string;
  readonly limit: number;
  readonly cursor?: string;
}

/** Everything that is known of an account. */
export interface UserDetails {
  readonly user: UserRecord;
  readonly profile: ProfileRecord | undefined;
  readonly sessions: number;
  readonly emails: readonly EmailRecord[];
  readonly access: readonly AccessRecord[];
}

export interface NewUser {
  readonly username: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly role: UserRecord["role"];
  readonly displayName?: string;
  readonly password?: string;
  readonly locale?: string;
  readonly timeZone?: string;
}

/** A new account; its link is shown this once, as an address where a page for it is set. */
export interface CreatedUser {
  readonly user: UserRecord;
  readonly setPasswordToken?: string;
  readonly setPasswordUrl?: string;
}

/** Walks the index that leaves out most, the newest first. */
function listUsers(
  tx: ReadTx,
  { status, role }: UserFilter,
  page: Pick<ListOptions, "limit" | "cursor">,
): Promise<Page<UserRecord>> {
  // Equal ones follow their ids, which sort by time.
  if (role === "admin") return tx.list(users, "byRole", { ...page, reverse: true, prefix: [role] });
  if (status !== undefined) return tx.list(users, "byStatus", { ...page, reverse: true, prefix: [status] });
  return tx.list(users, "id", { ...page, reverse: true });
}

function search(tx: ReadTx, filter: UserFilter): Promise<Page<UserRecord>> {
  const { status, role, q, limit, cursor } = filter;
  const part = q?.toLowerCase() ?? "";
  const isWanted = (user: UserRecord): boolean =>
    (status === undefined || user.status === status) &&
    (role === undefined || user.role === role) &&
    (part === "" || user.usernameLower.includes(part) || user.emailLower.includes(part));
  const read = (page: Pick<ListOptions, "limit" | "cursor">): Promise<Page<UserRecord>> =>
    listUsers(tx, filter, page);
  return scanMatches({ read, isWanted, limit, cursor, step: CHUNK, maxScanned: SCAN });
}

async function readDetails(tx: ReadTx, id: string): Promise<Omit<UserDetails, "sessions">> {
  const user = await getUser(tx, id);
  const list = { prefix: [id], limit: DETAILS };
  const [profile, further, used] = await Promise.all([
    // An account that is being removed has none any more.
    getProfile(tx, id).catch((error: unknown) => {
      if (error instanceof AppError && error.code === "not_found") return undefined;
      throw error;
    }),
    tx.list(emails, "byUser", list),
    tx.list(access, "byUser", list),
  ]);
  return { user, profile, emails: further.items, access: used.items };
}

/** The hash of a given password; hashing is slow, so it happens before the transaction. */
async function hashGiven(
  input: NewUser,
  deps: Pick<AuthDeps, "hasher" | "isCommonPassword"> & { settings: RegistrationSettings },
): Promise<string | undefined> {
  const { password, username, email, displayName } = input;
  if (password === undefined) return undefined;
  const { settings, isCommonPassword, hasher } = deps;
  return hasher.hash(checkPassword(password, { settings, username, email, displayName, isCommonPassword }));
}

async function insertUser(
  tx: Tx,
  input: NewUser,
  parts: { passwordHash: string | undefined; actor: Actor; nowMs: number },
): Promise<UserRecord> {
  const { emailVerified, password: _password, ...account } = input;
  const { passwordHash, actor, nowMs } = parts;
  return createAccount(tx, {
    ...account,
    passwordHash,
    emailVerifiedAt: emailVerified ? nowMs : undefined,
    registeredVia: { clientId: actor.clientId, mode: "admin" },
    nowMs,
  });
}

/** Makes the link with which the owner sets the password, and mails it. */
async function sendLink(
  tx: Tx,
  { expiry, outbox }: Pick<AuthDeps, "expiry" | "outbox">,
  parts: { user: UserRecord; settings: RegistrationSettings },
): Promise<Omit<CreatedUser, "user">> {
  const { user, settings } = parts;
  const { siteName, resetUrl } = settings;
  const purpose = "set-password";
  const ttlMs = LINK_HOURS * 3_600_000;
  const token = await issueLink(tx, { userId: user.id, purpose, nowMs: expiry.now(), ttlMs });
  const link = toLinkText(resetUrl, token);
  await outbox.enqueue(tx, linkMail(user.email, { siteName, link, purpose, minutes: LINK_HOURS * 60 }));
  return { setPasswordToken: token, setPasswordUrl: resetUrl === "" ? undefined : link };
}

export type UserAdmin = ReturnType<typeof createUserAdmin>;

/** Makes the administration of accounts. */
export function createUserAdmin(deps: AuthDeps & { sessions: Sessions }) {
  const { store, clock, sessions } = deps;
  return {
    /** The newest first; a page may have fewer than `limit` and still a cursor. Throws `bad_cursor`. */
    list: (filter: UserFilter): Promise<Page<UserRecord>> => store.read((tx) => search(tx, filter)),
    /** Throws `not_found`. */
    get: async (id: string): Promise<UserDetails> => {
      const details = await store.read((tx) => readDetails(tx, id));
      return { ...details, sessions: (await sessions.list(id)).length };
    },
    /**
     * Without a password, gives a link to set one, good for 24 hours, and mails it. Throws `username_taken`,
     * `email_taken`, `invalid`, `password_blocked`, `unavailable`.
     */
    create: async (input: NewUser, actor: Actor): Promise<CreatedUser> => {
      const settings = (await store.read((tx) => readSettings(tx, "registration"))).fields;
      checkUsername(input.username, settings);
      const passwordHash = await hashGiven(input, { ...deps, settings });
      return store.transact(async (tx): Promise<CreatedUser> => {
        const user = await insertUser(tx, input, { passwordHash, actor, nowMs: clock.now() });
        const changes = [`username: ${user.username}`, `email: ${user.email}`, `role: ${user.role}`];
        await writeAudit(tx, { actor, action: "user.create", target: user.id, changes }, clock);
        return passwordHash === undefined
          ? { user, ...(await sendLink(tx, deps, { user, settings })) }
          : { user };
      });
    },
  };
}
