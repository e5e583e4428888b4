/** Profiles as their owners change them, and what of one the public may see. */
import { changedFields, describeChanges } from "../../kit/text/changes.ts";
import { AppError } from "../../kit/errors.ts";
import { writeAudit } from "../../records/audit.ts";
import type { ReadTx, Tx } from "../../store/store.ts";
import { isUsable } from "../accounts/status.ts";
import { getProfile, getUser, isListed, toUsernameKey } from "../accounts/accounts.ts";
import type { Actor } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import { profiles, users } from "../accounts/records.ts";
import { checkDisplayName } from "../registration/policy.ts";
import { readSettings } from "../settings/settings.ts";
import {
  type ProfileFields,
  type ProfileInput,
  type ProfilePatch,
  type ProfileRecord,
  type UserRecord,
  usernameSchema,
} from "../accounts/schema.ts";

export interface ProfileChange {
  /** Computes the new fields from the current ones. */
  readonly change: (before: ProfileFields) => ProfileFields;
  /** The version that the change was made from; undefined: whichever is there. */
  readonly version: number | undefined;
  /** Wall time. */
  readonly nowMs: number;
}

/** The part of a profile that its owner sets. */
function toProfileFields(profile: ProfileRecord): ProfileFields {
  const { displayName, givenName, familyName, bio, website, location, visibility, inDirectory } = profile;
  const { showStreak, showJoined, likePolicy } = profile;
  const links = profile.links.map((link) => ({ ...link }));
  return {
    displayName,
    givenName,
    familyName,
    bio,
    website,
    location,
    links,
    visibility,
    inDirectory,
    showStreak,
    showJoined,
    likePolicy,
  };
}

/** Where a profile's picture is served, null without one. The hash makes each picture's address its own. */
export function toAvatarUrl(profile: Pick<ProfileRecord, "username" | "avatarHash">): string | null {
  const { username, avatarHash } = profile;
  return avatarHash === undefined ? null : `/api/public/users/${username}/avatar?v=${avatarHash.slice(0, 8)}`;
}

/** A member that is left out and one that is undefined are the same here. */
function withoutUndefined(fields: ProfilePatch): Partial<ProfileFields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

async function changeProfile(tx: Tx, userId: string, options: ProfileChange): Promise<ProfileRecord> {
  const { change, version, nowMs } = options;
  const [user, profile] = await Promise.all([getUser(tx, userId), getProfile(tx, userId)]);
  if (version !== undefined && version !== profile.editVersion) {
    throw new AppError("stale_version", "Someone else changed the profile. Reload it and try again", {
      details: { currentVersion: profile.editVersion },
    });
  }
  const before = toProfileFields(profile);
  const fields = change(before);
  if (fields.displayName !== before.displayName && user.role !== "admin")
    checkDisplayName(fields.displayName, (await readSettings(tx, "registration")).fields);
  // The same again is no change: no other client's version grows stale by it.
  if (changedFields(before, fields).length === 0) return profile;
  const listed = isListed(user, fields);
  return tx.put(profiles, {
    ...profile,
    ...fields,
    listed,
    updatedAt: nowMs,
    editVersion: profile.editVersion + 1,
  });
}

/** No account has it: names begin with a letter or digit. */
const NOBODY = "-";

/** A user with a public page. */
export interface PublicPerson {
  readonly user: UserRecord;
  readonly profile: ProfileRecord;
}

/**
 * The account and profile behind a public page. Throws the same `not_found` after the same work for unknown names,
 * private profiles and inactive accounts. `nowMs` is the time of expiry.
 */
export async function getPublicPerson(tx: ReadTx, username: string, nowMs: number): Promise<PublicPerson> {
  // Invalid usernames never reach the store, which rejects some characters.
  const key = usernameSchema.safeParse(username).success ? toUsernameKey(username) : NOBODY;
  const user = await tx.by(users, "byUsername", [key]);
  const profile = await tx.get(profiles, user?.id ?? NOBODY);
  if (
    user !== undefined &&
    profile !== undefined &&
    isUsable(user, nowMs) &&
    profile.visibility !== "private"
  )
    return { user, profile };
  throw new AppError("not_found", "This profile does not exist or is private");
}

export type Profiles = ReturnType<typeof createProfiles>;

/** Creates the profiles' logic. */
export function createProfiles(deps: Pick<AuthDeps, "store" | "clock">) {
  const { store, clock } = deps;
  return {
    /** The profile of an account. Throws `not_found`. */
    get: (userId: string): Promise<ProfileRecord> => store.read((tx) => getProfile(tx, userId)),
    /** Sets all fields, but keeps the likePolicy when it is left out. Throws `stale_version`, `not_found`. */
    replace: (
      userId: string,
      { fields, version }: { fields: ProfileInput; version: number | undefined },
    ): Promise<ProfileRecord> => {
      const change = ({ likePolicy }: ProfileFields): ProfileFields => ({
        ...fields,
        likePolicy: fields.likePolicy ?? likePolicy,
      });
      return store.transact((tx) => changeProfile(tx, userId, { change, version, nowMs: clock.now() }));
    },
    /** Sets those fields that are given. Throws `stale_version`, `not_found`. */
    patch: (
      userId: string,
      { fields, version }: { fields: ProfilePatch; version: number | undefined },
    ): Promise<ProfileRecord> => {
      const given = withoutUndefined(fields);
      const change = (before: ProfileFields): ProfileFields => ({ ...before, ...given });
      return store.transact((tx) => changeProfile(tx, userId, { change, version, nowMs: clock.now() }));
    },
    /** The same by an administrator. Throws `stale_version`, `not_found`. */
    patchAs: (
      actor: Actor,
      userId: string,
      { fields, version }: { fields: ProfilePatch; version: number | undefined },
    ): Promise<ProfileRecord> =>
      store.transact(async (tx) => {
        const before = toProfileFields(await getProfile(tx, userId));
        const change = { ...before, ...withoutUndefined(fields) };
        const profile = await changeProfile(tx, userId, {
          change: () => change,
          version,
          nowMs: clock.now(),
        });
        const changes = describeChanges(before, change);
        await writeAudit(tx, { actor, action: "user.profile", target: userId, changes }, clock);
        return profile;
      }),
  };
}
