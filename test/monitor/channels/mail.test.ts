import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { createNoticeMail } from "../../../src/monitor/service-channels.ts";
import { actor } from "../fixtures.ts";
import { type SmtpBehaviour, type SmtpPeer, startSmtpPeer } from "../../support/smtp-peer.ts";
import { type Bench, createBench, SECOND } from "./notice-bench.ts";
import { createTestNotify } from "./notify-fixture.ts";

let cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.reverse()) await step();
  cleanUp = [];
});

async function setUp(behaviour: SmtpBehaviour = "normal"): Promise<{ bench: Bench; peer: SmtpPeer }> {
  const peer = await startSmtpPeer({ behaviour });
  cleanUp.push(() => peer.close());
  const from = "Monitor <monitor@status.example>";
  const server = { host: "127.0.0.1", port: peer.port, security: "none", from } as const;
  const opened = createNoticeMail(() => Promise.resolve({ key: "1", server, rules: undefined }));
  cleanUp.push(() => opened.close());
  return { bench: createBench({ notify: createTestNotify({ mail: opened.mail }) }), peer };
}

const people = { type: "email", to: ["ada@example.org", "bob@example.org"] };
const notice = {
  kind: "test",
  severity: "info",
  title: "A test",
  text: "It works.",
} as const;

describe("e-mail channels", () => {
  it("send one mail to each recipient, with the title as subject", async () => {
    const { bench, peer } = await setUp();
    const id = await bench.addChannel(people);
    await bench.tell({ channelIds: [id], key: "k", url: "https://status.example/" });
    assert.deepEqual((await bench.stored()).map((record) => record.id).sort(), [
      `k:${id}:ada@example.org`,
      `k:${id}:bob@example.org`,
    ]);
    assert.deepEqual(await bench.notices.deliver(), { sent: 2, failed: 0, waiting: 0 });
    assert.deepEqual(peer.mails.map(({ to }) => to.join()).toSorted(), [
      "ada@example.org",
      "bob@example.org",
    ]);
    const raw = peer.mails[0]?.raw ?? "";
    assert.match(raw, /^Subject: Web 1 is offline\r$/mu);
    assert.match(raw, /Nothing was heard of it\r\n\r\nhttps:\/\/status\.example\//u);
    assert.match(raw, /^Message-ID:\s+<k-chn_[\w-]+@status\.example>\r$/mu);
  });

  it("wait without a mail server, and say what to set", async () => {
    const bench = createBench();
    const id = await bench.addChannel({ type: "email", to: ["ada@example.org"] });
    await bench.tell({ channelIds: [id] });
    assert.deepEqual(await bench.notices.deliver(), { sent: 0, failed: 0, waiting: 1 });
    assert.match((await bench.stored())[0]?.lastError ?? "", /Add one in the settings/u);
    const result = await bench.channels.test(id, { notice, actor });
    assert.equal(result.ok, false);
    assert.match(result.error ?? "", /No mail server is configured\. Add one in the settings/u);
  });

  it("try again for those alone whom the server did not take", async () => {
    const { bench, peer } = await setUp("4xx-at-rcpt");
    await bench.tell({ channelIds: [await bench.addChannel(people)] });
    assert.equal((await bench.notices.deliver()).waiting, 2);
    peer.behave("normal");
    bench.clock.advance(30 * SECOND);
    assert.equal((await bench.notices.deliver()).sent, 2);
    assert.equal(peer.mails.length, 2);
    peer.behave("5xx-at-rcpt");
    await bench.tell({ channelIds: [await bench.addChannel({ type: "email", to: ["no@example.org"] })] });
    assert.equal((await bench.notices.deliver()).failed, 1);
  });

  it("send nothing to whom the channel has no more", async () => {
    const { bench, peer } = await setUp();
    const id = await bench.addChannel(people);
    await bench.tell({ channelIds: [id] });
    const input = { type: "email" as const, name: "one", to: ["bob@example.org"] };
    await bench.channels.replace(id, { input, actor });
    await bench.notices.deliver();
    assert.deepEqual(
      peer.mails.map(({ to }) => to),
      [["bob@example.org"]],
    );
    const failed = (await bench.stored()).find(({ state }) => state === "failed");
    assert.deepEqual(
      [failed?.to, failed?.lastError],
      ["ada@example.org", "The recipient was removed from the channel"],
    );
  });

  it("give the server's own words to a test", async () => {
    const { bench, peer } = await setUp();
    const id = await bench.addChannel(people);
    const good = await bench.channels.test(id, { notice, actor });
    assert.equal(good.ok, true);
    assert.match(good.answer, /^ada@example\.org: 250 .*\nbob@example\.org: 250 /u);
    peer.behave("5xx-at-rcpt");
    const bad = await bench.channels.test(id, { notice, actor });
    assert.equal(bad.ok, false);
    assert.match(
      bad.error ?? "",
      /The email to ada@example\.org was rejected: Step "send" failed: .*No such user/u,
    );
  });
});
