/** A sign-in that is too weak or too old for an application: what the person is taken through, and that they come back. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { TOTP } from "otpauth";
import {
  type CreationOptions,
  type RequestOptions,
  createAuthenticator,
} from "../../support/authenticator.ts";
import { passkeys } from "../../../src/auth/accounts/records.ts";
import { PASSWORD } from "../app-fixture.ts";
import { type Party, type Suite, ISSUER, openSuite } from "../oidc/conformance/suite.ts";
import { readOnward } from "../oidc/onward.ts";
import type { Browser } from "../pages/browser.ts";

const MINUTE = 60_000;
/** More redirects in a row than any way has. */
const MAX_REDIRECTS = 4;

let suite: Suite;
let party: Party;
let browser: Browser;

beforeEach(async () => {
  suite = await openSuite();
  party = await suite.register("vault");
  browser = await suite.openBrowser();
});

/** Where redirects lead in the end: a page of the center, or the application. Fails where they go round. */
async function follow(answer: Response): Promise<{ url: URL; text: string; status: number }> {
  let current = answer;
  let url = new URL("/", ISSUER);
  for (let step = 0; step < MAX_REDIRECTS; step += 1) {
    const location =
      current.headers.get("location") ?? (current.headers.has("refresh") ? readOnward(current) : undefined);
    if (location === undefined) return { url, text: await current.text(), status: current.status };
    url = new URL(location, ISSUER);
    if (url.origin !== ISSUER) return { url, text: "", status: current.status };
    current = await browser.get(url.pathname + url.search);
  }
  return assert.fail(`More than ${MAX_REDIRECTS} redirects, at last to ${url.href}`);
}

const ask = (changes: Record<string, string> = {}) => {
  const { pathname, search } = party.toRequest(changes);
  return browser.get(pathname + search).then(follow);
};
const govern = async (policy: object): Promise<void> => {
  assert.equal((await suite.center.admin("PATCH", "/api/admin/clients/vault", { policy })).status, 200);
};
const post = async (path: string, fields: Record<string, string>) => follow(await browser.post(path, fields));
const returnOf = ({ url }: { url: URL }): string => url.searchParams.get("rd") ?? "";
const totp = (secret: string): string =>
  new TOTP({ secret }).generate({ timestamp: suite.center.clock.now() });

/** Sets up an authenticator app from the page that asks for it, and goes on once the recovery codes are put away. */
async function enrolApp(rd: string): Promise<{ secret: string; back: Awaited<ReturnType<typeof follow>> }> {
  const shown = await post("/account/security/second-factor/begin", { rd });
  assert.equal(shown.url.pathname, "/account/security/second-factor");
  const secret =
    /class="mono">([A-Z2-7 ]+)</u.exec(shown.text)?.[1]?.replaceAll(" ", "") ?? assert.fail(shown.text);
  const codes = await post("/account/security/second-factor", { code: totp(secret), rd });
  assert.equal(codes.url.pathname, "/account/security/recovery-codes");
  return { secret, back: await post("/account/security/recovery-codes/kept", {}) };
}

async function enrolPasskey(rd: string) {
  const authenticator = createAuthenticator({ origin: ISSUER, isSynced: true });
  const action = "/account/security/passkeys/add";
  const begun: { challengeId: string; options: CreationOptions } = await (
    await browser.post(`${action}/options`, {})
  ).json();
  const response = JSON.stringify(authenticator.create(begun.options));
  return { authenticator, back: await post(action, { challengeId: begun.challengeId, response, rd }) };
}

const claimsOf = async ({ url }: { url: URL }) => (await party.redeem(url)).claims;

