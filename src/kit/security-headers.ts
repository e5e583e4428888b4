/** Headers that tell a browser what a page may do. */

/** Policy of HTML pages: everything from this origin, nothing inline, no frames around it. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/** Adds what every answer carries, and the policy to pages that have none of their own. */
export function addSecurityHeaders(headers: Headers): void {
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "same-origin");
  const isPage = headers.get("content-type")?.startsWith("text/html") === true;
  if (isPage && !headers.has("content-security-policy")) headers.set("content-security-policy", PAGE_POLICY);
}
