import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { AppError } from "../../src/kit/errors.ts";
import { createLog } from "../../src/kit/log.ts";
import type { MailMessage, MailOutcome, MailSender } from "../../src/kit/mail.ts";
import type { Outbox, OutboxRecord } from "../../src/kit/outbox.ts";
import { createOutbox, outboxCollection } from "../../src/kit/outbox.ts";
import { createSecretBox } from "../../src/kit/secret-box.ts";
import { createSmtpSender } from "../../src/kit/smtp.ts";
import { createMemoryStore } from "../../src/store/journal/memory-store.ts";
import type { Store } from "../../src/store/store.ts";
import type { FixedClock } from "../support/fixed-clock.ts";
import { createFixedClock } from "../support/fixed-clock.ts";
import { startSmtpPeer } from "../support/smtp-peer.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const sent: MailOutcome = { status: "sent" };
const busy: MailOutcome = { status: "temporary", reason: "The SMTP server cannot take the mail now (450)" };
const unknown: MailOutcome = { status: "permanent", reason: "The SMTP server refuses the recipient: 550" };

/** A sender that gives the outcomes in turn, the last one again and again. */
function createFakeSender(...outcomes: MailOutcome[]): MailSender & { mails: MailMessage[]; most: number } {
  let atOnce = 0;
  const sender = {
    mails: [] as MailMessage[],
    most: 0,
    send: async (message: MailMessage): Promise<MailOutcome> => {
      atOnce += 1;
      sender.most = Math.max(sender.most, atOnce);
      const number = sender.mails.push(message);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
      return outcomes[Math.min(number, outcomes.length) - 1] ?? sent;
    },
    close: () => undefined,
  };
  return sender;
}

interface Bench {
  readonly store: Store;
  readonly clock: FixedClock;
  readonly outbox: Outbox;
  readonly lines: string[];
  sender: MailSender | undefined;
}

function createBench(
  sender?: MailSender,
  options: { store?: Store; clock?: FixedClock; secret?: string } = {},
): Bench {
  const clock = options.clock ?? createFixedClock();
  const store = options.store ?? createMemoryStore({ collections: [outboxCollection] });
  const lines: string[] = [];
  const log = createLog({ level: "debug", clock, write: (text) => lines.push(text) });
  const box = createSecretBox(options.secret ?? "a secret of at least 32 characters");
  const bench: Bench = {
    store,
    clock,
    lines,
    sender,
    outbox: createOutbox({ store, clock, log, box, sender: () => bench.sender }),
  };
  return bench;
}

type Mail = Parameters<Outbox["enqueue"]>[1];

async function enqueue({ store, outbox }: Bench, mail: Partial<Mail> = {}): Promise<void> {
  const whole = {
    to: "ada@example.org",
    subject: "Your code",
    text: "Code 1234 5678",
    kind: "code",
    ...mail,
  };
  await store.transact((tx) => outbox.enqueue(tx, whole));
}

async function stored({ store }: Bench): Promise<readonly OutboxRecord[]> {
  return (await store.read((tx) => tx.list(outboxCollection, "id", { limit: 1_000 }))).items;
}

async function only(bench: Bench): Promise<OutboxRecord> {
  const [record, ...others] = await stored(bench);
  assert.ok(record !== undefined && others.length === 0);
  return record;
}

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
    // Each call waits for a run that begins after it; the first three are those of the wake.
    for (let i = 0; i < 4; i += 1) await bench.outbox.deliver();
    assert.equal(sender.mails.length, 45);
    assert.equal(new Set(sender.mails.map(({ to }) => to)).size, 45);
    assert.equal(sender.most, 2);
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

  it("does not try again after a permanent failure until it is told to", async () => {
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

  it("makes a waiting mail due at once when told to", async () => {
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
    await bench.outbox.deliver();
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
    while ((await only(dying)).attempts === 0) await new Promise((resolve) => setImmediate(resolve));
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
    while (sender.mails.length === 0) await new Promise((resolve) => setImmediate(resolve));
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
    assert.match(bench.lines.join("\n"), /Mails could not be delivered/u);
  });
});

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
        message: "A mail waits in the outbox; no SMTP server is set",
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
        error instanceof AppError && error.code === "unavailable" && /No SMTP server/u.test(error.message),
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
    assert.match((await only(other)).lastError ?? "", /another secret key/u);
    assert.equal(sender.mails.length, 0);
  });

  it("go with a transaction that is rolled back, and stand once when its work runs again", async () => {
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
