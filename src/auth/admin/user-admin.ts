/** Accounts as an administrator keeps them: list, read, create. */
import { AppError } from "../../kit/errors.ts";
import type { Page, ReadTx, Tx } from "../../store/store.ts";
import { createAccount, getProfile, getUser } from "../accounts/accounts.ts";
import { writeAudit } from "../../records/audit.ts";
import type { Actor } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import type { AccessRecord } from "../accounts/ledger-schema.ts";
import { checkPassword } from "../passwords/password-policy.ts";
import { access, emails } from "../accounts/records.ts";
import { checkUsername } from "../registration/policy.ts";
import { sendPasswordLink } from "./password-link.ts";
import { type UserFilter, searchUsers } from "./user-search.ts";
import { type NamedLink, listLinks } from "../upstream/links.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { readSettings } from "../settings/settings.ts";
import type { RegistrationSettings } from "../settings/schema.ts";
import type { EmailRecord, ProfileRecord, UserRecord } from "../accounts/schema.ts";

const DETAILS = 100;

/** Everything that is known of an account. */
export interface UserDetails {
  readonly user: UserRecord;
  readonly profile: ProfileRecord | undefined;
  readonly sessions: number;
  readonly emails: readonly EmailRecord[];
  readonly access: readonly AccessRecord[];
  readonly links: readonly NamedLink[];
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

async function readDetails(tx: ReadTx, id: string): Promise<Omit<UserDetails, "sessions">> {
  const user = await getUser(tx, id);
  const list = { prefix: [id], limit: DETAILS };
  const [profile, further, used, links] = await Promise.all([
    // An account that is being erased has no identities left.
    getProfile(tx, id).catch((error: unknown) => {
      if (error instanceof AppError && error.code === "not_found") return undefined;
      throw error;
    }),
    tx.list(emails, "byUser", list),
    tx.list(access, "byUser", list),
    listLinks(tx, id),
  ]);
  return { user, profile, emails: further.items, access: used.items, links };
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
  parts: { passwordHash: string | undefined; settings: RegistrationSettings; actor: Actor; nowMs: number },
): Promise<UserRecord> {
  const { emailVerified, password: _password, ...account } = input;
  const { passwordHash, settings, actor, nowMs } = parts;
  return createAccount(tx, {
    ...account,
    locale: account.locale ?? settings.language,
    passwordHash,
    emailVerifiedAt: emailVerified ? nowMs : undefined,
    registeredVia: { clientId: actor.clientId, mode: "admin" },
    nowMs,
  });
}

export type UserAdmin = ReturnType<typeof createUserAdmin>;

/** Creates the administration of accounts. */
export function createUserAdmin(deps: AuthDeps & { sessions: Sessions }) {
  const { store, clock, sessions } = deps;
  return {
    /** A page may have fewer than `limit` and still a cursor. Throws `bad_cursor`. */
    list: (filter: UserFilter): Promise<Page<UserRecord>> => store.read((tx) => searchUsers(tx, filter)),
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
        const user = await insertUser(tx, input, { passwordHash, settings, actor, nowMs: clock.now() });
        const changes = [`username: ${user.username}`, `email: ${user.email}`, `role: ${user.role}`];
        await writeAudit(tx, { actor, action: "user.create", target: user.id, changes }, clock);
        if (passwordHash !== undefined) return { user };
        const { token, url } = await sendPasswordLink(tx, deps, user);
        return { user, setPasswordToken: token, setPasswordUrl: url };
      });
    },
  };
}
