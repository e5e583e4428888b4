import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findLogSize } from "../../../src/monitor/heartbeats/log-size.ts";
import { toPingText } from "../../../src/monitor/heartbeats/ping-text.ts";
import { readRunMs, readSignal } from "../../../src/monitor/heartbeats/read-ping.ts";
import { heartbeatPings, heartbeatStates } from "../../../src/monitor/heartbeats/records.ts";
import { createTestHeartbeats, heartbeatFields, KEY } from "./heartbeat-fixture.ts";

describe("Pings", () => {
  it("are kept in order, the newest hundred of them", async () => {
    const test = await createTestHeartbeats();
    await test.make(heartbeatFields());
    for (let ping = 0; ping < 130; ping += 1) {
      await test.ping("success", { text: `run ${ping}` });
      test.clock.advance(1_500);
    }
    const first = await test.heartbeats.pings.list("chk_1", { limit: 60 });
    assert.deepEqual([first.items[0]?.text, first.items[0]?.number], ["run 129", 130]);
    const rest = await test.heartbeats.pings.list("chk_1", { limit: 60, cursor: first.nextCursor });
    assert.deepEqual([rest.items.length, rest.items.at(-1)?.text], [40, "run 30"]);
    assert.equal(await test.store.read((tx) => tx.count(heartbeatPings)), 100);
  });

  it("are kept up to a million bytes of text", async () => {
    const test = await createTestHeartbeats();
    await test.make(heartbeatFields());
    for (let ping = 0; ping < 105; ping += 1) {
      await test.ping("log", { text: "ä".repeat(5_000 + (ping % 2)) });
      test.clock.advance(1_500);
    }
    const state = await test.store.read((tx) => tx.get(heartbeatStates, "chk_1"));
    const { items } = await test.heartbeats.pings.list("chk_1", { limit: 200 });
    const bytes = items.reduce((sum, { text }) => sum + new TextEncoder().encode(text).length, 0);
    assert.equal(state?.textBytes, bytes);
    assert.ok(bytes <= 1_000_000, String(bytes));
    assert.ok(items.length >= 98, String(items.length));
  });

  it("of one heartbeat have a pace; what is over it leaves nothing", async () => {
    const test = await createTestHeartbeats();
    await test.make(heartbeatFields());
    for (let ping = 0; ping < 60; ping += 1) await test.ping();
    await assert.rejects(() => test.ping(), { code: "rate_limited" });
    assert.equal((await test.store.read((tx) => tx.get(heartbeatStates, "chk_1")))?.pings, 60);
    test.clock.advance(120_000);
    await test.ping();
  });

  it("at wrong keys are limited by address, and limit no request with a right key", async () => {
    const test = await createTestHeartbeats();
    await test.make(heartbeatFields());
    for (let guess = 0; guess < 30; guess += 1)
      await assert.rejects(() => test.ping("success", { key: `wrong-${guess}` }), { code: "not_found" });
    await assert.rejects(
      () => test.ping("success", { key: "wrong" }),
      (error: { code?: string; retryAfterSeconds?: number }) =>
        error.code === "rate_limited" && (error.retryAfterSeconds ?? 0) > 0,
    );
    await test.ping();
    await assert.rejects(() => test.ping("success", { key: "wrong", from: "192.0.2.2" }), {
      code: "not_found",
    });
    assert.equal(await test.store.read((tx) => tx.count(heartbeatStates)), 1);
  });

  it("at names of objects' members are at wrong keys", async () => {
    const test = await createTestHeartbeats();
    await test.make(heartbeatFields());
    for (const key of ["__proto__", "constructor", "chk_1", `${KEY} `, KEY.toUpperCase()])
      await assert.rejects(() => test.ping("success", { key }), { code: "not_found" });
  });

  it("end with the key, which may be one that is known elsewhere", async () => {
    const test = await createTestHeartbeats();
    await test.make(heartbeatFields());
    await test.make(heartbeatFields(), { id: "chk_2", pingKey: "other-key-of-another" });
    const actor = { name: "admin", requestId: "r" };
    const key = "9f1c2a90-d7e3-4b68-8091-a2b3c4d5e6f7";
    assert.equal((await test.heartbeats.changePingKey("chk_1", { pingKey: key, actor })).pingKey, key);
    await assert.rejects(() => test.ping(), { code: "not_found" });
    await test.ping("success", { key });
    const taken = { pingKey: "other-key-of-another", actor };
    await assert.rejects(() => test.heartbeats.changePingKey("chk_1", taken), { code: "conflict" });
    await assert.rejects(() => test.heartbeats.changePingKey("chk_3", { actor }), { code: "not_found" });
    assert.match((await test.heartbeats.changePingKey("chk_1", { actor })).pingKey, /^[0-9a-z]{26}$/u);
  });

  it("that come at once count once each", async () => {
    const test = await createTestHeartbeats();
    await test.make(heartbeatFields());
    await Promise.all(Array.from({ length: 50 }, (_, ping) => test.ping("success", { text: String(ping) })));
    const { items } = await test.heartbeats.pings.list("chk_1", { limit: 200 });
    assert.equal(new Set(items.map(({ text }) => text)).size, 50);
    assert.deepEqual(
      items.map(({ number }) => number),
      Array.from({ length: 50 }, (_, index) => 50 - index),
    );
  });
});

