/** The public side of profiles: one page, and the directory of those who want to be found. */
import { AppError } from "../../kit/errors.ts";
import { scanMatches } from "../../store/matching-page.ts";
import type { Page, ReadTx } from "../../store/store.ts";
import { readStreak } from "../check-in/check-in.ts";
import type { AuthDeps } from "../base/deps.ts";
import { likeId } from "./likes.ts";
import { getPublicPerson, toAvatarUrl } from "./profiles.ts";
import { likes } from "./records.ts";
import { profiles } from "../accounts/records.ts";
import type { ProfileFields, ProfileRecord } from "../accounts/schema.ts";

const PURPOSE = "directory-cursor";

/** How the directory can be ordered. */
export const directorySorts = ["username", "newest", "likes"] as const;
export type DirectorySort = (typeof directorySorts)[number];

const orders = {
  username: { index: "byUsername", reverse: false },
  newest: { index: "byJoined", reverse: true },
  likes: { index: "byLikes", reverse: true },
} as const satisfies Record<DirectorySort, object>;

/** The public data of a user with a public page. */
export interface PublicProfile extends Pick<
  ProfileFields,
  "displayName" | "bio" | "website" | "location" | "links" | "likePolicy"
> {
  readonly username: string;
  readonly avatarUrl: string | null;
  readonly likes: number;
  /** Epoch milliseconds, when its owner shows it. */
  readonly joinedAt?: number;
  /** When its owner shows it; 0 when broken. */
  readonly streak?: number;
  /** Only for who is signed in. */
  readonly likedByMe?: boolean;
}

export interface DirectoryQuery {
  /** Text in username or display name. */
  readonly q?: string;
  readonly sort: DirectorySort;
  readonly limit: number;
  readonly cursor?: string;
  /** The signed-in user. */
  readonly viewerId?: string;
}

/** The form in which a search compares: case and width of characters do not count. */
function toSearchKey(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

async function toPublicProfile(
  tx: ReadTx,
  profile: ProfileRecord,
  options: { nowMs: number; viewerId: string | undefined },
): Promise<PublicProfile> {
  const { nowMs, viewerId } = options;
  const { username, displayName, bio, website, location, likePolicy } = profile;
  const [streak, like] = await Promise.all([
    profile.showStreak ? readStreak(tx, profile.id, nowMs) : undefined,
    viewerId === undefined ? undefined : tx.get(likes, likeId(profile.id, viewerId)),
  ]);
  return {
    username,
    displayName,
    avatarUrl: toAvatarUrl(profile),
    bio,
    website,
    location,
    links: profile.links.map(({ label, url }) => ({ label, url })),
    likes: profile.likes,
    likePolicy,
    joinedAt: profile.showJoined ? profile.joinedAt : undefined,
    streak,
    likedByMe: viewerId === undefined ? undefined : like !== undefined,
  };
}

export type Directory = ReturnType<typeof createDirectory>;

/** Creates the logic of the directory. */
export function createDirectory(deps: Pick<AuthDeps, "store" | "clock" | "expiry" | "box">) {
  const { store, clock, expiry, box } = deps;

  function open(cursor: string, sort: DirectorySort): string {
    try {
      return box.open(cursor, `${PURPOSE}/${sort}`);
    } catch (cause) {
      throw new AppError(
        "bad_request",
        "The cursor is malformed or belongs to another list. Start again without it",
        {
          cause,
        },
      );
    }
  }

  return {
    /** One public or unlisted profile. Throws `not_found`. */
    get: (username: string, viewerId?: string): Promise<PublicProfile> =>
      store.read(async (tx) => {
        const { profile } = await getPublicPerson(tx, username, expiry.now());
        return toPublicProfile(tx, profile, { nowMs: clock.now(), viewerId });
      }),
    /** Listed profiles. Throws `bad_request` for a cursor that is not of this list. */
    list: ({ q, sort, limit, cursor, viewerId }: DirectoryQuery): Promise<Page<PublicProfile>> => {
      const start = cursor === undefined ? undefined : open(cursor, sort);
      const key = q === undefined ? "" : toSearchKey(q);
      const isWanted = ({ usernameLower, displayName }: ProfileRecord): boolean =>
        key === "" || usernameLower.includes(key) || toSearchKey(displayName).includes(key);
      const { index, reverse } = orders[sort];
      return store.read(async (tx) => {
        const nowMs = clock.now();
        const found = await scanMatches({
          read: (page) => tx.list(profiles, index, { ...page, prefix: [true], reverse }),
          isWanted,
          limit,
          cursor: start,
        });
        const items = await Promise.all(
          found.items.map((profile) => toPublicProfile(tx, profile, { nowMs, viewerId })),
        );
        if (found.nextCursor === undefined) return { items };
        return { items, nextCursor: box.seal(found.nextCursor, `${PURPOSE}/${sort}`) };
      });
    },
  };
}
