/** Authorization requests that are sent ahead (RFC 9126). */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type Browser } from "../pages/browser.ts";
import { type Party, type Suite, ISSUER, REDIRECT, openSuite } from "./conformance/suite.ts";

/** As long as a field may be. */
const LONG = "x".repeat(2_000);

let suite: Suite;
let party: Party;
let browser: Browser;

beforeEach(async () => {
  suite = await openSuite();
  party = await suite.register("notes");
  browser = await suite.openBrowser();
});

async function push(
  fields: Readonly<Record<string, string>>,
  { id, secret }: Pick<Party, "id" | "secret"> = party,
): Promise<{ status: number; body: Record<string, string | number> }> {
  const response = await suite.center.fetch("/oauth/par", {
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      authorization: `Basic ${btoa(`${id}:${secret}`)}`,
    },
    body: new URLSearchParams(fields).toString(),
  });
  assert.equal(response.headers.get("cache-control"), "no-store");
  return { status: response.status, body: await response.json() };
}

const request = (): Record<string, string> => Object.fromEntries(party.toRequest().searchParams);

/** Where a browser comes that brings nothing but the address of a request. */
const bring = (uri: string | number | undefined, clientId = "notes") =>
  suite.travel(
    browser,
    `${ISSUER}/oauth/authorize?${new URLSearchParams({ client_id: clientId, request_uri: String(uri) }).toString()}`,
  );

describe("pushed authorization requests", () => {
  it("sign in with what was pushed, once, for a minute, and for their application alone", async () => {
    await suite.register("other");
    const { status, body } = await push(request());
    assert.equal(status, 201);
    assert.equal(body["expires_in"], 60);
    assert.match(String(body["request_uri"]), /^urn:ietf:params:oauth:request_uri:par_[\w-]{43}$/u);
    assert.equal((await bring(body["request_uri"], "other")).status, 400);
    const { callback } = await bring(body["request_uri"]);
    const { claims } = await party.redeem(callback ?? assert.fail("No answer"));
    assert.equal(claims.aud, "notes");
    assert.equal((await bring(body["request_uri"])).status, 400);
    const late = await push(request());
    suite.center.clock.advance(60_000);
    assert.equal((await bring(late.body["request_uri"])).status, 400);
  });

  it("wait for the sign-in of who is not signed in yet", async () => {
    const { body } = await push(request());
    browser = await suite.openBrowser(false);
    const { callback, seen } = await bring(body["request_uri"]);
    assert.deepEqual(seen, ["/sign-in"]);
    assert.equal((await party.redeem(callback ?? assert.fail("No answer"))).claims.aud, "notes");
  });

  it("stay out of the browser's address on the whole way, and ask for what the address cannot take out", async () => {
    const { body } = await push({ ...request(), prompt: "login", max_age: "60", state: "secret-state" });
    const path = `/oauth/authorize?${new URLSearchParams({ client_id: "notes", request_uri: String(body["request_uri"]) }).toString()}`;
    const toBack = async (from: string): Promise<string> => {
      const answer = await browser.get(from);
      assert.equal(answer.status, 303);
      const to = answer.headers.get("location") ?? "";
      assert.match(to, /^\/account\/confirm\?/u);
      return new URL(to, ISSUER).searchParams.get("rd") ?? "";
    };
    suite.center.clock.advance(1_000);
    const back = await toBack(path);
    const { searchParams } = new URL(back, ISSUER);
    assert.deepEqual([...searchParams.keys()].toSorted(), ["client_id", "request_uri"]);
    // Neither the way back without a proof nor other parameters beside it make up for the sign-in.
    for (const more of ["", "&prompt=none", "&max_age=9999", "&chosen=1"]) await toBack(back + more);
    const proved = await suite.travel(browser, ISSUER + path);
    assert.deepEqual(proved.seen, ["/account/confirm"]);
    const callback = proved.callback ?? assert.fail("No answer");
    assert.equal(callback.searchParams.get("state"), "secret-state");
  });

  it("are chosen an account for once, and shown with the name that they expect", async () => {
    suite.center.clock.advance(1_000);
    const { body } = await push({ ...request(), prompt: "select_account", login_hint: "bob" });
    const path = `/oauth/authorize?${new URLSearchParams({ client_id: "notes", request_uri: String(body["request_uri"]) }).toString()}`;
    const choice = await (await browser.get(path)).text();
    const [, href = ""] = /class="button primary wide" href="([^"]+)"/u.exec(choice) ?? [];
    assert.match(href, /request_uri=.*&amp;chosen=1$/u);
    const signedOut = await suite.openBrowser(false);
    const away = await signedOut.get(path);
    const page = await (await signedOut.get(away.headers.get("location") ?? "")).text();
    assert.match(page, /value="bob"/u);
    const went = await suite.travel(browser, ISSUER + href.replaceAll("&amp;", "&"));
    assert.ok(went.callback?.searchParams.has("code"));
  });

  it("give one code, however many browsers bring them at once", async () => {
    const { body } = await push(request());
    const path = `/oauth/authorize?${new URLSearchParams({ client_id: "notes", request_uri: String(body["request_uri"]) }).toString()}`;
    const answers = await Promise.all(Array.from({ length: 16 }, () => browser.get(path)));
    assert.equal(answers.filter(({ status }) => status !== 400).length, 1);
  });

  it("may be required of an application", async () => {
    await suite.center.admin("PATCH", "/api/admin/clients/notes", { requirePushedRequests: true });
    const { callback } = await suite.travel(browser, party.toRequest());
    const answer = callback ?? assert.fail("No answer");
    assert.equal(answer.searchParams.get("error"), "invalid_request");
    assert.match(answer.searchParams.get("error_description") ?? "", /\/oauth\/par first/u);
    const { body } = await push(request());
    assert.ok((await bring(body["request_uri"])).callback?.searchParams.has("code"));
  });

  it("are refused with what is wrong, before a browser comes with them", async () => {
    for (const [changed, error] of [
      [{ redirect_uri: `${REDIRECT}/` }, "invalid_request"],
      [{ request_uri: "urn:x" }, "invalid_request"],
      [{ response_type: "token" }, "unsupported_response_type"],
      [{ code_challenge: "x" }, "invalid_request"],
      [{ login_hint: LONG, ui_locales: LONG, id_token_hint: LONG }, "invalid_request"],
    ] as const) {
      const { status, body } = await push({ ...request(), ...changed });
      assert.deepEqual([status, body["error"]], [400, error], JSON.stringify(changed).slice(0, 80));
    }
    const { status, body } = await push(request(), { id: "notes", secret: "wrong" });
    assert.deepEqual([status, body["error"]], [401, "invalid_client"]);
  });

  it("are limited per address, since anyone can use a public application's name", async () => {
    await suite.center.admin("PATCH", "/api/admin/clients/notes", { clientType: "public" });
    const body = new URLSearchParams({ ...request(), client_id: "notes" }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const statuses = new Set<number>();
    for (let count = 0; count < 61; count += 1)
      statuses.add((await suite.center.fetch("/oauth/par", { method: "POST", headers, body })).status);
    // Without PKCE, which a public application needs: refused for that, and then not read at all.
    assert.deepEqual([...statuses], [400, 429]);
  });
});
