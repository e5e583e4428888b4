/** The public list does not reveal hidden servers. */
import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { PublicSnapshot } from "../../../src/monitor/fleet/snapshot.ts";
import type { Live } from "../../../src/monitor/fleet/live.ts";
import type { ServerRecord } from "../../../src/monitor/base/schema.ts";
import type { FixedClock } from "../../support/fixed-clock.ts";
import { type TestFeed, createTestFeed, delta, record } from "./feed-fixture.ts";

/** Of a process whose list is a day old at most and not from the last quarter of a second. */
function readList({ publicSnapshot, clock }: { publicSnapshot: PublicSnapshot; clock: FixedClock }): {
  etag: string;
  text: string;
} {
  clock.advance(250);
  const { bytes, etag } = publicSnapshot.list();
  return { etag, text: new TextDecoder().decode(bytes) };
}

describe("public list", () => {
  let app: TestFeed;
  let publicSnapshot: PublicSnapshot;
  let live: Live;
  const hidden = (more: Partial<ServerRecord> = {}): ServerRecord =>
    record("secret", { hidden: true, ...more });

  beforeEach(() => {
    app = createTestFeed({});
    ({ publicSnapshot, live } = app);
    publicSnapshot.reload([
      record("a", { displayOrder: 1 }),
      hidden({ displayOrder: 2 }),
      record("b", { displayOrder: 3 }),
    ]);
  });

  it("keeps its entity tag whatever a hidden server reports", () => {
    const { etag } = readList(app);
    live.connected("secret");
    live.heard("secret");
    live.disconnected("secret");
    assert.equal(readList(app).etag, etag);
    live.connected("b");
    assert.notEqual(readList(app).etag, etag);
  });

  it("counts in its entity tag only what is visible", () => {
    const own = createTestFeed({});
    own.publicSnapshot.reload([record("a"), record("b")]);
    for (const { publicSnapshot: one } of [own, app]) one.reload([...one.records(), record("c")]);
    live.connected("secret");
    const [shown, whole] = [own, app].map((each) => {
      each.live.connected("a");
      return readList(each);
    });
    assert.equal(whole?.etag, shown?.etag);
  });

  it("keeps its entity tag when a hidden server is made, edited, moved to the end or deleted", () => {
    const { etag } = readList(app);
    const [a, b] = [record("a"), record("b")];
    for (const records of [
      [a, b, hidden({ version: 2 })],
      [a, b, hidden({ version: 3, note: "moved" }), record("other", { hidden: true })],
      [a, b],
    ]) {
      const { entries, recordsRevision } = {
        entries: publicSnapshot.entries(),
        recordsRevision: publicSnapshot.recordsRevision,
      };
      publicSnapshot.reload(records);
      assert.equal(readList(app).etag, etag);
      assert.equal(publicSnapshot.entries(), entries);
      assert.ok(publicSnapshot.recordsRevision > recordsRevision);
    }
  });

  it("keeps its entity tag when only private fields of a visible server change, or its stored place", () => {
    const { etag, text } = readList(app);
    const changed = { version: 2, note: "rack 4", displayOrder: 9 };
    publicSnapshot.reload([record("a"), hidden(), record("b", changed)]);
    assert.equal(readList(app).etag, etag);
    assert.equal(publicSnapshot.findRecord("b")?.note, "rack 4");
    publicSnapshot.reload([
      record("a"),
      hidden(),
      record("b", { ...changed, version: 3, publicNote: "Moved" }),
    ]);
    const renewed = readList(app);
    assert.notEqual(renewed.etag, etag);
    assert.notEqual(renewed.text, text);
  });

  it("numbers the visible servers without gaps, also when one is hidden, shown or removed", () => {
    const places = (): [string, number][] => {
      const list: { items: { id: string; displayOrder: number }[] } = JSON.parse(readList(app).text);
      return list.items.map(({ id, displayOrder }) => [id, displayOrder]);
    };
    assert.deepEqual(places(), [
      ["a", 1],
      ["b", 2],
    ]);
    publicSnapshot.reload([record("a"), record("secret", { version: 2 }), record("b")]);
    assert.deepEqual(places(), [
      ["a", 1],
      ["secret", 2],
      ["b", 3],
    ]);
    publicSnapshot.reload([
      record("a", { hidden: true, version: 2 }),
      record("secret", { version: 2 }),
      record("b"),
    ]);
    assert.deepEqual(places(), [
      ["secret", 1],
      ["b", 2],
    ]);
    publicSnapshot.reload([record("b")]);
    assert.deepEqual(places(), [["b", 1]]);
  });

  it("shows what came in while a server was hidden once it is visible again", () => {
    readList(app);
    publicSnapshot.reload([record("a"), hidden(), record("b", { hidden: true, version: 2 })]);
    live.connected("b");
    publicSnapshot.reload([record("a"), hidden(), record("b", { version: 3 })]);
    const list: { items: { id: string; state: string }[] } = JSON.parse(readList(app).text);
    assert.deepEqual(
      list.items.map(({ state }) => state),
      ["never", "online"],
    );
  });

  it("sends nothing of a hidden server in frames of the feed", async () => {
    const viewer = await app.join(delta);
    live.connected("secret");
    publicSnapshot.reload([record("a"), hidden({ version: 2 }), record("b")]);
    await app.feed.tick();
    const { type, upsert, remove } = viewer.last();
    assert.deepEqual({ type, upsert, remove }, { type: "delta", upsert: [], remove: [] });
  });
});
