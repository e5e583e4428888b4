/** Entity tags in conditional requests. */

/** Whether If-None-Match names the tag (RFC 9110 section 13.1.2: compared weakly). */
export function isKnownTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((part) => part.trim() === "*" || part.trim().replace(/^W\//u, "") === tag);
}
