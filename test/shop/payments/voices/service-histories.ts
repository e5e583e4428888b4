/** Random histories of payment services: after each step the shop agrees with the model, and its books add up. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { ProviderKindName } from "../../../../src/shop/payments/providers/kinds.ts";
import { type ServiceStep, toSteps } from "./service-steps.ts";
import { createServiceTrial } from "./service-trial.ts";
import { voices } from "./voices.ts";

const RUNS = 10;

function isKind(name: string): name is ProviderKindName {
  return Object.hasOwn(voices, name);
}

/** Every kind; two files have a half of them each. */
export const kinds: readonly ProviderKindName[] = Object.keys(voices).filter(isKind);

/** The answers to all steps, after each of which shop and model were compared. */
export async function run(kind: ProviderKindName, history: readonly ServiceStep[]): Promise<string[]> {
  const trial = await createServiceTrial(voices[kind]);
  const answers: string[] = [];
  for (const [at, step] of history.entries()) {
    answers.push(`${step.kind} ${await trial.step(step, at)}`);
    await trial.compare();
  }
  await trial.settle();
  return answers;
}

/** Declares the suite of one kind. */
export function describeHistories(kind: ProviderKindName): void {
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
}
