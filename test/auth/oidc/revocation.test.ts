/**
 * The end of applications' refresh tokens: revoked, used twice, used concurrently, rejected because of the request.
 */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import { type TestApp } from "../app-fixture.ts";
import type { Browser } from "../pages/browser.ts";
import { type Party, type Suite, type Tokens, openSuite } from "./conformance/suite.ts";

let suite: Suite;
let center: TestApp;
let browser: Browser;

beforeEach(async () => {
  suite = await openSuite();
  ({ center } = suite);
  browser = await suite.openBrowser();
});

const basicOf = ({ id, secret }: Party): string => `Basic ${btoa(`${id}:${secret}`)}`;

/** Status, and the error or the member of this name, of an answer to a form. */
async function post(
  path: string,
  fields: Readonly<Record<string, string>>,
  { authorization, from, member = "error" }: { authorization?: string; from?: string; member?: string } = {},
): Promise<[number, string]> {
  const response = await center.fetch(path, {
    method: "POST",
    ...(from === undefined ? {} : { from }),
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      ...(authorization === undefined ? {} : { authorization }),
    },
    body: new URLSearchParams(fields).toString(),
  });
  assert.equal(response.headers.get("cache-control"), "no-store");
  // Clients that others wrote fail on an answer that is not JSON.
  assert.match(response.headers.get("content-type") ?? "", /^application\/json\b/u);
  const text = await response.text();
  const body: Record<string, string> = text === "" ? {} : JSON.parse(text);
  return [response.status, body["error"] ?? body[member] ?? ""];
}

const isGood = async ({ access_token: token }: Tokens): Promise<boolean> => {
  const headers = { authorization: `Bearer ${token}` };
  return (await suite.askUserinfo({ method: "GET", headers })).status === 200;
};

describe("revocation by applications", () => {
  for (const format of ["opaque", "jwt"])
    it(`ends what came of one sign-in, by either token (${format}), and leaves the browser signed in`, async () => {
      const party = await suite.register("notes", { fields: { accessTokenFormat: format } });
      const authorization = basicOf(party);
      for (const kind of ["access_token", "refresh_token"] as const) {
        const tokens = await party.enter(browser);
        const other = await party.enter(browser);
        const fields = { token: tokens[kind] ?? "", token_type_hint: "refresh_token" };
        assert.deepEqual(await post("/oauth/revoke", fields, { authorization }), [200, ""]);
        assert.deepEqual([await isGood(tokens), await isGood(other)], [false, true]);
        await assert.rejects(party.renew(tokens.refresh_token ?? ""), { error: "invalid_grant" });
        assert.deepEqual(await post("/oauth/revoke", fields, { authorization }), [200, ""]);
      }
      assert.equal((await browser.get("/account")).status, 200);
    });

  it("takes no word of another application, nor of a stranger, nor for the browser's own session", async () => {
    const party = await suite.register("notes");
    const authorization = basicOf(await suite.register("other"));
    const tokens = await party.enter(browser);
    const token = tokens.refresh_token ?? "";
    assert.deepEqual(await post("/oauth/revoke", { token }, { authorization }), [400, "invalid_grant"]);
    assert.deepEqual(await post("/oauth/revoke", { token, client_id: "notes" }), [401, "invalid_client"]);
    assert.deepEqual(await post("/oauth/revoke", {}, { authorization: basicOf(party) }), [
      400,
      "invalid_request",
    ]);
    const unknown = await post("/oauth/revoke", { token: "x" }, { authorization });
    assert.deepEqual(unknown, [200, ""]);
    assert.equal(await isGood(tokens), true);
    const cookie = [...browser.cookies.values()].find((value) => value.startsWith("ref_")) ?? "";
    assert.notEqual(cookie, "");
    assert.deepEqual(await post("/oauth/revoke", { token: cookie }, { authorization: basicOf(party) }), [
      400,
      "invalid_grant",
    ]);
    assert.equal((await browser.get("/account")).status, 200);
  });

  it("takes a public application by its name, from pages of every origin", async () => {
    const party = await suite.register("spa", {
      fields: { clientType: "public", requirePkce: true },
      authenticate: () => oauth.None(),
    });
    const verifier = oauth.generateRandomCodeVerifier();
    const challenge = await oauth.calculatePKCECodeChallenge(verifier);
    const more = { code_challenge: challenge, code_challenge_method: "S256" };
    const tokens = await party.enter(browser, more, { verifier });
    const token = tokens.refresh_token ?? "";
    assert.deepEqual(await post("/oauth/revoke", { token, client_id: "spa" }), [200, ""]);
    assert.equal(await isGood(tokens), false);
    const preflight = await center.raw("/oauth/revoke", {
      method: "OPTIONS",
      headers: { origin: "https://spa.example", "access-control-request-method": "POST" },
    });
    assert.equal(preflight.headers.get("access-control-allow-origin"), "*");
  });
});

