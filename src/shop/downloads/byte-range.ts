/** The Range field of a request (RFC 9110 section 14): one range of bytes; several at once are answered with the whole. */

/** Bytes of a content, both inclusive. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** The requested part of a content, or the whole; "unsatisfiable" if the part begins after the end. */
export type WantedBytes = ByteRange | "whole" | "unsatisfiable";

const ONE_RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/u;

/** Reads the field for a content of `sizeBytes`. What is malformed or of another unit is ignored (section 14.2). */
export function parseByteRange(field: string | undefined, sizeBytes: number): WantedBytes {
  const [, from = "", to = ""] = ONE_RANGE.exec(field?.replaceAll(/[ \t]/gu, "").toLowerCase() ?? "") ?? [];
  if (from === "" && to === "") return "whole";
  if (from === "") {
    const length = Math.min(Number(to), sizeBytes);
    return length === 0 ? "unsatisfiable" : { first: sizeBytes - length, last: sizeBytes - 1 };
  }
  const first = Number(from);
  const last = to === "" ? sizeBytes - 1 : Number(to);
  if (last < first && to !== "") return "whole";
  return first >= sizeBytes ? "unsatisfiable" : { first, last: Math.min(last, sizeBytes - 1) };
}

/** The range that counts: without If-Range, or when it names this very content (RFC 9110 section 13.1.5: compared strongly). */
export function findWantedBytes(
  headers: { readonly range: string | undefined; readonly ifRange: string | undefined },
  content: { readonly tag: string; readonly sizeBytes: number },
): WantedBytes {
  const { range, ifRange } = headers;
  if (ifRange !== undefined && ifRange.trim() !== content.tag) return "whole";
  return parseByteRange(range, content.sizeBytes);
}
