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
  return {
    put: async (hash, bytes) => {
      const kept = await blobs.get(hash);
      // Blobs keep what has a name already: damaged bytes have to go first, also those that no one has read yet.
      if (kept !== undefined && (await hashBytes(kept)) !== hash) await blobs.remove(hash);
      await blobs.put(hash, bytes);
    },
    get: async (hash) => {
      const bytes = await blobs.get(hash);
      if (bytes === undefined || (await hashBytes(bytes)) === hash) return bytes;
      log.error("An image is damaged. Restore it from a backup, or upload it again", { picture: hash });
      throw new DamagedPicture();
    },
    remove: (hash) => blobs.remove(hash),
  };
}
