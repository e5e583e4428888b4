/** Where a redirect leads, and who may receive there what was meant for the first host. */
import type { Answer } from "./outbound-exchange.ts";

export interface Redirect {
  readonly url: URL;
  /** 301 to 303 turn what is no GET or HEAD into a GET without the body (RFC 9110 section 15.4). */
  readonly method: string;
}

/** Where an answer leads; undefined when it leads nowhere. */
export function findRedirect(
  { status, location }: Pick<Answer, "status" | "location">,
  { url, method }: { url: URL; method: string },
): Redirect | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  if (!URL.canParse(location, url)) return undefined;
  const keepsMethod = status > 303 || ["GET", "HEAD"].includes(method);
  return { url: new URL(location, url), method: keepsMethod ? method : "GET" };
}

/** Whether what was meant for one may be sent to the other: the same origin, or the same host with TLS. */
export function isSameParty(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true;
  const isUpgrade = from.protocol === "http:" && to.protocol === "https:";
  return isUpgrade && from.hostname === to.hostname && from.port === "" && to.port === "";
}
