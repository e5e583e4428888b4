/** Likes over HTTP: who counts as one person, policies, limits, and counts that are right however many come at once. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { authCollections } from "../../../src/auth/app/records.ts";
import { likes } from "../../../src/auth/people/records.ts";
import { profiles } from "../../../src/auth/accounts/records.ts";
import { createMemoryStore } from "../../../src/store/journal/memory-store.ts";
import {
  type RequestOptions,
  type SignedIn,
  type TestApp,
  code,
  createTestApp,
  testCaller,
} from "../app-fixture.ts";

const HOUR = 3_600_000;
const LIKE = "/api/public/users/ann/like";

let app: TestApp;
let ann: SignedIn;
let ben: SignedIn;

async function edit(who: SignedIn, fields: object): Promise<void> {
  const { accessToken: token } = await app.signIn(who.user);
  assert.equal((await app.send("PATCH", "/api/auth/profile", { token, body: fields })).status, 200);
}

async function act(method: string, options: RequestOptions = {}): Promise<unknown> {
  const response = await app.send(method, LIKE, options);
  assert.equal(response.status, 200);
  return response.json();
}

const agent = (name: string): RequestOptions => ({ headers: { "user-agent": name } });

/** The count on the profile and the records that it counts. */
async function counts(): Promise<[number | undefined, number]> {
  return app.store.read(async (tx) => [
    (await tx.get(profiles, ann.user.id))?.likes,
    await tx.count(likes, "byProfile", { prefix: [ann.user.id] }),
  ]);
}

async function open(forceReruns = false): Promise<void> {
  app = await createTestApp({ store: createMemoryStore({ collections: authCollections, forceReruns }) });
  ann = await app.signUp("ann");
  ben = await app.signUp("ben");
  await edit(ann, { visibility: "public" });
}

beforeEach(() => open());

