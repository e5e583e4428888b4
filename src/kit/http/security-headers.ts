/** Headers that tell a browser what an answer may be used for. */

/** Policy of HTML pages: everything from this origin, nothing inline, no frames around it. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
/** Of all else, which is no page and is not to be shown in one. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";
const PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";
const YEAR_SECONDS = 31_536_000;

/**
 * Makes what adds the headers that every answer carries, and the policy to those that have none of their own.
 * Where people come by https, browsers are asked to keep to it (RFC 6797), for this host alone.
 */
export function createSecurityHeaders(publicUrl: string | undefined): (headers: Headers) => void {
  const isHttps = publicUrl?.startsWith("https:") === true;
  return (headers) => {
    const type = headers.get("content-type") ?? "";
    headers.set("x-content-type-options", "nosniff");
    headers.set("referrer-policy", "same-origin");
    if (isHttps) headers.set("strict-transport-security", `max-age=${YEAR_SECONDS}`);
    // Pictures of products and people are shown by the sites of others.
    headers.set("cross-origin-resource-policy", type.startsWith("image/") ? "cross-origin" : "same-origin");
    const isPage = type.startsWith("text/html");
    if (isPage) {
      headers.set("cross-origin-opener-policy", "same-origin");
      headers.set("permissions-policy", PERMISSIONS);
    }
    if (!headers.has("content-security-policy"))
      headers.set("content-security-policy", isPage ? PAGE_POLICY : DATA_POLICY);
  };
}
