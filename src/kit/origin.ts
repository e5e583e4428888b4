/** Whether a browser's Origin may use credentials or open sockets here. Hidden here: what "same" means behind a proxy. */

export interface OriginRules {
  /** Exact origins, or "*" for every origin. */
  readonly allowedOrigins: readonly string[];
  /** Where people reach the service, when the proxy changes the Host header. */
  readonly publicUrl?: string | undefined;
}

/**
 * True when `origin` is that of the request itself, of `publicUrl`, or listed. Hosts are compared, not
 * schemes: behind a proxy that ends TLS the service sees http where the browser sees https.
 */
export function isAllowedOrigin(origin: string, request: Request, rules: OriginRules): boolean {
  if (rules.allowedOrigins.includes("*") || rules.allowedOrigins.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  if (host === new URL(request.url).host) return true;
  return rules.publicUrl !== undefined && host === new URL(rules.publicUrl).host;
}
