/** Claims that administrators add: of accounts, of groups, and those that an application makes of them; and names in parts. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { users } from "../../../src/auth/accounts/records.ts";
import type { SignedIn } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import type { Browser } from "../pages/browser.ts";
import { type Party, type Suite, openSuite } from "./conformance/suite.ts";

let suite: Suite;
let party: Party;
let browser: Browser;
let ann: SignedIn["user"];

const admin = async (method: string, path: string, body?: object): Promise<unknown> => {
  const answer = await suite.center.admin(method, path, body);
  const text = await answer.text();
  assert.ok(answer.status < 300, `${path} → ${answer.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
};
const setClient = (claims: object) => admin("PATCH", "/api/admin/clients/vault", { claims });
const setOwn = (claims: object) => admin("PATCH", `/api/admin/users/${ann.id}`, { claims });

beforeEach(async () => {
  suite = await openSuite();
  party = await suite.register("vault");
  browser = await suite.openBrowser();
  const { items } = await read<{ items: SignedIn["user"][] }>(
    await suite.center.admin("GET", "/api/admin/users"),
    200,
  );
  ann = items[0] ?? assert.fail();
  await admin("POST", "/api/admin/groups", { id: "crew", title: "Crew" });
  await admin("PUT", `/api/admin/groups/crew/members/${ann.id}`);
});

async function ask(scope = "openid profile"): Promise<Record<string, unknown>[]> {
  const tokens = await party.enter(browser, { scope });
  return [tokens.claims, await party.readUserinfo(tokens)];
}

describe("custom claims", () => {
  it("of the account come over those of its groups, in ID token and userinfo, with the scope profile alone", async () => {
    await admin("PATCH", "/api/admin/groups/crew", {
      claims: { quota: "5 GB", role: "editor", tags: ["a"] },
    });
    await setOwn({ quota: 10, beta: true });
    for (const claims of await ask()) {
      const { quota, role, tags, beta } = claims;
      assert.deepEqual({ quota, role, tags, beta }, { quota: 10, role: "editor", tags: ["a"], beta: true });
    }
    for (const claims of await ask("openid email")) assert.equal(claims["quota"], undefined);
    const renewed = await party.renew(
      (await party.enter(browser, { scope: "openid profile" })).refresh_token ?? "",
    );
    const [, payload = ""] = renewed.id_token?.split(".") ?? [];
    assert.equal(JSON.parse(Buffer.from(payload, "base64url").toString()).role, "editor");
    await admin("DELETE", `/api/admin/groups/crew/members/${ann.id}`);
    for (const claims of await ask()) assert.deepEqual([claims["role"], claims["quota"]], [undefined, 10]);
  });

  it("of an application are texts with what the account has, where the scopes open it", async () => {
    await setOwn({ quota: 10 });
    await setClient({
      preferred_username: "{{user.email}}",
      home: "/home/{{ user.username }}",
      space: "{{user.claims.quota}}",
      teams: "{{user.groups}}",
      joined: "in {{user.groups}}",
      missing: "{{user.claims.none}}",
      fixed: "yes",
    });
    for (const claims of await ask("openid profile email groups")) {
      const { preferred_username: name, home, space, teams, joined, missing, fixed } = claims;
      assert.deepEqual(
        [name, home, space, teams, joined, missing, fixed],
        ["ann@example.org", "/home/ann", 10, ["crew"], "in crew", undefined, "yes"],
      );
    }
    const [claims = {}] = await ask("openid profile");
    assert.deepEqual([claims["preferred_username"], claims["teams"]], ["ann", undefined]);
    for (const each of await ask("openid")) assert.equal(each["fixed"], undefined);
  });

  it("leave alone what the protocol or the center says, and the refusal tells so", async () => {
    const bad: readonly object[] = [
      { sub: "usr_2" },
      { email_verified: true },
      { groups: ["admins"] },
      { "with space": 1 },
      { long: "x".repeat(501) },
      Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`c${n}`, n])),
    ];
    for (const claims of bad) {
      const answer = await suite.center.admin("PATCH", `/api/admin/users/${ann.id}`, { claims });
      assert.equal(answer.status, 422, JSON.stringify(claims));
    }
    const unknown = await suite.center.admin("PATCH", "/api/admin/clients/vault", {
      claims: { x: "{{user.passwordHash}}" },
    });
    assert.equal(unknown.status, 422);
    assert.match(await unknown.text(), /user\.claims/u);
  });
});

describe("given_name and family_name", () => {
  it("are what the person says, never parts of the display name", async () => {
    for (const claims of await ask())
      assert.deepEqual([claims["name"], claims["given_name"]], ["Ann Lee", undefined]);
    const user = await suite.center.store.read((tx) => tx.get(users, ann.id));
    const { accessToken: token } = await suite.center.signIn(user ?? assert.fail());
    const body = { givenName: "Ann", familyName: "van der Lee" };
    await read(await suite.center.send("PATCH", "/api/auth/profile", { token, body }), 200);
    for (const claims of await ask())
      assert.deepEqual(
        [claims["name"], claims["given_name"], claims["family_name"]],
        ["Ann Lee", "Ann", "van der Lee"],
      );
    await read(
      await suite.center.send("PATCH", "/api/auth/profile", { token, body: { visibility: "public" } }),
      200,
    );
    const shown = await (await suite.center.fetch("/api/public/users/ann")).text();
    assert.doesNotMatch(shown, /van der/u);
  });
});
