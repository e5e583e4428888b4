/** What every adapter of the bus promises; run on the hub inside one process and on a real NATS server. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, it } from "node:test";
import { type Bus, MAX_MESSAGE_BYTES } from "../../src/bus/bus.ts";
import { eventually } from "../support/eventually.ts";

export interface BusFixture {
  /** Joins a process; resolves when it is connected. */
  join(node: string, options?: { readonly isStranger?: boolean }): Promise<Bus>;
  /** Parts all processes from each other; resolves when they know it. */
  cut(): Promise<void>;
  /** Joins them again; resolves when they know it. */
  heal(): Promise<void>;
  /** What was said of messages, listeners and answerers that failed. */
  readonly failures: readonly string[];
  close(): Promise<void>;
}

/** Long enough to exceed the runner's timeout if it is awaited. */
const FOREVER_MS = 600_000;
/** For a wait that comes to its end: an answer that is given arrives before, also where much else runs. */
const ENOUGH_MS = 5_000;

interface Heard {
  readonly messages: unknown[];
  readonly froms: string[];
}

/** Notes what a node hears of a topic. */
export function hear(bus: Bus, topic: string): Heard {
  const heard: Heard = { messages: [], froms: [] };
  bus.subscribe(topic, (message, from) => {
    heard.messages.push(message);
    heard.froms.push(from);
  });
  return heard;
}

/**
 * Resolves when what `from` sent before has reached `to`: messages of one sender keep their order. The first ones
 * may be lost, as one that is sent while a subscription is on its way.
 */
