/** Points on top of a streak, a word each: "7: 20" once, "7: 20 *" each time. */
import type { FieldJson } from "../../../kit/fields/field-json.ts";
import type { CheckInSettings } from "../../../auth/settings/schema.ts";
import { type Kind, toTexts } from "../../ui/resource/kind.ts";
import { tagsKind } from "../../ui/resource/set-kinds.tsx";

type Bonus = CheckInSettings["streakBonuses"][number];

function toWord({ days, bonus, every }: Bonus): string {
  return `${days}: ${bonus}${every ? " *" : ""}`;
}

/** The bonus that a word means; what is none goes to the service as it is, which says so. */
function parseBonus(word: string): Bonus {
  const parts = /^(\d{1,4})\s*:\s*(\d{1,7})\s*(\*?)$/u.exec(word.trim());
  return { days: Number(parts?.[1] ?? 0), bonus: Number(parts?.[2] ?? 0), every: parts?.[3] === "*" };
}

/** The bonuses of the answer, whose schema the form has. */
function toBonuses(value: unknown): readonly Bonus[] {
  return Array.isArray(value) ? (value as readonly Bonus[]) : [];
}

export function bonusesKind<C>(json: FieldJson): Kind<C> {
  const tags = tagsKind<C>(json);
  return {
    ...tags,
    toTyped: (value) => toBonuses(value).map(toWord),
    read: (typed) => ({ value: toTexts(typed).map(parseBonus) }),
    say: (value, at) => tags.say(toBonuses(value).map(toWord), at),
  };
}
