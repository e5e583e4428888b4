/** Random histories of notices, moves and time: after each step the shop agrees with the model, and its books add up. */
import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import fc from "fast-check";
import { type NoticeStep, type Step, steps } from "./notices-steps.ts";
import { createTrial } from "./notices-trial.ts";

/** The answers to all steps, after each of which shop and model were compared. */
async function run(history: readonly Step[]): Promise<string[]> {
  const trial = await createTrial();
  const answers: string[] = [];
  for (const [at, step] of history.entries()) {
    answers.push(`${step.kind} ${await trial.step(step, at)}`);
    await trial.compare();
  }
  return answers;
}

/** MODEL_RUNS=2000 runs more of the random ones. */
const RUNS = Number(process.env["MODEL_RUNS"] ?? 40);

const histories = (minLength: number): fc.Arbitrary<Step[]> =>
  fc.array(steps, { minLength, maxLength: 60, size: "max" });

/** Each is met by the histories below; chance has no part in them. */
const ANSWERS = [
  "notice applied",
  "notice needs_review",
  "notice unmatched",
  "burst unmatched",
  "again duplicate",
  "again needs_review",
  "again unmatched",
  "burst applied,duplicate,duplicate",
  "place ok",
  "place out_of_stock",
  "time ok",
  "claim ok",
  "confirm ok",
  "deliver ok",
  "resolve ok",
  "cancel ok",
  "cancel illegal_transition",
  "adminCancel ok",
  "adminCancel illegal_transition",
  "markPaid ok",
  "markPaid illegal_transition",
  "markPaid conflict",
  "markPaid out_of_stock",
  "refund ok",
  "refund invalid",
  "refund conflict",
  "assign ok",
  "assign conflict",
  "dismiss ok",
  "dismiss conflict",
  "replay ok",
  "replay conflict",
  "draft ok",
  "draft conflict",
  "draft out_of_stock",
  "edit ok",
  "edit conflict",
  "edit invalid",
  "edit illegal_transition",
  "edit out_of_stock",
  "refundLine ok",
  "refundLine invalid",
  "trial ok",
  "trial conflict",
];

describe("orders under any history of notices", () => {
  it("agree with the model after each step, with every answer that there is", async () => {
    const seen = new Set<string>();
    const property = fc.asyncProperty(histories(30), async (history) => {
      for (const answer of await run(history)) seen.add(answer);
    });
    await fc.assert(property, { numRuns: 120, seed: 1, includeErrorInReport: true });
    const all = [...seen].join("\n");
    assert.deepEqual(
      ANSWERS.filter((answer) => !all.includes(answer)),
      [],
      all,
    );
  });

  it("agree with the model in random histories", async () => {
    const property = fc.asyncProperty(histories(1), async (history) => {
      await run(history);
    });
    await fc.assert(property, { numRuns: RUNS, includeErrorInReport: true });
  });
});

describe("orders under histories that were found", () => {
  const payment: { kind: "notice" } & NoticeStep = {
    kind: "notice",
    provider: "test",
    ref: "",
    event: "",
    status: "succeeded",
    order: 0,
    by: "id",
    amount: "whole",
    currency: "EUR",
  };
  const again = { kind: "again", event: "same", change: "none" } as const;
  const assign = { kind: "assign", order: 0, isOwn: true } as const;

  it("keep a contradiction once, however often it comes", async () => {
    const answers = await run([
      { ...payment, ref: "r1" },
      { ...payment, ref: "r1", amount: "half" },
      { ...again, notice: 1 },
      { ...again, notice: 1, event: "fresh" },
    ]);
    const [first, ...others] = answers.map((answer) => answer.split(" ")[1]);
    assert.equal(first, "applied");
    assert.deepEqual(new Set(others), new Set(["needs_review"]));
  });

  it("apply a payment once that first came under another one's event and was given to its order", async () => {
    const answers = await run([
      { ...payment, ref: "r1", event: "e1", amount: "half" },
      { ...payment, ref: "r2", event: "e1", amount: "one" },
      // The notice that waits is the second of two.
      { ...assign, notice: 1 },
      { ...again, notice: 1, event: "fresh" },
    ]);
    assert.deepEqual(answers, ["notice applied", "notice needs_review", "assign ok", "again duplicate"]);
  });

  it("say of a refund of all that was repeated that it was recorded", async () => {
    const refund = { kind: "refund", order: 0, amount: "default", ref: "m2" } as const;
    const answers = await run([
      { kind: "draft", items: [[0, 1]], isInvoiced: false },
      { kind: "markPaid", order: 0, amount: "default", ref: "" },
      refund,
      refund,
      { ...refund, ref: "m3" },
    ]);
    assert.deepEqual(answers.slice(2), ["refund ok", "refund already_exists", "refund invalid"]);
  });

  it("say no more that units are missing when they were found again", async () => {
    const answers = await run([
      { kind: "time", minutes: 15, isRunning: true },
      // Four of five mugs are promised to others.
      { kind: "place", items: [[0, 2]] },
      { kind: "place", items: [[0, 2]] },
      { ...payment, order: 0 },
      { kind: "restock", product: 0 },
      { kind: "replay", notice: 1 },
    ]);
    assert.deepEqual(answers.slice(3), ["notice needs_review", "restock ok", "replay ok"]);
  });
});
