import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTurns } from "../../src/store/postgres/turns.ts";

const patient = (): AbortSignal => new AbortController().signal;

describe("turns", () => {
  it("go to those who wait in the order in which they came", async () => {
    const turns = createTurns();
    const order: number[] = [];
    const first = await turns.take(new Set(["a"]), patient);
    const others = [1, 2, 3].map(async (n) => {
      const turn = await turns.take(new Set(["a"]), patient);
      order.push(n);
      turn.release();
    });
    assert.equal(first.has("a"), true);
    assert.deepEqual(order, []);
    first.release();
    await Promise.all(others);
    assert.deepEqual(order, [1, 2, 3]);
  });

  it("are not waited for by a holder of another one, which prevents deadlocks", async () => {
    const turns = createTurns();
    const one = await turns.take(new Set(["a"]), patient);
    const two = await turns.take(new Set(["b"]), patient);
    assert.equal(one.tryTake("b"), false);
    assert.equal(one.tryTake("a"), true);
    two.release();
    assert.equal(one.tryTake("b"), true);
    one.release();
    (await turns.take(new Set(["b", "a"]), patient)).release();
  });

  it("end for who waited too long, and what it held is free", async () => {
    const turns = createTurns();
    const holder = await turns.take(new Set(["b"]), patient);
    const impatient = new AbortController();
    const waiting = turns.take(new Set(["a", "b"]), () => impatient.signal);
    await Promise.resolve();
    impatient.abort(new Error("too long"));
    await assert.rejects(waiting, /too long/u);
    assert.equal(holder.tryTake("a"), true);
    holder.release();
    await assert.rejects(
      turns
        .take(new Set(["a", "b"]), () => AbortSignal.abort(new Error("at once")))
        .then((turn) => {
          turn.release();
          throw new Error("at once");
        }),
      /at once/u,
    );
    (await turns.take(new Set(["a", "b"]), patient)).release();
  });
});
