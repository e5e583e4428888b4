/** The owner's actions on the whole account: its settings, the export of its data, and its deletion. */
import { toIsoTime } from "../../kit/text/iso-time.ts";
import { pagesOf } from "../../store/every-page.ts";
import type { Collection, ReadTx, StoreRecord } from "../../store/store.ts";
import { endAllSessions } from "../sessions/session-ends.ts";
import { assertOwner, assertRecent, type Subject } from "../sessions/subject.ts";
import { assertUsernameFree, getProfile, getUser, putUser, toUsernameKey } from "../accounts/accounts.ts";
import { assertNotLastAdmin, assertVersion } from "../accounts/admin-accounts.ts";
import { avatarId } from "../people/avatars.ts";
import type { Caller } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { writeEvent } from "../accounts/events.ts";
import { access, emails, events, upstreamLinks, passkeys } from "../accounts/records.ts";
import { avatars, likes } from "../people/records.ts";
import { checkIns } from "../check-in/records.ts";
import { consents } from "../oidc/records.ts";
import { sessions } from "../sessions/records.ts";
import { checkTerms, checkChosenUsername } from "../registration/policy.ts";
import { readSettings } from "../settings/settings.ts";
import { tellOwner } from "../mails/owner-notices.ts";
import type { UserRecord } from "../accounts/schema.ts";

const RESTORABLE_MS = 14 * 86_400_000;
const EXPORT_PAGE = 1_000;
/** Records of one kind in an export; an owner with more asks the administrator. */
const EXPORT_LIMIT = 20_000;

export interface MeChange {
  readonly username?: string;
  readonly locale?: string;
  readonly timeZone?: string;
  readonly termsVersion?: string;
}

/** All records that name an account, by their kind. */
export interface AccountExport {
  readonly exportedAt: string;
  readonly user: Readonly<Record<string, unknown>>;
  readonly [kind: string]: unknown;
}

async function collect<T extends StoreRecord, O extends string>(
  tx: ReadTx,
  collection: Collection<T, string, O>,
  options: { index: O; userId: string },
): Promise<T[]> {
  const found: T[] = [];
  const walk = { index: options.index, range: { prefix: [options.userId] }, pageSize: EXPORT_PAGE };
  for await (const page of pagesOf(tx, collection, walk)) {
    found.push(...page);
    if (found.length >= EXPORT_LIMIT) break;
  }
  return found;
}

/** Names of times in records. */
const TIME = /At$|Until$|After$|^at$/u;

/** Without what is of no meaning outside, or is a secret's trace; times in ISO 8601. */
function toPlain(record: object, hidden: readonly string[] = []): Record<string, unknown> {
  const left = new Set(["version", ...hidden]);
  return Object.fromEntries(
    Object.entries(record)
      .filter(([name]) => !left.has(name))
      .map(([name, value]) => [
        name,
        typeof value === "number" && TIME.test(name) ? toIsoTime(value) : value,
      ]),
  );
}

const SESSION_SECRETS = [
  "familyId",
  "accessHash",
  "previousAccessHash",
  "refreshHash",
  "previousRefreshHash",
  "rotationNonce",
  "tokenEpoch",
];

