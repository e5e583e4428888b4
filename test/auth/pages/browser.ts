/** A browser without a screen: keeps cookies, follows nothing, and says with each form that a page of the site sent it. */
import assert from "node:assert/strict";
import type { TestApp } from "../app-fixture.ts";

export interface Browser {
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Sends a form from a page of the site, unless `headers` say otherwise. */
  post(
    path: string,
    fields: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>;
  readonly cookies: Map<string, string>;
}

/** Where a redirect of a form leads. */
export function locationOf(response: Response): string {
  assert.equal(response.status, 303);
  return response.headers.get("location") ?? "";
}

export interface BrowserOptions {
  readonly from?: string;
  readonly userAgent?: string;
  /** False for one that refuses cookies. */
  readonly keepsCookies?: boolean;
}

/** A request as it is sent; the headers as pairs. */
interface SentRequest {
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
}

/** Opens one. Its first page gives it the cookie that every visitor has. */
export function createBrowser(app: TestApp, options: BrowserOptions = {}): Browser {
  const {
    from = "192.0.2.1",
    userAgent = "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
    keepsCookies = true,
  } = options;
  const cookies = new Map<string, string>();

  async function send(path: string, init: SentRequest): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await app.raw(path, {
      ...init,
      from,
      headers: {
        accept: "text/html,application/xhtml+xml",
        "user-agent": userAgent,
        ...(cookie === "" ? {} : { cookie }),
        ...init.headers,
      },
    });
    for (const line of keepsCookies ? response.headers.getSetCookie() : []) {
      const [pair = "", ...attributes] = line.split("; ");
      const at = pair.indexOf("=");
      const name = pair.slice(0, at);
      if (attributes.includes("Max-Age=0")) cookies.delete(name);
      else cookies.set(name, pair.slice(at + 1));
    }
    return response;
  }

  return {
    cookies,
    get: (path, headers = {}) => send(path, { headers: { ...headers } }),
    post: (path, fields, headers = { "sec-fetch-site": "same-origin" }) =>
      send(path, {
        method: "POST",
        headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
        body: new URLSearchParams(fields).toString(),
      }),
  };
}

/** Signs a user in with the form. */
export async function signIn(browser: Browser, username: string, password: string): Promise<Response> {
  await browser.get("/sign-in");
  return browser.post("/sign-in", { identifier: username, password });
}
