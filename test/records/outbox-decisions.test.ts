/** Which mails an outbox gives up, holds, drops, and sends again. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { GatedMail, GateVerdict } from "../../src/records/outbox.ts";
import {
  DAY,
  HOUR,
  SECOND,
  type Bench,
  busy,
  createBench,
  createFakeSender,
  enqueue,
  only,
  sent,
  stored,
  unknown,
} from "../kit/outbox-bench.ts";

const notFound = { code: "not_found" };

/** Lets as many attempts fail as there are. */
async function failAll(bench: Bench): Promise<number> {
  for (let times = 1; ; times += 1) {
    await bench.outbox.deliver();
    if ((await only(bench)).state === "failed") return times;
    assert.ok(times < 20, "it is never given up");
    bench.clock.advance(6 * HOUR);
  }
}

describe("a mail that cannot be sent for now", () => {
  it("is given up after as many attempts as are allowed, and gets as many again when someone asks", async () => {
    const bench = createBench(createFakeSender(busy), { rules: { maxTries: 3 } });
    await enqueue(bench);
    assert.equal(await failAll(bench), 3);
    const { id, lastError } = await only(bench);
    assert.equal(lastError, busy.reason);
    await bench.outbox.retry(id);
    assert.equal(await failAll(bench), 3);
    assert.equal((await only(bench)).attempts, 6);
  });

  it("is tried for as long as it is good where no number of attempts is set", async () => {
    const bench = createBench(createFakeSender(busy));
    await enqueue(bench);
    for (let times = 0; times < 24; times += 1) {
      await bench.outbox.deliver();
      assert.equal((await only(bench)).state, "waiting");
      bench.clock.advance(6 * HOUR);
    }
  });
});

describe("a mail that is asked about before it is sent", () => {
  async function ask(verdict: GateVerdict): Promise<{ bench: Bench; asked: GatedMail[]; mails: number }> {
    const asked: GatedMail[] = [];
    const sender = createFakeSender(sent);
    const gate = async (_tx: unknown, mail: GatedMail): Promise<GateVerdict> => {
      asked.push(mail);
      return verdict;
    };
    const bench = createBench(sender, { rules: { gate } });
    await enqueue(bench, { kind: "reminder" });
    bench.clock.advance(HOUR);
    await bench.outbox.deliver();
    return { bench, asked, mails: sender.mails.length };
  }

  it("is sent, removed, or kept with the reason", async () => {
    const allowed = await ask("send");
    assert.deepEqual([allowed.mails, (await only(allowed.bench)).state], [1, "sent"]);
    const dropped = await ask("drop");
    assert.deepEqual([dropped.mails, await stored(dropped.bench)], [0, []]);
    const held = await ask({ hold: "Reminders are off" });
    const { state, lastError } = await only(held.bench);
    assert.deepEqual([held.mails, state, lastError], [0, "failed", "Reminders are off"]);
  });

  it("is asked about with its kind, and when it was written or asked for again", async () => {
    const { bench, asked } = await ask({ hold: "Reminders are off" });
    const { id, createdAt } = await only(bench);
    assert.deepEqual(asked, [{ kind: "reminder", wantedAt: createdAt }]);
    bench.clock.advance(HOUR);
    await bench.outbox.retry(id);
    await bench.outbox.deliver();
    assert.deepEqual(asked[1], { kind: "reminder", wantedAt: createdAt + 2 * HOUR });
  });
});

describe("an administrator", () => {
  it("cancels and sends again what waits or has failed, and nothing else", async () => {
    const bench = createBench(createFakeSender(unknown, sent));
    await enqueue(bench);
    await bench.outbox.deliver();
    const { id } = await only(bench);
    await bench.outbox.retry(id);
    await bench.outbox.deliver();
    assert.equal((await only(bench)).state, "sent");
    await assert.rejects(bench.outbox.retry(id), notFound);
    await assert.rejects(bench.outbox.cancel(id), notFound);
    await assert.rejects(bench.outbox.cancel("mail_none"), notFound);

    const expired = createBench();
    await enqueue(expired, { ttlSeconds: 60 });
    const old = (await only(expired)).id;
    expired.clock.advance(60 * SECOND);
    await assert.rejects(expired.outbox.cancel(old), notFound);

    const waiting = createBench();
    await enqueue(waiting);
    await waiting.outbox.cancel((await only(waiting)).id);
    assert.deepEqual(await stored(waiting), []);
  });

  it("reads one mail, and no decoy", async () => {
    const bench = createBench();
    await enqueue(bench);
    const { id } = await only(bench);
    const read = (mailId: string) => bench.store.read((tx) => bench.outbox.get(tx, mailId));
    assert.equal((await read(id)).text, "Code 1234 5678");
    await assert.rejects(read("mail_none"), notFound);
    const decoy = createBench();
    await enqueue(decoy, { isDecoy: true });
    const decoyId = (await only(decoy)).id;
    await assert.rejects(
      decoy.store.read((tx) => decoy.outbox.get(tx, decoyId)),
      notFound,
    );
  });

  it("drops all waiting mails of a kind, however many, and no others", async () => {
    const bench = createBench();
    for (let made = 0; made < 201; made += 1) await enqueue(bench, { kind: "invite" });
    await enqueue(bench, { kind: "code" });
    assert.equal(await bench.outbox.drop("invite"), 201);
    assert.deepEqual(
      (await stored(bench)).map(({ kind }) => kind),
      ["code"],
    );
    assert.equal(await bench.outbox.drop("invite"), 0);
  });

  it("sees whether a mail server is set", () => {
    assert.deepEqual(
      [createBench(), createBench(createFakeSender(sent))].map(({ outbox }) => outbox.hasServer()),
      [false, true],
    );
  });
});

describe("mails whose time is over", () => {
  it("are reported when they were never sent, and silently removed when they were", async () => {
    const bench = createBench(createFakeSender(sent));
    await enqueue(bench);
    await bench.outbox.deliver();
    bench.clock.advance(2 * DAY);
    assert.equal(await bench.outbox.sweep(), 1);
    assert.doesNotMatch(bench.lines.join("\n"), /expired/u);

    bench.sender = createFakeSender(unknown);
    await enqueue(bench);
    await bench.outbox.deliver();
    bench.sender = undefined;
    await enqueue(bench);
    bench.clock.advance(8 * DAY);
    assert.equal(await bench.outbox.sweep(), 2);
    assert.match(
      bench.lines.at(-1) ?? "",
      /"level":"warn","message":"Emails expired without being sent","mails":2/u,
    );
    await enqueue(bench);
    bench.clock.advance(8 * DAY);
    assert.equal(await bench.outbox.sweep(), 1);
    assert.match(bench.lines.at(-1) ?? "", /"mails":1/u);
  });
});
