import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { actor } from "../fixtures.ts";
import {
  closeReceivers,
  createBench,
  DAY,
  gotify,
  MINUTE,
  only,
  openReceiver,
  receiverOf,
  SECOND,
} from "./notice-bench.ts";
import { until } from "../../support/eventually.ts";

afterEach(closeReceivers);

describe("an outbox of notices that has to try again", () => {
  it("tries again after 30 s when the receiver answers 500, and keeps what was sent for 7 days", async () => {
    const bench = createBench();
    const peer = await receiverOf(500, 200);
    const id = await bench.addChannel(gotify(peer));
    await bench.tell({ channelIds: [id] });
    assert.deepEqual(await bench.notices.deliver(), { sent: 0, failed: 0, waiting: 1 });
    const waiting = await only(bench);
    assert.deepEqual(
      [waiting.state, waiting.nextAttemptAt - bench.clock.now(), waiting.lastError],
      ["waiting", 30 * SECOND, "The receiver responded with status 500: no: 500"],
    );
    bench.clock.advance(30 * SECOND - 1);
    assert.equal((await bench.notices.deliver()).sent, 0);
    bench.clock.advance(1);
    assert.equal((await bench.notices.deliver()).sent, 1);
    const sent = await only(bench);
    assert.deepEqual([sent.state, sent.sentAt, "lastError" in sent], ["sent", bench.clock.now(), false]);
    bench.clock.advance(7 * DAY - 1);
    await bench.notices.sweep();
    assert.equal((await bench.stored()).length, 1);
    bench.clock.advance(1);
    await bench.notices.sweep();
    assert.equal((await bench.stored()).length, 0);
  });

  it("gives up after three days, and lets an administrator see it for seven more", async () => {
    const bench = createBench();
    const id = await bench.addChannel(gotify(await receiverOf(503)));
    await bench.tell({ channelIds: [id] });
    const from = bench.clock.now();
    let tries = 0;
    while ((await only(bench)).state === "waiting") {
      await bench.notices.deliver();
      tries += 1;
      bench.clock.advance((await only(bench)).nextAttemptAt - bench.clock.now());
    }
    assert.ok(bench.clock.now() - from <= 3 * DAY && bench.clock.now() - from > 2.9 * DAY);
    assert.ok(tries > 70 && tries < 80, `once an hour at last: ${tries}`);
    assert.equal((await only(bench)).lastError, "The receiver responded with status 503: no: 503");
    assert.equal(bench.notices.counts.failed, 1);
  });

  it("gives up what waited for three days without a try", async () => {
    const bench = createBench();
    const id = await bench.addChannel(gotify(await openReceiver()));
    await bench.tell({ channelIds: [id] });
    bench.clock.advance(3 * DAY);
    await bench.notices.deliver();
    const { state, lastError, attempts } = await only(bench);
    assert.deepEqual([state, lastError, attempts], ["failed", "Expired", 0]);
    await bench.tell({ channelIds: [id], key: "later" });
    bench.clock.advance(3 * DAY);
    await bench.notices.sweep();
    assert.deepEqual(
      (await bench.stored()).map((record) => record.state),
      ["failed", "failed"],
    );
  });

  for (const status of [400, 401, 404, 410, 301])
    it(`does not try again after ${status} until requested`, async () => {
      const bench = createBench();
      const peer = await receiverOf(status, 200);
      const id = await bench.addChannel(gotify(peer));
      await bench.tell({ channelIds: [id] });
      assert.deepEqual(await bench.notices.deliver(), { sent: 0, failed: 1, waiting: 0 });
      bench.clock.advance(DAY);
      assert.deepEqual(await bench.notices.deliver(), { sent: 0, failed: 0, waiting: 0 });
      const record = await only(bench);
      await bench.notices.retry(record.id, actor);
      await until(async () => (await only(bench)).state === "sent");
      await assert.rejects(bench.notices.retry(record.id, actor), { code: "conflict" });
      await assert.rejects(bench.notices.retry("nothing", actor), { code: "not_found" });
    });

  for (const status of [408, 425, 429, 502])
    it(`tries again after ${status}`, async () => {
      const bench = createBench();
      const id = await bench.addChannel(gotify(await receiverOf(status)));
      await bench.tell({ channelIds: [id] });
      assert.deepEqual(await bench.notices.deliver(), { sent: 0, failed: 0, waiting: 1 });
    });

  const asked: readonly (readonly [string, Record<string, string>, string, number])[] = [
    ["seconds", { "retry-after": "300" }, "", 5 * MINUTE],
    ["a date", { "retry-after": "Sat, 31 Jan 2026 12:10:00 GMT" }, "", 10 * MINUTE],
    ["less than the first wait", { "retry-after": "1" }, "", 30 * SECOND],
    ["Discord's words", {}, '{"message":"You are being rate limited.","retry_after":64.57}', 64_570],
    ["Telegram's words", {}, '{"ok":false,"error_code":429,"parameters":{"retry_after":90}}', 90 * SECOND],
    ["more than a day", { "retry-after": "99999999" }, "", DAY],
    ["nonsense", { "retry-after": "soon" }, "[]", 30 * SECOND],
  ];
  for (const [label, headers, body, wait] of asked)
    it(`waits as long as a receiver asks for: ${label}`, async () => {
      const bench = createBench();
      const peer = await openReceiver();
      peer.answer((_request, response) => response.writeHead(429, headers).end(body));
      const id = await bench.addChannel(gotify(peer));
      await bench.tell({ channelIds: [id] });
      await bench.notices.deliver();
      assert.equal((await only(bench)).nextAttemptAt - bench.clock.now(), wait);
    });

  it("sends nothing else to a receiver that asked to be left alone", async () => {
    const bench = createBench();
    const peer = await openReceiver();
    peer.answer((_request, response) => response.writeHead(429, { "retry-after": "60" }).end());
    const id = await bench.addChannel(gotify(peer));
    for (let i = 0; i < 3; i += 1) await bench.tell({ channelIds: [id] });
    await bench.notices.deliver();
    await bench.notices.deliver();
    assert.equal(peer.requests.length, 1);
    peer.answer((_request, response) => void response.end());
    bench.clock.advance(MINUTE);
    assert.equal((await bench.notices.deliver()).sent, 3);
  });
});
