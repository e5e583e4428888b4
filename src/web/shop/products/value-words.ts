/** Values of what is sold, as the dialog about another's change says them. */
import { text } from "../../app/texts.ts";
import type { PlacedCategory } from "../ui/category-list.ts";
import { showMoney } from "../ui/money.ts";

/** What is to be known to say them. */
export interface ValueWords {
  readonly currency: string;
  readonly tree: readonly PlacedCategory[];
  /** Fields that hold amounts, in minor units. */
  readonly amounts: ReadonlySet<string>;
}

/** A value of a field in the reader's words: amounts with their currency, categories by name, members one by one. */
export function toValueWords(field: string, value: unknown, known: ValueWords): string {
  if (typeof value === "boolean") return text(value ? "admin.yes" : "admin.no");
  if (value === null || value === undefined || value === "") return text("admin.value.none");
  if (typeof value === "number")
    return known.amounts.has(field) ? showMoney(value, known.currency) : String(value);
  if (typeof value === "string")
    return known.tree.find(({ category }) => category.id === value)?.path ?? value;
  if (Array.isArray(value)) return value.map((each) => toValueWords(field, each, known)).join(", ");
  if (typeof value !== "object") return "";
  return Object.entries(value)
    .filter(([name, member]) => name !== "id" && member !== null && member !== "")
    .map(([name, member]) => `${name} ${toValueWords(name, member, known)}`)
    .join(" · ");
}
