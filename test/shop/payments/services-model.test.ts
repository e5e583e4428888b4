/** Random histories of each payment service: after each step the shop agrees with the model, and its books add up. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { ProviderKindName } from "../../../src/shop/payments/providers/kinds.ts";
import { type ServiceStep, toSteps } from "./voices/service-steps.ts";
import { createServiceTrial } from "./voices/service-trial.ts";
import type { Happening } from "./voices/voice.ts";
import { voices } from "./voices/voices.ts";

const RUNS = 10;

/** The answers to all steps, after each of which shop and model were compared. */
async function run(kind: ProviderKindName, history: readonly ServiceStep[]): Promise<string[]> {
  const trial = await createServiceTrial(voices[kind]);
  const answers: string[] = [];
  for (const [at, step] of history.entries()) {
    answers.push(`${step.kind} ${await trial.step(step, at)}`);
    await trial.compare();
  }
  await trial.settle();
  return answers;
}

function isKind(name: string): name is ProviderKindName {
  return Object.hasOwn(voices, name);
}

for (const kind of Object.keys(voices).filter(isKind))
  describe(`orders under any history of ${kind}`, () => {
    it("agree with the model after each step, with whatever the service can say", async () => {
      const { says } = voices[kind]({ origin: "", now: () => 0 });
      const seen: string[] = [];
      const histories = fc.array(toSteps({ says }), { minLength: 45, maxLength: 60, size: "max" });
      const property = fc.asyncProperty(histories, async (history) => {
        seen.push(...(await run(kind, history)));
      });
      await fc.assert(property, { numRuns: RUNS, seed: 18, includeErrorInReport: true });
      const isSaid = (what: string): boolean =>
        seen.some((answer) => answer.startsWith(`says ${what} `) && !answer.endsWith("nothing"));
      assert.deepEqual(
        Object.keys(says).filter((what) => !isSaid(what)),
        [],
      );
    });
  });

describe("orders under histories of services that were found", () => {
  const say = (what: Happening, order = 0): ServiceStep => ({ kind: "says", what, order, other: 0 });
  const giveBack: ServiceStep = { kind: "giveBack", order: 0, amount: "whole" };
  const repeat: ServiceStep = { kind: "repeat", notice: 0, times: 1, isForged: false };

  it("know a payment again that Epay calls given back by now", async () => {
    const answers = await run("epay", [say("paid"), giveBack, repeat]);
    assert.deepEqual(answers, ["says paid applied", "giveBack ok", "repeat duplicate"]);
  });

  it("take a payment whose notice was dismissed before it was true", async () => {
    const answers = await run("epay", [say("lie"), { kind: "dismiss", notice: 0 }, repeat, say("paid")]);
    assert.deepEqual(answers, [
      "says lie unavailable",
      "dismiss ok",
      "repeat duplicate",
      "says paid applied",
    ]);
  });

  it("give back what Stripe collected, also after a dispute about it was won", async () => {
    const answers = await run("stripe", [say("paid"), say("dispute"), say("disputeWon"), giveBack]);
    assert.deepEqual(answers.at(-1), "giveBack ok");
  });

  it("book refunds of two trades that Alipay calls by the same number", async () => {
    const answers = await run("alipay", [say("paid"), say("paid", 1), say("refund"), say("refund", 1)]);
    assert.deepEqual(answers.slice(2), ["says refund applied", "says refund applied"]);
  });
});
