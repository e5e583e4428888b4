/** Redirect addresses that differ from the registered ones: refused on the center's own page, and led nowhere (RFC 9700 section 2.1). */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { Browser } from "../pages/browser.ts";
import { type Party, type Suite, openSuite } from "./conformance/suite.ts";

const OWN_PORT = "http://127.0.0.1:49152/native";
const REGISTERED = "https://app.example:8443/Auth/callback?tenant=a";

let suite: Suite;
let party: Party;
/** A program on the person's machine, without a secret. */
let native: Party;
/** Of a person who is signed in, and of a stranger. */
let browsers: Browser[];
before(async () => {
  suite = await openSuite();
  const redirectUris = [REGISTERED, "http://127.0.0.1/native", "com.example.app:/callback"];
  browsers = [await suite.openBrowser(), await suite.openBrowser(false)];
  const fields = { redirectUris, postLogoutRedirectUris: redirectUris };
  party = await suite.register("suite", { fields });
  native = await suite.register("native", { fields: { ...fields, clientType: "public" } });
});

/** By what is wrong with them. */
const variants: Readonly<Record<string, string>> = {
  "a slash at the end": "https://app.example:8443/Auth/callback/?tenant=a",
  "another case of the path": "https://app.example:8443/auth/callback?tenant=a",
  "another case of the host": "https://App.example:8443/Auth/callback?tenant=a",
  "another case of the scheme": "HTTPS://app.example:8443/Auth/callback?tenant=a",
  "http in place of https": "http://app.example:8443/Auth/callback?tenant=a",
  "another port": "https://app.example:8444/Auth/callback?tenant=a",
  "a port with a zero before it": "https://app.example:08443/Auth/callback?tenant=a",
  "no port": "https://app.example/Auth/callback?tenant=a",
  "a name before the host": "https://someone@app.example:8443/Auth/callback?tenant=a",
  "the host as a name before another": "https://app.example:8443@evil.example/Auth/callback?tenant=a",
  "a host that begins alike": "https://app.example.evil.example:8443/Auth/callback?tenant=a",
  "a host below it": "https://evil.app.example:8443/Auth/callback?tenant=a",
  "a dot after the host": "https://app.example.:8443/Auth/callback?tenant=a",
  "a letter that looks alike": "https://аpp.example:8443/Auth/callback?tenant=a",
  "the same letter in punycode": "https://xn--pp-6kc.example:8443/Auth/callback?tenant=a",
  "a full-width letter": "https://ａpp.example:8443/Auth/callback?tenant=a",
  "an ideographic full stop": "https://app。example:8443/Auth/callback?tenant=a",
  "an encoded letter": "https://app.example:8443/Auth/%63allback?tenant=a",
  "an encoded slash": "https://app.example:8443/Auth%2Fcallback?tenant=a",
  "a segment up": "https://app.example:8443/Auth/../Auth/callback?tenant=a",
  "an encoded segment up": "https://app.example:8443/Auth/%2e%2e/Auth/callback?tenant=a",
  "a segment that stays": "https://app.example:8443/Auth/./callback?tenant=a",
  "two slashes": "https://app.example:8443/Auth//callback?tenant=a",
  "a backslash": "https://app.example:8443\\Auth\\callback?tenant=a",
  "a path that goes on": "https://app.example:8443/Auth/callback/more?tenant=a",
  "a path that ends sooner": "https://app.example:8443/Auth/callbac?tenant=a",
  "a parameter in the path": "https://app.example:8443/Auth/callback;x?tenant=a",
  "another query": "https://app.example:8443/Auth/callback?tenant=b",
  "more of a query": "https://app.example:8443/Auth/callback?tenant=a&next=https://evil.example",
  "no query": "https://app.example:8443/Auth/callback",
  "an empty query after it": "https://app.example:8443/Auth/callback?tenant=a&",
  "a fragment": "https://app.example:8443/Auth/callback?tenant=a#x",
  "an empty fragment": "https://app.example:8443/Auth/callback?tenant=a#",
  "a space before it": " https://app.example:8443/Auth/callback?tenant=a",
  "a line break after it":
    "https://app.example:8443/Auth/callback?tenant=a\r\nlocation: https://evil.example",
  "a tab inside": "https://app.example:8443/Auth/call\tback?tenant=a",
  "a zero byte after it": "https://app.example:8443/Auth/callback?tenant=a\0",
  "two addresses": `${REGISTERED} https://evil.example/`,
  "no scheme": "//app.example:8443/Auth/callback?tenant=a",
  "a path alone": "/Auth/callback?tenant=a",
  "a script": "javascript:alert(1)//https://app.example:8443/Auth/callback?tenant=a",
  data: "data:text/html,https://app.example:8443/Auth/callback?tenant=a",
  nothing: "",
  "another path on the loopback": "http://127.0.0.1/other",
  "https on the loopback": "https://127.0.0.1/native",
  "localhost for the loopback": "http://localhost/native",
  "another spelling of the loopback": "http://2130706433/native",
  "a host that begins with the loopback": "http://127.0.0.1.evil.example/native",
  "the loopback as a name before a host": "http://127.0.0.1@evil.example/native",
  "another custom scheme": "com.example.app2:/callback",
  "a host after the custom scheme": "com.example.app://evil.example/callback",
};

