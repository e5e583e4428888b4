/** Entity tags of responses that are computed for each request. */
import type { Context } from "hono";
import { hashBytes } from "../../kit/secrets/hash-bytes.ts";
import { isKnownTag } from "../../kit/http/etag.ts";

const TAG_CHARACTERS = 32;

async function toTag(text: string): Promise<string> {
  const hash = await hashBytes(new TextEncoder().encode(text));
  return `"${hash.slice(0, TAG_CHARACTERS)}"`;
}

/** Sets ETag and Cache-Control for a body; true when the client has it already and 304 is to be answered. */
export async function isUnchanged(c: Context, body: unknown): Promise<boolean> {
  const tag = await toTag(JSON.stringify(body));
  c.header("etag", tag);
  c.header("cache-control", "no-cache");
  return isKnownTag(c.req.header("if-none-match"), tag);
}
