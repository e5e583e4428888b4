/** Entity tags, and conditional requests. */
import { toBase64 } from "../text/base64.ts";

/** The entity tag of a body: the beginning of its SHA-256. */
export async function createEntityTag(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = toBase64(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
  return `"${digest.slice(0, 27).replaceAll("+", "-").replaceAll("/", "_")}"`;
}

/** Whether If-None-Match names the tag (RFC 9110 section 13.1.2: compared weakly). */
export function isKnownTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((part) => part.trim() === "*" || part.trim().replace(/^W\//u, "") === tag);
}
