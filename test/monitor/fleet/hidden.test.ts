/** Hidden servers: on the same routes, for administrators only. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { type TestApp, ADMIN_TOKEN, createTestApp } from "../app-fixture.ts";
import { code, create } from "../http/requests.ts";
import { type TestFeed, createTestFeed, delta, full, record, settle } from "./feed-fixture.ts";

interface Item {
  readonly id: string;
  readonly hidden?: boolean;
  readonly displayOrder: number;
}

const hiddenPaths = [
  "/api/servers/b",
  "/api/servers/b/days",
  "/api/servers/b/history?metric=cpu.usagePercent",
];

describe("hidden servers over HTTP", () => {
  let app: TestApp;

  async function read(path: string, headers: Record<string, string> = {}): Promise<Item[]> {
    const response = await app.fetch(path, { headers });
    assert.equal(response.status, 200);
    const body: { items?: Item[]; servers?: Item[] } = await response.json();
    return body.items ?? body.servers ?? [];
  }

  beforeEach(async () => {
    app = await createTestApp();
    await create(app, "a");
    await create(app, "b", { hidden: true, tags: ["x"] });
    await create(app, "c", { tags: ["x"] });
  });

  it("are in the administrator's list and uptime, marked, in their place", async () => {
    const headers = { "x-admin-token": ADMIN_TOKEN };
    const items = await read("/api/servers", headers);
    assert.deepEqual(
      items.map(({ id, hidden, displayOrder }) => [id, hidden, displayOrder]),
      [
        ["a", undefined, 1],
        ["b", true, 1.5],
        ["c", undefined, 2],
      ],
    );
    assert.deepEqual(
      (await read("/api/servers?tag=x", headers)).map(({ id }) => id),
      ["b", "c"],
    );
    assert.deepEqual(
      (await read("/api/uptime", headers)).map(({ id }) => id),
      ["a", "b", "c"],
    );
    for (const path of hiddenPaths) assert.equal((await app.admin("GET", path)).status, 200, path);
  });

  it("are opened by a session, as Bearer and as cookie, until it ends", async () => {
    const signIn = await app.admin("POST", "/api/admin/auth", { token: ADMIN_TOKEN });
    const { token }: { token: string } = await signIn.json();
    const cookie = (signIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const shown: Record<string, string>[] = [
      { authorization: `Bearer ${token}` },
      { cookie },
      { cookie, origin: "http://localhost" },
    ];
    for (const headers of shown) assert.equal((await read("/api/servers", headers)).length, 3);
    const foreign = { cookie, origin: "https://evil.example" };
    assert.equal((await read("/api/servers", foreign)).length, 2);
    await app.fetch("/api/admin/auth", { method: "DELETE", headers: shown[0] ?? {} });
    assert.equal((await read("/api/servers", { cookie })).length, 2);
  });

  it("are for strangers as if they did not exist, and a wrong token is refused", async () => {
    assert.deepEqual(
      (await read("/api/servers")).map(({ id, displayOrder }) => [id, displayOrder]),
      [
        ["a", 1],
        ["c", 2],
      ],
    );
    assert.doesNotMatch(await (await app.fetch("/api/servers")).text(), /hidden/u);
    for (const path of hiddenPaths) assert.deepEqual(await code(await app.fetch(path)), [404, "not_found"]);
    // What a proxy asks for is not a token of the monitor.
    for (const authorization of ["Basic abc", "Bearer abc", `Bearer ${ADMIN_TOKEN}`, "Bearer ses_wrong"])
      assert.equal((await read("/api/servers", { authorization })).length, 2);
    const headers = { "x-admin-token": "wrong" };
    assert.deepEqual(await code(await app.fetch("/api/servers", { headers })), [401, "unauthenticated"]);
  });

  it("change no entity tag of strangers when they report or change", async () => {
    const tag = async (): Promise<string | null> => (await app.fetch("/api/servers")).headers.get("etag");
    const before = await tag();
    for (let i = 0; i < 3; i += 1) app.monitor.live.connected("b");
    await app.admin("PUT", "/api/admin/servers/b", { name: "Other" });
    app.clock.advance(1_000);
    assert.equal(await tag(), before);
    app.monitor.live.connected("a");
    app.clock.advance(1_000);
    const [, count] = /-(\d+)"$/u.exec(before ?? "") ?? [];
    assert.equal(await tag(), `"test-${Number(count) + 1}"`);
  });
});

describe("hidden servers in the feed", () => {
  let test: TestFeed;
  const admin = { ...delta, audience: "administrators" } as const;

  beforeEach(() => {
    test = createTestFeed({});
    test.publicSnapshot.reload([record("a"), record("b", { hidden: true, version: 2 }), record("c")]);
  });

  it("come to administrators with the open alerts, and leave strangers' frames as they are", async () => {
    const [stranger, administrator] = [await test.join(full), await test.join(admin)];
    assert.deepEqual(
      administrator.last().servers?.map(({ id }) => id),
      ["a", "b", "c"],
    );
    assert.match(String(administrator.frames[0]), /"alerts":\{"warning":2\}\}$/u);
    assert.deepEqual(
      stranger.last().servers?.map(({ id }) => id),
      ["a", "c"],
    );
    assert.doesNotMatch(String(stranger.frames[0]), /hidden|alerts/u);
    test.live.connected("b");
    await test.feed.tick();
    await settle();
    assert.deepEqual(
      administrator.last().upsert?.map(({ id }) => id),
      ["b"],
    );
    test.live.connected("c");
    test.publicSnapshot.reload([record("a", { hidden: true, version: 2 }), record("c")]);
    await test.feed.tick();
    await settle();
    assert.deepEqual(
      administrator.last().upsert?.map(({ id }) => id),
      ["a", "c"],
    );
    assert.deepEqual(administrator.last().remove, ["b"]);
    assert.deepEqual(
      stranger.last().servers?.map(({ id }) => id),
      ["c"],
    );
  });

  it("are not encoded while no administrator is there", async () => {
    const stranger = await test.join(full);
    const { entries } = test.publicSnapshot.whole;
    let encoded = 0;
    const hidden = entries()[1];
    assert.equal(hidden?.record.id, "b");
    const { stringify } = JSON;
    JSON.stringify = ((value: unknown, ...rest: []) => {
      if (typeof value === "object" && value !== null && "hidden" in value) encoded += 1;
      return stringify(value, ...rest);
    }) as typeof JSON.stringify; // the overloads take what is handed on
    try {
      for (let i = 0; i < 3; i += 1) {
        test.live.connected("b");
        test.live.connected("a");
        await test.feed.tick();
      }
      assert.equal(encoded, 0);
      assert.equal(stranger.frames.length, 4);
      await test.join({ ...admin, mode: "full" });
      assert.equal(encoded, 1);
    } finally {
      JSON.stringify = stringify;
    }
  });

  it("go with the session: the socket is closed, and strangers stay", async () => {
    const credential = { kind: "session", id: "s1" } as const;
    const [stranger, administrator] = [
      await test.join(full),
      await test.join(admin, undefined, { right: "administer", credential }),
    ];
    const asked: unknown[] = [];
    await test.feed.review(async (one) => {
      asked.push(one);
      return one === undefined ? "view" : "administer";
    });
    assert.deepEqual([asked, administrator.closed], [[undefined, credential], undefined]);
    await test.feed.review(async () => "view");
    assert.deepEqual([administrator.closed?.code, stranger.closed], [1008, undefined]);
    await test.feed.review(async () => "nothing");
    assert.equal(stranger.closed?.code, 1008);
  });
});
