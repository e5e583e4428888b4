/** Signing in with a passkey, alone and as the second step, and what is refused. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { answeredChallenges } from "../../../src/auth/passkeys/records.ts";
import type { Faults, RequestOptions } from "../../support/authenticator.ts";
import { PASSWORD, type SignedIn, type TestApp, code, createTestApp } from "../app-fixture.ts";
import { read } from "../http/admin-requests.ts";
import { listEventKinds } from "../http/token-requests.ts";
import { type Begun, MINE, createPasskeyRoom } from "./passkey-room.ts";

const MINUTE = 60_000;

let app: TestApp;
let room: ReturnType<typeof createPasskeyRoom>;
let ann: SignedIn;

beforeEach(async () => {
  app = await createTestApp();
  room = createPasskeyRoom(app);
  ann = await app.signUp("ann");
});

describe("signing in with a passkey", () => {
  const wrong: readonly [string, Faults, string][] = [
    ["a bogus signature", { isBogus: true }, "passkey_invalid"],
    ["no check of the person", { isUnverified: true }, "passkey_unverified"],
    ["another origin", { origin: "https://localhost.example" }, "passkey_invalid"],
    ["another relying party", { rpId: "example.org" }, "passkey_invalid"],
    ["a frame of another site", { isFramed: true }, "passkey_invalid"],
    ["what a registration gave", { type: "webauthn.create" }, "passkey_invalid"],
    ["another account's handle", { userHandle: "b3RoZXI" }, "passkey_invalid"],
    ["no handle", { userHandle: undefined }, "passkey_invalid"],
  ];
  for (const [name, faults, expected] of wrong)
    it(`is refused for ${name}`, async () => {
      const { authenticator } = await room.add(ann);
      assert.deepEqual(await code(await room.signIn(authenticator, faults)), [401, expected]);
      await read(await room.signIn(authenticator), 200);
    });

  it("takes a challenge once of 16 at the same time, and never again", async () => {
    const { authenticator } = await room.add(ann);
    const { challengeId, options } = await room.begin<RequestOptions>("/api/auth/passkeys/options");
    const body = { challengeId, response: authenticator.get(options) };
    const send = () => room.post("/api/auth/passkeys/sign-in", body);
    const statuses = (await Promise.all(Array.from({ length: 16 }, send))).map(({ status }) => status);
    assert.deepEqual(statuses.filter((status) => status === 200).length, 1);
    // A clock that is set back opens it no more, nor after the sweep.
    app.clock.advance(6 * MINUTE);
    await app.auth.sweep();
    app.clock.advance(-6 * MINUTE);
    assert.notEqual((await send()).status, 200);
    assert.equal(await app.store.read((tx) => tx.count(answeredChallenges)), 2);
  });

  it("takes a challenge for five minutes, of this center, and for what it was made for", async () => {
    const { authenticator } = await room.add(ann);
    const late = await room.begin<RequestOptions>("/api/auth/passkeys/options");
    app.clock.advance(5 * MINUTE);
    const send = ({ challengeId, options }: Begun<RequestOptions>) =>
      room.post("/api/auth/passkeys/sign-in", { challengeId, response: authenticator.get(options) });
    assert.deepEqual(await code(await send(late)), [401, "passkey_invalid"]);
    const proof = await room.begin<RequestOptions>(`${MINE}/proof/options`, ann.accessToken);
    assert.deepEqual(await code(await send(proof)), [401, "passkey_invalid"]);
    assert.deepEqual(await code(await send({ ...late, challengeId: "v1.AAAA" })), [401, "passkey_invalid"]);
  });

  it("names no accounts in its options, and writes nothing for them", async () => {
    const version = await app.store.read((tx) => tx.count(answeredChallenges));
    const { options } = await room.begin<{ allowCredentials?: unknown[]; userVerification: string }>(
      "/api/auth/passkeys/options",
    );
    assert.deepEqual([options.allowCredentials, options.userVerification], [[], "required"]);
    assert.equal(await app.store.read((tx) => tx.count(answeredChallenges)), version);
  });

  it("is slowed down after ten failures of an address", async () => {
    const { authenticator } = await room.add(ann);
    for (let tries = 0; tries < 10; tries += 1) await room.signIn(authenticator, { isBogus: true });
    assert.deepEqual(await code(await room.signIn(authenticator)), [429, "too_many_attempts"]);
    app.clock.advance(11 * MINUTE);
    await read(await room.signIn(authenticator), 200);
  });

  it("opens no account that is suspended, and tells its owner alone", async () => {
    const { authenticator } = await room.add(ann);
    await app.admin("POST", `/api/admin/users/${ann.user.id}/suspend`, { reason: "Spam" });
    assert.deepEqual(await code(await room.signIn(authenticator)), [403, "account_suspended"]);
    assert.deepEqual(await code(await room.signIn(authenticator, { isBogus: true })), [
      401,
      "passkey_invalid",
    ]);
  });

  it("records a counter that went back, and locks no one out", async () => {
    const { authenticator } = await room.add(ann, { counts: true });
    await read(await room.signIn(authenticator, { counter: 40 }), 200);
    await read(await room.signIn(authenticator, { counter: 7 }), 200);
    const kinds = await listEventKinds(app, ann.accessToken);
    assert.equal(kinds.filter((kind) => kind === "passkey-counter-fell").length, 1);
    await read(await room.signIn(authenticator, { counter: 8 }), 200);
  });

  it("takes the origins that the settings name, and tells browsers of them", async () => {
    const { authenticator } = await room.add(ann);
    const origin = "https://shop.example.org";
    assert.equal((await app.fetch("/.well-known/webauthn")).status, 404);
    await app.set("registration", { passkeyOrigins: [origin] });
    const listed = await read<{ origins: string[] }>(await app.fetch("/.well-known/webauthn"), 200);
    assert.deepEqual(listed.origins, [origin]);
    await read(await room.signIn(authenticator, { origin }), 200);
  });

  it("is not to be had on an address without a host name", async () => {
    const numbered = await createTestApp({ publicUrl: "https://192.0.2.7" });
    const options = await numbered.send("POST", "/api/auth/passkeys/options");
    assert.deepEqual(await code(options), [503, "unavailable"]);
  });
});

describe("a passkey beside a password", () => {
  async function switchOn(): Promise<string> {
    const { secret } = await read<{ secret: string }>(
      await room.post("/api/auth/mfa/totp", undefined, ann.accessToken),
      200,
    );
    await read(
      await room.post("/api/auth/mfa/totp/confirm", { code: app.totp(secret) }, ann.accessToken),
      200,
    );
    return secret;
  }

  async function startLogin() {
    return read<{ challengeId: string; methods: string[] }>(
      await room.post("/api/auth/login", { identifier: "ann", password: PASSWORD }),
      200,
    );
  }

  it("is the second step, also without a check of the person", async () => {
    await switchOn();
    assert.deepEqual((await startLogin()).methods, ["totp", "recovery"]);
    const { authenticator } = await room.add(ann);
    const { challengeId: mfaId, methods } = await startLogin();
    assert.deepEqual(methods, ["totp", "recovery", "passkey"]);
    const { challengeId, options } = await room.begin<
      RequestOptions & { allowCredentials: { id: string }[] }
    >("/api/auth/passkeys/second-factor/options", undefined, { mfaId });
    assert.deepEqual(
      options.allowCredentials.map(({ id }) => id),
      [authenticator.id],
    );
    const finish = (faults: Faults) =>
      room.post("/api/auth/passkeys/second-factor", {
        mfaId,
        challengeId,
        response: authenticator.get(options, faults),
      });
    assert.deepEqual(await code(await finish({ isBogus: true })), [401, "passkey_invalid"]);
    const done = await finish({ isUnverified: true, userHandle: undefined });
    assert.deepEqual(await room.amrOf(done), [["pwd", "hwk", "user", "mfa"], 2]);
    assert.deepEqual(await code(await finish({})), [401, "passkey_invalid"]);
    const gone = await room.post("/api/auth/passkeys/second-factor/options", { mfaId });
    assert.deepEqual(await code(gone), [401, "invalid_credentials"]);
  });

  it("of another account is no second step", async () => {
    await switchOn();
    await room.add(ann);
    const bob = await app.signUp("bob");
    const { authenticator } = await room.add(bob);
    const { challengeId: mfaId } = await startLogin();
    const { challengeId, options } = await room.begin<RequestOptions>(
      "/api/auth/passkeys/second-factor/options",
      undefined,
      { mfaId },
    );
    const response = authenticator.get(options);
    const answer = await room.post("/api/auth/passkeys/second-factor", { mfaId, challengeId, response });
    assert.deepEqual(await code(answer), [401, "passkey_invalid"]);
  });

  it("verifies one's identity again, with user verification", async () => {
    const { authenticator } = await room.add(ann);
    app.clock.advance(11 * MINUTE);
    const token = ann.accessToken;
    const prove = async (faults?: Faults) => {
      const { challengeId, options } = await room.begin<RequestOptions>(`${MINE}/proof/options`, token);
      return room.post(`${MINE}/proof`, { challengeId, response: authenticator.get(options, faults) }, token);
    };
    assert.deepEqual(await code(await prove({ isUnverified: true })), [401, "passkey_unverified"]);
    await read(await prove(), 200);
    await room.begin(`${MINE}/options`, token);
  });
});
