/** One email that two processes hold, because the first one was slow: whose outcome counts, and threads that wait for it. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { MailOutcome } from "../../src/kit/mail/mail.ts";
import {
  type Bench,
  MINUTE,
  SECOND,
  busy,
  createBench,
  createFakeSender,
  enqueue,
  only,
  sent,
  stored,
  unknown,
} from "../kit/outbox-bench.ts";
import { until } from "../support/eventually.ts";

interface Holder extends Bench {
  /** Ends the sending, and resolves when the outcome is settled. */
  finish(outcome: MailOutcome): Promise<unknown>;
}

/** A process that has taken the email and is sending it. */
async function hold(shared?: Bench): Promise<Holder> {
  let answer: ((outcome: MailOutcome) => void) | undefined;
  const send = (): Promise<MailOutcome> => new Promise((resolve) => (answer = resolve));
  const bench = createBench({ send, close: () => undefined }, shared);
  if (shared === undefined) await enqueue(bench);
  const running = bench.outbox.deliver();
  await until(() => answer !== undefined);
  return Object.assign(bench, {
    finish: (outcome: MailOutcome) => {
      answer?.(outcome);
      return running;
    },
  });
}

/** Two processes with the same email: the first one's time was over. */
async function holdTwice(): Promise<readonly [Holder, Holder]> {
  const slow = await hold();
  slow.clock.advance(2 * MINUTE);
  return [slow, await hold(slow)];
}

describe("an email that two processes are sending", () => {
  for (const late of [busy, unknown])
    it(`stays with the second one when the first one ends as ${late.status}`, async () => {
      const [slow, heir] = await holdTwice();
      const before = await only(slow);
      assert.equal(before.attempts, 2);
      await slow.finish(late);
      assert.deepEqual(await only(slow), before);
      await heir.finish(busy);
      const after = await only(slow);
      assert.deepEqual([after.state, after.attempts], ["waiting", 2]);
      assert.equal(after.nextAttemptAt, slow.clock.now() + 2 * MINUTE);
    });

  for (const late of [busy, unknown, sent])
    it(`stays sent, at the time of the first one, when the second one ends as ${late.status}`, async () => {
      const [slow, heir] = await holdTwice();
      await slow.finish(sent);
      const before = await only(slow);
      assert.deepEqual([before.state, before.lastError], ["sent", undefined]);
      slow.clock.advance(SECOND);
      await heir.finish(late);
      assert.deepEqual(await only(slow), before);
    });

  it("is gone when someone canceled it meanwhile, whatever the outcome", async () => {
    for (const late of [busy, unknown, sent]) {
      const slow = await hold();
      await slow.outbox.cancel((await only(slow)).id);
      await slow.finish(late);
      assert.deepEqual(await stored(slow), []);
    }
  });
});

describe("a thread", () => {
  const due = async (bench: Bench): Promise<number[]> =>
    (await stored(bench)).map(({ nextAttemptAt }) => nextAttemptAt - bench.clock.now());

  it("waits five seconds at a time for a first email that another process is sending", async () => {
    const slow = await hold();
    await slow.finish(sent);
    await enqueue(slow, { thread: "ord_1" });
    const running = slow.outbox.deliver();
    await until(async () =>
      (await stored(slow)).some(({ attempts, state }) => state === "waiting" && attempts > 0),
    );
    const other = createBench(createFakeSender(sent), slow);
    await enqueue(other, { thread: "ord_1" });
    assert.equal((await other.outbox.deliver()).waiting, 1);
    assert.deepEqual((await due(slow)).slice(1), [2 * MINUTE, 5 * SECOND]);
    await slow.finish(sent);
    await running;
  });

  it("waits for the next attempt of a first email that failed, or five seconds if that is sooner", async () => {
    const bench = createBench(createFakeSender(busy));
    for (let count = 0; count < 2; count += 1) await enqueue(bench, { thread: "ord_1" });
    assert.equal((await bench.outbox.deliver()).waiting, 2);
    assert.deepEqual(await due(bench), [30 * SECOND, 30 * SECOND]);
    bench.clock.advance(28 * SECOND);
    await enqueue(bench, { thread: "ord_1" });
    assert.equal((await bench.outbox.deliver()).waiting, 1);
    assert.deepEqual(await due(bench), [2 * SECOND, 2 * SECOND, 5 * SECOND]);
  });

  it("does not wait for a first email whose time is over at this moment", async () => {
    const bench = createBench(createFakeSender(busy, sent));
    await enqueue(bench, { thread: "ord_1", ttlSeconds: 20 });
    assert.equal((await bench.outbox.deliver()).waiting, 1);
    bench.clock.advance(20 * SECOND);
    await enqueue(bench, { thread: "ord_1" });
    assert.equal((await bench.outbox.deliver()).sent, 1);
  });
});
