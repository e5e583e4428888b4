/**
 * Page cursors: the last index key of a page, opaque to callers. A cursor names a place, not a record,
 * so it stays valid while records come and go.
 */
import { holdsNul } from "./keys.ts";
import { type IndexValue, StoreError } from "./store.ts";

function isIndexValue(value: unknown): value is IndexValue {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Writes the place after `key` in `index`. */
export function toCursor(index: string, key: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([index, ...key])).toString("base64url");
}

/**
 * Reads a cursor made for `index` with keys of `length` values.
 * @throws StoreError `bad_cursor` when it is malformed or made for another index
 */
export function parseCursor(cursor: string, expected: { index: string; length: number }): IndexValue[] {
  const bad = new StoreError("bad_cursor", "The cursor is malformed or belongs to another list");
  let parts: unknown;
  try {
    const bytes = Buffer.from(cursor, "base64url");
    // Buffer skips what is not base64url; only a cursor that we could have written is taken.
    if (bytes.toString("base64url") !== cursor) throw bad;
    parts = JSON.parse(bytes.toString("utf8"));
  } catch {
    throw bad;
  }
  if (!Array.isArray(parts) || parts.length !== expected.length + 1) throw bad;
  const values: readonly unknown[] = parts;
  const [index, ...key] = values;
  // No record has U+0000 in a key, so that no page has ended there.
  if (index !== expected.index || !key.every(isIndexValue) || key.some(holdsNul)) throw bad;
  return key;
}
