import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { PublicSnapshot } from "../../../src/monitor/fleet/snapshot.ts";
import type { Feed } from "../../../src/monitor/fleet/feed.ts";
import type { Live } from "../../../src/monitor/fleet/live.ts";
import type { FixedClock } from "../../support/fixed-clock.ts";
import { type TestFeed, createTestFeed, delta, full, record, settle } from "./feed-fixture.ts";

describe("live feed", () => {
  let clock: FixedClock;
  let live: Live;
  let publicSnapshot: PublicSnapshot;
  let feed: Feed;
  let join: TestFeed["join"];
  let knock: TestFeed["knock"];

  beforeEach(() => {
    ({ clock, live, publicSnapshot, feed, join, knock } = createTestFeed({
      maxViewers: 3,
      maxUnsentBytes: 100,
    }));
  });

  const ids = (servers: { id: string }[] | undefined): string[] => (servers ?? []).map((server) => server.id);

  it("sends a snapshot on connect and one with each tick", async () => {
    const socket = await join(full);
    assert.equal(socket.last().type, "snapshot");
    assert.deepEqual(ids(socket.last().servers), ["a", "b", "c"]);
    const { seq } = socket.last();
    await feed.tick();
    assert.equal(socket.last().type, "snapshot");
    assert.equal(socket.last().seq, seq + 1);
  });

  it("sends only what changed in delta mode, with a gapless seq", async () => {
    const socket = await join(delta);
    const first = socket.last();
    live.connected("b");
    await feed.tick();
    assert.deepEqual([socket.last().type, socket.last().seq], ["delta", first.seq + 1]);
    assert.deepEqual(ids(socket.last().upsert), ["b"]);
    await feed.tick();
    assert.deepEqual(
      [socket.last().seq, socket.last().upsert, socket.last().remove],
      [first.seq + 2, [], []],
    );
  });

  it("takes a hidden or deleted server away with the next frame, and brings it back", async () => {
    const inDelta = await join(delta);
    const inFull = await join(full);
    publicSnapshot.reload([record("a"), record("b", { hidden: true, version: 2 })]);
    await feed.tick();
    assert.deepEqual(inDelta.last().remove, ["b", "c"]);
    assert.deepEqual(ids(inFull.last().servers), ["a"]);
    publicSnapshot.reload([record("a"), record("b", { version: 3 })]);
    await feed.tick();
    assert.deepEqual(ids(inDelta.last().upsert), ["b"]);
  });

  it("never shows a hidden server to who joins before the next tick", async () => {
    await join(full);
    publicSnapshot.reload([record("a"), record("b", { hidden: true, version: 2 }), record("c")]);
    assert.deepEqual(ids((await join(full)).last().servers), ["a", "c"]);
  });

  it("misses nothing between a late join and the next delta", async () => {
    const early = await join(delta);
    live.connected("a");
    const late = await join(delta);
    live.connected("b");
    await feed.tick();
    assert.deepEqual(late.last(), early.last());
    assert.deepEqual(ids(late.last().upsert), ["a", "b"]);
  });

  it("narrows to the servers asked for", async () => {
    const socket = await join({ ...delta, serverIds: ["b", "nope"] });
    assert.deepEqual(ids(socket.last().servers), ["b"]);
    live.connected("a");
    live.connected("b");
    await feed.tick();
    assert.deepEqual(ids(socket.last().upsert), ["b"]);
  });

  it("answers a resync with a snapshot, at most once a second", async () => {
    const socket = await join(delta);
    for (let i = 0; i < 5; i += 1) socket.onmessage?.('{"type":"resync"}');
    await settle();
    assert.equal(socket.frames.length, 2);
    assert.equal(socket.last().type, "snapshot");
  });

  it("ignores messages that it does not know", async () => {
    const socket = await join(delta);
    for (const data of ["", "{", "null", '{"type":"x"}', new Uint8Array([1, 2])]) socket.onmessage?.(data);
    await settle();
    assert.equal(socket.frames.length, 1);
    assert.equal(socket.closed, undefined);
  });

  it("encodes a frame once for all viewers of a kind", async () => {
    publicSnapshot.reload(Array.from({ length: 20 }, (_, i) => record(`server-${i}`)));
    const one = await join({ ...full, gzip: true });
    const two = await join({ ...full, gzip: true });
    await feed.tick();
    await settle();
    assert.ok(one.frames.at(-1) instanceof Uint8Array);
    assert.equal(one.frames.at(-1), two.frames.at(-1));
  });

  it("skips a reader that has not taken its last frame, then gives it the newest state", async () => {
    const socket = await join(delta);
    socket.bufferedBytes = 10;
    live.connected("a");
    await feed.tick();
    await feed.tick();
    assert.equal(socket.frames.length, 1);
    socket.bufferedBytes = 0;
    await feed.tick();
    assert.equal(socket.last().type, "snapshot");
    const { seq } = socket.last();
    await feed.tick();
    assert.deepEqual([socket.last().type, socket.last().seq], ["delta", seq + 1]);
  });

  it("closes a reader with 1013 whose backlog stays over the limit", async () => {
    const socket = await join(full);
    socket.bufferedBytes = 101;
    await feed.tick();
    assert.deepEqual(socket.closed, undefined);
    await feed.tick();
    assert.deepEqual(socket.closed, { code: 1013, reason: "too slow" });
  });

  it("lets a slow reader live while its backlog shrinks", async () => {
    const socket = await join(full);
    for (const left of [900, 700, 500, 300, 101]) {
      socket.bufferedBytes = left;
      await feed.tick();
    }
    assert.equal(socket.closed, undefined);
  });

  it("closes with 1013 who does not answer a ping within 30 s", async () => {
    const dead = await join(full);
    const alive = await join(full);
    clock.advance(25_000);
    feed.checkPongs();
    assert.deepEqual([dead.pings, alive.pings], [1, 1]);
    alive.onpong?.();
    clock.advance(30_000);
    feed.checkPongs();
    assert.equal(dead.closed?.code, 1013);
    assert.equal(alive.closed, undefined);
    assert.equal(alive.pings, 2);
  });

  it("refuses more viewers than it can hold, and takes one again after one left", async () => {
    const first = await join(full);
    await join(full);
    await join(full);
    assert.throws(() => knock(full), { code: "unavailable" });
    first.onclose?.(1000, "");
    assert.equal(feed.viewers, 2);
    knock(full);
  });

  it("closes everyone with 1001 at the end", async () => {
    const socket = await join(full);
    feed.close();
    assert.equal(socket.closed?.code, 1001);
  });
});