describe("refresh tokens of applications", () => {
  it("are not spent by a renewal that asks for more than was granted", async () => {
    const party = await suite.register("notes");
    const { refresh_token: token = "" } = await party.enter(browser, { scope: "openid email" });
    const fields = { grant_type: "refresh_token", refresh_token: token };
    const authorization = basicOf(party);
    const more = { ...fields, scope: "openid groups" };
    assert.deepEqual(await post("/oauth/token", more, { authorization }), [400, "invalid_scope"]);
    center.clock.advance(60_000);
    assert.deepEqual(await post("/oauth/token", more, { authorization }), [400, "invalid_scope"]);
    const [status] = await post("/oauth/token", { ...fields, scope: "email" }, { authorization });
    assert.equal(status, 200);
    // It reveals nothing about another application's token.
    const other = basicOf(await suite.register("other"));
    assert.deepEqual(await post("/oauth/token", more, { authorization: other }), [400, "invalid_grant"]);
  });

  it("of a public application rotate; one that comes again later, or from elsewhere, ends all", async () => {
    await suite.register("spa", {
      fields: { clientType: "public", requirePkce: true },
      authenticate: () => oauth.None(),
    });
    const verifier = oauth.generateRandomCodeVerifier();
    const challenge = await oauth.calculatePKCECodeChallenge(verifier);
    const more = { code_challenge: challenge, code_challenge_method: "S256", client_id: "spa" };
    const party = await suite.register("notes");
    const enter = async (): Promise<string> => {
      const { callback } = await suite.travel(browser, party.toRequest(more));
      const code = callback?.searchParams.get("code") ?? "";
      const redirect = party.toRequest().searchParams.get("redirect_uri") ?? "";
      const fields = { grant_type: "authorization_code", code, redirect_uri: redirect, client_id: "spa" };
      const [, token] = await post("/oauth/token", { ...fields, code_verifier: verifier }, refreshed);
      return token;
    };
    const refreshed = { member: "refresh_token" };
    const renew = (token: string, from?: string) =>
      post(
        "/oauth/token",
        { grant_type: "refresh_token", refresh_token: token, client_id: "spa" },
        { ...refreshed, from },
      );
    for (const thief of [{ waitMs: 31_000 }, { waitMs: 0, from: "203.0.113.9" }]) {
      const first = await enter();
      const answers = await Promise.all(Array.from({ length: 16 }, () => renew(first)));
      assert.equal(new Set(answers.map(([status, token]) => `${status} ${token}`)).size, 1);
      const [status, second = ""] = answers[0] ?? [];
      assert.equal(status, 200);
      assert.notEqual(second, first);
      center.clock.advance(thief.waitMs);
      assert.deepEqual(await renew(first, thief.from), [400, "invalid_grant"]);
      assert.deepEqual(await renew(second), [400, "invalid_grant"]);
    }
  });
});
