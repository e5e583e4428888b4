import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { AppError } from "../../../src/kit/errors.ts";
import { createHashQueue, type HashQueue } from "../../../src/auth/base/hashing/hash-queue.ts";

/** Work that ends on request. */
function createGates(queue: HashQueue) {
  const started: string[] = [];
  const gates = new Map<string, { open: () => void; fail: (error: Error) => void }>();
  function start(name: string): Promise<string> {
    return queue.run(
      () =>
        new Promise<string>((resolve, reject) => {
          started.push(name);
          gates.set(name, { open: () => resolve(name), fail: reject });
        }),
    );
  }
  function gate(name: string) {
    const found = gates.get(name);
    assert.ok(found, `"${name}" did not start`);
    return found;
  }
  return {
    started,
    start,
    open: (name: string) => gate(name).open(),
    fail: (name: string) => gate(name).fail(new Error(name)),
  };
}

/** Lets what is ready run. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && error.code === "unavailable";
}

describe("createHashQueue", () => {
  it("runs so many at once, and the others in the order in which they came", async () => {
    const queue = createHashQueue({ atOnce: 2, maxWaiting: 10 });
    const work = createGates(queue);
    const all = ["a", "b", "c", "d", "e"].map((name) => work.start(name));
    await settle();
    assert.deepEqual([work.started, queue.running(), queue.waiting()], [["a", "b"], 2, 3]);
    work.open("b");
    await settle();
    assert.deepEqual([work.started, queue.running(), queue.waiting()], [["a", "b", "c"], 2, 2]);
    for (const name of ["a", "c", "d", "e"]) {
      work.open(name);
      await settle();
    }
    assert.deepEqual(await Promise.all(all), ["a", "b", "c", "d", "e"]);
    assert.deepEqual(work.started, ["a", "b", "c", "d", "e"]);
    assert.deepEqual([queue.running(), queue.waiting()], [0, 0]);
  });

  it("refuses what would wait beyond its bound, runs none of it, and recovers", async () => {
    const queue = createHashQueue({ atOnce: 1, maxWaiting: 1 });
    const work = createGates(queue);
    const accepted = [work.start("a"), work.start("b")];
    await assert.rejects(work.start("c"), (error) => isRefusal(error) && error.message.endsWith("Try again"));
    work.open("a");
    await settle();
    const later = work.start("d");
    work.open("b");
    await settle();
    work.open("d");
    assert.deepEqual(await Promise.all([...accepted, later]), ["a", "b", "d"]);
    assert.deepEqual(work.started, ["a", "b", "d"]);
  });

  it("asks to come back after 1 to 5 s, later when more wait", async () => {
    const seconds: unknown[] = [];
    for (const maxWaiting of [0, 1, 60, 1_000]) {
      const queue = createHashQueue({ atOnce: 1, maxWaiting });
      const work = createGates(queue);
      const waiting = Array.from({ length: maxWaiting + 1 }, (_, index) => work.start(String(index)));
      await work.start("refused").catch((error: unknown) => {
        assert.ok(isRefusal(error));
        seconds.push(error.retryAfterSeconds);
      });
      for (let index = 0; index <= maxWaiting; index += 1) {
        await settle();
        work.open(String(index));
      }
      await Promise.all(waiting);
    }
    assert.deepEqual(seconds, [1, 1, 3, 5]);
  });

  it("passes a place on when work fails, at once or later", async () => {
    const queue = createHashQueue({ atOnce: 1, maxWaiting: 5 });
    const work = createGates(queue);
    const failing = assert.rejects(work.start("late"), /late/u);
    const throwing = assert.rejects(
      queue.run(() => {
        throw new Error("at once");
      }),
      /at once/u,
    );
    const good = work.start("good");
    await settle();
    work.fail("late");
    await failing;
    await throwing;
    await settle();
    work.open("good");
    assert.equal(await good, "good");
    assert.deepEqual([queue.running(), queue.waiting()], [0, 0]);
  });

  it("lets no newcomer pass one whose turn has come", async () => {
    const queue = createHashQueue({ atOnce: 1, maxWaiting: 5 });
    const order: string[] = [];
    const first = queue.run(async () => {
      order.push("first");
    });
    const second = queue.run(async () => {
      order.push("second");
    });
    const third = first.then(() =>
      queue.run(async () => {
        order.push("third");
      }),
    );
    await Promise.all([first, second, third]);
    assert.deepEqual(order, ["first", "second", "third"]);
  });

  it("throws for numbers that make no queue", () => {
    for (const options of [
      { atOnce: 0, maxWaiting: 1 },
      { atOnce: 1.5, maxWaiting: 1 },
      { atOnce: 1, maxWaiting: -1 },
      { atOnce: 1, maxWaiting: Number.NaN },
    ]) {
      assert.throws(() => createHashQueue(options), RangeError);
    }
  });
});
