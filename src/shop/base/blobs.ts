/** PORT: pictures as bytes, each under the SHA-256 of its bytes, so that none is ever changed. Adapters: a folder below the data folder, or a table of PostgreSQL (src/shop/service-blobs.ts). */

export interface Blobs {
  /** Keeps the bytes; resolves when they are durable. Keeping the same again costs nothing. */
  put(hash: string, bytes: Uint8Array): Promise<void>;
  /** The bytes, undefined when there are none of this hash. */
  get(hash: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Removes the bytes, if they exist. Only for bytes that no record refers to. */
  remove(hash: string): Promise<void>;
}

/** Blobs that live as long as the process, for documents and tests. */
export function createMemoryBlobs(): Blobs {
  const kept = new Map<string, Uint8Array<ArrayBuffer>>();
  return {
    put: async (hash, bytes) => {
      kept.set(hash, new Uint8Array(bytes));
    },
    get: async (hash) => kept.get(hash),
    remove: async (hash) => {
      kept.delete(hash);
    },
  };
}
