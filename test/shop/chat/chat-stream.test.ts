/** The chat's streams: nothing is missed, nothing comes twice, and places are given back. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type TestShop, code, createTestShop } from "../app-fixture.ts";
import { type EventReader, type State, openStream, reply, write } from "./chat-fixture.ts";

function counters({ status, unreadUser, unreadAdmin }: State): unknown[] {
  return [status, unreadUser, unreadAdmin];
}

async function nextBodies(reader: EventReader, count: number): Promise<string[]> {
  const bodies: string[] = [];
  while (bodies.length < count) bodies.push((await reader.message()).body);
  return bodies;
}

describe("GET /api/chat/stream", () => {
  it("begins with the state, then tells messages as they are stored, each with the state after it", async () => {
    const app = await createTestShop();
    await write(app, "ann", "before");
    const stream = await openStream(app, "ann");
    assert.equal((await stream.next())?.comment, "open");
    assert.deepEqual(counters(await stream.state()), ["open", 0, 1]);
    await reply(app, "ann", "answer");
    const message = await stream.message();
    assert.deepEqual([message.seq, message.sender, message.body], [2, "admin", "answer"]);
    assert.deepEqual(counters(await stream.state()), ["open", 1, 1]);
    await app.send("POST", "/api/chat/read", { as: "ann", body: {} });
    assert.deepEqual(counters(await stream.state()), ["open", 0, 1]);
    await app.admin("POST", "/api/admin/chat/conversations/usr_ann/read", {});
    assert.deepEqual(counters(await stream.state()), ["open", 0, 0]);
    await app.admin("POST", "/api/admin/chat/conversations/usr_ann/status", { status: "resolved" });
    assert.deepEqual(counters(await stream.state()), ["resolved", 0, 0]);
    await write(app, "ann", "once more");
    assert.equal((await stream.message()).body, "once more");
    assert.deepEqual(counters(await stream.state()), ["open", 0, 1]);
    await stream.cancel();
  });

  it("tells a user nothing of others", async () => {
    const app = await createTestShop();
    const stream = await openStream(app, "ann");
    await stream.state();
    await write(app, "ben", "secret");
    await write(app, "ann", "mine");
    assert.equal((await stream.message()).body, "mine");
    await stream.cancel();
  });

  it("resumes after Last-Event-ID without gaps or repeats, also on a restarted application", async () => {
    const first = await createTestShop();
    const stream = await openStream(first, "ann");
    await write(first, "ann", "1");
    const seen = await stream.message();
    await stream.cancel();
    await write(first, "ben", "other");
    for (const body of ["2", "3"]) await reply(first, "ann", body);
    first.shop.chat.close();

    const second = await createTestShop({ store: first.store, clock: first.clock });
    const headers = { "last-event-id": String(seen.seq) };
    const again = await openStream(second, "ann", { headers });
    assert.deepEqual(counters(await again.state()), ["open", 2, 1]);
    assert.deepEqual(await nextBodies(again, 2), ["2", "3"]);
    await write(second, "ann", "4");
    assert.deepEqual(await nextBodies(again, 1), ["4"]);
    await again.cancel();

    const byQuery = await openStream(second, "ann", { query: "?lastEventId=3" });
    assert.deepEqual(await nextBodies(byQuery, 2), ["3", "4"]);
    await byQuery.cancel();
    // A browser sends the header when it connects again; the address keeps what it had at first.
    const both = await openStream(second, "ann", {
      query: "?lastEventId=0",
      headers: { "last-event-id": "4" },
    });
    assert.deepEqual(await nextBodies(both, 1), ["4"]);
    await both.cancel();
  });

  it("misses nothing and repeats nothing for a client that comes and goes while messages are written", async () => {
    const app = await createTestShop();
    await write(app, "ann", "first");
    const writing = (async () => {
      for (let i = 0; i < 60; i += 1)
        await Promise.all([reply(app, "ann", `a ${i}`), reply(app, "ann", `b ${i}`)]);
    })();
    const seen: number[] = [];
    for (let round = 1; seen.length < 121; round += 1) {
      const stream = await openStream(app, "ann", { query: `?lastEventId=${seen.at(-1) ?? 0}` });
      for (let i = 0; i < round && seen.length < 121; i += 1) seen.push((await stream.message()).seq);
      await stream.cancel();
    }
    await writing;
    assert.deepEqual(
      seen,
      Array.from({ length: 121 }, (_, i) => i + 1),
    );
  });

  it("reads a long backlog in pages, in order", async () => {
    const app = await createTestShop();
    await write(app, "ann", "0");
    for (let i = 1; i < 130; i += 1) await reply(app, "ann", String(i));
    const stream = await openStream(app, "ann", { query: "?lastEventId=0" });
    assert.deepEqual(
      await nextBodies(stream, 130),
      Array.from({ length: 130 }, (_, i) => String(i)),
    );
    await stream.cancel();
  });

  it("keeps nothing for a reader that does not read", async () => {
    const app = await createTestShop();
    let reads = 0;
    const counting: TestShop["store"] = {
      ...app.store,
      read: (work) => {
        reads += 1;
        return app.store.read(work);
      },
    };
    const watched = await createTestShop({ store: counting, clock: app.clock });
    const stream = await openStream(watched, "ann");
    reads = 0;
    for (let i = 0; i < 15; i += 1) await write(app, "ann", String(i));
    for (let i = 0; i < 15; i += 1) watched.shop.chat.wake("usr_ann");
    assert.equal(reads, 0);
    assert.equal((await nextBodies(stream, 15)).at(-1), "14");
    assert.ok(reads <= 3, `the store was read ${reads} times`);
    await stream.cancel();
  });

  it("begins now for a number that was never given", async () => {
    const app = await createTestShop();
    await write(app, "ann", "old");
    const stream = await openStream(app, "ann", { headers: { "last-event-id": "900" } });
    await stream.state();
    await write(app, "ann", "new");
    assert.equal((await stream.message()).body, "new");
    await stream.cancel();
    const empty = await openStream(app, "ann", { headers: { "last-event-id": "" } });
    await empty.state();
    await empty.cancel();
    for (const wrong of ["x", "-1", "1.5"]) {
      const response = await app.send("GET", `/api/chat/stream?lastEventId=${wrong}`, { as: "ann" });
      assert.deepEqual(await code(response), [422, "invalid"]);
    }
  });

  it("beats every 15 s", async () => {
    const app = await createTestShop();
    const stream = await openStream(app, "ann");
    await stream.state();
    const next = stream.next();
    app.clock.advance(15_000);
    await app.shop.chat.follow();
    assert.deepEqual(await next, { comment: "beat" });
    await stream.cancel();
  });

  it("takes five of a user and gives places back", async () => {
    const app = await createTestShop();
    const streams = [];
    for (let i = 0; i < 5; i += 1) streams.push(await openStream(app, "ann"));
    const more = await app.send("GET", "/api/chat/stream", { as: "ann" });
    assert.equal(more.headers.get("retry-after"), "5");
    assert.deepEqual(await code(more), [429, "rate_limited"]);
    await (await openStream(app, "ben")).cancel();
    await streams[0]?.cancel();
    streams.push(await openStream(app, "ann"));
    for (const stream of streams) await stream.cancel();
    assert.equal(app.shop.chat.openPlaces(), 0);
  });

  it("takes no place for HEAD, nor keeps one of a client that left before its answer", async () => {
    const app = await createTestShop();
    const head = await app.send("HEAD", "/api/chat/stream", { as: "ann" });
    assert.deepEqual([head.status, app.shop.chat.openPlaces()], [200, 0]);
    const leave = new AbortController();
    const headers = { authorization: "Bearer token-ann" };
    await app.fetch("/api/chat/stream", { headers, signal: leave.signal });
    assert.equal(app.shop.chat.openPlaces(), 1);
    leave.abort();
    assert.equal(app.shop.chat.openPlaces(), 0);
  });

  it("ends when the service stops, and takes no new one then", async () => {
    const app = await createTestShop();
    const user = await openStream(app, "ann");
    const admin = await openStream(app, undefined);
    await user.state();
    const ends = [user.next(), admin.next().then(() => admin.next())];
    app.shop.chat.close();
    assert.deepEqual(await Promise.all(ends), [undefined, undefined]);
    const late = await app.send("GET", "/api/chat/stream", { as: "ann" });
    assert.deepEqual(await code(late), [503, "unavailable"]);
    const wait = await app.send("GET", "/api/chat/messages?after=0&wait=5", { as: "ann" });
    assert.deepEqual(await code(wait), [503, "unavailable"]);
  });

  it("ends when the store cannot be read, so that the client asks again", async () => {
    const app = await createTestShop();
    let isBroken = false;
    const store: TestShop["store"] = {
      ...app.store,
      read: (work) => (isBroken ? Promise.reject(new Error("gone")) : app.store.read(work)),
    };
    const other = await createTestShop({ store, clock: app.clock });
    const stream = await openStream(other, "ann");
    await stream.state();
    isBroken = true;
    const end = stream.next();
    other.shop.chat.wake("usr_ann");
    assert.equal(await end, undefined);
    assert.equal(other.shop.chat.openPlaces(), 0);
  });
});
