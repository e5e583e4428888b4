/**
 * Text that other programs send, made storable: PostgreSQL's jsonb has no U+0000 and no lone surrogates (RFC 8259
 * section 8.2), so every store rejects records that hold them. Both become U+FFFD, as a decoder does with broken UTF-8.
 */

const UNSTORABLE = /\0|\p{Surrogate}/gu;
/** A JSON escape of either; a whole pair matches too, and costs only the walk. */
const ESCAPED = /\\u(?:0000|d[89a-f])/iu;
/** Far deeper than any real answer; JSON.parse itself knows no limit. */
const MAX_DEPTH = 500;

/** The text with U+FFFD in place of each U+0000 and lone surrogate. */
export function toStorableText(text: string): string {
  return text.replace(UNSTORABLE, "\ufffd");
}

function toStorable(value: unknown, depthLeft: number): unknown {
  if (typeof value === "string") return toStorableText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depthLeft === 0) throw new SyntaxError("The JSON is nested too deep");
  if (Array.isArray(value)) return value.map((item: unknown) => toStorable(item, depthLeft - 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [toStorableText(key), toStorable(item, depthLeft - 1)]),
  );
}

/** The value of a JSON text with storable strings and keys. @throws SyntaxError when the text is not JSON */
export function parseForeignJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return ESCAPED.test(text) ? toStorable(value, MAX_DEPTH) : value;
}
