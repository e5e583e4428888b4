/** One's own profile and its picture over HTTP. */
import { toIsoTime } from "../../../src/kit/text/iso-time.ts";
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { AVATAR_MAX_BYTES } from "../../../src/auth/people/avatars.ts";
import { avatars } from "../../../src/auth/people/records.ts";
import { profiles } from "../../../src/auth/accounts/records.ts";
import { type SignedIn, type TestApp, code, createTestApp } from "../app-fixture.ts";
import { jpeg, png, realLossyWebp, realPng, webp } from "../pictures.ts";

const PROFILE = "/api/auth/profile";
const AVATAR = "/api/auth/profile/avatar";

const fields = {
  displayName: "Ann of Graz",
  givenName: "Ann",
  familyName: "",
  bio: "Gardens\nand servers",
  website: "https://example.org",
  location: "Graz",
  links: [{ label: "Code", url: "https://git.example.org/ann" }],
  visibility: "public",
  inDirectory: true,
  showStreak: true,
  showJoined: true,
  likePolicy: "signed-in",
};
const defaults = {
  givenName: "",
  familyName: "",
  bio: "",
  website: "",
  location: "",
  links: [],
  visibility: "private",
  inDirectory: false,
  showStreak: false,
  showJoined: false,
  likePolicy: "anyone",
};

let app: TestApp;
let ann: SignedIn;

beforeEach(async () => {
  app = await createTestApp();
  ann = await app.signUp("ann");
});

