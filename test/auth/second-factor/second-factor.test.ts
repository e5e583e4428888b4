/** The second factor: switched on and off, asked for at each sign-in, and never passed by. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { TOTP } from "otpauth";
import { users } from "../../../src/auth/accounts/records.ts";
import { type SignedIn, type TestApp, code, createTestApp, PASSWORD } from "../app-fixture.ts";
import { findInStore } from "../store-dump.ts";
import { read } from "../http/admin-requests.ts";
import { isValid, listEventKinds } from "../http/token-requests.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

interface Challenge {
  readonly status: "mfa_required";
  readonly challengeId: string;
  readonly methods: readonly string[];
}

let app: TestApp;
let ann: SignedIn;
let secret = "";
let recoveryCodes: readonly string[] = [];

/** What an authenticator app shows, `steps` of 30 s from now. */
function totp(steps = 0): string {
  return new TOTP({ secret }).generate({ timestamp: app.clock.now() + steps * 30 * SECOND });
}

/** Six digits that are none of the codes around now. */
function wrongCode(): string {
  const right = new Set([-2, -1, 0, 1, 2].map(totp));
  for (let number = 0; ; number += 1) {
    const text = String(number).padStart(6, "0");
    if (!right.has(text)) return text;
  }
}

const post = (path: string, body: unknown, token?: string): Promise<Response> =>
  app.send("POST", `/api/auth/${path}`, { body, token });

const begin = (token: string): Promise<Response> => app.send("POST", "/api/auth/mfa/totp", { token });
const confirm = (value: string): Promise<Response> =>
  post("mfa/totp/confirm", { code: value }, ann.accessToken);

async function challenge(): Promise<string> {
  const response = await post("login", { identifier: "ann", password: PASSWORD });
  const body = await read<Challenge>(response, 200);
  assert.equal(body.status, "mfa_required");
  return body.challengeId;
}

const finish = (challengeId: string, value: string, method = "totp"): Promise<Response> =>
  post("login/mfa", { challengeId, method, code: value });

async function switchOn(): Promise<void> {
  ({ secret } = await read<{ secret: string }>(await begin(ann.accessToken), 200));
  ({ recoveryCodes } = await read<{ recoveryCodes: string[] }>(await confirm(totp()), 200));
  app.clock.advance(MINUTE);
}

beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("ann");
});

describe("switching the second factor on", () => {
  it("takes a secret, a first code, and gives ten recovery codes; all of it not to be cached", async () => {
    const begun = await begin(ann.accessToken);
    assert.equal(begun.headers.get("cache-control"), "no-store");
    const made = await read<{ secret: string; uri: string }>(begun, 200);
    ({ secret } = made);
    assert.match(made.uri, /^otpauth:\/\/totp\/.*ann\?/u);
    assert.ok(made.uri.includes(secret));
    assert.deepEqual(await code(await confirm(wrongCode())), [400, "code_invalid"]);
    const confirmed = await confirm(totp());
    assert.equal(confirmed.headers.get("cache-control"), "no-store");
    const shown = await read<{ recoveryCodes: string[] }>(confirmed, 200);
    assert.equal(new Set(shown.recoveryCodes).size, 10);
    for (const each of shown.recoveryCodes)
      assert.match(each, /^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/u);
    assert.match((await app.mailsTo("ann@example.org"))[0] ?? "", /turned on/u);
    assert.equal((await listEventKinds(app, ann.accessToken))[0], "second-factor-added");
  });

  it("asks for nothing before it is confirmed", async () => {
    await begin(ann.accessToken);
    const response = await post("login", { identifier: "ann", password: PASSWORD });
    assert.ok("accessToken" in (await read<object>(response, 200)));
  });

  it("creates another secret when begun again; the first becomes invalid", async () => {
    ({ secret } = await read<{ secret: string }>(await begin(ann.accessToken), 200));
    const first = totp();
    ({ secret } = await read<{ secret: string }>(await begin(ann.accessToken), 200));
    assert.deepEqual(await code(await confirm(first)), [400, "code_invalid"]);
    assert.equal((await confirm(totp())).status, 200);
  });

  it("refuses a confirmation without a beginning, and a second factor beside the first", async () => {
    assert.deepEqual(await code(await confirm("123456")), [409, "conflict"]);
    await switchOn();
    assert.deepEqual(await code(await begin(ann.accessToken)), [409, "conflict"]);
    assert.deepEqual(await code(await confirm(totp())), [409, "conflict"]);
  });

  it("locks after ten wrong codes, for 15 minutes", async () => {
    ({ secret } = await read<{ secret: string }>(await begin(ann.accessToken), 200));
    for (let count = 0; count < 10; count += 1) assert.equal((await confirm(wrongCode())).status, 400);
    const locked = await confirm(totp());
    assert.equal(locked.headers.get("retry-after"), "900");
    assert.deepEqual(await code(locked), [429, "too_many_attempts"]);
  });
});

