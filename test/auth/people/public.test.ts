/** Public data: one profile, its picture, and the rules of registration. */
import { toIsoTime } from "../../../src/kit/text/iso-time.ts";
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { putUser } from "../../../src/auth/accounts/accounts.ts";
import { users } from "../../../src/auth/accounts/records.ts";
import type { UserRecord } from "../../../src/auth/accounts/schema.ts";
import { type SignedIn, type TestApp, code, createTestApp } from "../app-fixture.ts";
import { png, pngChunk, pngOf, realPng } from "../pictures.ts";

const ANN = "/api/public/users/ann";
const DAY = 86_400_000;

let app: TestApp;
let ann: SignedIn;

async function edit(who: SignedIn, fields: object): Promise<void> {
  const { accessToken: token } = await app.signIn(who.user);
  const response = await app.send("PATCH", "/api/auth/profile", { token, body: fields });
  assert.equal(response.status, 200);
}

async function change(who: SignedIn, fields: Partial<UserRecord>): Promise<void> {
  await app.store.transact(async (tx) => {
    const user = (await tx.get(users, who.user.id)) ?? assert.fail("No such user");
    await putUser(tx, { ...user, ...fields }, { edited: true });
  });
}

function putAvatar(who: SignedIn, bytes: Uint8Array<ArrayBuffer>): Promise<Response> {
  const headers = { authorization: `Bearer ${who.accessToken}`, "content-type": "image/png" };
  return app.fetch("/api/auth/profile/avatar", { method: "PUT", headers, body: bytes });
}

beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("Ann");
  await edit(ann, { visibility: "public" });
});

/** Names that must look unused. */
const hidden: Readonly<Record<string, () => Promise<string>>> = {
  "an unknown name": () => Promise.resolve("nobody"),
  "a private profile": async () => {
    await app.signUp("ben");
    return "ben";
  },
  "a suspended account": async () => {
    await change(ann, { status: "suspended" });
    return "ann";
  },
  "an account that is suspended for a while": async () => {
    await change(ann, { status: "suspended", suspendedUntil: app.clock.now() + 1 });
    return "ann";
  },
  "a deleted account": async () => {
    await change(ann, { status: "deleted" });
    return "ann";
  },
  "an account that waits for approval": async () => {
    await change(ann, { status: "pending" });
    return "ann";
  },
  "what is no username": () => Promise.resolve("..%2f%00"),
  "a very long name": () => Promise.resolve("a".repeat(3_000)),
  "a word of the language": () => Promise.resolve("__proto__"),
};

describe("a public profile", () => {
  it("shows what its owner set and nothing else", async () => {
    const links = [{ label: "Code", url: "https://git.example.org/ann" }];
    await edit(ann, { bio: "Hello", website: "https://example.org", location: "Graz", links });
    const response = await app.fetch("/api/public/users/ANN");
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), {
      username: "Ann",
      displayName: "Ann",
      avatarUrl: null,
      bio: "Hello",
      website: "https://example.org",
      location: "Graz",
      links,
      likes: 0,
      likePolicy: "anyone",
    });
  });

  it("shows the day of joining and the present streak only when its owner wants it", async () => {
    await edit(ann, { showJoined: true, showStreak: true });
    await app.send("POST", "/api/auth/checkin", { token: ann.accessToken });
    const shown = async (): Promise<unknown[]> => {
      const { joinedAt, streak } = await (await app.fetch(ANN)).json();
      return [joinedAt, streak];
    };
    assert.deepEqual(await shown(), [toIsoTime(ann.user.createdAt), 1]);
    app.clock.advance(2 * DAY);
    assert.deepEqual(await shown(), [toIsoTime(ann.user.createdAt), 0]);
    await edit(ann, { showJoined: false, showStreak: false });
    assert.deepEqual(await shown(), [undefined, undefined]);
  });

  it("is found by its name when it is unlisted", async () => {
    await edit(ann, { visibility: "unlisted" });
    assert.equal((await app.fetch(ANN)).status, 200);
  });

  it("is there again when a suspension has passed", async () => {
    await change(ann, { status: "suspended", suspendedUntil: app.clock.now() + 1 });
    app.clock.advance(1);
    assert.equal((await app.fetch(ANN)).status, 200);
  });

  it("never leaks a secret: no ID, address, role or sign-in is part of any public response", async () => {
    await putAvatar(ann, realPng);
    await edit(ann, { inDirectory: true, showJoined: true, showStreak: true });
    const ben = await app.signUp("ben");
    const { accessToken: token } = ben;
    const answers = [
      await app.fetch(ANN),
      await app.send("GET", ANN, { token }),
      await app.fetch("/api/public/users?sort=newest"),
      await app.send("PUT", `${ANN}/like`, { token }),
      await app.fetch("/api/public/registration-policy"),
    ];
    for (const answer of answers) {
      assert.equal(answer.status, 200);
      const text = (await answer.text()).toLowerCase();
      for (const secret of [ann.user.id, ben.user.id, "@", 'email"', "role", "lastlogin", "192.0.2", "hash"])
        assert.ok(!text.includes(secret.toLowerCase()), `${secret} in ${text}`);
    }
  });

  it("tells who is signed in whether they like it, and takes a dead or malformed token for none", async () => {
    const ben = await app.signUp("ben");
    const likedByMe = async (headers: Record<string, string>): Promise<unknown> => {
      const response = await app.send("GET", ANN, { headers });
      assert.equal(response.status, 200);
      return (await response.json()).likedByMe;
    };
    const authorization = `Bearer ${ben.accessToken}`;
    assert.equal(await likedByMe({ authorization }), false);
    await app.send("PUT", `${ANN}/like`, { token: ben.accessToken });
    assert.equal(await likedByMe({ authorization }), true);
    for (const bad of [
      "Bearer",
      "Bearer acc_dead",
      "Basic eDp5",
      "Bearer \u00e9",
      `Bearer ${"x".repeat(5_000)}`,
    ])
      assert.equal(await likedByMe({ authorization: bad }), undefined);
    app.clock.advance(15 * 60_000);
    assert.equal(await likedByMe({ authorization }), undefined);
  });

  for (const [what, prepare] of Object.entries(hidden)) {
    it(`answers the same 404 for ${what}`, async () => {
      await putAvatar(ann, realPng);
      const name = await prepare();
      const unknown = await app.fetch("/api/public/users/never-heard-of");
      const expected = { ...(await unknown.json()), requestId: "" };
      for (const [method, path] of [
        ["GET", ""],
        ["GET", "/avatar"],
        ["PUT", "/like"],
        ["POST", "/like"],
        ["DELETE", "/like"],
      ] as const) {
        const response = await app.send(method, `/api/public/users/${name}${path}`);
        assert.equal(response.status, 404, `${method} ${path}`);
        assert.deepEqual({ ...(await response.json()), requestId: "" }, expected, `${method} ${path}`);
        assert.deepEqual(
          [...response.headers.keys()].sort(),
          [...unknown.headers.keys()].sort(),
          `${method} ${path}`,
        );
      }
    });
  }
});

