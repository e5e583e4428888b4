/** Which other origins' pages may read answers (Fetch standard, CORS). */

const EXPOSED = "ETag, Location, Retry-After, X-Device-Token, X-Request-Id";
/** Seconds that a browser may keep a preflight's answer. */
const MAX_AGE_SECONDS = "600";

function isFieldList(text: string): boolean {
  return text.length <= 1_024 && /^[!#$%&'*+.^_`|~\w-]+(?:\s?,\s?[!#$%&'*+.^_`|~\w-]+)*$/u.test(text);
}

/**
 * Allows exactly the listed origins, with credentials. "*" in the list allows every other one
 * without credentials, and `openPaths` are open to all in that way.
 */
export function createCors(allowedOrigins: readonly string[], openPaths: readonly string[] = []) {
  const listed = new Set(allowedOrigins);
  const isOpen = listed.delete("*");
  const open = new Set(openPaths);
  function admits(origin: string, path: string): boolean {
    return isOpen || listed.has(origin) || open.has(path);
  }
  return {
    /** Adds to the answer of `path` what lets the page at `origin` read it; nothing for an origin that is not listed. */
    allow: (headers: Headers, origin: string | null, path: string): void => {
      if (listed.size > 0) headers.append("vary", "Origin");
      if (origin === null || !admits(origin, path)) return;
      headers.set("access-control-allow-origin", listed.has(origin) ? origin : "*");
      if (listed.has(origin)) headers.set("access-control-allow-credentials", "true");
      headers.set("access-control-expose-headers", EXPOSED);
    },
    /** Adds to the answer of a preflight what the page may send. */
    allowPreflight: (
      headers: Headers,
      request: Request,
      { methods, path }: { methods: readonly string[]; path: string },
    ): void => {
      const origin = request.headers.get("origin");
      if (origin === null || !admits(origin, path) || !request.headers.has("access-control-request-method"))
        return;
      headers.set("access-control-allow-methods", methods.join(", "));
      const fields = request.headers.get("access-control-request-headers");
      if (fields !== null && isFieldList(fields)) headers.set("access-control-allow-headers", fields);
      headers.set("access-control-max-age", MAX_AGE_SECONDS);
    },
  };
}
