/** Bytes that are compared with their name when they are read, so that what a failing disk made of a picture is never served. */
import { AppError } from "../../kit/errors.ts";
import { hashBytes } from "../../kit/secrets/hash-bytes.ts";
import type { Log } from "../../kit/observe/log.ts";
import type { Blobs } from "../base/blobs.ts";

/** The bytes are not those of the name; keeping them again mends it. */
export class DamagedPicture extends AppError {
  constructor() {
    super("store_unavailable", "The image is damaged. The shop must upload it again");
  }
}

/** Puts the check before blobs. Reading throws {@link DamagedPicture}. */
export function createVerifiedBlobs(blobs: Blobs, log: Log): Blobs {
  const damaged = new Set<string>();
  return {
    put: async (hash, bytes) => {
      // Blobs keep what has a name already: the damaged bytes have to go first.
      if (damaged.has(hash)) await blobs.remove(hash);
      await blobs.put(hash, bytes);
      damaged.delete(hash);
    },
    get: async (hash) => {
      const bytes = await blobs.get(hash);
      if (bytes === undefined || (await hashBytes(bytes)) === hash) return bytes;
      damaged.add(hash);
      log.error("An image is damaged. Restore it from a backup, or upload it again", { picture: hash });
      throw new DamagedPicture();
    },
    remove: async (hash) => {
      await blobs.remove(hash);
      damaged.delete(hash);
    },
  };
}