describe("findLogSize", () => {
  it("keeps all logs together in bounds", () => {
    assert.deepEqual(findLogSize(1), { maxPings: 100, maxTextBytes: 1_000_000 });
    assert.deepEqual(findLogSize(1_000), { maxPings: 50, maxTextBytes: 32_000 });
    assert.deepEqual(findLogSize(10_000), { maxPings: 10, maxTextBytes: 10_000 });
  });
});

describe("toPingText", () => {
  const bytes = (...parts: (string | number[])[]): Uint8Array =>
    Uint8Array.from(
      parts.flatMap((part) => (typeof part === "string" ? [...new TextEncoder().encode(part)] : part)),
    );
  const read = (body: Uint8Array, more = {}) => toPingText(body, { isCut: false, maxBytes: 100, ...more });

  it("keeps UTF-8 as it is", () => {
    assert.deepEqual(read(bytes("héllo\n€ 😀\u001b[31m")), { text: "héllo\n€ 😀\u001b[31m", isCut: false });
  });

  it("spells out what is none, and U+0000", () => {
    assert.equal(
      read(bytes("a", [0xff, 0xfe], "b", [0], "€", [0xe2, 0x82])).text,
      "a\\xff\\xfeb\\x00€\\xe2\\x82",
    );
    // Overlong, a surrogate, beyond the last character.
    assert.equal(read(bytes([0xc0, 0x80])).text, "\\xc0\\x80");
    assert.equal(read(bytes([0xed, 0xa0, 0x80])).text, "\\xed\\xa0\\x80");
    assert.equal(read(bytes([0xf8, 0x88, 0x80, 0x80, 0x80])).text, "\\xf8\\x88\\x80\\x80\\x80");
  });

  it("cuts between characters", () => {
    assert.deepEqual(read(bytes("a€€"), { maxBytes: 6 }), { text: "a€", isCut: true });
    assert.deepEqual(read(bytes("a€€"), { maxBytes: 7 }), { text: "a€€", isCut: false });
    assert.deepEqual(read(bytes("ab"), { isCut: true }), { text: "ab", isCut: true });
    assert.deepEqual(read(bytes("a😀").subarray(0, 4), { isCut: true }), { text: "a", isCut: true });
    assert.deepEqual(read(bytes([0xff, 0xff, 0xff]), { maxBytes: 10 }), { text: "\\xff\\xff", isCut: true });
  });

  it("is never longer than allowed, whatever comes", () => {
    for (let seed = 1; seed < 300; seed += 1) {
      const body = Uint8Array.from({ length: 60 }, (_, at) => (seed * 7919 + at * at * 104_729) % 256);
      const { text } = read(body);
      assert.ok(new TextEncoder().encode(text).length <= 100);
      assert.ok(!text.includes("\ufffd") && !text.includes("\u0000"));
    }
  });
});

describe("Reading addresses", () => {
  it("takes the endings of both families", () => {
    assert.deepEqual(readSignal(""), { signal: "success" });
    assert.deepEqual(readSignal("0"), { signal: "success", exitStatus: 0 });
    assert.deepEqual(readSignal("255"), { signal: "fail", exitStatus: 255 });
    assert.equal(readSignal("begin"), undefined);
    assert.equal(readSignal("-1"), undefined);
    assert.throws(() => readSignal("256"), { code: "bad_request" });
  });

  it("takes a time that is one", () => {
    assert.deepEqual(["12.5", "", undefined, "x", "-1", "1e9", "NaN"].map(readRunMs), [
      12.5,
      ...Array.from({ length: 6 }, () => undefined),
    ]);
  });
});
