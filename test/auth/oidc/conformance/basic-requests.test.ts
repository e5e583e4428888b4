/**
 * Requests of applications, by the modules of the OpenID Foundation's plan oidcc-basic-certification-test-plan. Each
 * test has its module's name; docs/notes/openid-conformance.md lists those that do not apply, and why.
 */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { type Party, type Suite, ISSUER, REDIRECT, openSuite } from "./suite.ts";

let suite: Suite;
let party: Party;
before(async () => {
  suite = await openSuite();
  party = await suite.register("suite");
});

/** The error that the application is led back with. */
async function readError(changes: Record<string, string | undefined>, isSignedIn = true): Promise<string> {
  const { callback, text } = await suite.travel(
    await suite.openBrowser(isSignedIn),
    party.toRequest(changes),
  );
  const back = callback ?? assert.fail(text);
  assert.throws(() => party.readCallback(back), { code: "OAUTH_AUTHORIZATION_RESPONSE_ERROR" });
  assert.equal(back.searchParams.get("state"), "s-1");
  return back.searchParams.get("error") ?? "";
}

/** Signs in, asks again a minute later in the same browser, and gives both ID tokens' claims. */
async function enterTwice(
  first: Record<string, string>,
  second: (idToken: string) => Record<string, string>,
  maxAge?: number,
) {
  const browser = await suite.openBrowser();
  const one = await party.enter(browser, first);
  suite.center.clock.advance(60_000);
  const other = await party.enter(browser, second(one.id_token ?? ""), { maxAge });
  return { one: one.claims, other: other.claims, seen: other.seen };
}

describe("oidcc-basic: authorization requests", () => {
  it("oidcc-response-type-missing", async () => {
    assert.match(
      await readError({ response_type: undefined }),
      /^(?:unsupported_response_type|invalid_request)$/u,
    );
  });

  for (const display of ["page", "popup"])
    it(`oidcc-display-${display}`, async () => {
      const { seen, claims } = await party.enter(await suite.openBrowser(false), { display });
      assert.deepEqual([seen, claims.aud], [["/sign-in"], "suite"]);
    });

  it("oidcc-prompt-login", async () => {
    const { one, other, seen } = await enterTwice({}, () => ({ prompt: "login" }));
    assert.deepEqual(seen, ["/account/confirm"]);
    assert.equal(other.sub, one.sub);
    assert.ok(Number(other.auth_time) > Number(one.auth_time), "auth_time is not of the second proof");
  });

  it("oidcc-prompt-none-not-logged-in", async () => {
    assert.equal(await readError({ prompt: "none" }, false), "login_required");
  });

  it("oidcc-prompt-none-logged-in", async () => {
    const { one, other, seen } = await enterTwice({}, () => ({ prompt: "none" }));
    assert.deepEqual(seen, []);
    assert.deepEqual([other.sub, other.auth_time], [one.sub, one.auth_time]);
  });

  it("oidcc-max-age-1", async () => {
    const { one, other, seen } = await enterTwice({}, () => ({ max_age: "1" }), 1);
    assert.deepEqual(seen, ["/account/confirm"]);
    assert.ok(Number(other.auth_time) > Number(one.auth_time), "auth_time is not of the second proof");
    assert.equal(other.auth_time, Math.floor(suite.center.clock.now() / 1_000));
  });

  it("oidcc-max-age-10000", async () => {
    const asked = { max_age: "10000" };
    const { one, other, seen } = await enterTwice({ max_age: "15000" }, () => asked, 10_000);
    assert.deepEqual(seen, []);
    assert.deepEqual([other.sub, other.auth_time], [one.sub, one.auth_time]);
  });

  it("oidcc-ensure-request-with-unknown-parameter-succeeds", async () => {
    assert.ok(
      (await party.enter(await suite.openBrowser(), { extra: "foobar" })).claims.sub !== "",
      "no sub",
    );
  });

  it("oidcc-id-token-hint", async () => {
    const { one, other, seen } = await enterTwice({}, (hint) => ({ prompt: "none", id_token_hint: hint }));
    assert.deepEqual(seen, []);
    assert.deepEqual([other.sub, other.auth_time], [one.sub, one.auth_time]);
  });

  for (const [name, asked] of [
    ["login-hint", { login_hint: "ann" }],
    ["ui-locales", { ui_locales: "se" }],
    ["claims-locales", { claims_locales: "se" }],
  ] as const)
    it(`oidcc-${name}`, async () => {
      const { seen, claims } = await party.enter(await suite.openBrowser(false), asked);
      assert.deepEqual([seen, claims.aud], [["/sign-in"], "suite"]);
    });

  it("oidcc-ensure-request-with-acr-values-succeeds", async () => {
    const { claims } = await party.enter(await suite.openBrowser(), { acr_values: "aal1 aal2" });
    assert.equal(claims["acr"], "aal1");
  });

  it("oidcc-ensure-registered-redirect-uri", async () => {
    const foreign = party.toRequest({ redirect_uri: `${REDIRECT}/unregistered` });
    const { callback, status } = await suite.travel(await suite.openBrowser(), foreign);
    assert.deepEqual([callback, status], [undefined, 400]);
  });

  it("oidcc-ensure-post-request-succeeds", async () => {
    const { callback } = await suite.travelByPost(await suite.openBrowser(), party.toRequest());
    assert.equal((await party.redeem(callback ?? assert.fail("No answer"))).claims.aud, "suite");
  });

  it("oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported (rejected)", async () => {
    assert.equal(suite.as.request_uri_parameter_supported, false);
    assert.equal(
      await readError({ request_uri: "https://suite.example/requesturi/1#x" }),
      "request_uri_not_supported",
    );
  });

  it("oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported (rejected)", async () => {
    assert.equal(suite.as.request_parameter_supported, false);
    assert.equal(await readError({ request: toUnsigned({}) }), "request_not_supported");
  });

  it("oidcc-ensure-request-object-with-redirect-uri (page of an error)", async () => {
    const request = toUnsigned({ redirect_uri: REDIRECT });
    const asked = party.toRequest({ request, redirect_uri: `${REDIRECT}/unregistered` });
    const { callback, status } = await suite.travel(await suite.openBrowser(), asked);
    assert.deepEqual([callback, status], [undefined, 400]);
  });
});

/** A request object with algorithm "none". */
function toUnsigned(claims: Readonly<Record<string, string>>): string {
  const parts = [
    { alg: "none" },
    { iss: "suite", aud: ISSUER, client_id: "suite", response_type: "code", ...claims },
  ];
  return `${parts.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".")}.`;
}