describe("what the second factor's own changes need", () => {
  const calls: readonly (readonly [string, string, unknown])[] = [
    ["POST", "/api/auth/mfa/totp", undefined],
    ["POST", "/api/auth/mfa/totp/confirm", { code: "123456" }],
    ["DELETE", "/api/auth/mfa/totp", undefined],
    ["POST", "/api/auth/mfa/recovery-codes", undefined],
  ];

  it("is a sign-in of less than ten minutes ago", async () => {
    app.clock.advance(10 * MINUTE);
    for (const [method, path, body] of calls)
      assert.deepEqual(
        await code(await app.send(method, path, { body, token: ann.accessToken })),
        [403, "reauth_required"],
        path,
      );
    await read(await post("reauth", { password: PASSWORD }, ann.accessToken), 200);
    assert.equal((await begin(ann.accessToken)).status, 200);
  });

  it("is the owner: no administrator in the account", async () => {
    const opened = await app.admin("POST", `/api/admin/users/${ann.user.id}/impersonate`, {
      minutes: 10,
      reason: "test",
    });
    assert.ok(opened.ok);
    const { accessToken }: { accessToken: string } = await opened.json();
    for (const [method, path, body] of calls)
      assert.deepEqual(
        await code(await app.send(method, path, { body, token: accessToken })),
        [403, "forbidden"],
        path,
      );
  });

  it("is a factor, to take one away or to renew its recovery codes", async () => {
    for (const [method, path] of calls.slice(2))
      assert.deepEqual(
        await code(await app.send(method, path, { token: ann.accessToken })),
        [404, "not_found"],
        path,
      );
  });
});

describe("signing in with a second factor", () => {
  beforeEach(switchOn);

  it("answers a challenge, and tokens of level 2 for a right code", async () => {
    const response = await post("login", { identifier: "ann", password: PASSWORD });
    assert.equal(response.headers.get("cache-control"), "no-store");
    const { challengeId, methods, ...rest } = await read<Challenge>(response, 200);
    assert.deepEqual(rest, { status: "mfa_required" });
    assert.deepEqual(methods, ["totp", "recovery"]);
    const { accessToken } = await read<{ accessToken: string }>(await finish(challengeId, totp()), 200);
    const validation = await read<{ amr: string[]; aal: number }>(
      await app.send("GET", "/api/auth/validate", { token: accessToken }),
      200,
    );
    assert.deepEqual([validation.amr, validation.aal], [["pwd", "otp", "mfa"], 2]);
  });

  it("is also required after a code by email", async () => {
    await post("email/send-code", { email: "ann@example.org", purpose: "login" });
    const value = await app.codeFor("ann@example.org");
    const body = await read<Challenge>(
      await post("login/code", { email: "ann@example.org", code: value }),
      200,
    );
    assert.equal(body.status, "mfa_required");
    const { accessToken } = await read<{ accessToken: string }>(await finish(body.challengeId, totp()), 200);
    assert.equal(await isValid(app, accessToken), true);
  });

  it("takes a code one step early or late, and each step once", async () => {
    for (const steps of [-2, 2])
      assert.deepEqual(await code(await finish(await challenge(), totp(steps))), [400, "code_invalid"]);
    assert.equal((await finish(await challenge(), totp(-1))).status, 200);
    assert.deepEqual(await code(await finish(await challenge(), totp(-1))), [400, "code_invalid"]);
    assert.equal((await finish(await challenge(), totp(1))).status, 200);
    // A step before one that was used is as spent as that one.
    assert.deepEqual(await code(await finish(await challenge(), totp())), [400, "code_invalid"]);
  });

  it("takes one of 16 uses of a code at once", async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, challenge));
    const value = totp();
    const answers = await Promise.all(ids.map((id) => finish(id, value)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  });

  it("takes each recovery code once, however it is typed, and tells the owner", async () => {
    const [first = "", second = "", third = "", fourth = ""] = recoveryCodes;
    for (const typed of [
      first,
      second.replace("-", ""),
      third.toUpperCase(),
      ` ${fourth.replace("-", " ")} `,
    ])
      assert.equal((await finish(await challenge(), typed, "recovery")).status, 200, typed);
    for (const spent of [first, second, first.replace("-", "")])
      assert.deepEqual(await code(await finish(await challenge(), spent, "recovery")), [400, "code_invalid"]);
    assert.match((await app.mailsTo("ann@example.org"))[0] ?? "", /recovery code was used/u);
    assert.ok((await listEventKinds(app, ann.accessToken)).includes("recovery-code-used"));
  });

  it("takes no recovery code as a code of the app, nor the other way round", async () => {
    const id = await challenge();
    assert.deepEqual(await code(await finish(id, recoveryCodes[0] ?? "")), [400, "code_invalid"]);
    assert.deepEqual(await code(await finish(id, totp(), "recovery")), [400, "code_invalid"]);
    assert.equal((await finish(id, totp())).status, 200);
  });

  it("offers recovery no more when all codes are spent", async () => {
    for (const each of recoveryCodes)
      assert.equal((await finish(await challenge(), each, "recovery")).status, 200);
    const body = await read<Challenge>(await post("login", { identifier: "ann", password: PASSWORD }), 200);
    assert.deepEqual(body.methods, ["totp"]);
  });

  it("gives a challenge five tries, ten minutes, and one success", async () => {
    const tried = await challenge();
    for (let count = 0; count < 5; count += 1)
      assert.deepEqual(await code(await finish(tried, wrongCode())), [400, "code_invalid"]);
    assert.deepEqual(await code(await finish(tried, totp())), [401, "invalid_credentials"]);

    const old = await challenge();
    app.clock.advance(10 * MINUTE - 1);
    const young = await challenge();
    app.clock.advance(1);
    assert.deepEqual(await code(await finish(old, totp())), [401, "invalid_credentials"]);
    assert.equal((await finish(young, totp())).status, 200);
    app.clock.advance(MINUTE);
    assert.deepEqual(await code(await finish(young, totp())), [401, "invalid_credentials"]);
    assert.deepEqual(await code(await finish("mfa_none", totp())), [401, "invalid_credentials"]);
  });

  it("is locked for 15 minutes after ten failures, while the password goes on giving challenges", async () => {
    for (let count = 0; count < 10; count += 1)
      assert.equal((await finish(await challenge(), wrongCode())).status, 400);
    const id = await challenge();
    for (const [value, method] of [
      [totp(), "totp"],
      [recoveryCodes[0] ?? "", "recovery"],
    ] as const) {
      const locked = await finish(id, value, method);
      assert.equal(locked.headers.get("retry-after"), "900");
      assert.deepEqual(await code(locked), [429, "too_many_attempts"]);
    }
    app.clock.advance(15 * MINUTE - 1);
    assert.equal((await finish(await challenge(), totp())).status, 429);
    app.clock.advance(1);
    assert.equal((await finish(await challenge(), totp())).status, 200);
  });

  it("forgets failures after a right code", async () => {
    for (let round = 0; round < 2; round += 1) {
      for (let count = 0; count < 9; count += 1)
        assert.equal((await finish(await challenge(), wrongCode())).status, 400);
      app.clock.advance(MINUTE);
      assert.equal((await finish(await challenge(), totp())).status, 200);
    }
  });

  it("is not locked for years by a clock that was wrong", async () => {
    await app.store.transact(async (tx) => {
      const user = await tx.get(users, ann.user.id);
      assert.ok(user);
      const mfa = { ...user.mfa, lockedUntil: app.clock.now() + 3_650 * 86_400 * SECOND };
      await tx.put(users, { ...user, mfa });
    });
    assert.equal((await finish(await challenge(), totp())).status, 200);
  });

  it("cannot be finished once all sessions were ended, and the challenge opens nothing else", async () => {
    const id = await challenge();
    assert.equal(await isValid(app, id), false);
    assert.deepEqual(await code(await post("refresh", { refreshToken: id })), [401, "refresh_invalid"]);
    assert.ok((await app.admin("POST", `/api/admin/users/${ann.user.id}/revoke-sessions`)).ok);
    assert.deepEqual(await code(await finish(id, totp())), [401, "invalid_credentials"]);
  });

  it("is not passed by with a new password: neither by a link nor by the answer to it", async () => {
    await post("password/forgot", { email: "ann@example.org" });
    const token = /rst_[\w-]{43}/u.exec((await app.mailsTo("ann@example.org")).join("\n"))?.[0];
    const password = "seven purple elephants dance";
    const answer = await read<object>(await post("password/reset", { token, password }), 200);
    assert.deepEqual(answer, { status: "password_set" });
    const body = await read<Challenge>(await post("login", { identifier: "ann", password }), 200);
    assert.equal(body.status, "mfa_required");
  });
});

