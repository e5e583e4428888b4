import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type BusSeal, createBusSeal } from "../../src/bus/seal.ts";

const SECRET = "a secret that all nodes of a service have";
const SUBJECT = "trivet.monitor.topic.states";
const NOW = Date.UTC(2026, 0, 1);

function toBytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function open(seal: BusSeal, sealed: Uint8Array, subject = SUBJECT): string {
  return new TextDecoder().decode(seal.open(subject, sealed));
}

describe("createBusSeal", () => {
  const at = (now: () => number, secret = SECRET): BusSeal => createBusSeal({ secret, now });
  const seal = (secret?: string): BusSeal => at(() => NOW, secret);

  it("opens a sealed message for other nodes of the service, and for no one else", () => {
    const [a, b] = [seal(), seal()];
    const sealed = a.seal(SUBJECT, toBytes("a private word"));
    assert.equal(open(b, sealed), "a private word");
    assert.ok(!Buffer.from(sealed).includes("private"));
    assert.notDeepEqual(a.seal(SUBJECT, toBytes("x")).slice(-17), a.seal(SUBJECT, toBytes("x")).slice(-17));
  });

  it("deflates what is long", () => {
    const text = JSON.stringify(Array.from({ length: 500 }, (_, n) => ({ id: `srv_${n}`, state: "online" })));
    const sealed = seal().seal(SUBJECT, toBytes(text));
    assert.ok(sealed.length < text.length / 3, `${sealed.length} of ${text.length} bytes`);
    assert.equal(open(seal(), sealed), text);
  });

  it("refuses what was not sealed, or with another secret", () => {
    assert.throws(() => open(seal(), toBytes('{"from":"x","body":1}')), /not sealed/u);
    assert.throws(() => open(seal(), new Uint8Array()), /not sealed/u);
    const strange = seal("a secret that a stranger made up by himself").seal(SUBJECT, toBytes("x"));
    assert.throws(() => open(seal(), strange), /another secret/u);
  });

  it("refuses a message in which any byte was changed, or that was sent to another subject", () => {
    const sealed = seal().seal(SUBJECT, toBytes("five"));
    for (let index = 0; index < sealed.length; index++) {
      const changed = Uint8Array.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      assert.throws(() => open(seal(), changed), Error, `byte ${index}`);
    }
    assert.throws(() => open(seal(), sealed, "trivet.monitor.topic.claims"), /another secret/u);
  });

  it("refuses a repeat, and what comes after what was sent later", () => {
    const [a, b] = [seal(), seal()];
    const [first, second, third] = ["1", "2", "3"].map((text) => a.seal(SUBJECT, toBytes(text)));
    assert.ok(first && second && third);
    assert.equal(open(b, second), "2");
    for (const sealed of [second, first]) assert.throws(() => open(b, sealed), /replay/u);
    assert.equal(open(b, third), "3");
  });

  it("takes what two senders sent, and on two subjects, each by its own number", () => {
    const [a, b, c] = [seal(), seal(), seal()];
    const other = "trivet.monitor.topic.claims";
    const onOther = a.seal(other, toBytes("other"));
    assert.equal(open(c, a.seal(SUBJECT, toBytes("a"))), "a");
    assert.equal(open(c, onOther, other), "other");
    assert.equal(open(c, b.seal(SUBJECT, toBytes("b"))), "b");
  });

  it("refuses what is older than a minute, also when the sender is long forgotten", () => {
    let now = NOW;
    const [a, b, receiver] = [seal(), at(() => now), at(() => now)];
    const old = a.seal(SUBJECT, toBytes("old"));
    assert.equal(open(receiver, old), "old");
    now += 60_000;
    assert.throws(() => open(receiver, old), /replay/u);
    now += 100_000;
    assert.equal(open(receiver, b.seal(SUBJECT, toBytes("forgets a"))), "forgets a");
    assert.throws(() => open(receiver, old), /160 s old/u);
    const early = at(() => now + 61_000).seal(SUBJECT, toBytes("from tomorrow"));
    assert.throws(() => open(receiver, early), /clocks of the nodes differ/u);
  });
});