describe("an application that wants two factors", () => {
  beforeEach(() => govern({ minimumAssurance: "two-factor" }));

  it("issues no code without it, and leads people through an authenticator app and back", async () => {
    const asked = await ask();
    assert.equal(asked.url.pathname, "/account/two-factor");
    assert.match(asked.text, /to continue to|vault/iu);
    assert.match(asked.text, /data-passkey="create"[^]*Authenticator app/u);
    const { back } = await enrolApp(returnOf(asked));
    const claims = await claimsOf(back);
    assert.deepEqual([claims["amr"], claims["acr"]], [["pwd", "otp", "mfa"], "aal2"]);
  });

  it("takes them through a passkey and back", async () => {
    const { back } = await enrolPasskey(returnOf(await ask()));
    const claims = await claimsOf(back);
    assert.deepEqual([claims["amr"], claims["acr"]], [["pwd", "swk", "user", "mfa"], "aal2"]);
  });

  it("has who set up an app elsewhere meanwhile type its code, and no bare password", async () => {
    const other = await suite.openBrowser();
    const first = browser;
    browser = other;
    const { secret } = await enrolApp("/account");
    browser = first;
    suite.center.clock.advance(30_000);
    const asked = await ask();
    assert.equal(asked.url.pathname, "/account/confirm");
    assert.match(asked.text, /Two-factor authentication is required/u);
    const fields = { password: PASSWORD, need: "two-factor", rd: returnOf(asked) };
    const refused = await post("/account/confirm", fields);
    assert.equal(refused.status, 422);
    assert.match(refused.text, /name="need" value="two-factor"/u);
    const back = await post("/account/confirm", { ...fields, factorCode: totp(secret) });
    assert.equal((await claimsOf(back))["acr"], "aal2");
  });

  it("asks first for a proof of who has been signed in for long, and then goes on to the app", async () => {
    suite.center.clock.advance(11 * MINUTE);
    const asked = await ask();
    assert.equal(asked.url.pathname, "/account/confirm");
    const proved = await post("/account/confirm", { password: PASSWORD, rd: returnOf(asked) });
    assert.equal(proved.url.pathname, "/account/two-factor");
    const { back } = await enrolApp(returnOf(proved));
    assert.ok(await claimsOf(back));
  });

  it("returns the error without interaction", async () => {
    const { url } = await ask({ prompt: "none" });
    assert.equal(url.searchParams.get("error"), "interaction_required");
  });

  it("renews no tokens of a sign-in that had one", async () => {
    await govern({ minimumAssurance: "any" });
    const tokens = await party.enter(browser);
    await govern({ minimumAssurance: "two-factor" });
    await assert.rejects(party.renew(tokens.refresh_token ?? ""), (error: object) => {
      assert.match(String(Reflect.get(error, "error_description")), /two-factor/u);
      return Reflect.get(error, "error") === "invalid_grant";
    });
    await govern({ minimumAssurance: null });
    assert.ok((await party.renew(tokens.refresh_token ?? "")).access_token);
  });
});

describe("an application that wants a passkey", () => {
  beforeEach(() => govern({ minimumAssurance: "phishing-resistant" }));

  it("offers no app, takes through a passkey and back, and to its use the next time", async () => {
    const asked = await ask({ acr_values: "phr" });
    assert.equal(asked.url.pathname, "/account/two-factor");
    assert.doesNotMatch(asked.text, /Authenticator app/u);
    const { authenticator, back } = await enrolPasskey(returnOf(asked));
    assert.equal((await claimsOf(back))["acr"], "phr");

    browser = await suite.openBrowser();
    const again = await ask();
    assert.equal(again.url.pathname, "/account/confirm");
    assert.doesNotMatch(again.text, /name="password"/u);
    const action = "/account/confirm/passkey";
    const begun: { challengeId: string; options: RequestOptions } = await (
      await browser.post(`${action}/options`, {})
    ).json();
    const response = JSON.stringify(authenticator.get(begun.options));
    const proved = await post(action, { challengeId: begun.challengeId, response, rd: returnOf(again) });
    assert.deepEqual((await claimsOf(proved))["amr"], ["pwd", "swk", "user", "mfa"]);
  });

  it("is not satisfied by an app, and says what it wants instead", async () => {
    await enrolApp("/account");
    const asked = await ask();
    assert.equal(asked.url.pathname, "/account/two-factor");
    assert.match(asked.text, /A passkey is required/u);
  });
});

describe("an application that wants a fresh sign-in", () => {
  it("gets one, once", async () => {
    await govern({ maxSignInAgeMinutes: 5 });
    suite.center.clock.advance(6 * MINUTE);
    assert.equal((await ask({ prompt: "none" })).url.searchParams.get("error"), "login_required");
    const asked = await ask();
    assert.equal(asked.url.pathname, "/account/confirm");
    const back = await post("/account/confirm", { password: PASSWORD, rd: returnOf(asked) });
    assert.ok(await claimsOf(back));
  });

  it("gets it together with the second factor, and with max_age=0", async () => {
    await govern({ maxSignInAgeMinutes: 5, minimumAssurance: "two-factor" });
    suite.center.clock.advance(6 * MINUTE);
    const asked = await ask({ max_age: "0" });
    assert.equal(asked.url.pathname, "/account/confirm");
    const proved = await post("/account/confirm", { password: PASSWORD, rd: returnOf(asked) });
    assert.equal(proved.url.pathname, "/account/two-factor");
    const { back } = await enrolApp(returnOf(proved));
    assert.ok(await claimsOf(back));
  });
});

