/** How much of the live feed one address and many sets of servers may take. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTestFeed, delta, full, record, settle } from "./feed-fixture.ts";

const rateLimited = { code: "rate_limited" };

describe("limits of the live feed", () => {
  it("take so many viewers of one address, and others all the same", async () => {
    const { feed, join, knock } = createTestFeed({ maxViewersPerAddress: 2 });
    const first = await join(full, "192.0.2.1");
    await join(delta, "::ffff:192.0.2.1");
    assert.throws(() => knock(full, "192.0.2.1"), rateLimited);
    await join(full, "192.0.2.2");
    first.onclose?.(1000, "");
    await join(full, "192.0.2.1");
    assert.throws(() => knock(full, "192.0.2.1"), rateLimited);
    assert.equal(feed.viewers, 3);
  });

  it("count an IPv6 network of /64 as one address", async () => {
    const { join, knock } = createTestFeed({ maxViewersPerAddress: 1 });
    await join(full, "2001:db8:1:2::1");
    assert.throws(() => knock(full, "2001:db8:1:2:ffff::9"), rateLimited);
    await join(full, "2001:db8:1:3::1");
  });

  it("are 50 viewers unless told otherwise", async () => {
    const { join, knock } = createTestFeed({});
    for (let i = 0; i < 50; i += 1) await join(full);
    assert.throws(() => knock(full), rateLimited);
  });

  it("close with 1013 who was let in while others took the last place", () => {
    const { feed, knock } = createTestFeed({ maxViewersPerAddress: 1 });
    const sockets = [knock(full), knock(full)];
    for (const socket of sockets) socket.open();
    assert.deepEqual(
      sockets.map(({ closed }) => closed?.code),
      [undefined, 1013],
    );
    sockets[1]?.onclose?.(1013, "");
    assert.equal(feed.viewers, 1);
    assert.throws(() => knock(full), rateLimited);
  });

  it("take so many different sets of servers; known sets and all servers go on", async () => {
    const { join, knock } = createTestFeed({ maxSets: 2 });
    const first = await join({ ...full, serverIds: ["a"] });
    await join({ ...full, serverIds: ["b"] });
    assert.throws(() => knock({ ...full, serverIds: ["a", "b"] }), { code: "unavailable" });
    await join({ ...full, serverIds: ["b"] });
    await join(delta);
    first.onclose?.(1000, "");
    await join({ ...full, serverIds: ["a", "b"] });
  });

  it("let sets share what is encoded: a server is encoded once a change", async (t) => {
    const { publicSnapshot, live, feed, join } = createTestFeed({});
    const sets = [["a"], ["a", "b"], ["a", "c"], ["a", "b", "c"]];
    const viewers = await Promise.all(sets.map((serverIds) => join({ ...full, serverIds })));
    live.connected("a");
    const encode = t.mock.method(JSON, "stringify");
    const toUtf8 = t.mock.method(TextEncoder.prototype, "encode");
    await feed.tick();
    await settle();
    const isServer = (text: unknown): boolean => String(text).includes('"displayOrder"');
    const views = encode.mock.calls.filter(({ result }) => isServer(result));
    const texts = toUtf8.mock.calls.filter(({ arguments: [text] }) => isServer(text));
    t.mock.restoreAll();
    assert.deepEqual([views.length, texts.length], [1, 1]);
    assert.deepEqual(
      viewers.map((viewer) => viewer.last().servers?.map(({ id }) => id)),
      sets,
    );
    // And a set sees who is hidden, as all do.
    publicSnapshot.reload([record("a"), record("b", { hidden: true, version: 2 }), record("c")]);
    await feed.tick();
    assert.deepEqual(
      viewers[1]?.last().servers?.map(({ id }) => id),
      ["a"],
    );
  });
});
