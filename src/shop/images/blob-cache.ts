/** Recently used pictures, in front of slow storage. */
import type { Blobs } from "../base/blobs.ts";

/** Puts a cache of `maxBytes` before blobs; what is under a hash never changes, so nothing in it grows old. */
export function createBlobCache(blobs: Blobs, { maxBytes }: { readonly maxBytes: number }): Blobs {
  /** The one used longest ago first. */
  const kept = new Map<string, Uint8Array<ArrayBuffer>>();
  const reading = new Map<string, Promise<Uint8Array<ArrayBuffer> | undefined>>();
  let size = 0;

  function forget(hash: string): void {
    size -= kept.get(hash)?.length ?? 0;
    kept.delete(hash);
  }

  function keep(hash: string, bytes: Uint8Array<ArrayBuffer>): void {
    forget(hash);
    if (bytes.length > maxBytes) return;
    kept.set(hash, bytes);
    size += bytes.length;
    for (const oldest of kept.keys()) {
      if (size <= maxBytes) return;
      forget(oldest);
    }
  }

  function read(hash: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const known = reading.get(hash);
    if (known !== undefined) return known;
    const work = blobs.get(hash).finally(() => reading.delete(hash));
    reading.set(hash, work);
    return work;
  }

  return {
    put: (hash, bytes) => blobs.put(hash, bytes),
    get: async (hash) => {
      const bytes = kept.get(hash) ?? (await read(hash));
      if (bytes !== undefined) keep(hash, bytes);
      return bytes;
    },
    remove: async (hash) => {
      await blobs.remove(hash);
      forget(hash);
    },
  };
}