describe("an application for some networks", () => {
  it("shows a page to visitors from another site, and returns the error without interaction", async () => {
    await govern({ networks: ["10.0.0.0/8"] });
    const refused = await ask();
    assert.equal(refused.status, 403);
    assert.match(refused.text, /from your current network/u);
    assert.equal((await ask({ prompt: "none" })).url.searchParams.get("error"), "access_denied");
    await govern({ twoFactorOutsideNetworks: true });
    assert.equal((await ask()).url.pathname, "/account/two-factor");
    await govern({ networks: ["192.0.2.0/24"] });
    assert.ok(await claimsOf(await ask()));
  });
});

describe("acr_values and the claim acr", () => {
  it("are in the metadata, and the requested class is returned", async () => {
    assert.deepEqual(suite.as["acr_values_supported"], ["aal1", "aal2", "phr", "phrh"]);
    assert.equal((await claimsOf(await ask({ acr_values: "phr aal1" })))["acr"], "aal1");
    assert.equal((await claimsOf(await ask()))["acr"], "aal1");
    assert.equal((await claimsOf(await ask({ acr_values: "gold" })))["acr"], "aal1");
    await enrolPasskey("/account");
    assert.equal((await claimsOf(await ask({ acr_values: "phr aal1" })))["acr"], "phr");
    const claims = JSON.stringify({ id_token: { acr: { essential: true, values: ["aal2"] } } });
    assert.equal((await claimsOf(await ask({ claims })))["acr"], "aal2");
  });

  it("step up a sign-in", async () => {
    const asked = await ask({ acr_values: "aal2" });
    assert.equal(asked.url.pathname, "/account/two-factor");
    const { back } = await enrolApp(returnOf(asked));
    assert.equal((await claimsOf(back))["acr"], "aal2");
  });

  it("end in an error where what is essential cannot be had", async () => {
    const essential = (value: string) => JSON.stringify({ id_token: { acr: { essential: true, value } } });
    const unknown = await ask({ claims: essential("gold") });
    assert.equal(unknown.url.searchParams.get("error"), "unmet_authentication_requirements");
    await enrolPasskey("/account");
    // The passkey of the test is one that is copied to other devices.
    const copied = await ask({ claims: essential("phrh") });
    assert.equal(copied.url.searchParams.get("error"), "unmet_authentication_requirements");
    const broken = await ask({ claims: "{" });
    assert.equal(broken.url.searchParams.get("error"), "invalid_request");
  });

  it("stay what they were when tokens are renewed", async () => {
    await enrolPasskey("/account");
    const { url } = await ask({ acr_values: "phr" });
    const renewed = await party.renew((await party.redeem(url)).refresh_token ?? "");
    const [, payload = ""] = renewed.id_token?.split(".") ?? [];
    assert.equal(JSON.parse(Buffer.from(payload, "base64url").toString()).acr, "phr");
  });
});

describe("a factor that is removed", () => {
  it("no longer counts for the tokens of applications, and is required again", async () => {
    await enrolPasskey("/account");
    const { url } = await ask({ acr_values: "phr" });
    const tokens = await party.redeem(url);
    assert.equal(tokens.claims["acr"], "phr");
    const [own] = (await suite.center.store.read((tx) => tx.list(passkeys, "id", { limit: 1 }))).items;
    const path = `/api/admin/users/${own?.userId}/passkeys/${own?.id}`;
    assert.equal((await suite.center.admin("DELETE", path)).status, 204);
    const renewed = await party.renew(tokens.refresh_token ?? "");
    const [, payload = ""] = renewed.id_token?.split(".") ?? [];
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    assert.deepEqual([claims.acr, claims.amr], ["aal1", ["pwd"]]);
    await govern({ minimumAssurance: "two-factor" });
    await assert.rejects(party.renew(renewed.refresh_token ?? ""), { error: "invalid_grant" });
    assert.equal((await ask()).url.pathname, "/account/two-factor");
  });
});

