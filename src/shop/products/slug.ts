/** Slugs for addresses, made from titles. */
import type { ReadTx } from "../../store/store.ts";
import { products } from "./records.ts";

const MAX_LENGTH = 120;
/** Room for "-1000" behind the slug. */
const MAX_BASE_LENGTH = MAX_LENGTH - 5;
const MAX_NUMBER = 1_000;

/** Letters that no decomposition (Unicode NFKD) takes apart. */
const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  þ: "th",
  ħ: "h",
  ı: "i",
};

/** The slug for a title: "Grüße, Ørsted!" → "grusse-orsted"; "" when nothing of it can be written in ASCII. */
export function toSlug(title: string): string {
  return title
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/[ßæœøđðłþħı]/gu, (letter) => letters[letter] ?? "")
    .replaceAll(/[\p{M}'’]/gu, "")
    .replaceAll(/[^a-z0-9]+/gu, "-")
    .slice(0, MAX_BASE_LENGTH)
    .replaceAll(/^-|-$/gu, "");
}

/** The slug for a product: from its title, else from its id; with -2, -3 and so on when it is taken. */
export async function findFreeSlug(
  tx: ReadTx,
  { title, id }: { readonly title: string; readonly id: string },
): Promise<string> {
  const fallback = id.replaceAll("_", "-");
  const base = toSlug(title) || fallback;
  for (let number = 1; number <= MAX_NUMBER; number += 1) {
    const slug = number === 1 ? base : `${base}-${number}`;
    const holder = await tx.by(products, "bySlug", [slug]);
    if (holder === undefined || holder.id === id) return slug;
  }
  return fallback;
}
