/** The original request behind the proxy, from its headers. */
import { AppError } from "../../../kit/errors.ts";
import { findReturnPath } from "../../../html/return-path.ts";

/** Below it, on the hosts of applications, proxies pass everything to the auth center. */
export const OWN_PATH = "/.trivet";

/** A request to a protected site. */
export interface Asked {
  /** Such as "https://notes.example.org". */
  readonly origin: string;
  /** The path with its query that the person wants; "/" where going back there makes no sense. */
  readonly path: string;
}

/** The longest path that the way over the sign-in keeps. */
const MAX_PATH = 1_200;
/** A name or address with or without a port; URL reads more, such as "a@b". */
const HOST = /^(?:[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/iu;
const schemes: Readonly<Record<string, string>> = { http: "http", https: "https", ws: "http", wss: "https" };

/** A path of a protected site to return to, "/" for any other text. */
export function toWantedPath(text: string | undefined): string {
  const path = findReturnPath(text) ?? "/";
  const isOwn = path === OWN_PATH || path.startsWith(`${OWN_PATH}/`);
  return isOwn || path.length > MAX_PATH ? "/" : path;
}

/** Throws `bad_request` when a header is missing or is none. */
export function readAsked(header: (name: string) => string | undefined): Asked {
  const scheme = schemes[header("x-forwarded-proto")?.toLowerCase() ?? ""];
  const host = header("x-forwarded-host") ?? "";
  const text = `${scheme}://${host}`;
  if (scheme === undefined || !HOST.test(host) || !URL.canParse(text))
    throw new AppError(
      "bad_request",
      "The proxy must send X-Forwarded-Proto (http or https) and X-Forwarded-Host (one host, with its port if needed)",
    );
  return { origin: new URL(text).origin, path: toWantedPath(header("x-forwarded-uri")) };
}
