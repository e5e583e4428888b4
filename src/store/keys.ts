/** Index keys: reading index fields out of a document and ordering keys as store.ts promises. */
import { type IndexRange, type IndexValue, StoreError } from "./store.ts";

/** A JSON object as the journal keeps it: what the collection's schema returned, deeply frozen. */
export interface Doc {
  readonly id: string;
  readonly version: number;
  readonly [field: string]: unknown;
}

/** Sorts after every value, so that `[...prefix, TOP]` ends all keys that start with `prefix`. */
const TOP = null;
export type KeyPart = IndexValue | typeof TOP;
export type Key = readonly KeyPart[];

function rank(part: KeyPart): number {
  if (typeof part === "string") return 2;
  if (typeof part === "number") return 1;
  return part === TOP ? 3 : 0;
}

function compareParts(a: KeyPart, b: KeyPart): number {
  // The usual case first: this runs a dozen times for every step down a tree.
  if (typeof a === typeof b && a !== TOP && b !== TOP) return a < b ? -1 : 1;
  return rank(a) - rank(b);
}

/** Orders keys part by part; a key that another starts with comes first. */
export function compareKeys(a: Key, b: Key): number {
  const length = a.length < b.length ? a.length : b.length;
  for (let i = 0; i < length; i += 1) {
    const left = a[i];
    const right = b[i];
    if (left !== right) return compareParts(left ?? TOP, right ?? TOP);
  }
  return a.length - b.length;
}

/** PostgreSQL keeps no U+0000 and refuses statements with one: no record has it in its id or in an index. */
export function holdsNul(value: unknown): boolean {
  return typeof value === "string" && value.includes("\0");
}

/** Orders ids by UTF-16 code unit. */
export function compareIds(a: string, b: string): number {
  return a < b ? -1 : a === b ? 0 : 1;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** The value at a path, or undefined when any step is missing. Only own members count. */
export function readPath(document: unknown, path: readonly string[]): unknown {
  let value: unknown = document;
  for (const step of path) {
    if (!isRecord(value) || !Object.hasOwn(value, step)) return undefined;
    value = value[step];
  }
  return value;
}

/** An index's declaration with its paths split once. */
export interface IndexShape {
  readonly name: string;
  readonly paths: readonly (readonly string[])[];
}

/** Splits the dotted paths of a declaration. */
export function toShapes(indexes: Readonly<Record<string, readonly string[]>>): IndexShape[] {
  return Object.entries(indexes).map(([name, fields]) => ({
    name,
    paths: fields.map((field) => field.split(".")),
  }));
}

/**
 * The document's key in an index, or undefined when a field is absent or null (sparse).
 * @throws StoreError `invalid_record` when a field holds an object or a list
 */
export function keyOf(document: Doc, shape: IndexShape): IndexValue[] | undefined {
  const key: IndexValue[] = [];
  let bytesAtMost = 0;
  for (const path of shape.paths) {
    const value = path.length === 1 ? document[path[0] ?? ""] : readPath(document, path);
    if (value === undefined || value === null) return undefined;
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") {
      throw new StoreError(
        "invalid_record",
        `"${path.join(".")}" cannot be indexed: it is not a plain value`,
        {
          details: { constraint: shape.name, id: document.id },
        },
      );
    }
    if (typeof value === "string") bytesAtMost += value.length * 3;
    key.push(value);
  }
  if (bytesAtMost > MAX_KEY_BYTES && keyBytes(key) > MAX_KEY_BYTES) {
    const message = `"${shape.paths.map((path) => path.join(".")).join('", "')}" is too long to be indexed: ${MAX_KEY_BYTES} bytes of UTF-8 at most`;
    throw new StoreError("invalid_record", message, {
      details: { constraint: shape.name, id: document.id },
    });
  }
  return key;
}

/** Whether a change leaves a document's key in an index as it is: most changes leave most keys, and nothing is made to see it. */
export function hasSameKey(before: Doc | undefined, after: Doc | undefined, { paths }: IndexShape): boolean {
  if (before === undefined || after === undefined) return false;
  return paths.every((path) => readPath(before, path) === readPath(after, path));
}

/** Longest texts of a key together; a B-tree page of PostgreSQL takes 2,704 bytes an entry, its id included. */
const MAX_KEY_BYTES = 2_000;

function keyBytes(key: readonly IndexValue[]): number {
  return key.reduce<number>((sum, part) => sum + (typeof part === "string" ? Buffer.byteLength(part) : 0), 0);
}

export interface Bounds {
  /** Inclusive. */
  readonly low: Key;
  /** Exclusive. */
  readonly high: Key;
}

/**
 * Turns a range into two keys. A shorter key sorts before all keys that start with it, which makes both ends
 * right.
 */
export function toBounds(range: IndexRange): Bounds {
  const prefix = range.prefix ?? [];
  return {
    low: [...prefix, ...(range.from ?? [])],
    high: range.to === undefined ? [...prefix, TOP] : [...prefix, ...range.to],
  };
}