describe("the address of a request that was not pushed", () => {
  const loose: readonly Record<string, string>[] = [
    {},
    { max_age: "999999999" },
    { prompt: "consent" },
    { prompt: "select_account" },
    { acr_values: "aal1" },
    { claims: JSON.stringify({ id_token: { acr: { essential: true, value: "aal1" }, auth_time: null } }) },
    { id_token_hint: "x" },
  ];

  it("loosens nothing of the application's policy, whatever a person writes into it", async () => {
    await govern({ maxSignInAgeMinutes: 5, minimumAssurance: "two-factor" });
    for (const changes of loose) {
      const { url } = await ask(changes);
      assert.equal(url.searchParams.get("code"), null, JSON.stringify(changes));
    }
    for (const changes of loose.slice(0, 2)) {
      const { searchParams } = (await ask({ ...changes, prompt: "none" })).url;
      assert.deepEqual([searchParams.get("error"), searchParams.get("code")], ["interaction_required", null]);
    }
    await enrolApp("/account");
    assert.ok(await claimsOf(await ask()), "policy met");
    suite.center.clock.advance(6 * MINUTE);
    for (const changes of loose) {
      const { url } = await ask(changes);
      assert.equal(url.searchParams.get("code"), null, `an old sign-in with ${JSON.stringify(changes)}`);
    }
  });

  it("can lose prompt and max_age, which the application notices by auth_time", async () => {
    suite.center.clock.advance(6 * MINUTE);
    const asked = { prompt: "login", max_age: "60" };
    assert.equal((await ask(asked)).url.pathname, "/account/confirm");
    // A parameter that the person removes from the URL is not enforced: only auth_time reveals it.
    const { url } = await ask();
    const { auth_time: at } = (await party.redeem(url)).claims;
    assert.equal(at, Math.floor((suite.center.clock.now() - 6 * MINUTE) / 1_000));
    const again = (await ask()).url;
    await assert.rejects(party.redeem(again, { maxAge: 60 }), /auth_time|max_age|too much time/iu);
  });
});

describe("a group that demands more of its members", () => {
  it("does so at every application, and no more once it is gone", async () => {
    const { center } = suite;
    const { items }: { items: { id: string }[] } = await (
      await center.admin("GET", "/api/admin/users")
    ).json();
    const id = items[0]?.id ?? "";
    await center.admin("POST", "/api/admin/groups", { id: "staff", title: "Staff" });
    await center.admin("PUT", `/api/admin/groups/staff/members/${id}`);
    const changed = await center.admin("PATCH", "/api/admin/groups/staff", {
      minimumAssurance: "two-factor",
    });
    assert.equal(Reflect.get(await changed.json(), "minimumAssurance"), "two-factor");
    assert.equal((await ask()).url.pathname, "/account/two-factor");
    await center.admin("DELETE", "/api/admin/groups/staff");
    assert.ok(await claimsOf(await ask()));
  });
});

describe("the site's policy", () => {
  it("holds for applications that say nothing, and can be lifted by one", async () => {
    const change = { applicationPolicy: { minimumAssurance: "two-factor" } };
    assert.equal((await suite.center.admin("PATCH", "/api/admin/settings/registration", change)).status, 200);
    assert.equal((await ask()).url.pathname, "/account/two-factor");
    await govern({ minimumAssurance: "any" });
    assert.ok(await claimsOf(await ask()));
  });
});

describe("an administrator who acts in an account", () => {
  it("learns that impersonation cannot raise the level in the owner's name", async () => {
    await govern({ minimumAssurance: "two-factor" });
    const { center } = suite;
    const { items }: { items: { id: string }[] } = await (
      await center.admin("GET", "/api/admin/users")
    ).json();
    const body = { minutes: 10, reason: "test" };
    const opened = await center.admin("POST", `/api/admin/users/${items[0]?.id}/impersonate`, body);
    const { refreshToken }: { refreshToken: string } = await opened.json();
    browser = await suite.openBrowser(false);
    await browser.post("/impersonate", { token: refreshToken });
    const refused = await ask();
    assert.equal(refused.status, 403);
    assert.match(refused.text, /while impersonating a user/u);
  });
});
