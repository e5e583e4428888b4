/**
 * Pictures of profiles: told by their bytes, cut to what makes the picture, named by their hash and kept as base64.
 * The old one goes in the transaction that brings the new one.
 */
import { fromBase64, toBase64 } from "../../kit/text/base64.ts";
import { AppError } from "../../kit/errors.ts";
import { hashBytes } from "../../kit/secrets/hash-bytes.ts";
import { writeAudit } from "../../records/audit.ts";
import { getProfile } from "../accounts/accounts.ts";
import type { Actor } from "../base/caller.ts";
import type { AuthDeps } from "../base/deps.ts";
import type { ImageMediaType } from "../../kit/pictures/image-type.ts";
import { explainOtherPicture } from "../../kit/pictures/other-pictures.ts";
import { cutPicture } from "../../kit/pictures/picture-parts.ts";
import { getPublicPerson } from "./profiles.ts";
import { avatars } from "./records.ts";
import { profiles } from "../accounts/records.ts";
import type { ProfileRecord } from "../accounts/schema.ts";

/** The largest picture. */
export const AVATAR_MAX_BYTES = 524_288;
/** The most pixels each way: what a browser decodes without trouble. */
const AVATAR_MAX_PIXELS = 4_096;

export interface Picture {
  readonly mediaType: ImageMediaType;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface PublicAvatar {
  readonly mediaType: ImageMediaType;
  /** SHA-256, hex. */
  readonly hash: string;
  /** Decodes the picture; not needed by who has it already. */
  readBytes(): Uint8Array<ArrayBuffer>;
}

/** The id of a picture's record. */
export function avatarId(userId: string, hash: string): string {
  return `${userId}:${hash}`;
}

/** The bytes to keep of a picture. Throws `too_large`, `invalid`. */
function takePicture({ mediaType, bytes }: Picture): Uint8Array<ArrayBuffer> {
  if (bytes.length > AVATAR_MAX_BYTES) {
    throw new AppError("too_large", `The picture is too large. The maximum is ${AVATAR_MAX_BYTES} bytes`, {
      details: { limitBytes: AVATAR_MAX_BYTES },
    });
  }
  const image = cutPicture(bytes);
  if (image === undefined) throw new AppError("invalid", explainOtherPicture(bytes));
  if (image.mediaType !== mediaType)
    throw new AppError("invalid", `The body is ${image.mediaType}, but Content-Type is ${mediaType}`);
  const { width, height } = image;
  if (Math.min(width, height) < 1 || Math.max(width, height) > AVATAR_MAX_PIXELS) {
    throw new AppError(
      "invalid",
      `The picture is ${width} × ${height} pixels. Width and height must be 1 to ${AVATAR_MAX_PIXELS} pixels`,
    );
  }
  return image.bytes;
}

export type Avatars = ReturnType<typeof createAvatars>;

/** Creates the logic of pictures. */
export function createAvatars(deps: Pick<AuthDeps, "store" | "clock" | "expiry">) {
  const { store, clock, expiry } = deps;
  return {
    /** Sets the picture of the account. Throws `too_large`, and `invalid` for an unsupported picture. */
    put: async (userId: string, picture: Picture): Promise<ProfileRecord> => {
      const bytes = takePicture(picture);
      const hash = await hashBytes(bytes);
      const base64 = toBase64(bytes);
      return store.transact(async (tx) => {
        const { avatarHash, ...profile } = await getProfile(tx, userId);
        if (avatarHash === hash) return { ...profile, avatarHash };
        if (avatarHash !== undefined) await tx.remove(avatars, avatarId(userId, avatarHash));
        await tx.insert(avatars, { id: avatarId(userId, hash), mediaType: picture.mediaType, base64 });
        return tx.put(profiles, {
          ...profile,
          avatarHash: hash,
          updatedAt: clock.now(),
          editVersion: profile.editVersion + 1,
        });
      });
    },
    /** Removes the picture, if there is one; `actor` is the administrator who does it, for the audit. */
    remove: (userId: string, actor?: Actor): Promise<ProfileRecord> =>
      store.transact(async (tx) => {
        const { avatarHash, ...profile } = await getProfile(tx, userId);
        if (avatarHash === undefined) return profile;
        if (actor !== undefined)
          await writeAudit(tx, { actor, action: "user.remove-picture", target: userId }, clock);
        await tx.remove(avatars, avatarId(userId, avatarHash));
        return tx.put(profiles, { ...profile, updatedAt: clock.now(), editVersion: profile.editVersion + 1 });
      }),
    /** The picture of the account, regardless of its visibility; undefined if it has none. */
    findOwn: async (userId: string): Promise<Picture | undefined> => {
      const record = await store.read(async (tx) => {
        const { avatarHash } = await getProfile(tx, userId);
        return avatarHash === undefined ? undefined : tx.get(avatars, avatarId(userId, avatarHash));
      });
      return record && { mediaType: record.mediaType, bytes: fromBase64(record.base64) };
    },
    /** The picture of a public profile. Throws `not_found`. */
    getPublic: async (username: string): Promise<PublicAvatar> => {
      const { hash, mediaType, base64 } = await store.read(async (tx) => {
        const { profile } = await getPublicPerson(tx, username, expiry.now());
        const { id, avatarHash } = profile;
        const record = avatarHash === undefined ? undefined : await tx.get(avatars, avatarId(id, avatarHash));
        if (record === undefined || avatarHash === undefined)
          throw new AppError("not_found", "This profile does not exist, is private or has no picture");
        return { ...record, hash: avatarHash };
      });
      return { hash, mediaType, readBytes: () => fromBase64(base64) };
    },
  };
}
