/** Signing in to the monitor with an account of a real auth center, over HTTP. */
import assert from "node:assert/strict";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, beforeEach, describe, it } from "node:test";
import { createAccountCheck } from "../../../src/monitor/access/account-check.ts";
import {
  type TestApp as TestAuth,
  PASSWORD,
  createTestApp as createTestAuth,
} from "../../auth/app-fixture.ts";
import { addFactor, totpCode } from "../../auth/http/people.ts";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { code, create } from "../http/requests.ts";

const PATH = "/api/access/session";

describe("signing in with an account", () => {
  let auth: TestAuth;
  let server: Server;
  let authUrl: string;
  let app: TestApp;
  let forwarded: string | undefined;

  before(async () => {
    server = createServer((request, response) => {
      void (async () => {
        const body = await text(request);
        const { "x-forwarded-for": from, authorization = "" } = request.headers;
        if (from !== undefined) forwarded = String(from);
        const answer = await auth.fetch(request.url ?? "", {
          method: request.method ?? "GET",
          headers: { "content-type": "application/json", authorization },
          ...(body === "" ? {} : { body }),
        });
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        response.end(await answer.text());
      })();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    // The address of a listener on a port, not of a pipe.
    authUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());
  beforeEach(async () => {
    auth = await createTestAuth();
    app = await createTestApp({ checkAccount: createAccountCheck({ authUrl, timeoutMs: 30_000 }) });
    await create(app, "a");
  });

  function post(body: object): Promise<Response> {
    return app.fetch(PATH, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }
  const signIn = (identifier: string, password = PASSWORD): Promise<Response> =>
    post({ identifier, password });
  async function allow(access: object): Promise<void> {
    const response = await app.admin("PATCH", "/api/admin/settings", {
      access: { isPrivate: true, ...access },
    });
    assert.equal(response.status, 200);
  }
  function cookieOf(response: Response): string {
    return (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  }
  async function rightOf(cookie: string): Promise<string> {
    const answer: { right: string } = await (await app.fetch("/api/access", { headers: { cookie } })).json();
    return answer.right;
  }

  it("sends no request if accounts have no access", async () => {
    await auth.signUp("ann");
    await allow({ administrators: { who: "nobody" } });
    assert.deepEqual(await code(await signIn("ann")), [403, "forbidden"]);
    assert.equal(forwarded, undefined, "and asks nobody");
  });

  it("lets an account look that may, and keeps no session at the auth center", async () => {
    const ann = await auth.signUp("ann");
    await auth.signUp("bob");
    await allow({ viewers: { who: "listed", usernames: ["Ann"] } });
    const signedIn = await signIn("ann");
    const answer: { status: string; right: string; name: string } = await signedIn.json();
    assert.deepEqual([answer.status, answer.right, answer.name], ["signed_in", "view", "ann"]);
    assert.match(signedIn.headers.get("set-cookie") ?? "", /HttpOnly; SameSite=Strict$/u);
    assert.equal(forwarded, "192.0.2.1");
    const cookie = cookieOf(signedIn);
    assert.equal((await app.fetch("/api/servers", { headers: { cookie } })).status, 200);
    assert.deepEqual(await code(await app.fetch("/api/admin/servers", { headers: { cookie } })), [
      401,
      "unauthenticated",
    ]);
    const sessions = await auth.send("GET", "/api/auth/sessions", { token: ann.accessToken });
    const { items }: { items: unknown[] } = await sessions.json();
    assert.equal(items.length, 1, "the one of its sign-up");
    assert.deepEqual(await code(await signIn("bob")), [403, "forbidden"]);
    // Access is checked at every request.
    await allow({ viewers: { who: "nobody" } });
    assert.equal(await rightOf(cookie), "nothing");
    await allow({ viewers: { who: "everyone" } });
    assert.equal(await rightOf(cookie), "view");
    const origin = "http://localhost";
    assert.equal((await app.fetch(PATH, { method: "DELETE", headers: { cookie, origin } })).status, 204);
    assert.equal(await rightOf(cookie), "nothing");
  });

  it("lets administrators in who are named, or administer the auth center", async () => {
    await auth.signUp("ann");
    await auth.signUp("root", { role: "admin" });
    await allow({ administrators: { who: "admins" } });
    assert.deepEqual(await code(await signIn("ann")), [403, "forbidden"]);
    const cookie = cookieOf(await signIn("root"));
    const session = await app.fetch("/api/admin/auth", { headers: { cookie } });
    const info: { name: string } = await session.json();
    assert.equal(info.name, "account root");
    await allow({ administrators: { who: "listed", usernames: ["ann"] } });
    assert.equal(await rightOf(cookie), "nothing");
    assert.equal(await rightOf(cookieOf(await signIn("ann"))), "administer");
  });

  it("does not let a session for looking administer later", async () => {
    await auth.signUp("ann");
    await allow({ viewers: { who: "everyone" } });
    const cookie = cookieOf(await signIn("ann"));
    await allow({ administrators: { who: "listed", usernames: ["ann"] } });
    assert.equal(await rightOf(cookie), "view");
  });

  it("asks for the second factor of an account that has one", async () => {
    const { accessToken } = await auth.signUp("ann");
    const { secret, recoveryCodes } = await addFactor(auth, accessToken);
    await allow({ viewers: { who: "everyone" } });
    const challenge: { status: string; challengeId: string; methods: string[] } = await (
      await signIn("ann")
    ).json();
    assert.deepEqual([challenge.status, challenge.methods], ["mfa_required", ["totp", "recovery"]]);
    const { challengeId } = challenge;
    assert.deepEqual(await code(await post({ challengeId, code: "000000" })), [401, "unauthenticated"]);
    const signedIn = await post({ challengeId, code: totpCode(auth, secret) });
    assert.equal(await rightOf(cookieOf(signedIn)), "view");
    const again: { challengeId: string } = await (await signIn("ann")).json();
    const recovered = await post({
      ...again,
      status: undefined,
      methods: undefined,
      method: "recovery",
      code: recoveryCodes[0],
    });
    assert.equal(recovered.status, 200);
  });

  it("refuses wrong passwords, and after ten of an address asks no more", async () => {
    await auth.signUp("ann");
    await allow({ viewers: { who: "everyone" } });
    for (let i = 0; i < 10; i += 1) {
      const [status, text] = await code(await signIn("ann", "wrong password"));
      assert.ok(
        (status === 401 && text === "unauthenticated") || (status === 429 && text === "rate_limited"),
      );
    }
    assert.deepEqual(await code(await signIn("nobody")), [429, "rate_limited"]);
  });

  it("says that an account is suspended, or that the center does not respond", async () => {
    await auth.signUp("ann", { status: "suspended" });
    await allow({ viewers: { who: "everyone" } });
    assert.deepEqual(await code(await signIn("ann")), [403, "forbidden"]);
    const away = await createTestApp({
      checkAccount: createAccountCheck({ authUrl: `${authUrl}/no-such-path`, timeoutMs: 30_000 }),
    });
    app = away;
    await allow({ viewers: { who: "everyone" } });
    assert.deepEqual(await code(await signIn("ann")), [503, "unavailable"]);
  });
});
