/** What is wrong with an amount of a file. */
import type { ReadAmount } from "../base/amount-text.ts";
import { type Said, say, toQuote } from "./said.ts";

type Problem = Extract<ReadAmount, { problem: string }>;

const keys = {
  foreign: "import.amount.foreign",
  none: "import.amount.none",
  ambiguous: "import.amount.ambiguous",
  form: "import.amount.form",
  decimals: "import.amount.decimals",
  large: "import.amount.large",
} as const satisfies Record<Problem["why"], string>;

/** The sentence of the reader as it is, and as a text. */
export function sayProblem({ problem, why, values }: Problem): Said {
  const own = { ...values, value: toQuote(String(values["value"] ?? "")) };
  return { message: problem, text: say(keys[why], own).text };
}
