/** The kind of a field that says yes or no, or nothing so that something else decides. */
import type { KindOf } from "../../ui/resource/kind.ts";
import { choiceKind } from "../../ui/resource/kinds.tsx";

const answers: Readonly<Record<string, boolean>> = { yes: true, no: false };

/** `words`: of "<words>.yes", "<words>.no" and "<words>.none". */
export function answerKind<C>(words: string): KindOf<C> {
  return (json) => {
    const choice = choiceKind<C>({ words, as: "list" })({ ...json, choices: ["yes", "no"] });
    const toWord = (value: unknown): unknown => (typeof value === "boolean" ? (value ? "yes" : "no") : value);
    return {
      ...choice,
      toTyped: (value, at) => choice.toTyped(toWord(value), at),
      read: (typed) => ({ value: typeof typed === "string" ? (answers[typed] ?? null) : null }),
      say: (value, at) => choice.say(toWord(value), at),
    };
  };
}
