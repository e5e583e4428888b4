/** How long what an application gets lives, by its policy; and offline_access where the policy does not grant it. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { Browser } from "../pages/browser.ts";
import { type Party, type Suite, type Tokens, openSuite } from "../oidc/conformance/suite.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

let suite: Suite;
let party: Party;
let browser: Browser;

beforeEach(async () => {
  suite = await openSuite();
  party = await suite.register("vault");
  browser = await suite.openBrowser();
});

const govern = async (policy: object): Promise<number> =>
  (await suite.center.admin("PATCH", "/api/admin/clients/vault", { policy })).status;

/** The tokens of a renewal; undefined when it is refused. The library would keep signing keys of long ago. */
async function renew(token = ""): Promise<{ refresh_token: string; expires_in: number } | undefined> {
  const answer = await suite.center.fetch("/oauth/token", {
    method: "POST",
    headers: {
      authorization: `Basic ${btoa(`vault:${party.secret}`)}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: token }).toString(),
  });
  return answer.status === 200 ? answer.json() : undefined;
}

const isLive = async ({ access_token: token }: Pick<Tokens, "access_token">): Promise<boolean> =>
  (await suite.askUserinfo({ method: "GET", headers: { authorization: `Bearer ${token}` } })).status === 200;

describe("lifetimes of an application", () => {
  it("are those of always unless its policy says otherwise", async () => {
    const { expires_in: seconds, refresh_expires_in: idle } = await party.enter(browser);
    assert.deepEqual([seconds, idle], [900, 14 * 86_400]);
    const offline = await party.enter(browser, { scope: "openid offline_access" });
    assert.equal(offline["refresh_expires_in"], 30 * 86_400);
  });

  for (const minutes of [1, 60])
    it(`let an access token live for ${minutes} minutes, and no longer`, async () => {
      assert.equal(await govern({ accessTokenMinutes: minutes }), 200);
      const tokens = await party.enter(browser);
      assert.equal(tokens.expires_in, minutes * 60);
      suite.center.clock.advance(minutes * MINUTE - 1);
      assert.equal(await isLive(tokens), true);
      suite.center.clock.advance(1);
      assert.equal(await isLive(tokens), false);
      assert.equal((await renew(tokens.refresh_token))?.expires_in, minutes * 60);
    });

  it("end a refresh token that is not used for so many days", async () => {
    await govern({ refreshTokenDays: 2 });
    const tokens = await party.enter(browser, { scope: "openid offline_access" });
    suite.center.clock.advance(2 * DAY - 1);
    const second = await renew(tokens.refresh_token);
    assert.ok(second);
    suite.center.clock.advance(2 * DAY);
    assert.equal(await renew(second.refresh_token), undefined);
  });

  for (const scope of ["openid", "openid offline_access"])
    it(`end the session with ${scope} after so many days, however it is used`, async () => {
      await govern({ sessionDays: 2 });
      const tokens = await party.enter(browser, { scope });
      suite.center.clock.advance(DAY);
      const second = await renew(tokens.refresh_token);
      suite.center.clock.advance(DAY - MINUTE);
      const third = await renew(second?.refresh_token);
      assert.equal(third?.expires_in, 60, "no token outlives the session");
      suite.center.clock.advance(MINUTE);
      assert.equal(await renew(third?.refresh_token), undefined);
    });

  it("hold for sessions from before as soon as they become shorter", async () => {
    const tokens = await party.enter(browser, { scope: "openid offline_access" });
    suite.center.clock.advance(5 * DAY);
    await govern({ sessionDays: 4 });
    assert.equal(await renew(tokens.refresh_token), undefined);
    await govern({ sessionDays: 6 });
    assert.ok(await renew(tokens.refresh_token), "what was refused is not spent");
  });

  it("come from the site where the application says nothing", async () => {
    const change = { applicationPolicy: { accessTokenMinutes: 5 } };
    await suite.center.admin("PATCH", "/api/admin/settings/registration", change);
    assert.equal((await party.enter(browser)).expires_in, 300);
    await govern({ accessTokenMinutes: 10 });
    assert.equal((await party.enter(browser)).expires_in, 600);
  });

  it("are bounded, and the refusal says how", async () => {
    for (const policy of [{ accessTokenMinutes: 61 }, { sessionDays: -1 }, { networks: ["10.0.0.0/33"] }])
      assert.equal(await govern(policy), 422, JSON.stringify(policy));
  });
});

describe("offlineAccess: false", () => {
  it("grants the rest, says so, and lets nothing outlive the browser's session", async () => {
    await govern({ offlineAccess: false });
    const tokens = await party.enter(browser, { scope: "openid email offline_access" });
    assert.equal(tokens["scope"], "openid email");
    const second = await renew(tokens.refresh_token);
    assert.ok(second);
    await browser.post("/sign-out", {});
    assert.equal(await renew(second.refresh_token), undefined);
  });

  it("holds for devices too", async () => {
    await suite.center.admin("PATCH", "/api/admin/clients/vault", { deviceFlow: true });
    await govern({ offlineAccess: false });
    const send = async (path: string, fields: Record<string, string>) => {
      const answer = await suite.center.fetch(path, {
        method: "POST",
        headers: {
          authorization: `Basic ${btoa(`vault:${party.secret}`)}`,
          "content-type": "application/x-www-form-urlencoded",
        },
        body: new URLSearchParams(fields).toString(),
      });
      const said: Record<string, string> = await answer.json();
      return said;
    };
    const begun = await send("/oauth/device_authorization", { scope: "openid offline_access" });
    const allowed = { user_code: begun["user_code"] ?? "", answer: "allow" };
    assert.equal((await browser.post("/device/answer", allowed)).status, 303);
    const tokens = await send("/oauth/token", {
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      device_code: begun["device_code"] ?? "",
    });
    assert.equal(tokens["scope"], "openid");
  });
});
