/** Random bytes in small pieces. */

const POOL_BYTES = 4_096;

let pool = Buffer.alloc(0);
let used = 0;

/** `count` random bytes, at most 4,096, that are given out once. Cryptographically strong. */
export function takeRandomBytes(count: number): Buffer {
  if (used + count > pool.length) {
    // A new one each time: what was given out stays untouched.
    pool = Buffer.from(crypto.getRandomValues(new Uint8Array(POOL_BYTES)).buffer);
    used = 0;
  }
  const bytes = pool.subarray(used, used + count);
  used += count;
  return bytes;
}