describe("likes", () => {
  for (const method of ["PUT", "POST"]) {
    it(`are added by ${method} and taken back by DELETE, once each for a person`, async () => {
      const token = ben.accessToken;
      assert.deepEqual(await act(method, { token }), { liked: true, likes: 1 });
      // From another address and program it is the same person.
      const elsewhere = { token, from: "198.51.100.7", ...agent("another") };
      assert.deepEqual(await act(method, elsewhere), { liked: true, likes: 1 });
      assert.deepEqual(await act("DELETE", { token }), { liked: false, likes: 0 });
      assert.deepEqual(await act("DELETE", { token }), { liked: false, likes: 0 });
      assert.deepEqual(await counts(), [0, 0]);
    });

    it(`are one per address and agent by ${method} without a session`, async () => {
      assert.deepEqual(await act(method, agent("a")), { liked: true, likes: 1 });
      assert.deepEqual(await act(method, agent("a")), { liked: true, likes: 1 });
      assert.deepEqual(await act(method, agent("b")), { liked: true, likes: 2 });
      assert.deepEqual(await act(method, { ...agent("a"), from: "198.51.100.7" }), { liked: true, likes: 3 });
      assert.deepEqual(await act(method, { token: ben.accessToken, ...agent("a") }), {
        liked: true,
        likes: 4,
      });
      assert.deepEqual(await act("DELETE", agent("a")), { liked: false, likes: 3 });
    });
  }

  it("count an IPv6 customer once, whatever address of theirs they come from", async () => {
    assert.deepEqual(await act("PUT", { from: "2001:db8:1:2::5" }), { liked: true, likes: 1 });
    assert.deepEqual(await act("PUT", { from: "2001:db8:1:2:aaaa::6" }), { liked: true, likes: 1 });
    assert.deepEqual(await act("PUT", { from: "2001:db8:1:3::5" }), { liked: true, likes: 2 });
  });

  it("take a dead or malformed token for none", async () => {
    assert.deepEqual(await act("PUT", { headers: { authorization: "Bearer acc_dead" } }), {
      liked: true,
      likes: 1,
    });
    assert.deepEqual(await act("PUT", { headers: { authorization: "x" } }), { liked: true, likes: 1 });
    assert.deepEqual(await act("PUT"), { liked: true, likes: 1 });
  });

  it("keep neither address nor agent", async () => {
    await act("PUT", { ...agent("Very-Special-Agent"), from: "198.51.100.77" });
    const { items } = await app.store.read((tx) => tx.list(likes, "id", { limit: 10 }));
    assert.doesNotMatch(JSON.stringify(items), /198\.51|Special/u);
    assert.equal(items[0]?.likerId, undefined);
  });

  for (const forceReruns of [false, true]) {
    const where = forceReruns ? "on a store that runs all work twice" : "on a store in memory";
    it(`count one person once for 32 at the same time ${where}`, async () => {
      await open(forceReruns);
      const token = ben.accessToken;
      await Promise.all(Array.from({ length: 32 }, () => act("PUT", { token })));
      assert.deepEqual(await counts(), [1, 1]);
      await Promise.all(Array.from({ length: 32 }, () => act("DELETE", { token })));
      assert.deepEqual(await counts(), [0, 0]);
    });

    it(`count what is there after likes and their ends came mixed ${where}`, async () => {
      await open(forceReruns);
      await Promise.all(
        Array.from({ length: 60 }, (_, i) => act(i % 3 === 2 ? "DELETE" : "PUT", agent(`agent ${i % 7}`))),
      );
      const [count, records] = await counts();
      assert.equal(count, records);
    });
  }

  it("survive a change of the profile", async () => {
    await act("PUT", { token: ben.accessToken });
    await edit(ann, { bio: "x" });
    assert.deepEqual(await counts(), [1, 1]);
  });

  it("are refused where the profile takes none, and can still be taken back", async () => {
    await act("PUT", { token: ben.accessToken });
    await edit(ann, { likePolicy: "off" });
    for (const method of ["PUT", "POST"]) {
      assert.deepEqual(await code(await app.send(method, LIKE)), [403, "forbidden"]);
      assert.deepEqual(await code(await app.send(method, LIKE, { token: ben.accessToken })), [
        403,
        "forbidden",
      ]);
    }
    assert.deepEqual(await act("DELETE", { token: ben.accessToken }), { liked: false, likes: 0 });
  });

  it("need a living token where the profile asks for people who are signed in", async () => {
    await edit(ann, { likePolicy: "signed-in" });
    assert.deepEqual(await code(await app.send("PUT", LIKE)), [401, "unauthenticated"]);
    assert.deepEqual(await code(await app.send("POST", LIKE, { token: "acc_dead" })), [
      401,
      "unauthenticated",
    ]);
    assert.deepEqual(await act("PUT", { token: ben.accessToken }), { liked: true, likes: 1 });
  });

  it("are for others only", async () => {
    for (const method of ["PUT", "POST"])
      assert.deepEqual(await code(await app.send(method, LIKE, { token: ann.accessToken })), [
        409,
        "self_like",
      ]);
    assert.deepEqual(await counts(), [0, 0]);
  });

  it("are not given in an administrator's look into an account", async () => {
    const { accessToken: token } = await app.store.transact((tx) =>
      app.auth.sessions.open(tx, {
        user: ben.user,
        caller: testCaller,
        amr: ["impersonation"],
        impersonation: { by: "token", ttlMs: HOUR },
      }),
    );
    for (const method of ["PUT", "POST", "DELETE"])
      assert.deepEqual(await code(await app.send(method, LIKE, { token })), [403, "forbidden"]);
  });

  it("are at most 60 an hour from an address without a sign-in; what is there already costs nothing", async () => {
    const from = "198.51.100.9";
    for (let i = 0; i < 60; i += 1) await act("PUT", { ...agent(`agent ${i}`), from });
    const refused = await app.send("PUT", LIKE, { ...agent("one more"), from });
    assert.ok(Number(refused.headers.get("retry-after")) > 0);
    assert.deepEqual(await code(refused), [429, "rate_limited"]);
    assert.deepEqual(await counts(), [60, 60]);
    await act("PUT", { ...agent("agent 5"), from });
    await act("PUT", { ...agent("one more"), from: "198.51.100.10" });
    await act("PUT", { token: ben.accessToken, from });
    await act("DELETE", { ...agent("agent 5"), from });
    app.clock.advance(2 * HOUR);
    await act("PUT", { ...agent("one more"), from });
  });

  it("hold that limit for all that come at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, i) => app.send("PUT", LIKE, agent(`agent ${i}`))),
    );
    assert.equal(answers.filter(({ status }) => status === 200).length, 60);
    assert.deepEqual(await counts(), [60, 60]);
  });

  it("take nothing from a body, and none that is too large", async () => {
    const body = { userId: ann.user.id, likes: 99 };
    assert.deepEqual(await act("POST", { token: ben.accessToken, body }), { liked: true, likes: 1 });
    for (const method of ["PUT", "POST", "DELETE"]) {
      const headers = { "content-length": "70000" };
      const response = await app.send(method, LIKE, { headers, body: "x".repeat(69_998) });
      assert.deepEqual(await code(response), [413, "too_large"]);
    }
  });
});
