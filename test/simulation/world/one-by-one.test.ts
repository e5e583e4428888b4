/** The search for an order of requests that explains their answers. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Kernel } from "../kernel/kernel.ts";
import { type Model, OneByOne } from "./one-by-one.ts";

interface Call {
  readonly add?: number;
}

/** A counter: additions, and readings that are answered with it. */
const counter: Model<number, Call, number> = {
  start: 0,
  step: (sum, { add }, reply) => {
    if (add !== undefined) return [sum + add];
    return reply === sum ? [sum] : [];
  },
};

interface Asked {
  readonly at: number;
  readonly until: number;
  readonly add?: number;
  readonly reply?: number;
}

/** Checks requests with these times and replies. */
async function check(asked: readonly Asked[]): Promise<void> {
  const kernel = new Kernel({ seed: 1 });
  const log = new OneByOne(kernel, "The counter", counter);
  const ask = async ({ at, until, reply, ...call }: Asked): Promise<void> => {
    await kernel.sleep(at);
    await log.note("client", call, async () => {
      await kernel.sleep(until - at);
      return reply;
    });
  };
  await kernel.run(Promise.all(asked.map(ask)));
  log.check();
}

const WRONG = /no order of the requests explains/u;

describe("requests one by one", () => {
  it("may be answered in any order while they are open at once", async () => {
    await check([
      { at: 1, until: 9, add: 1, reply: 0 },
      { at: 2, until: 8, reply: 1 },
      { at: 2, until: 7, reply: 0 },
    ]);
  });

  it("are wrong where an answer forgets what was acknowledged before, or knows what comes later", async () => {
    const add = { at: 1, until: 3, add: 1, reply: 0 };
    await assert.rejects(check([add, { at: 4, until: 5, reply: 0 }]), WRONG);
    await assert.rejects(check([add, { at: 0, until: 0.5, reply: 1 }]), WRONG);
    await assert.rejects(
      check([
        { ...add, until: 9 },
        { at: 2, until: 4, reply: 1 },
        { at: 5, until: 6, reply: 0 },
      ]),
      WRONG,
    );
  });

  it("may have happened later, or never, where there was no answer, but not twice", async () => {
    const lost = { at: 1, until: 2, add: 1 };
    await check([lost, { at: 3, until: 4, reply: 0 }, { at: 5, until: 6, reply: 1 }]);
    await check([lost, { at: 3, until: 4, reply: 0 }]);
    await assert.rejects(check([lost, { at: 3, until: 4, reply: 2 }]), WRONG);
    // It happened at once, and nothing else did for long.
    await check([lost, { at: 700_000, until: 700_001, reply: 1 }]);
    await check([lost, { ...lost, at: 3, until: 4 }, { at: 700_000, until: 700_001, reply: 2 }]);
    // So late that no one works on it any longer.
    await assert.rejects(
      check([lost, { at: 700_000, until: 700_001, reply: 0 }, { at: 800_000, until: 800_001, reply: 1 }]),
      WRONG,
    );
  });
});
