import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { actor } from "../fixtures.ts";
import {
  closeReceivers,
  createBench,
  gotify,
  only,
  openReceiver,
  receiverOf,
  SECOND,
} from "./notice-bench.ts";
import { createTestNotify } from "./notify-fixture.ts";

afterEach(closeReceivers);

describe("an outbox of notices", () => {
  it("is written with the change that it tells of, or not at all", async () => {
    const bench = createBench();
    const id = await bench.addChannel(gotify(await openReceiver()));
    await assert.rejects(
      bench.store.transact(async (tx) => {
        const notice = {
          kind: "firing",
          severity: "info",
          title: "t",
          text: "",
          channelIds: [id],
          key: "k",
        } as const;
        await bench.notices.enqueue(tx, notice);
        throw new Error("The change failed");
      }),
    );
    assert.deepEqual(await bench.stored(), []);
  });

  it("writes one notification for a key and a channel, however often it is requested", async () => {
    const bench = createBench();
    const peer = await openReceiver();
    const one = await bench.addChannel(gotify(peer));
    const two = await bench.addChannel(gotify(peer));
    await bench.tell({ key: "inc_1:firing", channelIds: [one, one, "chn_gone", two] });
    await bench.tell({ key: "inc_1:firing", channelIds: [one], title: "again" });
    assert.deepEqual(
      new Set((await bench.stored()).map(({ id }) => id)),
      new Set([`inc_1:firing:${one}`, `inc_1:firing:${two}`]),
    );
    assert.deepEqual(await bench.notices.deliver(), { sent: 2, failed: 0, waiting: 0 });
    await bench.tell({ key: "inc_1:firing", channelIds: [one] });
    assert.deepEqual(await bench.notices.deliver(), { sent: 0, failed: 0, waiting: 0 });
    assert.equal(peer.requests.length, 2);
  });

  it("puts a title on one line and removes control characters, whatever a machine calls itself", async () => {
    const bench = createBench();
    const id = await bench.addChannel(gotify(await openReceiver()));
    await bench.tell({
      channelIds: [id],
      title: `a\r\nb\u2028c${"x".repeat(300)}`,
      text: `1\r\n2\u0000\t${"\ud800"}${"y".repeat(5_000)}`,
      url: "javascript:alert(1)",
    });
    const { title, text, url } = await only(bench);
    assert.match(title, /^a b cx+…$/u);
    assert.equal(title.length, 200);
    assert.match(text, /^1\n2 \t y+…$/u);
    assert.equal(text.length, 4_000);
    assert.equal(url, undefined);
    await assert.rejects(bench.tell({ channelIds: [id], key: "a b" }), RangeError);
  });

  it("fails what waits for a channel that was deleted or became another", async () => {
    const bench = createBench();
    const peer = await openReceiver();
    const id = await bench.addChannel(gotify(peer));
    await bench.tell({ channelIds: [id] });
    await bench.channels.remove(id, actor);
    await bench.notices.deliver();
    const { state, lastError } = await only(bench);
    assert.deepEqual([state, lastError, peer.requests.length], ["failed", "The channel was deleted", 0]);
    assert.deepEqual((await bench.notices.list({ limit: 10 })).items[0]?.channelName, undefined);
  });

  it("waits while private addresses are refused, and says what allows them", async () => {
    const bench = createBench({ notify: createTestNotify({ allowPrivate: false }) });
    const peer = await openReceiver();
    await bench.tell({ channelIds: [await bench.addChannel(gotify(peer))] });
    assert.equal((await bench.notices.deliver()).waiting, 1);
    assert.match((await only(bench)).lastError ?? "", /a private address; set NOTIFY_PRIVATE=1/u);
  });

  it("gives up what was sealed with another secret", async () => {
    const bench = createBench();
    await bench.tell({ channelIds: [await bench.addChannel(gotify(await openReceiver()))] });
    const other = createBench({
      ...bench,
      notify: createTestNotify({ secret: "another secret of 32 characters at least" }),
    });
    assert.equal((await other.notices.deliver()).failed, 1);
    assert.match((await only(bench)).lastError ?? "", /another secret\. Enter them again/u);
  });

  it("quotes no secret that a receiver repeats", async () => {
    const bench = createBench();
    const peer = await openReceiver();
    peer.answer(({ headers }, response) =>
      response.writeHead(403).end(`bad token ${String(headers["x-gotify-key"])}`),
    );
    await bench.tell({ channelIds: [await bench.addChannel(gotify(peer))] });
    await bench.notices.deliver();
    assert.equal((await only(bench)).lastError, "The receiver responded with status 403: bad token …");
    assert.doesNotMatch(bench.lines.join("\n"), /AbCdEfGh|offline/u);
  });

  it("counts what was sent, given up, and waits", async () => {
    const bench = createBench();
    await bench.tell({ channelIds: [await bench.addChannel(gotify(await receiverOf(200)))] });
    await bench.tell({ channelIds: [await bench.addChannel(gotify(await receiverOf(400)))] });
    await bench.tell({ channelIds: [await bench.addChannel(gotify(await receiverOf(500)))] });
    await bench.notices.deliver();
    await bench.notices.tick();
    assert.deepEqual(bench.notices.counts, { sent: 1, failed: 1, waiting: 1 });
  });

  it("lists the newest first, by state, page by page", async () => {
    const bench = createBench();
    const id = await bench.addChannel(gotify(await receiverOf(200, 400, 500)));
    for (let i = 0; i < 3; i += 1) {
      await bench.tell({ channelIds: [id], key: `k${i}` });
      await bench.notices.deliver();
      bench.clock.advance(SECOND);
    }
    const all = await bench.notices.list({ limit: 2 });
    assert.deepEqual(
      all.items.map((item) => [item.id, item.state, item.channelName]),
      [
        [`k2:${id}`, "waiting", "one"],
        [`k1:${id}`, "failed", "one"],
      ],
    );
    const rest = await bench.notices.list({ limit: 2, cursor: all.nextCursor });
    assert.deepEqual(
      rest.items.map(({ state }) => state),
      ["sent"],
    );
    const failed = await bench.notices.list({ limit: 5, state: "failed" });
    assert.deepEqual(
      failed.items.map((item) => item.id),
      [`k1:${id}`],
    );
  });
});
