import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AppError } from "../../src/kit/errors.ts";
import { outboxCollection } from "../../src/records/outbox-record.ts";
import type { MailOutcomes } from "../../src/records/watched-sender.ts";
import { createMemoryStore } from "../../src/store/journal/memory-store.ts";
import {
  type Mail,
  DAY,
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

describe("an outbox without an SMTP server", () => {
  it("keeps mails readable, tells each once, and delivers them when a server is set", async () => {
    const bench = createBench();
    await enqueue(bench);
    bench.clock.advance(1);
    await enqueue(bench, { kind: "notice" });
    for (let i = 0; i < 3; i += 1) {
      assert.deepEqual(await bench.outbox.deliver(), { sent: 0, failed: 0, waiting: 2 });
    }
    const lines = bench.lines.map((text): unknown => JSON.parse(text));
    assert.deepEqual(
      lines.map((entry) =>
        typeof entry === "object" && entry !== null ? { ...entry, time: "", mailId: "" } : entry,
      ),
      ["code", "notice"].map((kind) => ({
        time: "",
        level: "info",
        message: "The outbox has a waiting email: no mail server is configured",
        mailId: "",
        kind,
      })),
    );
    assert.doesNotMatch(bench.lines.join("\n"), /ada|1234/u);
    await enqueue(bench);
    await bench.outbox.deliver();
    assert.equal(bench.lines.length, 3);
    assert.deepEqual(
      (await stored(bench)).map(({ attempts, state }) => [attempts, state]),
      Array.from({ length: 3 }, () => [0, "waiting"]),
    );
    const { items } = await bench.outbox.list({ limit: 10 });
    assert.ok(items.every(({ text }) => text === "Code 1234 5678"));
    bench.sender = createFakeSender(sent);
    assert.equal((await bench.outbox.deliver()).sent, 3);
  });

  it("refuses a test mail, and hands it on when there is a server", async () => {
    const bench = createBench();
    const mail = { to: "ada@example.org", subject: "Test", text: "Hello" };
    await assert.rejects(
      bench.outbox.sendTest(mail),
      (error) =>
        error instanceof AppError && error.code === "unavailable" && /No mail server/u.test(error.message),
    );
    bench.sender = createFakeSender(unknown);
    assert.deepEqual(await bench.outbox.sendTest(mail), unknown);
    assert.deepEqual(await stored(bench), []);
  });
});

describe("mails as records", () => {
  it("show no text in the store", async () => {
    const bench = createBench();
    await enqueue(bench);
    const json = JSON.stringify(await only(bench));
    assert.doesNotMatch(json, /1234|Code 1/u);
    assert.doesNotMatch(json, new RegExp(Buffer.from("1234 5678").toString("base64url").slice(0, 8), "u"));
  });

  it("cannot be read or sent with another secret key", async () => {
    const first = createBench();
    await enqueue(first);
    const sender = createFakeSender(sent);
    const { store, clock } = first;
    const other = createBench(sender, { store, clock, secret: "another secret of 32 characters!" });
    assert.equal((await other.outbox.list({ limit: 1 })).items[0]?.text, "");
    assert.deepEqual(await other.outbox.deliver(), { sent: 0, failed: 1, waiting: 0 });
    assert.match((await only(other)).lastError ?? "", /another secret/u);
    assert.equal(sender.mails.length, 0);
  });

  it("disappear with a transaction that is rolled back, and are written once when its work runs again", async () => {
    const store = createMemoryStore({ collections: [outboxCollection], forceReruns: true });
    const bench = createBench(createFakeSender(sent), { store });
    const mail = { to: "ada@example.org", subject: "Hi", text: "Hello", kind: "notice" };
    await assert.rejects(
      store.transact(async (tx) => {
        await bench.outbox.enqueue(tx, mail);
        throw new Error("No after all");
      }),
      /No after all/u,
    );
    assert.deepEqual(await stored(bench), []);
    await enqueue(bench);
    assert.equal((await only(bench)).state, "waiting");
    assert.equal((await bench.outbox.deliver()).sent, 1);
    assert.equal((await only(bench)).attempts, 1);
    bench.clock.advance(DAY);
    assert.equal(await bench.outbox.sweep(), 1);
  });

  it("are never sent nor listed when they are decoys, and go when their time is over", async () => {
    const sender = createFakeSender(sent);
    const bench = createBench(sender);
    await enqueue(bench, { isDecoy: true, ttlSeconds: 600 });
    assert.deepEqual(await bench.outbox.deliver(), { sent: 0, failed: 0, waiting: 0 });
    assert.deepEqual([sender.mails, (await bench.outbox.list({ limit: 10 })).items], [[], []]);
    const [decoy] = await stored(bench);
    await assert.rejects(bench.outbox.retry(decoy?.id ?? ""), { code: "not_found" });
    bench.clock.advance(600 * SECOND);
    assert.equal(await bench.outbox.sweep(), 1);
    assert.deepEqual(bench.lines, []);
  });

  it("are refused when they could make another header or recipient", async () => {
    const bench = createBench();
    const wrong: readonly (readonly [Partial<Mail>, string])[] = [
      [{ to: "a@example.org, b@example.org" }, "/to"],
      [{ to: "a@example.org\r\nBcc: b@example.org" }, "/to"],
      [{ subject: "Hi\r\nBcc: b@example.org" }, "/subject"],
      [{ subject: "Hi\u2028Bcc" }, "/subject"],
      [{ text: "x".repeat(50_001) }, "/text"],
    ];
    for (const [mail, pointer] of wrong) {
      await assert.rejects(
        enqueue(bench, mail),
        (error) =>
          error instanceof AppError && error.code === "invalid" && error.errors[0]?.pointer === pointer,
      );
    }
    assert.deepEqual(await stored(bench), []);
    await enqueue(bench, { text: "\u{1f44b}".repeat(25_000) });
    assert.equal((await stored(bench)).length, 1);
  });

  it("are listed the newest first, by pages and by state, without what is sealed", async () => {
    const bench = createBench(createFakeSender(unknown, sent));
    for (let i = 0; i < 5; i += 1) {
      await enqueue(bench, { subject: `Mail ${i}` });
      if (i === 1) await bench.outbox.deliver();
      bench.clock.advance(SECOND);
    }
    const first = await bench.outbox.list({ limit: 3 });
    const rest = await bench.outbox.list({
      limit: 3,
      ...(first.nextCursor === undefined ? {} : { cursor: first.nextCursor }),
    });
    assert.deepEqual(
      [...first.items, ...rest.items].map(({ subject }) => subject),
      ["Mail 4", "Mail 3", "Mail 2", "Mail 1", "Mail 0"],
    );
    assert.equal(rest.nextCursor, undefined);
    const waiting = await bench.outbox.list({ limit: 9, state: "waiting" });
    assert.deepEqual(
      waiting.items.map(({ subject }) => subject),
      ["Mail 4", "Mail 3", "Mail 2"],
    );
    const failed = await bench.outbox.list({ limit: 9, state: "failed" });
    assert.deepEqual(
      failed.items.map(({ text }) => text),
      ["Code 1234 5678"],
    );
    assert.deepEqual(
      (await bench.outbox.list({ limit: 9, state: "sent" })).items.map(({ text }) => text),
      [""],
    );
    for (const entry of first.items) assert.equal("sealedText" in entry || "version" in entry, false);
  });
});

describe("the outboxes of two processes", () => {
  it("knows that mail waits from what any process could hand over last", async () => {
    const listeners: ((isStuck: boolean) => void)[] = [];
    const outcomes = (own: number): MailOutcomes => ({
      tell: (isStuck) => listeners.forEach((take, at) => at !== own && take(isStuck)),
      listen: (take) => void listeners.push(take),
    });
    const one = createBench(createFakeSender(busy), { outcomes: outcomes(0) });
    const two = createBench(createFakeSender(sent), { ...one, outcomes: outcomes(1) });
    const delayed = (): boolean[] => [one, two].map(({ outbox }) => outbox.isDelayed());
    assert.deepEqual(delayed(), [false, false]);
    await enqueue(one);
    await one.outbox.deliver();
    assert.deepEqual(delayed(), [true, true]);
    await enqueue(two);
    await two.outbox.deliver();
    assert.deepEqual(delayed(), [false, false]);
  });
});