describe("a public picture", () => {
  it("is the bytes that were sent, with their type, asked for again each time, and nothing that a browser could run", async () => {
    const bytes = png(7, 9, "anything");
    const profile: { avatarUrl: string } = await (await putAvatar(ann, bytes)).json();
    const response = await app.fetch(profile.avatarUrl);
    assert.equal(response.status, 200);
    assert.deepEqual(new Uint8Array(await response.arrayBuffer()), bytes);
    const expected = {
      "content-type": "image/png",
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'",
    };
    for (const [name, value] of Object.entries(expected)) assert.equal(response.headers.get(name), value);
    assert.match(response.headers.get("etag") ?? "", /^"[0-9a-f]{32}"$/u);
  });

  it("is not sent again to who has it", async () => {
    await putAvatar(ann, realPng);
    const etag = (await app.fetch(`${ANN}/avatar`)).headers.get("etag") ?? "";
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const response = await app.send("GET", `${ANN}/avatar`, { headers: { "if-none-match": header } });
      assert.deepEqual([response.status, await response.text()], [304, ""]);
      assert.equal(response.headers.get("etag"), etag);
    }
    const other = await app.send("GET", `${ANN}/avatar`, { headers: { "if-none-match": '"other"' } });
    assert.equal(other.status, 200);
    await putAvatar(ann, png(2, 2));
    const stale = await app.send("GET", `${ANN}/avatar`, { headers: { "if-none-match": etag } });
    assert.equal(stale.status, 200);
  });

  it("is not found when there is none", async () => {
    assert.deepEqual(await code(await app.fetch(`${ANN}/avatar`)), [404, "not_found"]);
  });

  it("is served without the texts in the file, and without what followed its end", async () => {
    const kept = png(7, 9, "pixels");
    const named = pngOf(7, 9, pngChunk("tEXt", "Author\0Ann"), pngChunk("IDAT", "pixels"));
    await putAvatar(
      ann,
      new Uint8Array([...named, ...new TextEncoder().encode("<script>alert(1)</script>")]),
    );
    assert.deepEqual(new Uint8Array(await (await app.fetch(`${ANN}/avatar`)).arrayBuffer()), kept);
  });

  it("survives every byte and the largest size", async () => {
    const size = 524_288 - png(9, 9).length;
    const data = Array.from({ length: size }, (_, i) => String.fromCharCode((i * 7) % 256));
    const bytes = png(9, 9, data.join(""));
    assert.equal(bytes.length, 524_288);
    await putAvatar(ann, bytes);
    assert.deepEqual(new Uint8Array(await (await app.fetch(`${ANN}/avatar`)).arrayBuffer()), bytes);
  });
});

describe("the registration policy", () => {
  it("tells a form what it must know, and no lists", async () => {
    await app.set("registration", {
      mode: "invite",
      allowedDomains: ["example.org"],
      blockedDomains: ["example.net"],
      termsVersion: "2",
      termsUrl: "https://example.org/terms",
    });
    const response = await app.fetch("/api/public/registration-policy");
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), {
      siteName: "Trivet",
      mode: "invite",
      emailVerification: "required",
      usernameMinLength: 2,
      usernameMaxLength: 40,
      passwordMinLength: 8,
      termsVersion: "2",
      termsUrl: "https://example.org/terms",
      inviteRequired: true,
    });
  });

  it("asks for no invite in the other modes", async () => {
    for (const mode of ["open", "approval", "closed"] as const) {
      await app.set("registration", { mode });
      const policy = await (await app.fetch("/api/public/registration-policy")).json();
      assert.deepEqual([policy.mode, policy.inviteRequired], [mode, false]);
    }
  });
});
