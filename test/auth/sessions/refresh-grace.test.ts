/** A refresh token that comes again within its time of grace: from the same client, and from another one. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestApp, code, createTestApp } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import { logIn, post, tokensOf } from "../http/people.ts";
import { listEventKinds } from "../http/token-requests.ts";

const HOME = "203.0.113.5";
const AWAY = "198.51.100.66";
const agent = { "user-agent": "Program/1" };
let app: TestApp;
let first: string;
let device: string;

beforeEach(async () => {
  app = await createTestApp();
  await app.signUp("ann");
  const signedIn = await logIn(app, "ann", undefined, { from: HOME, headers: agent });
  device = signedIn.headers.get("x-device-token") ?? assert.fail();
  first = (await tokensOf(signedIn)).refreshToken;
});

const refresh = (from: string, headers: Readonly<Record<string, string>> = agent): Promise<Response> =>
  post(app, "refresh", { refreshToken: first }, { from, headers });

describe("a spent refresh token within 30 s", () => {
  it("gives the same successor to the same program on the same network, noted once", async () => {
    const { refreshToken, accessToken } = await tokensOf(await refresh(HOME));
    for (let i = 0; i < 3; i += 1)
      assert.equal((await tokensOf(await refresh("203.0.113.77"))).refreshToken, refreshToken);
    const kinds = await listEventKinds(app, accessToken);
    assert.equal(kinds.filter((kind) => kind === "refresh-repeated").length, 1);
  });

  it("gives it to a device of the account on any network", async () => {
    const { refreshToken } = await tokensOf(await refresh(HOME));
    const again = await tokensOf(await refresh(AWAY, { "x-device-token": device }));
    assert.equal(again.refreshToken, refreshToken);
  });

  for (const [name, from, headers] of [
    ["another network", AWAY, agent],
    ["another program", HOME, { "user-agent": "Other/2" }],
  ] as const) {
    it(`ends the sign-in when it comes from ${name}, and tells the owner`, async () => {
      const { accessToken } = await tokensOf(await refresh(HOME));
      assert.deepEqual(await code(await refresh(from, headers)), [401, "refresh_reused"]);
      assert.equal((await app.send("GET", "/api/auth/validate", { token: accessToken })).status, 401);
      assert.match((await app.mailsTo("ann@example.org")).join("\n"), /was used twice/u);
    });
  }

  it("is refused for a session that ended", async () => {
    const { accessToken } = await tokensOf(await refresh(HOME));
    await read(await post(app, "revoke", { token: accessToken }), 200);
    assert.deepEqual(await code(await refresh(HOME)), [401, "refresh_invalid"]);
  });
});