async function refuse(path: "authorize" | "logout", fields: Readonly<Record<string, string>>): Promise<void> {
  for (const browser of browsers) {
    const answer = await browser.get(`/oauth/${path}?${new URLSearchParams(fields).toString()}`, {
      "sec-fetch-site": "cross-site",
    });
    const { headers, status } = answer;
    assert.deepEqual([status, headers.get("location"), headers.get("refresh")], [400, null, null]);
    const links = [...(await answer.text()).matchAll(/ (?:href|action)="([^"]*)"/gu)].map(
      ([, to = ""]) => to,
    );
    assert.ok(links.length > 0, "The page is no page");
    for (const link of links) assert.match(link, /^(?:\/(?!\/)|#)/u);
  }
}

describe("a redirect address that differs", () => {
  it("goes on with the registered ones, and with any loopback port of a program on the person's machine", async () => {
    const challenge = { code_challenge: "c".repeat(43), code_challenge_method: "S256" };
    for (const [who, address] of [
      [party, REGISTERED],
      [party, "http://127.0.0.1/native"],
      [native, "http://127.0.0.1/native"],
      [native, OWN_PORT],
      [native, "com.example.app:/callback"],
    ] as const) {
      const asked = who.toRequest({ redirect_uri: address, ...challenge });
      const { callback } = await suite.travel(await suite.openBrowser(), asked);
      assert.ok(callback?.href.startsWith(address), `${address}: ${callback?.href}`);
      assert.ok(callback?.searchParams.has("code"), callback?.href);
    }
  });

  for (const [what, address] of Object.entries(variants))
    it(`by ${what} is refused on our page`, async () => {
      for (const who of [party, native])
        await refuse("authorize", Object.fromEntries(who.toRequest({ redirect_uri: address }).searchParams));
      // Signed out without one is in order.
      if (address !== "")
        await refuse("logout", { client_id: "suite", post_logout_redirect_uri: address, state: "s" });
    });

  it("is rejected when it is repeated, and at the token endpoint", async () => {
    const browser = await suite.openBrowser();
    const twice = party.toRequest({ redirect_uri: REGISTERED });
    twice.searchParams.append("redirect_uri", "https://evil.example/");
    const { callback, status } = await suite.travel(browser, twice);
    assert.deepEqual([callback, status], [undefined, 400]);
    const asked = await suite.travel(browser, party.toRequest({ redirect_uri: REGISTERED }));
    // The client sends another address than the one that the code was made for.
    await assert.rejects(party.redeem(asked.callback ?? assert.fail("No answer")), {
      error: "invalid_grant",
    });
  });
});
