/** The modules of the OpenID Foundation's plan oidcc-rp-initiated-logout-certification-test-plan, each as a test of its name. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import * as jose from "jose";
import type { Browser } from "../../pages/browser.ts";
import { type Party, type Suite, type Trip, AFTER_LOGOUT, ISSUER, openSuite } from "./suite.ts";

let suite: Suite;
let party: Party;
before(async () => {
  suite = await openSuite();
  party = await suite.register("suite");
});

type Changes = Readonly<Record<string, string | undefined>>;

function toLogout(hint: string | undefined, changes: Changes): URL {
  const url = new URL(suite.as.end_session_endpoint ?? assert.fail("No end_session_endpoint"));
  const all = { id_token_hint: hint, post_logout_redirect_uri: AFTER_LOGOUT, state: "s-2", ...changes };
  for (const [name, value] of Object.entries(all)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
}

/** Signs in by the application, and then comes to sign out. */
async function signOut(
  change: (hint: string) => Changes = () => ({}),
): Promise<{ browser: Browser; trip: Trip }> {
  const browser = await suite.openBrowser();
  const { id_token: hint = "" } = await party.enter(browser);
  return { browser, trip: await suite.travel(browser, toLogout(hint, change(hint))) };
}

/** What prompt=none says of the browser. */
async function askSilently(browser: Browser): Promise<string | null> {
  const { callback } = await suite.travel(browser, party.toRequest({ prompt: "none" }));
  return (callback ?? assert.fail("No answer")).searchParams.get("error");
}

/** Says yes on the page that asks. */
async function confirm(browser: Browser, { text, callback, status }: Trip): Promise<Response> {
  assert.deepEqual([status, callback], [200, undefined]);
  assert.match(text, /action="\/oauth\/logout\/confirm"/u);
  const fields = [...text.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/gu)];
  return browser.post(
    "/oauth/logout/confirm",
    Object.fromEntries(fields.map(([, name = "", value = ""]) => [name, value])),
  );
}

describe("oidcc-rp-initiated-logout", () => {
  it("oidcc-rp-initiated-logout-discovery-endpoint-verification", () => {
    assert.equal(suite.as.end_session_endpoint, `${ISSUER}/oauth/logout`);
    const text = JSON.stringify(suite.as);
    const addresses = [...text.matchAll(/"\w+_(?:endpoint|uri)":"([^"]+)"/gu)].map(([, at = ""]) => at);
    assert.ok(addresses.length > 4, text);
    for (const address of addresses) assert.match(address, /^https:/u);
  });

  it("oidcc-rp-initiated-logout", async () => {
    const { browser, trip } = await signOut();
    assert.equal(trip.callback?.href, `${AFTER_LOGOUT}?state=s-2`);
    assert.equal(await askSilently(browser), "login_required");
  });

  it("oidcc-rp-initiated-logout-no-state", async () => {
    const { browser, trip } = await signOut(() => ({ state: undefined }));
    assert.equal(trip.callback?.href, AFTER_LOGOUT);
    assert.equal(await askSilently(browser), "login_required");
  });

  it("oidcc-rp-initiated-logout-no-post-logout-redirect-uri", async () => {
    const { browser, trip } = await signOut(() => ({ post_logout_redirect_uri: undefined }));
    assert.deepEqual([trip.callback, trip.seen], [undefined, ["/signed-out"]]);
    assert.equal(await askSilently(browser), "login_required");
  });

  for (const [name, changes] of [
    ["no-params", { id_token_hint: undefined, post_logout_redirect_uri: undefined, state: undefined }],
    ["only-state", { id_token_hint: undefined, post_logout_redirect_uri: undefined }],
  ] as const)
    it(`oidcc-rp-initiated-logout-${name}`, async () => {
      const { browser, trip } = await signOut(() => changes);
      assert.equal(await askSilently(browser), null);
      const answer = await confirm(browser, trip);
      assert.deepEqual([answer.status, answer.headers.get("location")], [303, "/signed-out"]);
      assert.equal(await askSilently(browser), "login_required");
    });

  for (const [name, change] of [
    ["bad-post-logout-redirect-uri", () => ({ post_logout_redirect_uri: `${AFTER_LOGOUT}/unregistered` })],
    [
      "query-added-to-post-logout-redirect-uri",
      () => ({ post_logout_redirect_uri: `${AFTER_LOGOUT}?foo=bar` }),
    ],
    ["no-id-token-hint", () => ({ id_token_hint: undefined })],
    ["modified-id-token-hint", (hint: string) => ({ id_token_hint: toUnsigned(hint) })],
  ] as const satisfies readonly (readonly [string, (hint: string) => Changes])[])
    it(`oidcc-rp-initiated-logout-${name}`, async () => {
      const { browser, trip } = await signOut(change);
      assert.deepEqual([trip.callback, trip.status], [undefined, 400]);
      assert.equal(await askSilently(browser), null);
    });

  it("oidcc-rp-initiated-logout-bad-id-token-hint", async () => {
    const { privateKey } = await jose.generateKeyPair("RS256");
    const browser = await suite.openBrowser();
    const { claims } = await party.enter(browser);
    const { kid } = jose.decodeProtectedHeader((await party.enter(browser)).id_token ?? "");
    const forged = await new jose.SignJWT({ ...claims })
      .setProtectedHeader({ alg: "RS256", kid: kid ?? "" })
      .sign(privateKey);
    const trip = await suite.travel(browser, toLogout(forged, {}));
    assert.deepEqual([trip.callback, trip.status], [undefined, 400]);
    assert.equal(await askSilently(browser), null);
  });
});

/** The same claims under algorithm "none". */
function toUnsigned(token: string): string {
  const head = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
  return `${head}.${token.split(".")[1] ?? ""}.`;
}
