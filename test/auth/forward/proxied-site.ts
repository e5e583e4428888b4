/** A site behind a proxy that asks the auth center, seen by a browser: what the proxy asks, and what it passes on below /.trivet. */
import assert from "node:assert/strict";
import { type SignedIn, type TestApp, PASSWORD } from "../app-fixture.ts";
import { type Browser, createBrowser, signIn } from "../pages/browser.ts";

export const CENTER = "https://accounts.example";
export const NAVIGATION = { "sec-fetch-mode": "navigate", "sec-fetch-site": "none" };

type Headers = Readonly<Record<string, string>>;

export interface ProxiedSite {
  readonly origin: string;
  /** The browser's cookies of this site. */
  readonly browser: Browser;
  /** What the center answers the proxy about a request for `path`; a navigation unless `headers` say otherwise. */
  ask(path: string, headers?: Headers): Promise<Response>;
  /** A request below /.trivet, which the proxy passes on. */
  own(path: string, headers?: Headers): Promise<Response>;
  post(path: string, fields: Headers, headers?: Headers): Promise<Response>;
}

/** A browser's view of a site, whose proxy names the application: the first part of the host unless told. */
export function createSite(
  app: TestApp,
  options: { origin: string; application?: string; browser?: Browser; keepsCookies?: boolean },
): ProxiedSite {
  const { origin, application, keepsCookies = true } = options;
  const browser = options.browser ?? createBrowser(app, { keepsCookies });
  const { protocol, host, hostname } = new URL(origin);
  const name = application ?? hostname.split(".")[0] ?? "";
  const toHeaders = (path: string, headers: Headers): Headers => ({
    "x-forwarded-proto": protocol.slice(0, -1),
    "x-forwarded-host": host,
    "x-forwarded-uri": path,
    "x-forwarded-method": "GET",
    ...headers,
  });
  return {
    origin,
    browser,
    ask: (path, headers = NAVIGATION) => browser.get(`/api/auth/forward/${name}`, toHeaders(path, headers)),
    own: (path, headers = NAVIGATION) => browser.get(path, toHeaders(path, headers)),
    post: (path, fields, headers = { "sec-fetch-site": "same-origin" }) =>
      browser.post(path, fields, toHeaders(path, headers)),
  };
}

/** Where an answer leads by redirect, below `origin`; what it leads to elsewhere is a fault. */
export function pathAt(origin: string, response: Response): string {
  const to =
    response.headers.get("location") ?? response.headers.get("refresh")?.replace("0; url=", "") ?? "";
  assert.ok(to.startsWith(`${origin}/`), to);
  return to.slice(origin.length);
}

/** Signs in at the center, like a visitor of a site; resolves with the way back, without its origin. */
export async function passCenter(
  { center, site }: { center: Browser; site: ProxiedSite },
  begun: Response,
): Promise<string> {
  assert.equal(begun.status, 302);
  const rd = new URL(pathAt(CENTER, begun), CENTER).searchParams.get("rd") ?? "";
  const left = await center.get(rd, { "sec-fetch-site": "cross-site" });
  assert.equal(left.status, 302, await left.clone().text());
  return pathAt(site.origin, left);
}

/** The whole way: to the sign-in, back with a code, and in. */
export async function enter(parts: { center: Browser; site: ProxiedSite }, path: string): Promise<Response> {
  const back = await passCenter(parts, await parts.site.ask(path));
  return parts.site.own(back);
}

/** A browser that is signed in at the center. */
export async function openCenter(app: TestApp, person: SignedIn): Promise<Browser> {
  const browser = createBrowser(app);
  assert.equal((await signIn(browser, person.user.username, PASSWORD)).status, 303);
  return browser;
}
