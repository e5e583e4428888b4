/** The modules of the OpenID Foundation's plan oidcc-backchannel-rp-initiated-logout-certification-test-plan, each as a test of its name. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type JSONWebKeySet, createLocalJWKSet, jwtVerify } from "jose";
import { AFTER_LOGOUT, ISSUER, openSuite } from "./suite.ts";

const LOGOUT = "https://suite.example/test/a/trivet/backchannel_logout";
const EVENT = "http://schemas.openid.net/event/backchannel-logout";

describe("oidcc-backchannel-rp-initiated-logout", () => {
  it("oidcc-backchannel-logout-discovery-endpoint-verification", async () => {
    const { as } = await openSuite();
    assert.equal(as["backchannel_logout_supported"], true);
    assert.equal(as["backchannel_logout_session_supported"], true);
    assert.equal(as["end_session_endpoint"], `${ISSUER}/oauth/logout`);
  });

  it("oidcc-backchannel-rp-initiated-logout", async () => {
    const sent: { url: string; method: string; contentType?: string; body?: string }[] = [];
    const suite = await openSuite({
      backchannel: {
        send: async (request) => {
          sent.push(request);
          return { kind: "answered", status: 200, text: "" };
        },
      },
    });
    const { center } = suite;
    const party = await suite.register("suite", { fields: { backchannelLogoutUri: LOGOUT } });
    const browser = await suite.openBrowser();
    const { id_token: hint = "", claims } = await party.enter(browser);
    const query = { id_token_hint: hint, post_logout_redirect_uri: AFTER_LOGOUT, state: "s-2" };
    const to = `${suite.as.end_session_endpoint}?${new URLSearchParams(query).toString()}`;
    const { callback } = await suite.travel(browser, to);
    assert.equal(callback?.href, `${AFTER_LOGOUT}?state=s-2`);
    await center.auth.logoutDelivery.deliver();

    const [{ url, method, contentType, body } = assert.fail("Nothing was sent"), ...more] = sent;
    assert.deepEqual(more, []);
    assert.deepEqual([url, method, contentType], [LOGOUT, "POST", "application/x-www-form-urlencoded"]);
    const form = new URLSearchParams(body);
    assert.deepEqual([...form.keys()], ["logout_token"]);
    const token = form.get("logout_token") ?? "";
    const keys: JSONWebKeySet = await (await center.fetch("/api/auth/jwks")).json();
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
      issuer: ISSUER,
      audience: "suite",
      algorithms: ["RS256"],
      requiredClaims: ["iat", "exp", "jti"],
      currentDate: new Date(center.clock.now()),
    });
    assert.deepEqual(payload["events"], { [EVENT]: {} });
    assert.deepEqual([payload.sub, payload["sid"]], [claims.sub, claims["sid"]]);
    assert.equal(payload["nonce"], undefined);

    const again = await suite.travel(browser, party.toRequest({ prompt: "none" }));
    assert.equal(again.callback?.searchParams.get("error"), "login_required");
  });
});
