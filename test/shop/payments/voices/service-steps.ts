/** Steps of random histories with one payment service: only what it can say, and what the shop and its people do. */
import fc from "fast-check";
import { type Amount, type Step, steps } from "../notices-steps.ts";
import { type Happening, type Voice, happenings } from "./voice.ts";

/** Drafts, edits and refunds by line: the shop's own notices alone; a service's payments keep their amounts here. */
const OTHERS = ["notice", "again", "burst", "time", "draft", "edit", "refundLine"] as const;
type ShopStep = Exclude<Step, { kind: (typeof OTHERS)[number] }>;

export type ServiceStep =
  | { readonly kind: "says"; readonly what: Happening; readonly order: number; readonly other: number }
  /** Something that was said before, as often as it takes to be heard, or with a wrong proof. */
  | { readonly kind: "repeat"; readonly notice: number; readonly times: number; readonly isForged: boolean }
  /** An administrator has the service give money back. */
  | { readonly kind: "giveBack"; readonly order: number; readonly amount: Amount }
  | { readonly kind: "pass"; readonly minutes: number; readonly isRunning: boolean }
  | ShopStep;

const index = fc.nat(1_000);

const isOfShop = (step: Step): step is ShopStep => !OTHERS.some((kind) => kind === step.kind);

/** How often a payment that is right comes, beside all that may be wrong. */
const USUAL: Partial<Record<Happening, number>> = {
  paid: 6,
  silent: 2,
  approved: 3,
  waiting: 2,
  allRefunds: 3,
  refund: 3,
  refundPart: 3,
  refundAgain: 4,
  refundFailed: 4,
  dispute: 2,
  disputeWon: 2,
};

/** The steps of a service. */
export function toSteps({ says }: Pick<Voice, "says">): fc.Arbitrary<ServiceStep> {
  const known = happenings.filter((what) => says[what] !== undefined);
  return fc.oneof(
    {
      weight: 34,
      arbitrary: fc.record({
        kind: fc.constant("says" as const),
        what: fc.constantFrom(...known.flatMap((what) => Array<Happening>(USUAL[what] ?? 1).fill(what))),
        order: index,
        other: index,
      }),
    },
    {
      weight: 10,
      arbitrary: fc.record({
        kind: fc.constant("repeat" as const),
        notice: index,
        times: fc.constantFrom(1, 1, 3),
        isForged: fc.constantFrom(false, false, false, false, true),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant("giveBack" as const),
        order: index,
        amount: fc.constantFrom<Amount>("whole", "whole", "half", "one", "more"),
      }),
    },
    {
      weight: 9,
      arbitrary: fc.record({
        kind: fc.constant("pass" as const),
        minutes: fc.constantFrom(1, 1, 3, 5, 14, 16, 60, 11 * 60, 13 * 60, 3 * 1_440, 8 * 1_440, 15 * 1_440),
        isRunning: fc.constantFrom(true, true, true, false),
      }),
    },
    { weight: 36, arbitrary: steps.filter(isOfShop) },
  );
}
