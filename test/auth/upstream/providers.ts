/** Providers for people to come by: another center of ours, by its OpenID Connect, and a GitHub. */
import assert from "node:assert/strict";
import type { Outbound, OutboundRequest } from "../../../src/kit/outbound/outbound.ts";
import type { Store } from "../../../src/store/store.ts";
import { PASSWORD, type TestApp, createTestApp, testCaller } from "../app-fixture.ts";
import { type Browser, createBrowser, signIn } from "../pages/browser.ts";

export const CENTER = "https://accounts.example.org";
export const UPSTREAM = "https://login.example.com";
const REDIRECT_URI = `${CENTER}/sign-in/with/other/callback`;

/** What answers for an origin. */
type Site = (request: Request) => Promise<Response> | Response;

/** Outbound HTTP that ends at sites of this process; any other host does not answer. */
export function createOutboundTo(
  sites: ReadonlyMap<string, Site>,
): Outbound & { readonly sent: OutboundRequest[] } {
  const sent: OutboundRequest[] = [];
  return {
    sent,
    send: async (request) => {
      sent.push(request);
      const { url, method, headers, body, contentType } = request;
      const site = sites.get(new URL(url).origin);
      if (site === undefined)
        return { kind: "failed", reason: `"${new URL(url).host}" refused the connection` };
      const type: Record<string, string> = contentType === undefined ? {} : { "content-type": contentType };
      const answer = await site(
        new Request(url, { method, headers: { ...headers, ...type }, body: body ?? null }),
      );
      return {
        kind: "answered",
        status: answer.status,
        text: await answer.text(),
        contentType: answer.headers.get("content-type") ?? "",
      };
    },
  };
}

/** Both centers, and what lies between them. */
export interface Pair {
  /** Where people want an account. */
  readonly center: TestApp;
  /** Where they have one. */
  readonly upstream: TestApp;
  readonly sites: Map<string, Site>;
  readonly sent: OutboundRequest[];
  /** A user's browser, as each of both sees it. */
  browse(): { here: Browser; there: Browser };
}

/** One of our centers as a provider for others, with a user who has an account there. */
export async function createUpstream(): Promise<{ app: TestApp; secret: string }> {
  const app = await createTestApp({ publicUrl: UPSTREAM });
  const client = await app.admin("POST", "/api/admin/clients", {
    id: "center",
    name: "Center",
    redirectUris: [REDIRECT_URI],
  });
  await app.signUp("ann", { displayName: "Ann Li" });
  const { secret } = await client.json();
  return { app, secret };
}

/** Creates a center, with another one set up there as "other". */
export async function createPair(
  { app: upstream, secret }: { app: TestApp; secret: string },
  options: { store?: Store; fields?: object } = {},
): Promise<Pair> {
  const sites = new Map<string, Site>();
  sites.set(UPSTREAM, async (request) => {
    const { pathname, search } = new URL(request.url);
    const body = request.method === "POST" ? await request.text() : null;
    return upstream.raw(pathname + search, { method: request.method, headers: request.headers, body });
  });
  const outbound = createOutboundTo(sites);
  const { store } = options;
  const center = await createTestApp({
    publicUrl: CENTER,
    outbound,
    ...(store === undefined ? {} : { store }),
  });
  const made = await center.admin("POST", "/api/admin/upstreams", {
    id: "other",
    title: "Other",
    clientId: "center",
    issuer: UPSTREAM,
    secret,
    ...options.fields,
  });
  assert.equal(made.status, 201);
  assert.equal((await made.json()).redirectUri, REDIRECT_URI);
  const { sent } = outbound;
  return {
    center,
    upstream,
    sites,
    sent,
    browse: () => ({ here: createBrowser(center), there: createBrowser(upstream) }),
  };
}

const pathOf = (url: string): string => new URL(url).pathname + new URL(url).search;

/** Links the account of an access token with an identity at the provider "other". */
export async function linkIdentity(app: TestApp, accessToken: string): Promise<void> {
  const subject = (await app.auth.sessions.find(accessToken)) ?? assert.fail("No session");
  const identity = { upstreamId: "other", issuer: UPSTREAM, subject: "usr_1", isEmailProved: false };
  await app.auth.links.link(subject, { identity, caller: testCaller });
}

/** Begins at the center; resolves with the URL at the provider. */
export async function begin(here: Browser, path = "/sign-in/with/other"): Promise<URL> {
  await here.get("/sign-in");
  const gone = await here.get(path);
  assert.equal(gone.status, 302, await gone.clone().text());
  return new URL(gone.headers.get("location") ?? "");
}

/** Signs a user in at the provider, which redirects back; resolves with the path of the callback. */
export async function signInThere(there: Browser, asked: URL, username = "ann"): Promise<string> {
  if (![...there.cookies.keys()].some((name) => name.endsWith("trivet_session")))
    await signIn(there, username, PASSWORD);
  const back = await there.get(asked.pathname + asked.search, { "sec-fetch-site": "cross-site" });
  return pathOf(back.headers.get("location") ?? "");
}

/** All the way: from the center to the provider and back. */
export async function comeBy(
  { here, there }: { here: Browser; there: Browser },
  path?: string,
): Promise<Response> {
  return here.get(await signInThere(there, await begin(here, path)), { "sec-fetch-site": "cross-site" });
}