function createExport(deps: Pick<AuthDeps, "store" | "clock" | "expiry">) {
  const { store, clock, expiry } = deps;
  return async (subject: Subject, caller: Caller): Promise<AccountExport> => {
    assertRecent(subject, expiry.now());
    const userId = subject.user.id;
    const everything = await store.read(async (tx) => {
      const user = await getUser(tx, userId);
      const { mfa } = user;
      const profile = await getProfile(tx, userId);
      const { avatarHash } = profile;
      const picture =
        avatarHash === undefined ? undefined : await tx.get(avatars, avatarId(userId, avatarHash));
      const all = async <T extends StoreRecord, O extends string>(
        collection: Collection<T, string, O>,
        index: O,
        hidden?: readonly string[],
      ): Promise<Record<string, unknown>[]> =>
        (await collect(tx, collection, { index, userId })).map((record) => toPlain(record, hidden));
      return {
        exportedAt: toIsoTime(clock.now()),
        user: {
          ...toPlain(user, ["passwordHash", "mfa", "tokenEpoch"]),
          secondFactor: mfa.totp?.confirmedAt !== undefined,
        },
        profile: toPlain(profile),
        ...(picture === undefined ? {} : { picture: toPlain(picture) }),
        emails: await all(emails, "byUser"),
        linkedProviders: await all(upstreamLinks, "byUser"),
        sessions: await all(sessions, "byUser", SESSION_SECRETS),
        passkeys: await all(passkeys, "byUser"),
        checkIns: await all(checkIns, "byUserDay"),
        likesGiven: await all(likes, "byLiker"),
        likesReceived: (await collect(tx, likes, { index: "byProfile", userId })).map(({ at }) => ({
          at: toIsoTime(at),
        })),
        applications: await all(access, "byUser"),
        allowedApplications: await all(consents, "byUser"),
        securityEvents: await all(events, "byUser"),
      };
    });
    await store.transact((tx) => writeEvent(tx, { userId, kind: "exported", caller, atMs: clock.now() }));
    return everything;
  };
}

export type Me = ReturnType<typeof createMe>;

/** Creates the owner's logic. */
export function createMe(deps: AuthDeps) {
  const { store, clock, expiry } = deps;
  return {
    /**
     * Throws `stale_version` unless `version` is absent or the current one, `forbidden`, `reauth_required`,
     * `username_taken`, `invalid`, `terms_required`.
     */
    change: (
      subject: Subject,
      { change, version }: { change: MeChange; version: number | undefined },
    ): Promise<UserRecord> =>
      store.transact(async (tx) => {
        const user = await getUser(tx, subject.user.id);
        assertVersion(user, version);
        const { username, locale, timeZone, termsVersion } = change;
        // Usernames are for signing in, and terms must be accepted in person.
        if (username !== undefined || termsVersion !== undefined) assertOwner(subject);
        const settings = (await readSettings(tx, "registration")).fields;
        const isRenamed = username !== undefined && toUsernameKey(username) !== user.usernameLower;
        if (isRenamed) {
          assertRecent(subject, expiry.now());
          checkChosenUsername(username, settings);
          await assertUsernameFree(tx, username);
        }
        if (termsVersion !== undefined) checkTerms(termsVersion, settings);
        return putUser(
          tx,
          {
            ...user,
            ...(username === undefined ? {} : { username, usernameLower: toUsernameKey(username) }),
            locale: locale ?? user.locale,
            timeZone: timeZone ?? user.timeZone,
            termsVersion: termsVersion ?? user.termsVersion,
          },
          { edited: true },
        );
      }),
    /** Everything that names the account, without secrets. Throws `forbidden` in an administrator's session, `reauth_required`. */
    export: createExport(deps),
    /** Schedules the removal; all sessions end. Throws `reauth_required`, `last_admin`. Resolves with when it is final. */
    remove: async (subject: Subject, caller: Caller): Promise<number> => {
      const purgeAfter = await store.transact(async (tx) => {
        assertRecent(subject, expiry.now());
        const user = await getUser(tx, subject.user.id);
        await assertNotLastAdmin(tx, user, expiry.now());
        const nowMs = expiry.now();
        const endsAt = nowMs + RESTORABLE_MS;
        const ended = await endAllSessions(tx, user, nowMs);
        await putUser(
          tx,
          { ...ended, status: "deleted", purgeAfter: endsAt, deletedBy: "self" },
          { edited: true },
        );
        await writeEvent(tx, { userId: user.id, kind: "deletion-scheduled", caller, atMs: clock.now() });
        await tellOwner(tx, deps, { user, notice: "deletion-scheduled" });
        return endsAt;
      });
      return purgeAfter;
    },
  };
}
