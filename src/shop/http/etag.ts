/** Entity tags of answers that are made anew each time. Hidden here: that the tag is a hash of the body, and what If-None-Match means. */
import type { Context } from "hono";
import { hashBytes } from "../../kit/hash-bytes.ts";

const TAG_CHARACTERS = 32;

async function toTag(text: string): Promise<string> {
  const hash = await hashBytes(new TextEncoder().encode(text));
  return `"${hash.slice(0, TAG_CHARACTERS)}"`;
}

/** Whether If-None-Match names the tag (RFC 9110 section 13.1.2: compared weakly). */
export function isKnownTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((part) => part.trim() === "*" || part.trim().replace(/^W\//u, "") === tag);
}

/** Sets ETag and Cache-Control for a body; true when the client has it already and 304 is to be answered. */
export async function isUnchanged(c: Context, body: unknown): Promise<boolean> {
  const tag = await toTag(JSON.stringify(body));
  c.header("etag", tag);
  c.header("cache-control", "no-cache");
  return isKnownTag(c.req.header("if-none-match"), tag);
}
