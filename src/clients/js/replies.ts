/** How the sign-in reads requests and answers them. */

/** A path of this application, and nothing that a browser might read as another site. */
export function toReturnPath(text: string | null): string {
  const isPath = text !== null && /^\/(?![/\\])[^\\\u0000-\u0020\u007f]*$/u.test(text);
  if (!isPath || !URL.canParse(text, "http://app.invalid")) return "/";
  const { origin, pathname, search } = new URL(text, "http://app.invalid");
  return origin === "http://app.invalid" && !pathname.startsWith("//") ? pathname + search : "/";
}

/** The value of a cookie; undefined without it. */
export function readCookie(request: Pick<Request, "headers">, name: string): string | undefined {
  for (const part of (request.headers.get("cookie") ?? "").split(";")) {
    const [key = "", ...value] = part.split("=");
    if (key.trim() === name) return value.join("=").trim();
  }
  return undefined;
}

/** Whether a person opens a page, rather than a script or a program asking. */
export function isNavigation({ method, headers }: Request): boolean {
  const mode = headers.get("sec-fetch-mode");
  if (method !== "GET" && method !== "HEAD") return false;
  return mode === null ? /\btext\/html\b/iu.test(headers.get("accept") ?? "") : mode === "navigate";
}

/** A response that is not cached. */
export function answer(
  status: number,
  headers: Record<string, string>,
  body: string | null = null,
): Response {
  return new Response(body, { status, headers: { "cache-control": "no-store", ...headers } });
}

/** A refusal for programs (RFC 9457). */
export function toProblem(status: number, code: string, headers: Record<string, string> = {}): Response {
  const body = JSON.stringify({ type: "about:blank", status, code });
  return answer(status, { "content-type": "application/problem+json", ...headers }, body);
}

/** A page of a few words; they are all fixed texts. */
export function toPage(status: number, text: string, again: string): Response {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sign-in</title><h1>${text}</h1><p><a href="${again}">Sign in again</a></p></html>`;
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  };
  return answer(status, headers, page);
}
