/** Whether a browser's Origin may use credentials or open sockets here. */

export interface OriginRules {
  /** Exact origins, or "*" for every origin. */
  readonly allowedOrigins: readonly string[];
  /** Where people reach the service: needed behind a proxy with TLS, and where it has a public name. */
  readonly publicUrl?: string | undefined;
}

export const ORIGIN_REMEDY = "set PUBLIC_URL to the URL of this site";

/**
 * Names that cannot be pointed at this machine from outside: reserved ones (RFC 6761, 6762, 8375, ICANN
 * 2024), and those without a dot.
 */
const LOCAL_NAME = /^[^.]+$|\.(?:localhost|local|internal|home\.arpa)$/u;
const ADDRESS = /^(?:\d+\.\d+\.\d+\.\d+|\[.+\])$/u;

/** Whether this host name cannot be pointed at the machine from outside; in lowercase, without a port. */
export function isLocalHost(hostname: string): boolean {
  return ADDRESS.test(hostname) || LOCAL_NAME.test(hostname);
}

/**
 * True when `origin` is listed, that of `publicUrl`, or that of the request itself: whole, with its scheme. A public
 * name in the Host header counts only as `publicUrl`, since any name can be pointed here (DNS rebinding), and the page
 * of the same name without TLS is another one.
 */
export function isAllowedOrigin(origin: string, request: Request, rules: OriginRules): boolean {
  if (rules.allowedOrigins.includes("*") || rules.allowedOrigins.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const known = rules.publicUrl === undefined ? undefined : new URL(rules.publicUrl);
  if (origin === known?.origin) return true;
  const { hostname } = new URL(origin);
  if (hostname === known?.hostname) return false;
  return origin === new URL(request.url).origin && isLocalHost(hostname);
}

/** True when a page was loaded from the host of the request, by any scheme: enough for public data. */
export function isSameHost(origin: string, request: Request): boolean {
  return URL.canParse(origin) && new URL(origin).host === new URL(request.url).host;
}
