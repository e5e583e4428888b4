/** How much of the chat's pictures one user may send: in a day, whatever becomes of them, and in all. */
import { AppError } from "../../kit/errors.ts";
import { pagesOf } from "../../store/every-page.ts";
import type { ReadTx } from "../../store/store.ts";
import { attachments } from "./records.ts";
import { readSite } from "../site/settings.ts";

/** For how long a picture counts, also one that was removed. */
export const QUOTA_DAY_MS = 86_400_000;
const MEBIBYTE = 1_048_576;

interface Share {
  pictures: number;
  bytes: number;
}

/** A user's pictures within the last day, and the total. */
async function readShares(tx: ReadTx, userId: string, nowMs: number): Promise<{ day: Share; all: Share }> {
  const day = { pictures: 0, bytes: 0 };
  const all = { pictures: 0, bytes: 0 };
  const add = (share: Share, bytes: number): void => {
    share.pictures += 1;
    share.bytes += bytes;
  };
  const walk = { index: "byUploader", range: { prefix: [userId] } } as const;
  for await (const page of pagesOf(tx, attachments, walk))
    for (const { bytes, createdAt, removedAt } of page) {
      if (createdAt > nowMs - QUOTA_DAY_MS) add(day, bytes);
      if (removedAt === undefined) add(all, bytes);
    }
  return { day, all };
}

/** Throws `conflict` when a picture of so many bytes would be more than a user may have sent. */
export async function assertQuota(
  tx: ReadTx,
  { userId, bytes, nowMs }: { readonly userId: string; readonly bytes: number; readonly nowMs: number },
): Promise<void> {
  const quota = (await readSite(tx)).chatQuota;
  const { day, all } = await readShares(tx, userId, nowMs);
  const isFull = (share: Share, pictures: number, megabytes: number): boolean =>
    share.pictures >= pictures || share.bytes + bytes > megabytes * MEBIBYTE;
  if (isFull(all, quota.pictures, quota.megabytes))
    throw new AppError(
      "conflict",
      `You have reached the storage limit for images: ${quota.pictures} images or ${quota.megabytes} MiB in total`,
    );
  if (isFull(day, quota.picturesPerDay, quota.megabytesPerDay))
    throw new AppError(
      "conflict",
      `You have reached the daily limit for images: ${quota.picturesPerDay} images or ${quota.megabytesPerDay} MiB`,
    );
}
