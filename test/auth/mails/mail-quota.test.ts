/** How many mails strangers can have sent to a mailbox, and that its owner keeps a share of them. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestApp, createTestApp } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import { HOUR_MS, logIn, MINUTE_MS, post, register, sendCode } from "../http/people.ts";

const WALT = "walt@example.org";
let app: TestApp;
let strangers: number;

beforeEach(async () => {
  app = await createTestApp();
  strangers = 0;
});

const count = async (email = WALT): Promise<number> => (await app.mailsTo(email)).length;

/** A stranger's request from an address and a network of its own. */
function stranger(): { from: string } {
  strangers += 1;
  return { from: `10.${strangers >> 8}.${strangers & 255}.1` };
}

/** Uses up what strangers may have sent in an hour. */
async function useUp(purpose: string): Promise<void> {
  for (let i = 0; i < 6; i += 1) {
    app.clock.advance(MINUTE_MS);
    if (purpose === "reset") await post(app, "password/forgot", { email: WALT }, stranger());
    else await sendCode(app, WALT, purpose, stranger());
  }
}

describe("mails to one mailbox", () => {
  it("of one purpose leave those of another alone", async () => {
    await app.signUp("walt");
    await useUp("reset");
    const before = await count();
    await sendCode(app, WALT, "login", stranger());
    assert.equal(await count(), before + 1);
  });

  it("of an account that adds the mailbox leave its registration alone", async () => {
    const { accessToken: token } = await app.signUp("hijacker");
    await read(await post(app, "emails", { address: WALT }, { token }), 201);
    app.clock.advance(1);
    assert.equal((await register(app, "walt", {}, stranger())).status, 202);
    const proof = { email: WALT, code: await app.codeFor(WALT) };
    assert.equal((await post(app, "email/verify", proof)).status, 200);
  });

  it("are sent to who asks from a device that signed in before, whatever strangers used up", async () => {
    await app.signUp("walt");
    const signedIn = await logIn(app, "walt", undefined, { from: "203.0.113.5" });
    const device = signedIn.headers.get("x-device-token") ?? assert.fail();
    for (const purpose of ["login", "reset"]) {
      await useUp(purpose);
      const before = await count();
      const options = { ...stranger(), headers: { "x-device-token": device } };
      if (purpose === "reset") await post(app, "password/forgot", { email: WALT }, options);
      else await sendCode(app, WALT, purpose, options);
      assert.equal(await count(), before + 1, purpose);
    }
  });

  it("are sent to who asks from a network that signed in before", async () => {
    await app.signUp("walt");
    assert.equal((await logIn(app, "walt", undefined, { from: "203.0.113.5" })).status, 200);
    await useUp("login");
    const before = await count();
    await sendCode(app, WALT, "login", { from: "203.0.113.77" });
    assert.equal(await count(), before + 1);
    await sendCode(app, WALT, "login", { from: "203.0.113.78" });
    assert.equal(await count(), before + 1, "within the same limits");
  });

  it("are five a day of one purpose for one sender, who cannot use up those of strangers", async () => {
    await app.signUp("walt", { emailVerifiedAt: undefined });
    const from = "198.51.100.66";
    for (let i = 0; i < 6; i += 1) {
      app.clock.advance(HOUR_MS / 2);
      await sendCode(app, WALT, "verify", { from });
    }
    await assert.rejects(app.codeFor(WALT), /No mail with a code/u);
    await sendCode(app, WALT, "verify", { from: "203.0.113.5" });
    assert.match(await app.codeFor(WALT), /^\d{8}$/u);
  });
});
