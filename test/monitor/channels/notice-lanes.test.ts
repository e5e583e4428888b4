import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { actor } from "../fixtures.ts";
import { notices as noticeCollection } from "../../../src/monitor/channels/records.ts";
import {
  closeReceivers,
  createBench,
  gotify,
  MINUTE,
  only,
  openReceiver,
  receiverOf,
  SECOND,
} from "./notice-bench.ts";
import { createTestNotify } from "./notify-fixture.ts";
import { until } from "../../support/eventually.ts";

afterEach(closeReceivers);

describe("an outbox of notices with many channels and processes", () => {
  it("keeps a receiver that never answers from holding up the others", async () => {
    const bench = createBench({ notify: createTestNotify({ timeoutMs: 60_000 }) });
    const silent = await openReceiver();
    silent.answer(() => undefined);
    const peer = await openReceiver();
    const slow = await bench.addChannel(gotify(silent));
    const other = await bench.addChannel(gotify(peer));
    for (let i = 0; i < 5; i += 1) await bench.tell({ channelIds: [slow] });
    await bench.notices.tick();
    await until(() => silent.requests.length === 1);
    for (let i = 0; i < 25; i += 1) await bench.tell({ channelIds: [other] });
    bench.notices.wake();
    await until(() => peer.requests.length === 25);
    assert.equal(silent.requests.length, 1, "one at a time for each channel");
    await silent.close();
    await bench.notices.close();
  });

  it("sends to four channels at once, and to the fifth when one has answered", async () => {
    const bench = createBench({ notify: createTestNotify({ timeoutMs: 60_000 }) });
    const peer = await openReceiver();
    const held: (() => void)[] = [];
    peer.answer((_request, response) => void held.push(() => response.end()));
    for (let i = 0; i < 6; i += 1) await bench.tell({ channelIds: [await bench.addChannel(gotify(peer))] });
    const done = bench.notices.deliver();
    await until(() => held.length === 4);
    assert.equal((await bench.stored()).filter(({ attempts }) => attempts === 1).length, 4);
    for (let i = 0; i < 6; i += 1) {
      await until(() => held.length > i);
      held[i]?.();
    }
    assert.deepEqual(await done, { sent: 6, failed: 0, waiting: 0 });
  });

  it("keeps the order of a thread when an earlier notice has to wait", async () => {
    const bench = createBench();
    const peer = await receiverOf(500, 200);
    const id = await bench.addChannel(gotify(peer));
    await bench.tell({ channelIds: [id], key: "1:firing", thread: "1", title: "down" });
    await bench.notices.deliver();
    bench.clock.advance(SECOND);
    await bench.tell({ channelIds: [id], key: "1:resolved", thread: "1", title: "up" });
    await bench.tell({ channelIds: [id], key: "2:firing", thread: "2", title: "another" });
    assert.equal((await bench.notices.deliver()).sent, 1);
    bench.clock.advance(30 * SECOND);
    assert.equal((await bench.notices.deliver()).sent, 2);
    const titles = peer.requests.map(({ body }) => (JSON.parse(body) as { title: string }).title);
    assert.deepEqual(titles, ["down", "another", "down", "up"]);
  });

  it("sends each notice once when two processes share a store", async () => {
    const one = createBench();
    const two = createBench(one);
    const peer = await openReceiver();
    const id = await one.addChannel(gotify(peer));
    for (let i = 0; i < 20; i += 1) await one.tell({ channelIds: [id] });
    const [a, b] = await Promise.all([one.notices.deliver(), two.notices.deliver()]);
    assert.equal(a.sent + b.sent, 20);
    assert.equal(peer.requests.length, 20);
  });

  it("leaves it to the one process that sends, also when an administrator asks another to try again", async () => {
    const sender = createBench();
    const other = createBench({ store: sender.store, clock: sender.clock, isSender: false });
    const peer = await openReceiver();
    await sender.tell({ channelIds: [await sender.addChannel(gotify(peer))] });
    await other.notices.retry((await only(sender)).id, actor);
    assert.equal(other.notices.counts.waiting, 1);
    await sender.notices.tick();
    await until(() => sender.notices.counts.sent + other.notices.counts.sent === 1);
    assert.deepEqual([sender.notices.counts.sent, other.notices.counts.sent], [1, 0]);
  });

  it("sends a notice once more, two minutes after a process died with it", async () => {
    const dying = createBench({ notify: createTestNotify({ timeoutMs: 60_000 }) });
    const peer = await openReceiver();
    peer.answer(() => undefined);
    const id = await dying.addChannel(gotify(peer));
    await dying.tell({ channelIds: [id] });
    void dying.notices.deliver();
    await until(() => peer.requests.length === 1);
    const heir = createBench({ store: dying.store, clock: dying.clock });
    peer.answer((_request, response) => void response.end());
    dying.clock.advance(2 * MINUTE - 1);
    assert.equal((await heir.notices.deliver()).sent, 0);
    dying.clock.advance(1);
    assert.equal((await heir.notices.deliver()).sent, 1);
    assert.equal((await heir.notices.deliver()).sent, 0);
    assert.equal(peer.requests.length, 2);
    // The answer that comes too late changes nothing of what is stored.
    await peer.close();
    await dying.notices.close();
    assert.deepEqual([(await only(heir)).state, (await only(heir)).attempts], ["sent", 2]);
  });

  it("says so when the store is away, and begins nothing after it is closed", async () => {
    const bench = createBench();
    const peer = await openReceiver();
    await bench.tell({ channelIds: [await bench.addChannel(gotify(peer))] });
    await bench.notices.close();
    bench.notices.wake();
    await bench.notices.tick();
    assert.equal(peer.requests.length, 0);
    assert.equal(await bench.store.read((tx) => tx.count(noticeCollection)), 1);
    const away = createBench();
    await away.tell({ channelIds: [await away.addChannel(gotify(peer))] });
    await away.store.close();
    away.notices.wake();
    await until(() => away.lines.length > 0);
    assert.match(away.lines.join("\n"), /Waiting notifications could not be delivered/u);
  });
});
