/**
 * From a caller's record to a stored document, the same for every adapter: schema, JSON, deep freeze,
 * checks. What a transaction sees is exactly what a restart would read back, because every document has
 * been through JSON.
 */
import { z } from "zod";
import { type CheckDeclaration, type Collection, type StoreRecord, StoreError } from "./store.ts";
import { type Doc, readPath } from "./keys.ts";

/** Freezes a value and all below it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) {
      if (typeof member === "object" && member !== null) deepFreeze(member);
    }
  }
  return value;
}

/** True for a JSON object with a text id and a version of 1 or more. */
export function isDoc(value: unknown): value is Doc {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const id: unknown = Reflect.get(value, "id");
  const version: unknown = Reflect.get(value, "version");
  return (
    typeof id === "string" && typeof version === "number" && Number.isSafeInteger(version) && version >= 1
  );
}

/** Longest id, in bytes of UTF-8. */
const MAX_ID_BYTES = 600;

/** `JSON.stringify` writes U+0000 and lone surrogates this way, after any number of whole `\\\\`. */
const UNKEEPABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/u;

/** A document and its JSON text, as the journal line carries it. */
export interface Written {
  readonly doc: Doc;
  readonly text: string;
}

/**
 * Validates a candidate with the collection's schema and makes it a document.
 * @throws StoreError `invalid_record` when the schema refuses it
 */
export function toDocument(collection: Collection, candidate: unknown): Written {
  let parsed: StoreRecord;
  try {
    // `parse`, not `safeParse`: for a record that is valid it takes a seventh of the time.
    parsed = collection.schema.parse(candidate);
  } catch (error) {
    throw invalid(collection, candidate, `is not valid${whereOf(error)}`, error);
  }
  const text = JSON.stringify(parsed);
  // The first test is cheap; PostgreSQL keeps neither of them, so that no store takes them.
  if (text.includes("\\u") && UNKEEPABLE.test(text))
    throw invalid(collection, candidate, "holds U+0000 or half of a surrogate pair");
  const doc: unknown = JSON.parse(text);
  if (!isDoc(doc)) throw invalid(collection, candidate, "lost its id or version in the schema");
  // Every index stores the ID next to a key; see MAX_KEY_BYTES in keys.ts.
  if (doc.id.length > MAX_ID_BYTES / 3 && Buffer.byteLength(doc.id) > MAX_ID_BYTES)
    throw invalid(collection, candidate, `has an id of more than ${MAX_ID_BYTES} bytes of UTF-8`);
  return { doc: deepFreeze(doc), text };
}

function whereOf(error: unknown): string {
  const issue = error instanceof z.ZodError ? error.issues[0] : undefined;
  return issue === undefined ? "" : ` at "${issue.path.join(".")}": ${issue.message}`;
}

function invalid(collection: Collection, candidate: unknown, problem: string, cause?: unknown): StoreError {
  const id: unknown =
    typeof candidate === "object" && candidate !== null ? Reflect.get(candidate, "id") : undefined;
  const details =
    typeof id === "string" ? { collection: collection.name, id } : { collection: collection.name };
  return new StoreError("invalid_record", `A record of "${collection.name}" ${problem}`, { details, cause });
}

type Limit = number | { readonly field: string };

function limitOf(doc: Doc, limit: Limit | undefined): number | undefined {
  if (limit === undefined || typeof limit === "number") return limit;
  const value = readPath(doc, limit.field.split("."));
  return typeof value === "number" ? value : undefined;
}

function keeps(doc: Doc, check: CheckDeclaration): boolean {
  const value = readPath(doc, check.field.split("."));
  // As with SQL's NULL, a rule about an absent value is kept.
  if (typeof value !== "number") return true;
  const least = limitOf(doc, check.atLeast);
  const most = limitOf(doc, check.atMost);
  return (least === undefined || value >= least) && (most === undefined || value <= most);
}

/** @throws StoreError `check_violation` naming the first rule that the document breaks */
export function assertChecks(collection: Collection, doc: Doc): void {
  for (const [constraint, check] of Object.entries(collection.checks)) {
    if (keeps(doc, check)) continue;
    throw new StoreError(
      "check_violation",
      `Record "${doc.id}" of "${collection.name}" breaks the rule "${constraint}"`,
      {
        details: { collection: collection.name, constraint, id: doc.id },
      },
    );
  }
}

/**
 * A copy of the document with `by` added to the number at `field` and the version raised.
 * @throws StoreError `invalid_record` when there is no number at `field`
 */
export function withAdded(collection: Collection, doc: Doc, change: { field: string; by: number }): Doc {
  const path = change.field.split(".");
  const value = readPath(doc, path);
  if (typeof value !== "number" || !Number.isFinite(value + change.by)) {
    throw new StoreError(
      "invalid_record",
      `"${change.field}" of "${doc.id}" is not a number that ${change.by} can be added to`,
      {
        details: { collection: collection.name, id: doc.id },
      },
    );
  }
  const copy: Doc = { ...doc, version: doc.version + 1 };
  let node: unknown = copy;
  path.forEach((step, depth) => {
    if (typeof node !== "object" || node === null) return;
    const last = depth === path.length - 1;
    const inner: unknown = last ? value + change.by : structuredCloneShallow(Reflect.get(node, step));
    Object.defineProperty(node, step, { value: inner, enumerable: true, writable: true, configurable: true });
    node = inner;
  });
  return copy;
}

function structuredCloneShallow(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice();
  return typeof value === "object" && value !== null ? { ...value } : value;
}
