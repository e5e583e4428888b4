/** Who waits for news of the chat, and how they are woken. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createChatHub } from "../../../src/shop/chat/hub.ts";
import { createFixedClock } from "../../support/fixed-clock.ts";

const ann = { kind: "user", userId: "usr_ann" } as const;
const ben = { kind: "user", userId: "usr_ben" } as const;

/** Whether a promise is settled when all work that was due is done. */
async function isSettled(promise: Promise<void>): Promise<boolean> {
  let isDone = false;
  void promise.then(() => {
    isDone = true;
  });
  await new Promise((resolve) => void setImmediate(resolve));
  return isDone;
}

describe("ChatHub", () => {
  it("keeps news without a waiting reader, combined into one", async () => {
    const hub = createChatHub(createFixedClock());
    const place = hub.take(ann);
    hub.wake("usr_ann");
    hub.wake("usr_ann");
    assert.equal(await isSettled(place.wait(Number.POSITIVE_INFINITY)), true);
    assert.equal(await isSettled(place.wait(Number.POSITIVE_INFINITY)), false);
  });

  it("wakes those whose conversation it is, and administrators", async () => {
    const hub = createChatHub(createFixedClock());
    const waits = [ann, ben, { kind: "admin" } as const].map((listener) =>
      hub.take(listener).wait(Number.POSITIVE_INFINITY),
    );
    hub.wake("usr_ben");
    assert.deepEqual(await Promise.all(waits.map((wait) => isSettled(wait))), [false, true, true]);
    hub.wake();
    assert.deepEqual(await Promise.all(waits.map((wait) => isSettled(wait))), [true, true, true]);
  });

  it("wakes at the first beat from the time on", async () => {
    const clock = createFixedClock();
    const hub = createChatHub(clock);
    const wait = hub.take(ann).wait(clock.monotonic() + 100);
    clock.advance(99);
    hub.beat();
    assert.equal(await isSettled(wait), false);
    clock.advance(1);
    hub.beat();
    assert.equal(await isSettled(wait), true);
  });

  it("gives a place back once, and takes no user for the administrators", () => {
    const hub = createChatHub(createFixedClock());
    const places = Array.from({ length: 5 }, () => hub.take(ann));
    assert.throws(() => hub.take(ann), { code: "rate_limited" });
    places[0]?.release();
    places[0]?.release();
    hub.take(ann);
    assert.throws(() => hub.take(ann), { code: "rate_limited" });
    assert.equal(hub.isPresent("usr_ben"), false);
    for (let i = 0; i < 5; i += 1) hub.take({ kind: "user", userId: "admin" });
    assert.equal(hub.count(), 10);
    hub.take({ kind: "admin" });
  });

  it("ends all when it closes", async () => {
    const hub = createChatHub(createFixedClock());
    const place = hub.take(ann);
    const wait = place.wait(Number.POSITIVE_INFINITY);
    hub.close();
    assert.equal(await isSettled(wait), true);
    assert.equal(place.isOver, true);
    assert.equal(await isSettled(place.wait(Number.POSITIVE_INFINITY)), true);
    assert.throws(() => hub.take(ann), { code: "unavailable" });
  });
});
