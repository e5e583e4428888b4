import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { createSmtpSender } from "../../src/kit/mail/smtp.ts";
import { startSmtpPeer } from "../support/smtp-peer.ts";
import {
  DAY,
  HOUR,
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

let cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.reverse()) await step();
  cleanUp = [];
});

describe("an outbox that delivers", () => {
  it("sends a mail through a real server and keeps the record without its text for a day", async () => {
    const peer = await startSmtpPeer();
    cleanUp.push(() => peer.close());
    const sender = createSmtpSender({
      host: "127.0.0.1",
      port: peer.port,
      security: "none",
      from: "Shop <noreply@shop.example>",
    });
    cleanUp.push(() => sender.close());
    const bench = createBench(sender);
    await enqueue(bench);
    const before = await only(bench);
    assert.match(before.id, /^mail_/u);
    assert.deepEqual(await bench.outbox.deliver(), { sent: 1, failed: 0, waiting: 0 });
    assert.deepEqual(peer.mails[0]?.to, ["ada@example.org"]);
    assert.match(
      peer.mails[0]?.raw ?? "",
      new RegExp(`^Message-ID: <${before.id}@shop\\.example>\\r$`, "mu"),
    );
    assert.match(peer.mails[0]?.raw ?? "", /Code 1234 5678/u);
    const now = bench.clock.now();
    const after = await only(bench);
    assert.deepEqual(
      [after.state, after.sealedText, after.sentAt, after.expiresAt, after.attempts],
      ["sent", "", now, now + DAY, 1],
    );
    bench.clock.advance(DAY - 1);
    assert.equal(await bench.outbox.sweep(), 0);
    bench.clock.advance(1);
    assert.equal(await bench.outbox.sweep(), 1);
    assert.deepEqual(await stored(bench), []);
  });

  it("delivers what was woken for, more than a run takes, two at once at most", async () => {
    const sender = createFakeSender(sent);
    const bench = createBench(sender);
    for (let i = 0; i < 45; i += 1) await enqueue(bench, { to: `u${i}@example.org` });
    bench.outbox.wake();
    bench.outbox.wake();
    await until(() => sender.mails.length >= 45);
    await bench.outbox.deliver();
    assert.equal(sender.mails.length, 45);
    assert.equal(new Set(sender.mails.map(({ to }) => to)).size, 45);
    assert.equal(sender.most, 2);
  });

  it("sends mails to one person in the order of their writing, also while the first is slow", async () => {
    const order: string[] = [];
    const bench = createBench({
      send: async ({ subject }) => {
        for (let turns = subject === "placed" ? 20 : 0; turns > 0; turns -= 1)
          await new Promise((resolve) => setImmediate(resolve));
        order.push(subject);
        return sent;
      },
      close: () => undefined,
    });
    for (const subject of ["placed", "paid", "delivered"])
      await bench.store.transact((tx) =>
        bench.outbox.enqueue(tx, { kind: "order", to: "ada@example.org", subject, text: "-" }),
      );
    await bench.outbox.deliver();
    assert.deepEqual(order, ["placed", "paid", "delivered"]);
  });

  it("keeps the order of a thread also when its first mail fails for a time, and nothing else waits for it", async () => {
    const gone: string[] = [];
    let isBusy = true;
    const bench = createBench({
      send: async ({ subject }) => {
        if (isBusy && subject === "placed") return busy;
        gone.push(subject);
        return sent;
      },
      close: () => undefined,
    });
    await enqueue(bench, { subject: "placed", thread: "ord_1" });
    await enqueue(bench, { subject: "paid", thread: "ord_1" });
    await enqueue(bench, { subject: "paid, to somebody else", thread: "ord_1", to: "shop@example.org" });
    await enqueue(bench, { subject: "another order", thread: "ord_2" });
    await enqueue(bench, { subject: "code" });
    assert.deepEqual(await bench.outbox.deliver(), { sent: 3, failed: 0, waiting: 2 });
    assert.deepEqual(gone.splice(0), ["paid, to somebody else", "another order", "code"]);
    bench.clock.advance(30 * SECOND - 1);
    assert.deepEqual(await bench.outbox.deliver(), { sent: 0, failed: 0, waiting: 0 });
    bench.clock.advance(1);
    assert.deepEqual(await bench.outbox.deliver(), { sent: 0, failed: 0, waiting: 2 });
    isBusy = false;
    bench.clock.advance(2 * MINUTE);
    await enqueue(bench, { subject: "delivered", thread: "ord_1" });
    assert.deepEqual(await bench.outbox.deliver(), { sent: 3, failed: 0, waiting: 0 });
    assert.deepEqual(gone, ["placed", "paid", "delivered"]);
  });

  it("sends the rest of a thread when its first mail was given up or its time is over", async () => {
    const bench = createBench(createFakeSender(busy, unknown, sent, busy, sent));
    for (let count = 0; count < 2; count += 1) await enqueue(bench, { thread: "ord_1" });
    assert.deepEqual(await bench.outbox.deliver(), { sent: 0, failed: 0, waiting: 2 });
    bench.clock.advance(30 * SECOND);
    assert.deepEqual(await bench.outbox.deliver(), { sent: 1, failed: 1, waiting: 0 });
    await enqueue(bench, { thread: "ord_2", ttlSeconds: 20 });
    await enqueue(bench, { thread: "ord_2" });
    assert.deepEqual(await bench.outbox.deliver(), { sent: 0, failed: 0, waiting: 2 });
    bench.clock.advance(30 * SECOND);
    assert.deepEqual(await bench.outbox.deliver(), { sent: 1, failed: 0, waiting: 0 });
  });

  it("is not held up by a thread of many mails, nor by a mail that another process is sending", async () => {
    let isBusy = true;
    const bench = createBench({
      send: async ({ to }) => (isBusy && to === "slow@example.org" ? busy : sent),
      close: () => undefined,
    });
    for (let count = 0; count < 30; count += 1)
      await enqueue(bench, { thread: "ord_1", to: "slow@example.org" });
    await enqueue(bench, { thread: "ord_2" });
    assert.deepEqual(await bench.outbox.deliver(), { sent: 0, failed: 0, waiting: 20 });
    assert.equal((await bench.outbox.deliver()).sent, 1);
    isBusy = false;

    let release = (): void => undefined;
    const sending = createBench(
      { send: () => new Promise((resolve) => (release = () => resolve(sent))), close: () => undefined },
      bench,
    );
    await enqueue(sending, { thread: "ord_3" });
    const running = sending.outbox.deliver();
    await until(async () =>
      (await stored(bench)).some(({ thread, attempts }) => thread === "ord_3" && attempts > 0),
    );
    await enqueue(bench, { thread: "ord_3" });
    assert.deepEqual(await bench.outbox.deliver(), { sent: 0, failed: 0, waiting: 1 });
    release();
    assert.equal((await running).sent, 1);
    bench.clock.advance(5 * SECOND);
    assert.equal((await bench.outbox.deliver()).sent, 1);
  });

  it("counts what a run sent, gave up and put back, twenty mails at most", async () => {
    const bench = createBench(createFakeSender(sent, busy, unknown, sent));
    for (let i = 0; i < 21; i += 1) await enqueue(bench);
    assert.deepEqual(await bench.outbox.deliver(), { sent: 18, failed: 1, waiting: 1 });
    assert.deepEqual(await bench.outbox.deliver(), { sent: 1, failed: 0, waiting: 0 });
  });

  it("waits longer after each temporary failure", async () => {
    const bench = createBench(createFakeSender(busy));
    await enqueue(bench);
    const waits = [30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, HOUR, HOUR];
    for (const [index, wait] of waits.entries()) {
      assert.deepEqual(await bench.outbox.deliver(), { sent: 0, failed: 0, waiting: 1 });
      const record = await only(bench);
      assert.deepEqual(
        [record.state, record.attempts, record.nextAttemptAt - bench.clock.now(), record.lastError],
        ["waiting", index + 1, wait, busy.reason],
      );
      bench.clock.advance(wait - 1);
      assert.deepEqual(await bench.outbox.deliver(), { sent: 0, failed: 0, waiting: 0 });
      bench.clock.advance(1);
    }
    bench.sender = createFakeSender(sent);
    assert.equal((await bench.outbox.deliver()).sent, 1);
    assert.equal("lastError" in (await only(bench)), false);
  });

  it("does not try again after a permanent failure until requested", async () => {
    const bench = createBench(createFakeSender(unknown));
    await enqueue(bench);
    assert.deepEqual(await bench.outbox.deliver(), { sent: 0, failed: 1, waiting: 0 });
    const { id, state, lastError } = await only(bench);
    assert.deepEqual([state, lastError], ["failed", unknown.reason]);
    bench.clock.advance(HOUR);
    assert.deepEqual(await bench.outbox.deliver(), { sent: 0, failed: 0, waiting: 0 });
    bench.sender = createFakeSender(sent);
    await bench.outbox.retry(id);
    await bench.outbox.deliver();
    assert.equal((await only(bench)).state, "sent");
    await assert.rejects(bench.outbox.retry(id), { code: "not_found" });
    await assert.rejects(bench.outbox.retry("mail_none"), { code: "not_found" });
  });

  it("makes a waiting email due at once on request", async () => {
    const bench = createBench(createFakeSender(busy, sent));
    await enqueue(bench);
    await bench.outbox.deliver();
    await bench.outbox.retry((await only(bench)).id);
    await bench.outbox.deliver();
    assert.equal((await only(bench)).state, "sent");
  });

  it("never sends an expired mail, and is not held up by many", async () => {
    const sender = createFakeSender(sent);
    const bench = createBench(sender);
    for (let i = 0; i < 25; i += 1) await enqueue(bench, { ttlSeconds: 600 });
    const { id } = (await stored(bench))[0] ?? { id: "" };
    bench.clock.advance(10 * MINUTE);
    await enqueue(bench, { to: "late@example.org" });
    assert.deepEqual(
      (await bench.outbox.list({ limit: 100 })).items.map(({ text }) => text).filter(Boolean),
      ["Code 1234 5678"],
    );
    await assert.rejects(bench.outbox.retry(id), { code: "not_found" });
    bench.outbox.wake();
    await until(() => sender.mails.length > 0);
    await bench.outbox.deliver();
    assert.deepEqual(
      sender.mails.map(({ to }) => to),
      ["late@example.org"],
    );
    assert.equal((await stored(bench)).length, 1);
  });

  it("keeps a mail for seven days unless told otherwise; a sweep takes 200 at most", async () => {
    const bench = createBench();
    for (let i = 0; i < 201; i += 1) await enqueue(bench);
    bench.clock.advance(7 * DAY - 1);
    assert.equal(await bench.outbox.sweep(), 0);
    bench.clock.advance(1);
    assert.equal(await bench.outbox.sweep(), 200);
    assert.equal(await bench.outbox.sweep(), 1);
    assert.equal(await bench.outbox.sweep(), 0);
  });

  it("delivers each mail once when two processes share a store", async () => {
    const sender = createFakeSender(sent);
    const one = createBench(sender);
    const two = createBench(sender, one);
    for (let i = 0; i < 20; i += 1) await enqueue(one, { to: `u${i}@example.org` });
    const [a, b] = await Promise.all([one.outbox.deliver(), two.outbox.deliver()]);
    assert.equal(a.sent + b.sent, 20);
    assert.ok(a.sent > 0 && b.sent > 0, "both had a share");
    assert.equal(new Set(sender.mails.map(({ to }) => to)).size, 20);
    assert.equal(sender.mails.length, 20);
  });

  it("sends a mail again two minutes after a process died with it", async () => {
    const dying = createBench({ send: () => new Promise(() => undefined), close: () => undefined });
    await enqueue(dying);
    void dying.outbox.deliver();
    const heir = createBench(createFakeSender(sent), dying);
    await until(async () => (await only(dying)).attempts > 0);
    dying.clock.advance(2 * MINUTE - 1);
    assert.equal((await heir.outbox.deliver()).sent, 0);
    dying.clock.advance(1);
    assert.equal((await heir.outbox.deliver()).sent, 1);
  });

  it("finishes what is on its way when it is closed, and begins nothing more", async () => {
    const sender = createFakeSender(sent);
    const bench = createBench(sender);
    for (let i = 0; i < 10; i += 1) await enqueue(bench);
    const running = bench.outbox.deliver();
    await until(() => sender.mails.length > 0);
    await bench.outbox.close();
    const { sent: count } = await running;
    assert.equal(count, sender.mails.length);
    assert.ok(count < 10);
    bench.outbox.wake();
    assert.deepEqual(await bench.outbox.deliver(), { sent: 0, failed: 0, waiting: 0 });
  });

  it("takes a sender that throws for a temporary failure, and a store that is away for a line in the log", async () => {
    const bench = createBench({ send: () => Promise.reject(new Error("Code 1234")), close: () => undefined });
    await enqueue(bench);
    assert.deepEqual(await bench.outbox.deliver(), { sent: 0, failed: 0, waiting: 1 });
    assert.doesNotMatch(bench.lines.join("\n"), /1234|ada@/u);
    await bench.store.close();
    bench.outbox.retry("mail_none").catch(() => undefined);
    bench.clock.advance(HOUR);
    bench.outbox.wake();
    await assert.rejects(bench.outbox.deliver());
    assert.match(bench.lines.join("\n"), /Waiting emails could not be delivered/u);
  });
});
