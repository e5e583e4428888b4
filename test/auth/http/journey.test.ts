/** The first use by a person with nothing configured: the way from registration to a liked profile. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { code, createTestApp, PASSWORD } from "../app-fixture.ts";

describe("the first use of the auth center", () => {
  it("registers, proves the mailbox, signs in, checks in, shows a profile and likes another", async () => {
    const app = await createTestApp();
    const registered = await app.send("POST", "/api/auth/register", {
      body: { username: "Ann", email: "Ann@example.org", password: PASSWORD },
    });
    assert.equal(registered.status, 202);
    assert.deepEqual(
      await code(
        await app.send("POST", "/api/auth/login", { body: { identifier: "ann", password: PASSWORD } }),
      ),
      [403, "email_unverified"],
    );
    const verified = await app.send("POST", "/api/auth/email/verify", {
      body: { email: "ann@example.org", code: await app.codeFor("Ann@example.org") },
    });
    assert.equal(verified.status, 200);

    const signedIn = await app.send("POST", "/api/auth/login", {
      body: { identifier: "ann@example.org", password: PASSWORD },
      headers: { "x-auth-client": "shop" },
    });
    assert.equal(signedIn.status, 200);
    const { accessToken: token }: { accessToken: string } = await signedIn.json();
    const validation = await app.send("GET", "/api/auth/validate", { token });
    assert.equal(validation.headers.get("x-auth-username"), "Ann");

    const checkIn = await app.send("POST", "/api/auth/checkin", { token });
    assert.equal(checkIn.status, 201);
    const profile = await app.send("PATCH", "/api/auth/profile", {
      token,
      body: { visibility: "public", inDirectory: true },
    });
    assert.equal(profile.status, 200);
    const bob = await app.signUp("bob");
    const liked = await app.send("PUT", "/api/public/users/ann/like", { token: bob.accessToken });
    assert.deepEqual(await liked.json(), { liked: true, likes: 1 });
    const directory: { items: { username: string }[] } = await (await app.fetch("/api/public/users")).json();
    assert.deepEqual(
      directory.items.map(({ username }) => username),
      ["Ann"],
    );
  });
});