describe("the own profile", () => {
  const send = (method: string, body?: unknown, headers?: Record<string, string>): Promise<Response> =>
    app.send(method, PROFILE, {
      token: ann.accessToken,
      body,
      ...(headers === undefined ? {} : { headers }),
    });

  it("is private at first, with the version as entity tag", async () => {
    const response = await send("GET");
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("etag"), '"1"');
    assert.deepEqual(await response.json(), {
      ...defaults,
      displayName: "ann",
      username: "ann",
      avatarUrl: null,
      likes: 0,
      joinedAt: toIsoTime(ann.user.createdAt),
      version: 1,
    });
  });

  it("is replaced whole by PUT: what is left out falls back to its default, but for who may like", async () => {
    const first = await send("PUT", fields);
    assert.equal(first.headers.get("etag"), '"2"');
    assert.deepEqual(await first.json(), {
      ...fields,
      username: "ann",
      avatarUrl: null,
      likes: 0,
      joinedAt: toIsoTime(ann.user.createdAt),
      version: 2,
    });
    const second = await send("PUT", { displayName: "Ann" });
    const body: Record<string, unknown> = await second.json();
    assert.deepEqual({ ...body, ...defaults, likePolicy: fields.likePolicy }, body);
    assert.equal(body["version"], 3);
  });

  it("keeps by PATCH what is not given", async () => {
    await send("PUT", fields);
    const response = await send("PATCH", { bio: "Away", links: [] });
    const body: Record<string, unknown> = await response.json();
    assert.deepEqual({ ...body, ...fields, bio: "Away", links: [] }, body);
    assert.equal(response.headers.get("etag"), '"3"');
  });

  it("keeps its version when nothing changes", async () => {
    await send("PUT", fields);
    for (const response of [
      await send("PUT", fields),
      await send("PATCH", {}),
      await send("PATCH", { bio: fields.bio }),
    ])
      assert.equal(response.headers.get("etag"), '"2"');
  });

  it("is in the directory exactly while it is public and wants to be there", async () => {
    const isListed = async (): Promise<boolean | undefined> =>
      (await app.store.read((tx) => tx.get(profiles, ann.user.id)))?.listed;
    assert.equal(await isListed(), false);
    await send("PATCH", { visibility: "public" });
    assert.equal(await isListed(), false);
    await send("PATCH", { inDirectory: true });
    assert.equal(await isListed(), true);
    await send("PATCH", { visibility: "unlisted" });
    assert.equal(await isListed(), false);
  });

  for (const method of ["PUT", "PATCH"]) {
    it(`takes ${method} only for the version that If-Match names`, async () => {
      const body = { displayName: "Ann B" };
      assert.equal((await send(method, body, { "if-match": '"1"' })).status, 200);
      assert.deepEqual(await code(await send(method, { displayName: "Ann C" }, { "if-match": '"1"' })), [
        412,
        "version_conflict",
      ]);
      assert.deepEqual(await code(await send(method, body, { "if-match": "1" })), [400, "bad_request"]);
      assert.equal((await send(method, { displayName: "Ann D" }, { "if-match": "*" })).status, 200);
      const after: { displayName: string; version: number } = await (await send("GET")).json();
      assert.deepEqual([after.displayName, after.version], ["Ann D", 3]);
    });

    it(`answers 400, 413 and 415 to ${method} for bodies that are no JSON, too large, or of another type`, async () => {
      const raw = (body: string, type = "application/json"): Promise<Response> =>
        app.fetch(PROFILE, {
          method,
          headers: { authorization: `Bearer ${ann.accessToken}`, "content-type": type },
          body,
        });
      assert.deepEqual(await code(await raw("{")), [400, "bad_request"]);
      assert.deepEqual(await code(await raw(JSON.stringify({ bio: "x".repeat(70_000) }))), [
        413,
        "too_large",
      ]);
      assert.deepEqual(await code(await raw("displayName=a", "application/x-www-form-urlencoded")), [
        415,
        "unsupported_media_type",
      ]);
      assert.equal((await send("GET")).headers.get("etag"), '"1"');
    });

    for (const [what, body] of Object.entries({
      "a role": { displayName: "a", role: "admin" },
      "another user's id": { displayName: "a", userId: "usr_1", id: "usr_1" },
      "a status": { displayName: "a", status: "active" },
      "a verified address": { displayName: "a", emailVerified: true },
      likes: { displayName: "a", likes: 99 },
      "a place in the directory": { displayName: "a", listed: true },
      "a version": { displayName: "a", version: 1 },
      "an empty name": { displayName: "  " },
      "a name of two lines": { displayName: "a\nb" },
      "a long bio": { displayName: "a", bio: "x".repeat(501) },
      "a script as website": { displayName: "a", website: "javascript:alert(1)" },
      "six links": {
        displayName: "a",
        links: Array.from({ length: 6 }, () => ({ label: "x", url: "https://a.example" })),
      },
      "a link with more": { displayName: "a", links: [{ label: "x", url: "https://a.example", rel: "me" }] },
      "a link without an address": { displayName: "a", links: [{ label: "x", url: "" }] },
      "an unknown visibility": { displayName: "a", visibility: "friends" },
    })) {
      it(`refuses ${method} with ${what} and changes nothing`, async () => {
        assert.deepEqual(await code(await send(method, body)), [422, "invalid"]);
        assert.equal((await send("GET")).headers.get("etag"), '"1"');
      });
    }
  }

  it("wants a display name with PUT", async () => {
    assert.deepEqual(await code(await send("PUT", { bio: "x" })), [422, "invalid"]);
  });

  it("is refused without a token and with a dead one", async () => {
    for (const [method, body] of [["GET"], ["PUT", fields], ["PATCH", {}]] as const) {
      assert.deepEqual(await code(await app.send(method, PROFILE, { body })), [401, "unauthenticated"]);
      const token = "acc_dead";
      assert.deepEqual(await code(await app.send(method, PROFILE, { body, token })), [401, "token_invalid"]);
    }
  });
});

