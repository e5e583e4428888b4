/** Whose token it is: for applications, for the forward-auth of a proxy, and for the ledger of applications. */
import { toIsoTime } from "../../../src/kit/text/iso-time.ts";
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { authCollections } from "../../../src/auth/app/records.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { type SignedIn, type TestApp, code, createTestApp, PASSWORD } from "../app-fixture.ts";
import { type RenewedTokens, validate } from "../http/token-requests.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

let app: TestApp;
let ann: SignedIn;

beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("ann");
});

describe("GET and POST /api/auth/validate", () => {
  it("tell whose token it is, in the body and in headers for a proxy", async () => {
    await app.send("PATCH", "/api/auth/profile", {
      token: ann.accessToken,
      body: { displayName: "Zoë 👍" },
    });
    for (const method of ["GET", "POST"]) {
      const response = await app.send(method, "/api/auth/validate", { token: ann.accessToken });
      assert.equal(response.status, 200);
      const [session] = await app.auth.sessions.list(ann.user.id);
      assert.deepEqual(await response.json(), {
        valid: true,
        user: {
          id: ann.user.id,
          username: "ann",
          displayName: "Zoë 👍",
          emailVerified: true,
          role: "user",
          groups: [],
        },
        sessionId: session?.id,
        clientId: "test",
        authenticatedAt: toIsoTime(app.clock.now()),
        expiresAt: toIsoTime(app.clock.now() + 15 * MINUTE),
        amr: ["pwd"],
        aal: 1,
        adminScopes: [],
      });
      const headers = Object.fromEntries(
        [...response.headers].filter(([name]) => name.startsWith("x-auth-")),
      );
      assert.deepEqual(headers, {
        "x-auth-user-id": ann.user.id,
        "x-auth-username": "ann",
        "x-auth-display-name": "Zo%C3%AB%20%F0%9F%91%8D",
        "x-auth-email": "ann@example.org",
        "x-auth-groups": "",
        "x-auth-role": "user",
        "x-auth-email-verified": "1",
        "x-auth-session-id": session?.id,
        "x-auth-impersonated-by": "",
      });
      assert.equal(response.headers.get("cache-control"), "no-store");
    }
  });

  it("tell of an address that is not verified, and of an administrator", async () => {
    const bob = await app.signUp("bob", { emailVerifiedAt: undefined, role: "admin" });
    const response = await validate(app, bob.accessToken);
    assert.equal(response.headers.get("x-auth-email-verified"), "0");
    assert.equal(response.headers.get("x-auth-role"), "admin");
  });

  it("say what was wrong as RFC 6750 has it", async () => {
    const unknown = `acc_${Buffer.alloc(32).toString("base64url")}`;
    for (const token of [unknown, "x", ann.refreshToken, ann.user.id]) {
      const response = await validate(app, token);
      assert.equal(response.headers.get("www-authenticate"), 'Bearer error="invalid_token"', token);
      assert.equal(response.headers.get("cache-control"), "no-store");
      assert.deepEqual(await code(response), [401, "token_invalid"]);
    }
    for (const authorization of [
      "",
      "Bearer",
      "Bearer ",
      "Basic YTpi",
      "Bearer a b",
      `Bearer ${"x".repeat(600)}`,
    ]) {
      const response = await app.send("GET", "/api/auth/validate", {
        ...(authorization === "" ? {} : { headers: { authorization } }),
      });
      assert.equal(response.headers.get("www-authenticate"), "Bearer", authorization);
      assert.deepEqual(await code(response), [401, "unauthenticated"]);
    }
  });

  it("take the scheme in any case (RFC 9110 section 11.1)", async () => {
    const headers = { authorization: `bearer ${ann.accessToken}` };
    assert.equal((await app.send("GET", "/api/auth/validate", { headers })).status, 200);
  });

  it("write nothing; what they count is written once, and kept while the store cannot write", async () => {
    const inner = createMemoryStore({ collections: authCollections });
    let writes = 0;
    let isBroken = false;
    const store: Store = {
      ...inner,
      read: (work) => inner.read(work),
      transact: (work) => {
        writes += 1;
        return isBroken ? Promise.reject(new Error("the disk is full")) : inner.transact(work);
      },
    };
    app = await createTestApp({ store });
    ann = await app.signUp("ann");
    writes = 0;
    const as = (client: string | undefined): Promise<Response> =>
      app.send("GET", "/api/auth/validate", {
        token: ann.accessToken,
        ...(client === undefined ? {} : { headers: { "x-auth-client": client } }),
      });
    for (const client of ["shop", "shop", undefined, "", "NOT valid", "a".repeat(65), "shop"])
      assert.equal((await as(client)).status, 200);
    assert.equal(writes, 0);

    isBroken = true;
    await assert.rejects(app.auth.activity.flush(), /disk is full/u);
    isBroken = false;
    app.clock.advance(SECOND);
    await as("shop");
    writes = 0;
    await app.auth.activity.flush();
    assert.equal(writes, 1);
    await app.auth.activity.flush();
    assert.equal(writes, 1, "nothing was counted since");
    const response = await app.send("GET", "/api/auth/applications", { token: ann.accessToken });
    const { items }: { items: { clientId: string; count: number }[] } = await response.json();
    assert.deepEqual(
      items.map(({ clientId, count }) => [clientId, count]),
      [
        ["a".repeat(64), 1],
        ["not-valid", 1],
        ["shop", 4],
        ["test", 2],
      ],
    );
  });
});

describe("the list of applications", () => {
  const listed = async (): Promise<{ clientId: string }[]> => {
    const response = await app.send("GET", "/api/auth/applications", { token: ann.accessToken });
    const { items }: { items: { clientId: string }[] } = await response.json();
    return items;
  };

  it("has the application that the user signed in with, at once", async () => {
    assert.deepEqual(
      (await listed()).map(({ clientId }) => clientId),
      ["test"],
    );
  });

  it("holds 50 names at most, those that were used last", async () => {
    for (let round = 0; round < 3; round += 1) {
      for (let number = 0; number < 60; number += 1)
        await app.send("GET", "/api/auth/validate", {
          token: ann.accessToken,
          headers: { "x-auth-client": `app-${round}-${number}` },
        });
      app.clock.advance(SECOND);
      await app.auth.activity.flush();
    }
    const names = (await listed()).map(({ clientId }) => clientId).filter((name) => name !== "test");
    assert.equal(names.length, 50);
    assert.ok(names.every((name) => name.startsWith("app-2-")));
  });

  it("can be filled from Swagger UI: the header is part of the document", async () => {
    const text = JSON.stringify(await app.document());
    assert.match(text, /"name":"X-Auth-Client","in":"header"/u);
  });
});

describe("a sign-in", () => {
  it("carries the application's name, in one form for all its spellings, and without one is known as such", async () => {
    for (const [header, clientId] of [
      ["shop", "shop"],
      [undefined, "unknown"],
      ["Not Valid", "not-valid"],
      ["MyApp", "myapp"],
      ["https://shop.example/", "shop.example"],
      ["-- !", "unknown"],
    ] as const) {
      const response = await app.send("POST", "/api/auth/login", {
        body: { identifier: "ann", password: PASSWORD },
        ...(header === undefined ? {} : { headers: { "x-auth-client": header } }),
      });
      const { accessToken }: RenewedTokens = await response.json();
      const validation: { clientId: string } = await (await validate(app, accessToken)).json();
      assert.equal(validation.clientId, clientId);
    }
  });
});