describe("changing a second factor that is on", () => {
  beforeEach(switchOn);

  it("renews the recovery codes: the old ones are dead", async () => {
    const response = await app.send("POST", "/api/auth/mfa/recovery-codes", { token: ann.accessToken });
    assert.equal(response.headers.get("cache-control"), "no-store");
    const fresh = await read<{ recoveryCodes: string[] }>(response, 200);
    assert.equal(fresh.recoveryCodes.length, 10);
    const id = await challenge();
    assert.equal((await finish(id, recoveryCodes[0] ?? "", "recovery")).status, 400);
    assert.equal((await finish(id, fresh.recoveryCodes[0] ?? "", "recovery")).status, 200);
  });

  it("takes it away, tells the owner, and asks for none from then on", async () => {
    const id = await challenge();
    const response = await app.send("DELETE", "/api/auth/mfa/totp", { token: ann.accessToken });
    assert.equal(response.status, 204);
    assert.equal((await finish(id, recoveryCodes[0] ?? "", "recovery")).status, 400);
    const signedIn = await post("login", { identifier: "ann", password: PASSWORD });
    assert.ok("accessToken" in (await read<object>(signedIn, 200)));
    assert.match((await app.mailsTo("ann@example.org"))[0] ?? "", /turned off/u);
    assert.ok((await listEventKinds(app, ann.accessToken)).includes("second-factor-removed"));
  });

  it("keeps neither the secret nor a recovery code readable in the store", async () => {
    await finish(await challenge(), wrongCode());
    const plain = recoveryCodes.flatMap((each) => [each, each.replace("-", "")]);
    assert.deepEqual(await findInStore(app.store, [secret, ...plain]), []);
  });
});
