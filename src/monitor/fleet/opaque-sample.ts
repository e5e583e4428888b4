/** The public part of a report of an unknown shape: some of its numbers, under plain names, and no text. */
type JsonObject = Readonly<Record<string, unknown>>;

/** Whether parsed JSON is an object. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A name that can hold neither a sentence nor markup. */
const NAME = /^[A-Za-z][\w.-]{0,39}$/u;
const MAX_DEPTH = 4;
/** Numbers, booleans and objects. */
const MAX_VALUES = 200;
/** As JSON; names and numbers are ASCII. */
const MAX_BYTES = 4 * 1024;
/** Quotes, colon, comma, and the braces of an object. */
const PUNCTUATION_BYTES = 6;

/** Numbers and booleans of `source`; its texts could be anything, so they stay private. */
export function pickOpaque(source: JsonObject): Record<string, unknown> {
  let values = MAX_VALUES;
  let bytes = MAX_BYTES - 2;
  function spend(name: string, text: string): boolean {
    const size = name.length + text.length + PUNCTUATION_BYTES;
    if (values <= 0 || size > bytes) return false;
    values -= 1;
    bytes -= size;
    return true;
  }
  function walk(object: JsonObject, depth: number): Record<string, unknown> {
    const kept: Record<string, unknown> = {};
    for (const name in object) {
      if (values <= 0) break;
      if (!NAME.test(name)) continue;
      const value = object[name];
      if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) {
        if (spend(name, String(value))) kept[name] = value;
      } else if (isJsonObject(value) && depth < MAX_DEPTH && spend(name, "")) {
        const inner = walk(value, depth + 1);
        if (Object.keys(inner).length > 0) kept[name] = inner;
      }
    }
    return kept;
  }
  return walk(source, 1);
}

/** Whether people would see anything of `source`; its version alone says nothing. */
export function isOpaqueShown(source: JsonObject): boolean {
  return Object.keys(pickOpaque(source)).some((name) => name !== "v");
}