describe("the own picture", () => {
  const put = (bytes: Uint8Array<ArrayBuffer>, type: string | undefined = "image/png"): Promise<Response> =>
    app.fetch(AVATAR, {
      method: "PUT",
      headers: { authorization: `Bearer ${ann.accessToken}`, "content-type": type },
      body: bytes,
    });
  const stored = async (): Promise<number> => app.store.read((tx) => tx.count(avatars));

  it("is set, replaced and removed, with one record at most and a new version each time", async () => {
    const first: { avatarUrl: string } = await (await put(realPng)).json();
    assert.match(first.avatarUrl, /^\/api\/public\/users\/ann\/avatar\?v=[0-9a-f]{8}$/u);
    const second = await put(realLossyWebp, "image/webp");
    assert.equal(second.headers.get("etag"), '"3"');
    assert.notEqual((await second.json()).avatarUrl, first.avatarUrl);
    assert.equal(await stored(), 1);
    const remove = (): Promise<Response> => app.send("DELETE", AVATAR, { token: ann.accessToken });
    const removed = await remove();
    assert.deepEqual([removed.status, removed.headers.get("etag")], [200, '"4"']);
    assert.equal((await removed.json()).avatarUrl, null);
    assert.equal(await stored(), 0);
    assert.equal((await remove()).headers.get("etag"), '"4"');
  });

  it("changes nothing when it comes again", async () => {
    await put(realPng);
    const again = await put(realPng);
    assert.deepEqual([again.status, again.headers.get("etag")], [200, '"2"']);
    assert.equal(await stored(), 1);
  });

  it("is kept when the fields change", async () => {
    await put(realPng);
    const changed = await app.send("PUT", PROFILE, { token: ann.accessToken, body: { displayName: "B" } });
    assert.notEqual((await changed.json()).avatarUrl, null);
  });

  it("may be a PNG, JPEG or WebP of up to 4,096 pixels each way", async () => {
    assert.equal((await put(png(4_096, 4_096))).status, 200);
    assert.equal((await put(jpeg(4_096, 1), "image/jpeg")).status, 200);
    assert.equal((await put(webp(4_096, 4_096, "VP8X"), "IMAGE/WebP; charset=x")).status, 200);
  });

  for (const [what, bytes, type] of [
    ["too wide", png(4_097, 1), "image/png"],
    ["too high", jpeg(1, 4_097), "image/jpeg"],
    ["without width", png(0, 1), "image/png"],
    ["without height", jpeg(1, 0), "image/jpeg"],
    ["sent as another type", png(1, 1), "image/webp"],
    ["a page", new TextEncoder().encode("<html><script>alert(1)</script>".repeat(4)), "image/png"],
    ["cut off in its header", png(1, 1).slice(0, 20), "image/png"],
    ["empty", new Uint8Array(), "image/png"],
  ] as const) {
    it(`is refused when it is ${what}`, async () => {
      assert.deepEqual(await code(await put(bytes, type)), [422, "invalid"]);
      assert.equal(await stored(), 0);
    });
  }

  it("is refused with another content type", async () => {
    for (const type of ["image/gif", "image/svg+xml", "application/json", "text/html", "multipart/form-data"])
      assert.deepEqual(await code(await put(realPng, type)), [415, "unsupported_media_type"]);
  });

  it("may have 512 KiB and not a byte more, announced or not", async () => {
    const largest = new Uint8Array(AVATAR_MAX_BYTES);
    largest.set(png(9, 9));
    assert.equal((await put(largest)).status, 200);
    const larger = new Uint8Array(AVATAR_MAX_BYTES + 1);
    larger.set(png(8, 8));
    assert.deepEqual(await code(await put(larger)), [413, "too_large"]);
    const stream = new Blob([larger]).stream();
    const init: RequestInit & { duplex: "half" } = {
      method: "PUT",
      headers: { authorization: `Bearer ${ann.accessToken}`, "content-type": "image/png" },
      body: stream,
      duplex: "half",
    };
    assert.deepEqual(await code(await app.fetch(AVATAR, init)), [413, "too_large"]);
    await assert.rejects(app.auth.avatars.put(ann.user.id, { mediaType: "image/png", bytes: larger }), {
      code: "too_large",
    });
    assert.equal(await stored(), 1);
  });

  it("ends as one of those that were set at once", async () => {
    const pictures = Array.from({ length: 16 }, (_, i) => png(i + 1, 1));
    const answers = await Promise.all(pictures.map((bytes) => put(bytes)));
    assert.ok(answers.every(({ status }) => status === 200));
    assert.equal(await stored(), 1);
    const profile = await app.auth.profiles.get(ann.user.id);
    assert.equal(profile.editVersion, 17);
  });

  it("is refused without a token and with a dead one", async () => {
    for (const method of ["PUT", "DELETE"]) {
      const body = method === "PUT" ? realPng : null;
      const headers = { "content-type": "image/png" };
      assert.deepEqual(await code(await app.fetch(AVATAR, { method, headers, body })), [
        401,
        "unauthenticated",
      ]);
      const dead = { ...headers, authorization: "Bearer acc_dead" };
      assert.deepEqual(await code(await app.fetch(AVATAR, { method, headers: dead, body })), [
        401,
        "token_invalid",
      ]);
    }
  });
});
