/** A refresh token with `offline_access`: outlives the browser's session, and ends when the person or an administrator says so. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { logouts } from "../../../src/auth/sessions/records.ts";
import { users } from "../../../src/auth/accounts/records.ts";
import { PASSWORD, type SignedIn } from "../app-fixture.ts";
import type { Browser } from "../pages/browser.ts";
import { type Party, type Suite, type Tokens, openSuite } from "./conformance/suite.ts";

const DAY = 86_400_000;
const OFFLINE = { scope: "openid email offline_access" };

let suite: Suite;
let party: Party;
let browser: Browser;
let tokens: Tokens;
let ann: SignedIn;

beforeEach(async () => {
  suite = await openSuite();
  party = await suite.register("vault", { fields: { backchannelLogoutUri: "https://vault.example/bye" } });
  browser = await suite.openBrowser();
  tokens = await party.enter(browser, OFFLINE);
  const user = await suite.center.store.read((tx) => tx.get(users, tokens.claims.sub));
  ann = await suite.center.signIn(user ?? assert.fail());
});

/** The refresh token after a renewal; undefined when that is refused. The library would keep signing keys of a year ago. */
async function renew(
  token = tokens.refresh_token ?? "",
  error = "invalid_grant",
): Promise<string | undefined> {
  const answer = await suite.center.fetch("/oauth/token", {
    method: "POST",
    headers: {
      authorization: `Basic ${btoa(`vault:${party.secret}`)}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: token }).toString(),
  });
  const said: { refresh_token?: string; error?: string } = await answer.json();
  if (said.refresh_token === undefined) assert.equal(said.error, error);
  return said.refresh_token;
}

function sidOf({ claims: { sid } }: Tokens): string {
  assert.ok(typeof sid === "string");
  return sid;
}

const admin = async (method: string, path: string, body?: object): Promise<void> => {
  const { status } = await suite.center.admin(method, path, body);
  assert.ok(status < 300, `${path} → ${status}`);
};

describe("a refresh token with offline_access", () => {
  const survived: Record<string, () => Promise<unknown>> = {
    "a sign-out on the pages": () => browser.post("/sign-out", {}),
    "a sign-out by the application": () =>
      browser.get(
        `/oauth/logout?${new URLSearchParams({ id_token_hint: tokens.id_token ?? "" }).toString()}`,
      ),
    "an administrator who ends the browser's session": () =>
      admin("DELETE", `/api/admin/users/${ann.user.id}/sessions/${sidOf(tokens)}`),
  };
  for (const [name, end] of Object.entries(survived))
    it(`survives ${name}, which the application is notified of`, async () => {
      await end();
      const { items } = await suite.center.store.read((tx) => tx.list(logouts, "byDue", { limit: 9 }));
      assert.deepEqual(
        items.map(({ clientId, sid }) => [clientId, sid]),
        [["vault", tokens.claims["sid"]]],
      );
      const page = await browser.get("/account");
      assert.equal(page.headers.get("location")?.startsWith("/sign-in"), true);
      const second = await renew();
      assert.ok(second !== undefined && (await renew(second)) !== undefined);
    });

  for (const { months, lastDays } of [
    { months: 3, lastDays: 30 },
    { months: 12, lastDays: 365 - 12 * 29 },
  ])
    it(`outlives the browser's session while it is used, and ends ${lastDays} days after ${months} renewals`, async () => {
      let token: string | undefined = tokens.refresh_token;
      for (let month = 0; month < months; month += 1) {
        suite.center.clock.advance(29 * DAY);
        await suite.center.auth.sweep();
        token = await renew(token);
        assert.ok(token, `after ${29 * (month + 1)} days`);
      }
      suite.center.clock.advance(lastDays * DAY - 1);
      token = await renew(token);
      assert.ok(token);
      suite.center.clock.advance(lastDays === 30 ? 30 * DAY : 1);
      assert.equal(await renew(token), undefined);
    });

  it("names the same sign-in in renewed ID tokens, by which the browser is signed out", async () => {
    const renewed = await party.renew(tokens.refresh_token ?? "");
    const [, payload = ""] = renewed.id_token?.split(".") ?? [];
    const { sid }: { sid?: string } = JSON.parse(Buffer.from(payload, "base64url").toString());
    assert.ok(sid !== undefined && sid === tokens.claims["sid"]);
    const query = new URLSearchParams({ id_token_hint: renewed.id_token ?? "" });
    await browser.get(`/oauth/logout?${query.toString()}`);
    assert.equal((await browser.get("/account")).status, 303);
  });

  const ended: Record<string, () => Promise<unknown>> = {
    "the person disconnects it": () => browser.post("/account/applications/end", { clientId: "vault" }),
    "the person withdraws it": () => browser.post("/account/applications/withdraw", { clientId: "vault" }),
    "the person signs out everywhere": () =>
      suite.center.send("POST", "/api/auth/logout?everywhere=true", { token: ann.accessToken }),
    "the person has a new password": () =>
      suite.center.send("POST", "/api/auth/password/change", {
        token: ann.accessToken,
        body: { currentPassword: PASSWORD, password: `${PASSWORD} indeed` },
      }),
    "the account is suspended": () => admin("POST", `/api/admin/users/${ann.user.id}/suspend`, {}),
    "the account is deleted": () => admin("DELETE", `/api/admin/users/${ann.user.id}`),
    "all sessions end": () => admin("POST", "/api/admin/sessions/revoke-all", { confirm: true }),
    "the application is switched off": () => admin("PATCH", "/api/admin/clients/vault", { enabled: false }),
    "the application excludes the person": async () => {
      await admin("POST", "/api/admin/groups", { id: "family", title: "Family" });
      await admin("PATCH", "/api/admin/clients/vault", { allowedGroups: ["family"] });
    },
  };
  for (const [name, end] of Object.entries(ended))
    it(`ends when ${name}`, async () => {
      await end();
      const isOff = name === "the application is switched off";
      assert.equal(await renew(tokens.refresh_token, isOff ? "invalid_client" : "invalid_grant"), undefined);
      const shown = await suite.askUserinfo({
        method: "GET",
        headers: { authorization: `Bearer ${tokens.access_token}` },
      });
      assert.equal(shown.status, 401);
    });

  it("ends when the person resets their password", async () => {
    const { center } = suite;
    await browser.post("/forgot", { email: "ann@example.org" });
    const [mail = ""] = await center.mailsTo("ann@example.org");
    const token = /token=([\w-]+)/u.exec(mail)?.[1] ?? assert.fail(mail);
    assert.equal((await browser.post("/reset", { token, password: `${PASSWORD} anew` })).status, 303);
    assert.equal(await renew(), undefined);
  });

  it("is shown to the person, who learns that it stays connected", async () => {
    await browser.post("/sign-out", {});
    const again = await suite.openBrowser();
    const page = await (await again.get("/account/applications")).text();
    assert.match(page, /vault[^]*Stays connected after you sign out[^]*Disconnect/u);
    const listed = await suite.center.send("GET", "/api/auth/applications", { token: ann.accessToken });
    const { items }: { items: { clientId: string; isOffline: boolean }[] } = await listed.json();
    assert.deepEqual(
      items.filter(({ isOffline }) => isOffline).map(({ clientId }) => clientId),
      ["vault"],
    );
  });

  it("is nothing that an administrator who looks into the account can leave there", async () => {
    const { center } = suite;
    const body = { minutes: 10, reason: "test" };
    const opened = await center.admin("POST", `/api/admin/users/${ann.user.id}/impersonate`, body);
    const { refreshToken }: { refreshToken: string } = await opened.json();
    const looking = await suite.openBrowser(false);
    await looking.post("/impersonate", { token: refreshToken });
    const given = await party.enter(looking, OFFLINE);
    center.clock.advance(11 * 60_000);
    assert.equal(await renew(given.refresh_token), undefined);
  });
});

describe("a refresh token without offline_access", () => {
  it("ends with the browser's session", async () => {
    const given = await party.enter(browser, { scope: "openid email" });
    assert.ok(await renew(given.refresh_token));
    const other = await party.enter(browser, { scope: "openid email" });
    await browser.post("/sign-out", {});
    assert.equal(await renew(other.refresh_token), undefined);
  });
});