async function settle(from: Bus, to: Bus): Promise<void> {
  let isThere = false;
  const stop = to.subscribe("settle", () => {
    isThere = true;
  });
  while (!isThere) {
    from.publish("settle", {});
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  stop();
}

/** Declares the suite; to be called within a `describe`. */
export function declareBusContract(open: () => Promise<BusFixture>): void {
  let fixture: BusFixture;
  let a: Bus;
  let b: Bus;
  let c: Bus;

  beforeEach(async () => {
    fixture = await open();
    [a, b, c] = await Promise.all([fixture.join("a"), fixture.join("b"), fixture.join("c")]);
  });
  afterEach(() => fixture.close());

  /** Subscriptions of all are known to all. */
  async function ready(): Promise<void> {
    for (const from of [a, b, c]) for (const to of [a, b, c]) if (from !== to) await settle(from, to);
  }

  it("brings a message to all others, in the order of its sender, and none back", async () => {
    const [own, second, third] = [hear(a, "news"), hear(b, "news"), hear(c, "news")];
    await ready();
    const sent = Array.from({ length: 200 }, (_, n) => ({
      n,
      text: "grüße",
      list: [null, true, { deep: 1 }],
    }));
    for (const message of sent) a.publish("news", message);
    await eventually(() => second.messages.length >= 200 && third.messages.length >= 200);
    assert.deepEqual(second.messages, sent);
    assert.deepEqual(third.messages, sent);
    assert.deepEqual(new Set(second.froms), new Set(["a"]));
    assert.deepEqual(own.messages, []);
  });

  it("keeps topics apart, and brings nothing after a subscription ended", async () => {
    const other = hear(b, "other");
    const first: unknown[] = [];
    const stop = b.subscribe("news", (message) => first.push(message));
    const second = hear(b, "news");
    await ready();
    a.publish("news", 1);
    await eventually(() => second.messages.length === 1);
    stop();
    a.publish("news", 2);
    await eventually(() => second.messages.length === 2);
    assert.deepEqual(first, [1]);
    assert.deepEqual(other.messages, []);
  });

  it("lets a listener throw, tells of it, and brings the message to the others all the same", async () => {
    b.subscribe("news", () => {
      throw new Error("not mine");
    });
    const heard = hear(b, "news");
    await ready();
    a.publish("news", 1);
    a.publish("news", 2);
    await eventually(() => heard.messages.length === 2);
    await eventually(() => fixture.failures.length >= 2);
    assert.match(fixture.failures[0] ?? "", /news/u);
  });

  it("asks all others, and ends as soon as all have answered or declined", async () => {
    b.answer("sum", (question, from) => ({ of: question, from }));
    c.answer("sum", async () => undefined);
    await ready();
    const answers = await a.ask("sum", [1, 2], { timeoutMs: FOREVER_MS, nodes: ["b", "c"] });
    assert.deepEqual(answers, [{ from: "b", answer: { of: [1, 2], from: "a" } }]);
  });

  it("takes the answer of a process that it does not wait for, and waits on for the others", async () => {
    let release: () => void = () => undefined;
    b.answer("sum", () => new Promise((resolve) => (release = () => resolve("awaited"))));
    c.answer("sum", () => "not awaited");
    await ready();
    let isDone = false;
    const asked = a.ask("sum", 1, { timeoutMs: FOREVER_MS, nodes: ["b"] });
    void asked.then(() => (isDone = true));
    await settle(a, b); // behind the question
    await settle(a, c);
    await settle(c, a); // behind its answer
    assert.equal(isDone, false);
    release();
    assert.deepEqual((await asked).map(({ from }) => from).toSorted(), ["b", "c"]);
  });

  it("gives each of many askers its own answers", async () => {
    for (const bus of [b, c]) bus.answer("double", (question) => Number(question) * 2);
    await ready();
    const numbers = Array.from({ length: 50 }, (_, n) => n);
    const answers = await Promise.all(
      numbers.map((n) => a.ask("double", n, { timeoutMs: FOREVER_MS, nodes: ["b", "c"] })),
    );
    for (const n of numbers) {
      assert.deepEqual(
        answers[n]?.map(({ answer }) => answer),
        [n * 2, n * 2],
      );
      assert.deepEqual(answers[n]?.map(({ from }) => from).toSorted(), ["b", "c"]);
    }
  });

  it("counts an answerer that throws, or whose answer is too large, as one that declines", async () => {
    b.answer("sum", () => {
      throw new Error("cannot");
    });
    c.answer("sum", () => "x".repeat(MAX_MESSAGE_BYTES));
    await ready();
    assert.deepEqual(await a.ask("sum", 1, { timeoutMs: FOREVER_MS, nodes: ["b", "c"] }), []);
    assert.equal(fixture.failures.length, 2);
  });

  it("waits no longer than the given time, and drops late answers", async () => {
    let release: (answer: string) => void = () => undefined;
    b.answer("slow", () => new Promise((resolve) => (release = resolve)));
    c.answer("slow", () => "quick");
    await ready();
    const first = await a.ask("slow", 1, { timeoutMs: ENOUGH_MS, nodes: ["b", "c"] });
    assert.deepEqual(first, [{ from: "c", answer: "quick" }]);
    release("late");
    await settle(b, a);
    const second = a.ask("slow", 2, { timeoutMs: FOREVER_MS, nodes: ["b", "c"] });
    const isAsked = release;
    await eventually(() => release !== isAsked);
    release("in time");
    assert.deepEqual((await second).map(({ answer }) => String(answer)).toSorted(), ["in time", "quick"]);
    assert.deepEqual(await a.ask("nobody", 1, { timeoutMs: 20, nodes: ["b", "c"] }), []);
    assert.deepEqual(await a.ask("slow", 1, { timeoutMs: FOREVER_MS, nodes: [] }), []);
  });

  it("refuses what is too large, and names that are no topics", async () => {
    const large = "ä".repeat(MAX_MESSAGE_BYTES / 2);
    assert.throws(() => a.publish("news", large), RangeError);
    await assert.rejects(a.ask("news", large, { timeoutMs: 10, nodes: ["b"] }), RangeError);
    for (const topic of ["", "News", "a.b", "a b", "*", ">", "-a", "x".repeat(65)]) {
      assert.throws(() => a.publish(topic, 1), RangeError);
      assert.throws(() => a.subscribe(topic, () => undefined), RangeError);
      assert.throws(() => a.answer(topic, () => undefined), RangeError);
      await assert.rejects(a.ask(topic, 1, { timeoutMs: 10, nodes: ["b"] }), RangeError);
    }
  });

  it("brings a message of nearly the largest size", async () => {
    const heard = hear(b, "news");
    await ready();
    const large = "x".repeat(MAX_MESSAGE_BYTES - 100);
    a.publish("news", large);
    await eventually(() => heard.messages.length === 1);
    assert.equal(heard.messages[0], large);
  });

  it("drops what is sent while it is cut, says so, and has its subscriptions again afterwards", async () => {
    const heard = hear(b, "news");
    const moves: boolean[] = [];
    const stop = a.onConnection((isConnected) => moves.push(isConnected));
    a.onConnection((isConnected) => moves.push(isConnected));
    b.answer("sum", () => 3);
    await ready();
    await fixture.cut();
    assert.equal(a.isConnected, false);
    assert.equal(a.isShared, true);
    await assert.rejects(a.check(), /cannot be reached/u);
    for (let n = 0; n < 100; n += 1) a.publish("news", "lost");
    assert.deepEqual(await a.ask("sum", 1, { timeoutMs: FOREVER_MS, nodes: ["b", "c"] }), []);
    stop();
    await fixture.heal();
    await a.check();
    await ready();
    a.publish("news", "found");
    await eventually(() => heard.messages.includes("found"));
    assert.deepEqual(heard.messages, ["found"]);
    assert.deepEqual(await a.ask("sum", 1, { timeoutMs: FOREVER_MS, nodes: ["b"] }), [
      { from: "b", answer: 3 },
    ]);
    assert.deepEqual(moves, [false, false, true]);
  });

  it("ends open questions when it closes, and drops what is sent later", async () => {
    b.answer("sum", () => 1);
    c.answer("sum", () => new Promise(() => undefined));
    await ready();
    let isDone = false;
    const asked = a.ask("sum", 1, { timeoutMs: FOREVER_MS, nodes: ["b", "c"] });
    void asked.then(() => (isDone = true));
    await settle(a, b); // behind the question: b has answered
    await settle(b, a); // behind its answer
    assert.equal(isDone, false);
    await a.close();
    assert.deepEqual(await asked, [{ from: "b", answer: 1 }]);
    a.publish("news", 1);
    assert.deepEqual(await a.ask("sum", 1, { timeoutMs: FOREVER_MS, nodes: ["b", "c"] }), []);
    assert.equal(a.isConnected, false);
    await a.close();
  });

  it("is a stranger to processes of another install", async () => {
    const stranger = await fixture.join("a", { isStranger: true });
    const heard = hear(stranger, "news");
    const own = hear(b, "news");
    stranger.answer("sum", () => "strange");
    b.answer("sum", () => "own");
    await ready();
    stranger.publish("news", "strange");
    c.publish("news", "own");
    await eventually(() => own.messages.length > 0);
    const answers = await c.ask("sum", 1, { timeoutMs: ENOUGH_MS, nodes: ["a", "b"] });
    assert.deepEqual(answers, [{ from: "b", answer: "own" }]);
    assert.deepEqual([heard.messages, own.messages], [[], ["own"]]);
  });
}
