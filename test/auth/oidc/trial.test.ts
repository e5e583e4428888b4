/** What the console shows of an application's view on the administrator: what a sign-in tells it, without a token. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type SignedIn, type TestApp, code, createTestApp } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import { CENTER, createSite } from "../forward/proxied-site.ts";

interface Trial {
  readonly username: string;
  readonly refusal?: string;
  readonly idToken?: Record<string, unknown>;
  readonly userinfo?: Record<string, unknown>;
  readonly headers?: Record<string, string>;
  readonly assertion?: Record<string, unknown>;
}

const PATH = "/api/admin/clients/notes/trial";
let app: TestApp;
let ann: SignedIn;

beforeEach(async () => {
  app = await createTestApp({ publicUrl: CENTER });
  await app.set("registration", { adminSecondFactor: "off" });
  ann = await app.signUp("ann", { displayName: "Zoë", role: "admin" });
  for (const id of ["family", "crew"]) await app.admin("POST", "/api/admin/groups", { id, title: id });
  await app.admin("PUT", `/api/admin/groups/family/members/${ann.user.id}`);
  const notes = { id: "notes", name: "Notes", protectedOrigins: ["https://notes.example"] };
  await read(await app.admin("POST", "/api/admin/clients", notes), 201);
});

const ask = (path = PATH): Promise<Response> => app.send("GET", path, { token: ann.accessToken });

describe("GET /api/admin/clients/{id}/trial", () => {
  it("shows the headers and claims that the application gets, and no token", async () => {
    const answer = await ask();
    assert.equal(answer.headers.get("cache-control"), "no-store");
    const trial = await read<Trial>(answer, 200);
    const site = createSite(app, { origin: "https://notes.example" });
    const sent = await site.ask("/", { authorization: `Bearer ${ann.accessToken}`, accept: "*/*" });
    const headers = Object.fromEntries([...sent.headers].filter(([name]) => name.startsWith("x-auth-")));
    const { "x-auth-assertion": token = "", ...plain } = headers;
    assert.deepEqual(trial.headers, plain);
    const {
      iat: _iat,
      exp: _exp,
      ...claims
    } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    assert.deepEqual(trial.assertion, claims);
    assert.deepEqual(
      [trial.username, trial.idToken?.["aud"], trial.idToken?.["name"], trial.userinfo?.["groups"]],
      ["ann", "notes", "Zoë", ["family"]],
    );
    assert.doesNotMatch(JSON.stringify(trial), /acc_|ref_|ey[\w-]+\.ey/u);
  });

  it("goes by the scopes that the application asks for", async () => {
    const { idToken, userinfo } = await read<Trial>(await ask(`${PATH}?scope=openid%20email`), 200);
    for (const claims of [idToken, userinfo])
      assert.deepEqual([claims?.["email"], claims?.["name"]], ["ann@example.org", undefined]);
    const without = await read<Trial>(await ask(`${PATH}?scope=profile`), 200);
    assert.deepEqual([without.idToken, without.userinfo], [undefined, undefined]);
  });

  it("says why the person may not use the application, and nothing else", async () => {
    await app.admin("PATCH", "/api/admin/clients/notes", { allowedGroups: ["crew"] });
    assert.deepEqual(await read<Trial>(await ask(), 200), { username: "ann", refusal: "group" });
    await app.admin("PATCH", "/api/admin/clients/notes", { enabled: false });
    assert.deepEqual(await read<Trial>(await ask(), 200), { username: "ann", refusal: "switched off" });
  });

  it("wants an administrator who is a person, and an application", async () => {
    assert.deepEqual(await code(await app.admin("GET", PATH)), [409, "conflict"]);
    assert.deepEqual(await code(await ask("/api/admin/clients/none/trial")), [404, "not_found"]);
    const bob = await app.signUp("bob");
    assert.deepEqual(await code(await app.send("GET", PATH, { token: bob.accessToken })), [403, "forbidden"]);
  });
});
